// What has to go when a customer is erased from an event that was corrected, and what stays: pure.
// docs/guide.md says the rules in words ("Erasing a customer").
import type { CorrectionBlock, EventBlock } from '../ledger/effective-reader.ts';
import type { EffectiveEvent } from '../ledger/record/effective.ts';
import { findFieldPath, type FieldPath } from '../ledger/record/field-path.ts';
import { DELIVERY_TYPES } from '../ledger/record/event-types.ts';
import { NAMED } from '../ledger/record/fields.ts';
import { findCustomer, type PrivateValuesOf } from '../ledger/private-values.ts';

/** A line of an event whose customer was named at some time. */
export interface LinePlace {
  readonly height: number;
  readonly lineNo: number;
}

/** A private change of a correction. */
export interface ChangePlace {
  readonly height: number;
  readonly changeNo: number;
}

/** A value that still counts although the commitment that covered it is erased. */
export interface KeptValue {
  readonly path: FieldPath;
  readonly text: string;
  /** What the chain says of it in clear: of a channel its class. */
  readonly clear: string | undefined;
}

export interface ErasurePlan {
  /** Lines whose values as sealed go. */
  readonly lines: readonly LinePlace[];
  readonly changes: readonly ChangePlace[];
  /** Whether the notes as sealed go. */
  readonly notes: boolean;
  /** Values that need a new commitment before anything is deleted. */
  readonly kept: readonly KeptValue[];
}

/** An event with all that was ever said of its private values. */
export interface OpenedEvent {
  readonly block: EventBlock;
  readonly effective: EffectiveEvent;
  readonly corrections: readonly CorrectionBlock[];
  readonly values: PrivateValuesOf;
}

/** One private change that is not erased. */
interface OpenChange extends ChangePlace {
  readonly from: string | null;
  readonly to: string | null;
}

type LinePath = Extract<FieldPath, { readonly kind: 'line' }>;

/**
 * A line that counts for this customer, for no customer, or not at all loses all its private values. One that
 * counts for another customer loses the commitments that name this customer; other values under them that count
 * are kept. Notes are deleted when they quote the customer.
 * @param lineNos lines that named the customer as sealed or through a correction
 */
export function planErasure(
  customerRef: string,
  event: OpenedEvent,
  lineNos: readonly number[],
): ErasurePlan {
  const plans = [
    ...lineNos.map((lineNo) => planLine(customerRef, event, lineNo)),
    planNotes(event, (text) => text?.includes(customerRef) === true),
  ];
  return {
    lines: plans.flatMap((plan) => plan.lines),
    changes: plans.flatMap((plan) => plan.changes),
    notes: plans.some((plan) => plan.notes),
    kept: plans.flatMap((plan) => plan.kept),
  };
}

function planLine(customerRef: string, event: OpenedEvent, lineNo: number): ErasurePlan {
  const { block, effective, values } = event;
  const sealed = values.sealed(block.height).lines.get(lineNo);
  const current = values.effective(block.height).lines.get(lineNo);
  const field = DELIVERY_TYPES.includes(effective.event.event_type)
    ? 'consignee_ref'
    : 'customer_ref';
  const customers = openChanges(event, { kind: 'line', lineNo, field });
  const channels = openChanges(event, { kind: 'line', lineNo, field: 'channel' });
  const place = { height: block.height, lineNo };
  const owner = effective.voided ? null : findCustomer(current);
  if (owner === null || owner === customerRef) {
    return {
      lines: sealed === undefined ? [] : [place],
      changes: [...customers, ...channels].map(pickPlace),
      notes: false,
      kept: [],
    };
  }
  const isSealedGone = findCustomer(sealed) === customerRef;
  const gone = customers.filter(({ from, to }) => from === customerRef || to === customerRef);
  const customerCarrier = customers.at(-1);
  const isCustomerGone =
    customerCarrier === undefined ? isSealedGone : gone.includes(customerCarrier);
  const channel = current?.channel ?? null;
  const isChannelGone = channels.length === 0 && isSealedGone && channel !== null;
  return {
    lines: isSealedGone ? [place] : [],
    changes: gone.map(pickPlace),
    notes: false,
    kept: [
      ...(isCustomerGone ? [keptCustomer({ lineNo, field, text: owner })] : []),
      ...(isChannelGone
        ? [
            keptLine({
              lineNo,
              field: 'channel',
              text: channel,
              clear: effective.event.lines[lineNo]?.channel,
            }),
          ]
        : []),
    ],
  };
}

