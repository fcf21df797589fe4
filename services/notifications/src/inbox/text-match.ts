// Finding text whatever the case, in every script.

/**
 * Makes texts that differ only in case the same. Lower case first, then upper: so `ẞ`, `ß` and `SS` meet
 * as `SS`, and both small sigmas as `Σ`. Composed and decomposed letters meet, too.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase();
}

/** Whether a title or a body has the text in it, for many of them. */
export function textMatcher(
  text: string,
): (notification: { readonly title: string; readonly body: string | null }) => boolean {
  const wanted = foldCase(text);
  return ({ title, body }) =>
    foldCase(title).includes(wanted) || (body !== null && foldCase(body).includes(wanted));
}
