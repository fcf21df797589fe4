// Erases a customer of a tenant for good: values and salts of every sale that ever named it. In slices,
// each of them all or nothing for its lines, so that others go on and a repeat completes what a crash
// interrupted.
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry } from '../ledger/audit.ts';
import type { Caller } from '../ledger/draft.ts';
import { effectiveOf, isEventBlock, readCorrections } from '../ledger/effective-reader.ts';
import { readPrivateValues } from '../ledger/private-values.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { ErasedBytes, LedgerStore } from '../ledger/store.ts';
import { findTenant } from '../lots/queries.ts';
import {
  PLACES_MAX,
  deleteChanges,
  deleteLines,
  deleteNotes,
  forgetRecipient,
} from './erasing-writes.ts';
import { slicesOfCustomer } from './find-customer.ts';
import type { CustomerSlice } from './find-customer.ts';
import { planErasure } from './plan-erasure.ts';
import type { ChangePlace, ErasurePlan, OpenedEvent } from './plan-erasure.ts';
import { countNotificationsOf, notesQuoting } from './queries.ts';
import { recommitment } from './recommit.ts';

/** Corrections of one event that meet a recommitment; each makes it plan anew. */
const ATTEMPTS_MAX = 20;

export interface ErasureCounts {
  /** Lines of sales that named the customer. */
  erased_lines: number;
  /** Private changes of corrections. */
  erased_changes: number;
  /** Notes of sales that quoted the customer. */
  erased_notes: number;
  /** Notices of recall cases. */
  erased_notifications: number;
  /** Values of others that were committed to anew. */
  recommitted_values: number;
}

export interface Erased {
  readonly counts: ErasureCounts;
  readonly erasedAt: string;
  readonly bytes: ErasedBytes;
}

export interface EraseDeps {
  readonly store: Pick<LedgerStore, 'correct' | 'write' | 'erase' | 'settleErased'>;
  readonly reader: LedgerReader;
  readonly clock: Clock;
  readonly newSalt: () => string;
}

export interface EraseRequest {
  readonly tenantId: string;
  readonly customerRef: string;
  readonly caller: Caller;
}

/**
 * @returns once it is on disk; zeros when there is nothing of this customer
 * @throws DatabaseError as the store's; what was erased until then stays erased
 */
export async function eraseCustomer(deps: EraseDeps, request: EraseRequest): Promise<Erased> {
  const { store, reader, clock } = deps;
  const { tenantId, customerRef, caller } = request;
  const counts: ErasureCounts = {
    erased_lines: 0,
    erased_changes: 0,
    erased_notes: 0,
    erased_notifications: 0,
    recommitted_values: 0,
  };
  const auditEntry = (details: Readonly<Record<string, string | number>>): Sql =>
    insertAuditEntry({
      at: instantText(clock.nowMs()),
      tenantId,
      caller,
      action: 'erase_customer',
      entityType: 'customer',
      // Not even a hash of the reference: who guesses one could tell by it that it was erased.
      entityId: '',
      blockHeight: null,
      details,
    });

  const tenant = await findTenant(reader.database, tenantId);
  let last: readonly Sql[] = [];
  if (tenant !== undefined) {
    const customer = { tenantNo: tenant.tenantNo, customerRef };
    let hasBegun = false;
    const planned = { changes: new Set<string>(), notes: new Set<number>() };
    for await (const slice of slicesOfCustomer(reader, customer)) {
      const statements = await planSlice(slice, { ...deps, ...request, counts, planned });
      if (statements.length === 0) continue;
      if (last.length > 0) {
        // A crash between two slices leaves the entry of the first one: that an erasure was begun.
        await store.erase(hasBegun ? last : [...last, auditEntry({ stage: 'begun' })]);
        hasBegun = true;
      }
      last = statements;
    }
    counts.erased_notifications = await countNotificationsOf(reader.database, customer);
    // Nothing is taken out of files for a customer of whom there was nothing.
    if (last.length > 0 || counts.erased_notifications > 0)
      last = [...last, ...forgetRecipient(customer)];
  }
  const done = auditEntry({ stage: 'done', ...counts });
  if (last.length > 0) await store.erase([...last, done]);
  else await store.write([done]);
  const erasedAt = instantText(clock.nowMs());
  return { counts, erasedAt, bytes: await store.settleErased() };
}

type SliceContext = EraseDeps &
  EraseRequest & {
    readonly counts: ErasureCounts;
    /** What is deleted already or will be: an event may come again with another line. */
    readonly planned: { readonly changes: Set<string>; readonly notes: Set<number> };
  };

/** What deletes a slice; values that stay have been committed to anew before. */
async function planSlice(slice: CustomerSlice, context: SliceContext): Promise<readonly Sql[]> {
  const { reader, counts, customerRef, planned } = context;
  const { plain, corrected } = slice;
  const lines = [...plain];
  const changes: ChangePlace[] = [];
  const notes: number[] = [];
  if (plain.length > 0) {
    const heights = [...new Set(plain.map(({ height }) => height))];
    notes.push(...(await notesQuoting(reader.database, { text: customerRef, heights })));
  }
  for (const [height, lineNos] of corrected) {
    const plan = await planEvent(height, lineNos, context);
    lines.push(...plan.lines);
    changes.push(...plan.changes.filter((change) => isAdded(planned.changes, keyOf(change))));
    if (plan.notes && isAdded(planned.notes, height)) notes.push(height);
    counts.erased_lines += lineNos.length;
  }
  counts.erased_lines += plain.length;
  counts.erased_changes += changes.length;
  counts.erased_notes += notes.length;
  return [
    ...[...slicesOf(lines, PLACES_MAX)].map(deleteLines),
    ...[...slicesOf(changes, PLACES_MAX)].map(deleteChanges),
    ...[...slicesOf(notes, PLACES_MAX)].map(deleteNotes),
  ];
}

function keyOf({ height, changeNo }: ChangePlace): string {
  return `${height}.${changeNo}`;
}

function isAdded<Value>(values: Set<Value>, value: Value): boolean {
  if (values.has(value)) return false;
  values.add(value);
  return true;
}

/**
 * A crash behind a recommitment leaves a correction that says what counts anyway; the repeat finds the
 * value carried by it, and has nothing to commit to.
 */
async function planEvent(
  height: number,
  lineNos: readonly number[],
  context: SliceContext,
): Promise<ErasurePlan> {
  const { customerRef, store, counts } = context;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const event = await openEvent(context.reader, height);
    const plan = planErasure(customerRef, event, lineNos);
    if (plan.kept.length === 0) return plan;
    const outcome = await store.correct(recommitment(plan.kept, { ...context, event }));
    if (outcome.kind === 'appended') {
      counts.recommitted_values += plan.kept.length;
      return plan;
    }
  }
  throw new DatabaseError('database_busy', 'others are correcting the same event');
}

async function openEvent(reader: LedgerReader, height: number): Promise<OpenedEvent> {
  const block = await reader.findBlock(height);
  if (block === undefined || !isEventBlock(block)) {
    throw new Error(`erasing: block ${height} is no event; run \`lothub verify\``);
  }
  const corrections = await readCorrections(reader, [height]);
  return {
    block,
    effective: effectiveOf(block, corrections),
    corrections: corrections.get(height) ?? [],
    values: await readPrivateValues(reader.database, [height], corrections),
  };
}
