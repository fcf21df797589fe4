// Writes the text of a block with line breaks and indents between its members. Every character of
// the text stays, also of a text that is no JSON any more; nothing is parsed, so that nothing is
// lost.

const INDENT = '  ';
/** Deeper nesting, which only tampering makes, is not indented further. */
const DEPTH_MAX = 20;

export function indented(text: string): string {
  let shown = '';
  let depth = 0;
  let isInString = false;
  const breakLine = (): void => {
    shown += `\n${INDENT.repeat(Math.min(Math.max(depth, 0), DEPTH_MAX))}`;
  };
  for (let place = 0; place < text.length; place += 1) {
    const character = text.charAt(place);
    if (isInString) {
      shown += character;
      if (character === '\\') {
        place += 1;
        shown += text.charAt(place);
      } else if (character === '"') isInString = false;
      continue;
    }
    const isClosing = character === '}' || character === ']';
    const isOpening = character === '{' || character === '[';
    if (isClosing) {
      depth -= 1;
      if (!isEmptyBefore(text, place)) breakLine();
    }
    shown += character;
    if (character === '"') isInString = true;
    if (character === ':') shown += ' ';
    if (character === ',') breakLine();
    if (isOpening) {
      depth += 1;
      if (!isEmptyBefore(text, place + 1)) breakLine();
    }
  }
  return shown;
}

/** Whether the brackets that end at a place are empty: `{}`, `[]`. */
function isEmptyBefore(text: string, place: number): boolean {
  const pair = text.slice(place - 1, place + 1);
  return pair === '{}' || pair === '[]';
}
