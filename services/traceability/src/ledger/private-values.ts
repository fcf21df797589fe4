// Reads the values of events that only the tenant may see: customers, channels as they were sent,
// notes of sales, with corrections applied. Erased values are missing.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { CorrectionBlock, CorrectionsOf } from './effective-reader.ts';
import { findFieldPath } from './record/field-path.ts';
import type { ChainChange } from './record/payload.ts';
import { isPrivateLineField, type PrivateLineName } from './record/fields.ts';

/**
 * Events opened between two turns of the event loop, with their corrections and private values: each may
 * be a megabyte, and so may each of its corrections.
 */
export const OPENED_PER_TURN = 8;

export interface PrivateLineValues {
  readonly customerRef: string | null;
  readonly channel: string | null;
  readonly consigneeRef: string | null;
}

const NO_LINE_VALUES: PrivateLineValues = { customerRef: null, channel: null, consigneeRef: null };

/** Returns one private value of a line; null when it was not sent or is erased. */
export function privateText(
  values: PrivateLineValues | undefined,
  field: PrivateLineName,
): string | null {
  switch (field) {
    case 'customer_ref':
      return values?.customerRef ?? null;
    case 'channel':
      return values?.channel ?? null;
    case 'consignee_ref':
      return values?.consigneeRef ?? null;
  }
}

/** Fields that name a customer: of a sale and of a delivery. No line has both. */
export const CUSTOMER_FIELDS = ['customer_ref', 'consignee_ref'] as const;

export function isCustomerField(field: string): field is (typeof CUSTOMER_FIELDS)[number] {
  return CUSTOMER_FIELDS.some((name) => name === field);
}

/** Returns the customer of a sale or of a delivery; null when none was sent, or it is erased. */
export function findCustomer(values: PrivateLineValues | undefined): string | null {
  return values?.customerRef ?? values?.consigneeRef ?? null;
}

/** Returns the values of a line with one of them replaced. */
function withText(
  values: PrivateLineValues,
  field: PrivateLineName,
  text: string | null,
): PrivateLineValues {
  switch (field) {
    case 'customer_ref':
      return { ...values, customerRef: text };
    case 'channel':
      return { ...values, channel: text };
    case 'consignee_ref':
      return { ...values, consigneeRef: text };
  }
}

export interface PrivateEventValues {
  readonly notes: string | null;
  /** By the number of the line; a line without private values is not in the map. */
  readonly lines: ReadonlyMap<number, PrivateLineValues>;
}

export interface PrivateValuesOf {
  /** The values as they were sent. */
  readonly sealed: (height: number) => PrivateEventValues;
  /** The values after corrections. */
  readonly effective: (height: number) => PrivateEventValues;
  /** The old and new values of a private change of a correction; nulls when they were erased. */
  readonly change: (height: number, changeNo: number) => PrivateChangeValues;
}

export interface PrivateChangeValues {
  readonly from: string | null;
  readonly to: string | null;
}

/** The private values of a line, or the notes of an event. */
type SealedRow = { readonly height: number } & (
  | (PrivateLineValues & { readonly lineNo: number })
  | { readonly lineNo: null; readonly notes: string }
);

/** The private values of events as they were sent, by height; events without any are not in the map. */
export type SealedValues = ReadonlyMap<number, PrivateEventValues>;

interface ChangeRow extends PrivateChangeValues {
  readonly height: number;
  readonly changeNo: number;
}

const NOTHING: PrivateChangeValues = { from: null, to: null };

/** Reads the private values of events and of their corrections. */
export async function readPrivateValues(
  database: DatabaseReader,
  eventHeights: readonly number[],
  corrections: CorrectionsOf,
): Promise<PrivateValuesOf> {
  const sealed = await readSealedValues(database, eventHeights);
  return await correctPrivateValues(database, sealed, corrections);
}

/** The second half of `readPrivateValues`. */
export async function correctPrivateValues(
  database: DatabaseReader,
  sealed: SealedValues,
  corrections: CorrectionsOf,
): Promise<PrivateValuesOf> {
  const changes = await readChanges(database, [...corrections.values()].flat());
  const getSealed = (height: number): PrivateEventValues =>
    sealed.get(height) ?? { notes: null, lines: new Map() };
  const getChange = (height: number, changeNo: number): PrivateChangeValues =>
    changes.get(`${height}.${changeNo}`) ?? NOTHING;
  return {
    sealed: getSealed,
    effective: (height) =>
      applyChanges(getSealed(height), corrections.get(height) ?? [], getChange),
    change: getChange,
  };
}

function applyChanges(
  sealed: PrivateEventValues,
  corrections: readonly CorrectionBlock[],
  getChange: PrivateValuesOf['change'],
): PrivateEventValues {
  let values = sealed;
  for (const { height, payload } of corrections) {
    const getTo = (changeNo: number): string | null => getChange(height, changeNo).to;
    values = withChanges(values, payload.correction.changes, getTo);
  }
  return values;
}

/** Private values after the changes of one correction. */
export function withChanges(
  before: PrivateEventValues,
  changes: readonly ChainChange[],
  getTo: (changeNo: number) => string | null,
): PrivateEventValues {
  let { notes } = before;
  const lines = new Map(before.lines);
  for (const [changeNo, { field, private: commitment }] of changes.entries()) {
    if (commitment === undefined) continue;
    const path = findFieldPath(field);
    const to = getTo(changeNo);
    if (path?.kind === 'event') notes = to;
    if (path?.kind !== 'line' || !isPrivateLineField(path.field)) continue;
    const line = lines.get(path.lineNo) ?? NO_LINE_VALUES;
    lines.set(path.lineNo, withText(line, path.field, to));
  }
  return { notes, lines };
}

/** The first half of `readPrivateValues`; heights of other blocks may be among those given. */
export async function readSealedValues(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<SealedValues> {
  const rows = await askForEach(database, cutSlices(heights), (one, slice) =>
    one.all<SealedRow>(sql`
      select height, line_no as "lineNo", customer_ref as "customerRef", channel,
        consignee_ref as "consigneeRef", null as notes
      from private_lines
      where height in (${inList(slice)})
      union all
      select height, null, null, null, null, notes
      from private_notes
      where height in (${inList(slice)})`),
  );
  const lines = new Map<number, Map<number, PrivateLineValues>>();
  const notes = new Map<number, string>();
  for (const row of rows.flat()) {
    if (row.lineNo === null) {
      notes.set(row.height, row.notes);
      continue;
    }
    const { height, lineNo, ...values } = row;
    const ofEvent = lines.get(height) ?? new Map<number, PrivateLineValues>();
    lines.set(height, ofEvent.set(lineNo, values));
  }
  return new Map(
    [...new Set([...lines.keys(), ...notes.keys()])].map((height) => [
      height,
      { notes: notes.get(height) ?? null, lines: lines.get(height) ?? new Map() },
    ]),
  );
}

async function readChanges(
  database: DatabaseReader,
  corrections: readonly CorrectionBlock[],
): Promise<ReadonlyMap<string, PrivateChangeValues>> {
  const heights = corrections
    .filter(({ payload }) =>
      payload.correction.changes.some((change) => change.private !== undefined),
    )
    .map(({ height }) => height);
  const found = new Map<string, PrivateChangeValues>();
  const rows = await askForEach(database, cutSlices(heights), (one, slice) =>
    one.all<ChangeRow>(sql`
      select height, change_no as "changeNo", from_text as "from", to_text as "to"
      from private_changes
      where height in (${inList(slice)})`),
  );
  for (const { height, changeNo, from, to } of rows.flat())
    found.set(`${height}.${changeNo}`, { from, to });
  return found;
}
