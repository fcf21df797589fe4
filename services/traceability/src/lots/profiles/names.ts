// Names by language as rows keep them, and where a picture is served.

/** Keys are tags of BCP 47 in their canonical form. */
export type Names = Readonly<Record<string, string>>;

/** @param names canonical JSON, as its block has it */
export function parseNames({ names }: { readonly names: string }): Names {
  return JSON.parse(names) as Names;
}

/** @param publicUrl without a slash at the end */
export function picturePath(sha256: string, publicUrl: string): string {
  return `${publicUrl}/public/pictures/${sha256}`;
}
