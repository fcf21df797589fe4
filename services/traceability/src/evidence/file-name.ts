// The header that names a file whose name people have chosen (RFC 6266).

/** What a name for programs of any age holds; everything else becomes `_`. */
const NOT_PLAIN = /[^A-Za-z0-9._-]/g;
/** What no file system has in a name, and quotes. */
const NOT_IN_NAMES = /[/\\:*?"<>|\p{Cc}]/gu;
/** What `encodeURIComponent` leaves and RFC 8187 does not. */
const LEFT = /['()*]/g;

/** `Content-Disposition` of a file to be kept. */
export function fileHeader(name: string): string {
  const plain = name.replace(NOT_PLAIN, '_');
  const named = encodeURIComponent(name.toWellFormed().replace(NOT_IN_NAMES, '_')).replace(
    LEFT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${named}`;
}
