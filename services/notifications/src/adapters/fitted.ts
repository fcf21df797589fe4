// Makes what a sender says fit a notification: texts of any length and content are cut and mended, and nothing
// is refused for its length.
import { VISIBLE_PATTERN, codePoints } from '@lothub/kit/http/field-problems';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { BODY_CHARS_MAX, TITLE_CHARS_MAX, type IngestBody } from '../ingest/ingest-schema.ts';
import { DEDUP_KEY_CHARS_MAX, LINK_CHARS_MAX, isLink } from '../sent-members.ts';
import type { Severity, Status } from '../store/post.ts';

/** A notification as a sender says it: of any length, with any character. */
export interface Unfitted {
  /** Its first visible line becomes the title; the lines after it come before the body. */
  readonly title: string | undefined;
  /** Our own title, for the case that no line of the title is visible. */
  readonly titleElse: string;
  readonly body?: string | undefined;
  readonly severity: Severity;
  /** The first of them that is a link. */
  readonly links: readonly (string | undefined)[];
  readonly dedupKey?: string | undefined;
  readonly status?: Status | undefined;
}

const ELLIPSIS = '…';
const VISIBLE = new RegExp(VISIBLE_PATTERN, 'u');

export function fitted(said: Unfitted): IngestBody {
  const lines = mended(said.title ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());
  // A line whose beginning shows nothing would be nothing but an ellipsis.
  const at = lines.findIndex((line) => isVisible(line.slice(0, TITLE_CHARS_MAX - 1)));
  const line = lines[at] ?? said.titleElse;
  const title = cut(line, TITLE_CHARS_MAX);
  // What was cut off is in the body, whole.
  const rest = title === line ? lines.slice(at + 1) : lines.slice(at);
  const texts = [rest.join('\n'), mended(said.body ?? '')].map((text) => text.trim());
  const body = cut(texts.filter((text) => text !== '').join('\n\n'), BODY_CHARS_MAX);
  const url = said.links.find((link) => link !== undefined && isShortLink(link));
  const dedupKey = fittedKey(said.dedupKey);
  return {
    title,
    ...(body === '' ? {} : { body }),
    severity: said.severity,
    ...(url === undefined ? {} : { url }),
    ...(dedupKey === undefined ? {} : { dedup_key: dedupKey }),
    ...(dedupKey === undefined || said.status === undefined ? {} : { status: said.status }),
  };
}

/** @returns the text, or its first characters and an ellipsis, never half of a character */
export function cut(text: string, charsMax: number): string {
  // A text has no more code points than UTF-16 units.
  if (text.length <= charsMax) return text;
  const characters = [...text];
  if (characters.length <= charsMax) return text;
  return characters.slice(0, charsMax - ELLIPSIS.length).join('') + ELLIPSIS;
}

/** NUL and lone surrogates cannot be stored. */
function mended(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

function isVisible(text: string): boolean {
  return text !== '' && VISIBLE.test(text);
}

function isShortLink(link: string): boolean {
  return link.length <= LINK_CHARS_MAX && isLink(link);
}

/** A key that is too long stays another one than any other key. */
function fittedKey(key: string | undefined): string | undefined {
  const text = mended(key ?? '');
  if (!isVisible(text)) return undefined;
  return (codePoints(text) ?? 0) <= DEDUP_KEY_CHARS_MAX ? text : sha256Hex(text);
}

const SEVERITY_OF_WORD: ReadonlyMap<string, Severity> = new Map([
  ...['critical', 'page', 'error', 'fatal', 'high'].map((word) => [word, 'critical'] as const),
  ...['warning', 'warn', 'medium', 'moderate'].map((word) => [word, 'warning'] as const),
]);

/** @param word as senders say it; any other is `info` */
export function severityOfWord(word: string | undefined): Severity {
  return SEVERITY_OF_WORD.get(word?.toLowerCase() ?? '') ?? 'info';
}
