// Reads the body of a post: JSON, and no member twice, of which one would be stored and the other
// silently lost.
import { parseJsonBody } from '@lothub/kit/json-body';
import { Problem } from '../errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The name and the value of each member. */
const STRINGS_OF_MEMBER = 2;

/** @throws JsonBodyError; Problem `json_invalid` when a member is there twice */
export function parseIngestBody(bytes: Buffer): unknown {
  const value = parseJsonBody(bytes);
  if (repeatsMember(bytes, value)) {
    throw new Problem('json_invalid', 'The body has two members of one name: send each once');
  }
  return value;
}

/** Tells of flat objects of strings only: any other is refused by its schema. */
function repeatsMember(bytes: Buffer, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const values: readonly unknown[] = Object.values(value);
  if (!values.every((one) => typeof one === 'string')) return false;
  return countStrings(bytes) !== STRINGS_OF_MEMBER * values.length;
}

/** Of valid JSON. */
function countStrings(bytes: Buffer): number {
  let quotes = 0;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    if (!isEscaped(bytes, at)) quotes += 1;
  }
  return quotes / 2;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
