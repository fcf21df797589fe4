// Decides whether a repeated post is the same event: compares a draft with what was stored, private values by
// their commitments.
import { eventOfDraft } from './draft-event.ts';
import { commitmentOfLine, lineCommitment, notesCommitment } from '../record/commitment.ts';
import type { PrivateLine, PrivateNotes } from '../record/commitment.ts';
import type { Draft } from '../draft.ts';
import type { ChainEvent, ChainLine } from '../record/payload.ts';
import {
  EVENT_FIELD_LIST,
  LINE_FIELD_LIST,
  PRIVATE_LINE_NAMES,
  isShownLineField,
} from '../record/fields.ts';
import type { LineFieldName } from '../record/fields.ts';

export interface StoredPrivate {
  /** Rows of the side table; a line that was erased has none. */
  readonly lines: ReadonlyMap<number, PrivateLine>;
  readonly notes: PrivateNotes | null;
}

/** Paths of the fields that differ; empty when the draft says the same as the stored event. */
export function differingFields(
  stored: ChainEvent,
  draft: Draft,
  storedPrivate: StoredPrivate,
): readonly string[] {
  const sent = eventOfDraft(draft);
  const fields: string[] = [];
  for (const key of EVENT_MEMBERS) if (stored[key] !== sent[key]) fields.push(key);
  if (!hasSameNotes(stored, draft, storedPrivate)) fields.push('notes');
  if (stored.lines.length !== sent.lines.length) fields.push('lines');
  else {
    sent.lines.forEach((line, index) => {
      const before = stored.lines[index];
      if (before === undefined) return;
      fields.push(...differingLineFields(before, line, index));
      fields.push(...differingClassFields(before, line, index));
      fields.push(...differingPrivateFields(before, index, draft, storedPrivate));
    });
  }
  return [...new Set(fields)];
}

/** The members that the chain has in clear; private values are compared by their commitments. */
const EVENT_MEMBERS = EVENT_FIELD_LIST.map(({ name }) => name);
const LINE_MEMBERS = LINE_FIELD_LIST.filter(({ facts }) => facts.privacy !== 'class')
  .map(({ name }) => name)
  .filter(isShownLineField);
const CLASS_MEMBERS = LINE_FIELD_LIST.filter(({ facts }) => facts.privacy === 'class')
  .map(({ name }) => name)
  .filter(isShownLineField);

function differingLineFields(stored: ChainLine, sent: ChainLine, index: number): readonly string[] {
  const fields = LINE_MEMBERS.filter((key) => stored[key] !== sent[key]);
  return fields.map((field) => `lines[${index}].${field}`);
}

/**
 * Compares whether there is a class, not the class itself: it stays as sealed, and the words that lead to it
 * may have changed since. `differingPrivateFields` compares the private text, until it is erased.
 */
function differingClassFields(
  stored: ChainLine,
  sent: ChainLine,
  index: number,
): readonly string[] {
  const fields: LineFieldName[] = CLASS_MEMBERS.filter(
    (key) => (stored[key] === undefined) !== (sent[key] === undefined),
  );
  if ((stored.consignee === undefined) !== (sent.consignee === undefined)) {
    fields.push('consignee_ref');
  }
  return fields.map((field) => `lines[${index}].${field}`);
}

function differingPrivateFields(
  stored: ChainLine,
  index: number,
  draft: Draft,
  storedPrivate: StoredPrivate,
): readonly string[] {
  const sent = draft.privateLines.find((line) => line.line_no === index);
  const commitment = commitmentOfLine(stored);
  if (commitment === undefined && sent === undefined) return [];
  const kept = storedPrivate.lines.get(index);
  // Erased values cannot be compared any more; what is left to compare decides.
  if (commitment !== undefined && kept === undefined && sent !== undefined) return [];
  if (
    commitment !== undefined &&
    kept !== undefined &&
    sent !== undefined &&
    lineCommitment({ ...sent, salt: kept.salt }) === commitment
  ) {
    return [];
  }
  const fields = PRIVATE_LINE_NAMES.filter(
    (name) => (kept?.[name] ?? null) !== (sent?.[name] ?? null),
  );
  return fields.map((field) => `lines[${index}].${field}`);
}

/** Erased notes count as the same: they cannot be compared any more. */
export function hasSameNotes(
  stored: ChainEvent,
  draft: Draft,
  storedPrivate: StoredPrivate,
): boolean {
  if (stored.notes !== eventOfDraft(draft).notes) return false;
  if (stored.private === undefined) return draft.privateNotes === null;
  if (draft.privateNotes === null) return false;
  if (storedPrivate.notes === null) return true;
  const again = { notes: draft.privateNotes.notes, salt: storedPrivate.notes.salt };
  return notesCommitment(again) === stored.private;
}