/**
 * What has to go of the notes of a sale to somebody else. Notes that count and quote the customer are
 * not the hub's to delete, because they say something about that other sale: its tenant has to correct
 * them first. What a correction has replaced, and what counts no more, goes.
 * @returns undefined when the notes that count quote the customer
 */
export function planQuotes(customerRef: string, event: OpenedEvent): ErasurePlan | undefined {
  const quotes = (text: string | null): boolean => text !== null && quotesWord(text, customerRef);
  const { effective, values } = event;
  if (!effective.voided && quotes(values.effective(event.block.height).notes)) return undefined;
  return planNotes(event, quotes);
}

/**
 * Not inside of a word or a number: C-10 and ABC-1 do not quote C-1, which is somebody else. Endings
 * count, as in Annas.
 */
export function quotesWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, behind] = [text.slice(0, at), text.slice(at + word.length)];
    const isInside = WORD_BEFORE.test(before) && WORD_BEHIND.test(word);
    if (!isInside && !(DIGIT_BEFORE.test(word) && DIGIT_BEHIND.test(behind))) return true;
  }
  return false;
}

// Scripts without spaces have no words that could be separated.
const WORD = String.raw`[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]`;
const WORD_BEFORE = new RegExp(`${WORD}$`, 'v');
const WORD_BEHIND = new RegExp(`^${WORD}`, 'v');
const DIGIT_BEFORE = /\p{N}$/u;
const DIGIT_BEHIND = /^\p{N}/u;

function planNotes(event: OpenedEvent, quotes: (text: string | null) => boolean): ErasurePlan {
  const { block, effective, values } = event;
  const path: FieldPath = { kind: 'event', field: 'notes' };
  const changes = openChanges(event, path);
  const isSealedGone = quotes(values.sealed(block.height).notes);
  const gone = changes.filter(({ from, to }) => quotes(from) || quotes(to));
  const carrier = changes.at(-1);
  const isGone = carrier === undefined ? isSealedGone : gone.includes(carrier);
  const text = effective.voided ? null : values.effective(block.height).notes;
  const isKept = isGone && text !== null && !quotes(text);
  return {
    lines: [],
    changes: gone.map(pickPlace),
    notes: isSealedGone,
    kept: isKept ? [{ path, text, clear: undefined }] : [],
  };
}

/** In the order of the chain. */
function openChanges(event: OpenedEvent, wanted: FieldPath): readonly OpenChange[] {
  return event.corrections.flatMap(({ height, payload }) =>
    payload.correction.changes.flatMap((change, changeNo) => {
      const path = findFieldPath(change.field);
      if (change.private === undefined || path === undefined || !isSame(path, wanted)) return [];
      const { from, to } = event.values.change(height, changeNo);
      // Nothing is known about a change that was erased before.
      return from === null && to === null ? [] : [{ height, changeNo, from, to }];
    }),
  );
}

function isSame(a: FieldPath, b: FieldPath): boolean {
  if (a.kind === 'line' && b.kind === 'line' && a.lineNo !== b.lineNo) return false;
  return a.kind === b.kind && a.field === b.field;
}

function pickPlace({ height, changeNo }: OpenChange): ChangePlace {
  return { height, changeNo };
}

/** For a consignee, the chain shows that there is one. */
function keptCustomer(
  line: Parameters<typeof keptLine>[0] & { readonly field: 'customer_ref' | 'consignee_ref' },
): KeptValue {
  return keptLine({ ...line, clear: line.field === 'consignee_ref' ? NAMED : undefined });
}

function keptLine({
  text,
  clear,
  ...line
}: Omit<LinePath, 'kind'> & {
  readonly text: string;
  readonly clear?: string | undefined;
}): KeptValue {
  return { path: { kind: 'line', ...line }, text, clear };
}
