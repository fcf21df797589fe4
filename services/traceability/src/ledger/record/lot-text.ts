// The text by which a lot is searched: its code, SKUs, suppliers and their lot codes, in lower
// case, one on each line (`q` of docs/interface/traceability.md#lots).
import { compareTexts } from '@lothub/kit/text-order';

/** Longest search text of a lot; of a lot with thousands of suppliers the first by name are found. */
const TEXT_MAX = 10_000;

/** The text of a lot: its code first, then all else it is found by, sorted, each once. */
export function lotText(lotCode: string, terms: Iterable<string>): string {
  const code = searchable(lotCode);
  const others = new Set<string>();
  for (const term of terms) {
    const folded = searchable(term);
    if (folded !== code) others.add(folded);
  }
  return boundedText(code, [...others]);
}

/** The text with more terms in it. */
export function lotTextWith(text: string, terms: Iterable<string>): string {
  const [code = '', ...known] = text.split('\n');
  const all = new Set(known);
  const size = all.size;
  for (const term of terms) {
    const folded = searchable(term);
    if (folded !== code) all.add(folded);
  }
  return all.size === size ? text : boundedText(code, [...all]);
}

/** Converts a term or a query to the spelling of the texts. */
export function searchable(term: string): string {
  const folded = term.toLowerCase();
  return folded.includes('\n') ? folded.replaceAll('\n', ' ') : folded;
}

/** The first by name that fit; a term left out once stays out, whatever comes later. */
function boundedText(code: string, others: readonly string[]): string {
  let text = code;
  for (const term of others.toSorted(compareTexts)) {
    if (text.length + 1 + term.length > TEXT_MAX) break;
    text += `\n${term}`;
  }
  return text;
}
