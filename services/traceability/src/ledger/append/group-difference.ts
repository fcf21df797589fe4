// Decides whether an imported group without an external id is the event that was imported under the same key
// before. Compares the stored content with the sent one; private values are compared by what is kept of them.
import { commitmentOfLine } from '../record/commitment.ts';
import { eventOfDraft } from './draft-event.ts';
import type { Draft, GroupDifference } from '../draft.ts';
import type { ChainEvent, ChainLine } from '../record/payload.ts';
import { EVENT_FIELD_LIST, PRIVATE_LINE_NAMES, type PrivateLineName } from '../record/fields.ts';
import { hasSameNotes, type StoredPrivate } from './replay.ts';

/**
 * Notes are compared separately, because they may be erased except for their commitment. An
 * external id is no content.
 */
const COMPARED_FIELDS = EVENT_FIELD_LIST.map(({ name }) => name).filter(
  (name) => name !== 'notes' && name !== 'external_id',
);

/** Returns undefined when both have the same content; the order of the lines does not count. */
export function findGroupDifference(
  stored: ChainEvent,
  draft: Draft,
  storedPrivate: StoredPrivate,
): GroupDifference | undefined {
  const sent = eventOfDraft(draft);
  const fields: string[] = COMPARED_FIELDS.filter((key) => stored[key] !== sent[key]);
  if (!hasSameNotes(stored, draft, storedPrivate)) fields.push('notes');
  const storedLines = new StoredLines(stored, storedPrivate);
  const privateLines = new Map(draft.privateLines.map((line) => [line.line_no, line]));
  const added = sent.lines.flatMap((line, index) =>
    storedLines.take(line, privateLines.get(index)) ? [] : [index],
  );
  const missing = stored.lines.length - (sent.lines.length - added.length);
  if (fields.length === 0 && added.length === 0 && missing === 0) return undefined;
  return { fields, added, missing };
}

type PrivateTexts = Readonly<Record<PrivateLineName, string | null>>;

/** The lines of a stored event. Each is matched once at most. */
class StoredLines {
  readonly #counts = new Map<string, number>();

  constructor(event: ChainEvent, kept: StoredPrivate) {
    event.lines.forEach((line, index) => {
      const values = kept.lines.get(index);
      const isErased = commitmentOfLine(line) !== undefined && values === undefined;
      const key = isErased ? erasedKey(line) : lineKey(line, values);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    });
  }

  /** Erased values cannot be compared any more; what is left to compare decides. */
  take(line: ChainLine, values: PrivateTexts | undefined): boolean {
    return this.#takeKey(lineKey(line, values)) || this.#takeKey(erasedKey(line));
  }

  #takeKey(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) return false;
    this.#counts.set(key, count - 1);
    return true;
  }
}

function lineKey(line: ChainLine, values: PrivateTexts | undefined): string {
  const texts = PRIVATE_LINE_NAMES.map((name) => values?.[name] ?? null);
  return JSON.stringify([openText(line), ...texts]);
}

function erasedKey(line: ChainLine): string {
  return JSON.stringify([openText(line)]);
}

/**
 * Returns the text of a line without its commitment, which is salted; members keep the order of the
 * hashed text. The text shows whether the line has a consignee.
 */
function openText({ private: _commitment, consignee, ...open }: ChainLine): string {
  return JSON.stringify(consignee === undefined ? open : [open, 'consignee']);
}
