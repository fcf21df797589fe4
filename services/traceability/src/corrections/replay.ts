// Decides whether a repeated correction equals the stored one of its external id. It compares the
// request with the block, and private values with the stored ones; erased values can no longer be
// compared.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { Refusal } from '../errors.ts';
import { conflictSentence } from '../events/answers.ts';
import type { Tip } from '../ledger/draft.ts';
import { isCorrectionBlock } from '../ledger/effective-reader.ts';
import { statedStatus } from '../ledger/record/effective.ts';
import { fieldPathText, findFieldPath } from '../ledger/record/field-path.ts';
import type { ChainChange, ChainCorrection } from '../ledger/record/payload.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { readField } from './fields.ts';
import type { PlannedChange } from './plan.ts';
import { keptOfCorrection } from './queries.ts';
import type { CorrectionInput } from './schema.ts';
import { shownValue, toNewText, toOldText } from './values.ts';

/** The stored private values of a correction; an erased value is absent. */
export interface KeptOfCorrection {
  readonly requestedBy: string | undefined;
  readonly changes: ReadonlyMap<
    number,
    { readonly from: string | null; readonly to: string | null }
  >;
}

/** The external id of a correction is taken by other content. */
export class ExternalIdTaken extends Refusal {
  constructor(message: string) {
    super('rule_broken', message);
  }
}

export interface Replayed {
  readonly block: Tip;
  /** The event that it corrects. */
  readonly target: Tip;
  readonly changes: readonly PlannedChange[];
}

/**
 * The stored correction that a request repeats.
 * @throws ExternalIdTaken when the block under its external id says something else
 */
export async function readReplay(
  reader: LedgerReader,
  { request, height }: { readonly request: CorrectionInput; readonly height: number },
): Promise<Replayed> {
  const block = present(await reader.findBlock(height), `block ${height}`);
  const conflict = { taken: 'external_id', height } as const;
  if (!isCorrectionBlock(block)) {
    const fields = ['corrects_event_id'];
    throw new ExternalIdTaken(conflictSentence({ ...conflict, fields }, ''));
  }
  const { correction } = block.payload;
  const fields = differingFields(request, correction, await readKept(reader.database, height));
  if (fields.length > 0) {
    throw new ExternalIdTaken(conflictSentence({ ...conflict, fields, owner: 'correction' }, ''));
  }
  return {
    block: { height, hash: block.hash },
    target: { height: correction.corrects_block_height, hash: correction.corrects_block_hash },
    changes: request.changes.map((change, index) => shownChange(change, correction.changes[index])),
  };
}

async function readKept(database: DatabaseReader, height: number): Promise<KeptOfCorrection> {
  const rows = await keptOfCorrection(database, height);
  let requestedBy: string | undefined;
  const changes = new Map<number, { from: string | null; to: string | null }>();
  for (const row of rows) {
    if (row.changeNo === null) requestedBy = row.from ?? undefined;
    else changes.set(row.changeNo, { from: row.from, to: row.to });
  }
  return { requestedBy, changes };
}

/** Fields of a request that differ from the stored correction; empty when both say the same. */
export function differingFields(
  request: CorrectionInput,
  stored: ChainCorrection,
  kept: KeptOfCorrection,
): readonly string[] {
  const fields: string[] = [];
  if (request.corrects_event_id !== stored.corrects_event_id) fields.push('corrects_event_id');
  if (request.reason !== stored.reason) fields.push('reason');
  if (kept.requestedBy !== undefined && request.requested_by !== kept.requestedBy) {
    fields.push('requested_by');
  }
  if (request.changes.length !== stored.changes.length) return [...fields, 'changes'];
  for (const [index, change] of request.changes.entries()) {
    const before = present(stored.changes[index], 'a change of as many');
    for (const name of differingMembers(change, before, kept.changes.get(index))) {
      fields.push(`changes[${index}].${name}`);
    }
  }
  return fields;
}

type ChangeInput = CorrectionInput['changes'][number];
type KeptChange = { readonly from: string | null; readonly to: string | null } | undefined;

function differingMembers(
  sent: ChangeInput,
  stored: ChainChange,
  kept: KeptChange,
): readonly (keyof ChangeInput)[] {
  const field = readField(sent.field);
  if (field.kind === 'unknown' || field.kind === 'fixed') return ['field'];
  const path = findFieldPath(stored.field);
  const isSameField =
    field.kind === 'bare'
      ? path?.kind === 'line' && path.field === field.field
      : fieldPathText(field) === stored.field;
  if (!isSameField) return ['field'];
  const isErased = stored.private !== undefined && kept === undefined;
  if (isErased) return [];
  const from = stored.private === undefined ? (stored.from ?? null) : (kept?.from ?? null);
  const to = stored.private === undefined ? (stored.to ?? null) : (kept?.to ?? null);
  const members: (keyof ChangeInput)[] = [];
  // An event that was corrected before is shown as such, and may be called so.
  const isShownStatus = field.field === 'status' && sent.old_value === 'corrected';
  const oldText = isShownStatus
    ? statedStatus({ isVoided: false })
    : toOldText(field.field, sent.old_value ?? null);
  if (oldText !== from) members.push('old_value');
  if (toNewText(field.field, sent.new_value ?? null).text !== to) members.push('new_value');
  return members;
}

/**
 * Returns the change as the first response showed it; the caller has sent the values that were
 * erased since.
 */
function shownChange(sent: ChangeInput, stored: ChainChange | undefined): PlannedChange {
  const field = readField(sent.field);
  if (stored === undefined || field.kind === 'unknown' || field.kind === 'fixed') {
    throw new Error('answering a correction again: it was not compared');
  }
  const oldText = toOldText(field.field, sent.old_value ?? null);
  return {
    field: stored.field,
    old_value: shownValue(field.field, stored.from ?? oldText ?? null),
    new_value: shownValue(field.field, toNewText(field.field, sent.new_value ?? null).text),
  };
}
