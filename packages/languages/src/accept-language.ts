// The languages that a browser says its reader prefers (RFC 9110, section 12.5.4; RFC 4647).

/** Language ranges of a header that are looked at; browsers send a handful. */
const RANGES_MAX = 20;
const WHOLE_HEADER_MAX = 1_000;
const RANGE =
  /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/;

/** Ranges of an `Accept-Language` header in lower case, the most preferred first; `*` and what is refused are left out. */
export function preferredLanguages(header: string | undefined): readonly string[] {
  if (header === undefined || header.length > WHOLE_HEADER_MAX) return [];
  return header
    .split(',')
    .slice(0, RANGES_MAX)
    .flatMap((part) => {
      const [, range, weight = '1'] = RANGE.exec(part) ?? [];
      return range === undefined || Number(weight) === 0
        ? []
        : [{ range: range.toLowerCase(), weight: Number(weight) }];
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range);
}
