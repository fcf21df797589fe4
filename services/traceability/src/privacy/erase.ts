// Erases a customer of a tenant for good: values and salts of every sale that ever named it. In slices,
// each of them all or nothing for its lines, so that others continue and a repeat completes what a crash
// interrupted.
import { instantText, type Clock } from '@lothub/kit/clock';
import { cutSlices } from '@lothub/kit/in-list';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { ERASING, insertAuditEntry } from '../ledger/audit.ts';
import { sealedHeight, type SealedHeight } from '../ledger/decisions/draft.ts';
import { eraseHeights } from '../ledger/decisions/erasure.ts';
import type { Caller } from '../ledger/draft.ts';
import { applyCorrections, isEventBlock, readCorrections } from '../ledger/effective-reader.ts';
import { readPrivateValues } from '../ledger/private-values.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { ErasedBytes, LedgerStore } from '../ledger/store.ts';
import { findTenant } from '../lots/queries.ts';
import {
  PLACES_MAX,
  deleteChanges,
  deleteLines,
  deleteNotes,
  deleteResponses,
  forgetRecipient,
  replanCases,
} from './erasing-writes.ts';
import { eventsQuoting, slicesOfCustomer, type CustomerSlice } from './find-customer.ts';
import { notificationsTo } from './find-notifications.ts';
import { responsesTo } from './find-notifications.ts';
import { planErasure, planQuotes } from './plan-erasure.ts';
import type { ChangePlace, ErasurePlan, LinePlace, OpenedEvent } from './plan-erasure.ts';
import { notesQuoting } from './queries.ts';
import { recommitment } from './recommit.ts';

/** Events listed whose notes continue quoting the customer; all of them are counted. */
const QUOTES_LISTED_MAX = 1_000;

export interface ErasureCounts {
  /** Lines of sales that named the customer. */
  erased_lines: number;
  /** Private changes of corrections. */
  erased_changes: number;
  /** Notes of sales that quoted the customer. */
  erased_notes: number;
  /** Notices of recall cases. */
  erased_notifications: number;
  /** Values of others that got a new commitment. */
  recommitted_values: number;
  /** Sales to others whose notes continue quoting the customer. */
  quoted_in_total: number;
}

export interface Erased {
  readonly counts: ErasureCounts;
  /** Events whose notes continue quoting the customer, the first QUOTES_LISTED_MAX. */
  readonly quotedIn: readonly number[];
  readonly erasedAt: string;
  /** `quoted`: what was erased is overwritten, and notes that quote the customer are still there. */
  readonly bytes: ErasedBytes | 'quoted';
}

/** What deletes a slice, and the blocks whose private values it takes. */
interface Deletion {
  readonly heights: readonly number[];
  readonly statements: readonly Sql[];
}

const NOTHING: Deletion = { heights: [], statements: [] };

export interface EraseDeps {
  readonly store: Pick<LedgerStore, 'change' | 'correct' | 'erase' | 'settleErased'>;
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
    quoted_in_total: 0,
  };
  const auditEntry = (
    details: Readonly<Record<string, string | number>>,
    blockHeight: SealedHeight | null,
  ): Sql =>
    insertAuditEntry({
      at: instantText(clock.nowMs()),
      tenantId,
      caller,
      action: ERASING,
      entityType: 'customer',
      // Not even a hash of the reference: anybody who guesses the reference could check that it was erased.
      entityId: '',
      blockHeight,
      details,
    });

  const tenant = await findTenant(reader.database, tenantId);
  const quotedIn: number[] = [];
  let last: Deletion = NOTHING;
  let hasBegun = false;
  /** Writes a slice with the blocks that say of which blocks it erases. */
  const write = async (
    { heights, statements }: Deletion,
    stage: Readonly<Record<string, string | number>> | undefined,
  ): Promise<void> => {
    const at = instantText(clock.nowMs());
    const sealed = eraseHeights({ brand: tenantId, at, heights });
    const block = sealed.decisions.length === 0 ? null : sealedHeight(0);
    const entries = stage === undefined ? [] : [auditEntry(stage, block)];
    await store.erase({
      decisions: sealed.decisions,
      statements: [...sealed.statements, ...statements, ...entries],
    });
  };
  /** Holds the last slice back: it is written together with the end of the audit. */
  const erase = async (slice: Deletion): Promise<void> => {
    if (slice.statements.length === 0) return;
    if (last.statements.length > 0) {
      // A crash between two slices leaves the entry of the first one: that an erasure was begun.
      await write(last, hasBegun ? undefined : { stage: 'begun' });
      hasBegun = true;
    }
    last = slice;
  };
  if (tenant !== undefined) {
    const customer = { tenantNo: tenant.tenantNo, customerRef };
    const planned = { changes: new Set<string>(), notes: new Set<number>() };
    const context = { ...deps, ...request, counts, planned };
    const own = new Set<number>();
    for await (const slice of slicesOfCustomer(reader, customer)) {
      for (const { height } of slice.plain) own.add(height);
      for (const height of slice.corrected.keys()) own.add(height);
      await erase(await planSlice(slice, context));
    }
    for await (const heights of eventsQuoting(reader, customer)) {
      const ofOthers = heights.filter((height) => !own.has(height));
      await erase(await planQuotesIn(ofOthers, { ...context, quotedIn }));
    }
    for await (const heights of responsesTo(reader, request)) {
      await erase(deletionOfResponses(heights, customerRef));
    }
    let isFirst = true;
    for await (const { ids, heights } of notificationsTo(reader, { ...customer, tenantId })) {
      counts.erased_notifications += ids.length;
      const forgotten = { heights, statements: forgetRecipient(ids, customerRef) };
      // An answer and its notification forget the customer together.
      if (isFirst) last = joined(last, forgotten);
      else await erase(forgotten);
      isFirst = false;
    }
    // Files stay as they are for a customer that nothing was stored about.
    if (last.statements.length > 0) {
      last = joined(last, { heights: [], statements: [replanCases(tenant.tenantNo)] });
    }
  }
  const done = { stage: 'done', ...counts };
  if (last.statements.length > 0) await write(last, done);
  else {
    const guard = sql`select id from head where id = 1`;
    await store.change({ guard, statements: [auditEntry(done, null)] });
  }
  if (tenant !== undefined) {
    // Deletes what cases and answers added meanwhile. From here on the customer cannot be found any more, and changes
    // that were planned before are planned again.
    for await (const heights of responsesTo(reader, request)) {
      await write(deletionOfResponses(heights, customerRef), undefined);
    }
    const customer = { tenantId, tenantNo: tenant.tenantNo, customerRef };
    for await (const { ids, heights } of notificationsTo(reader, customer)) {
      counts.erased_notifications += ids.length;
      await write({ heights, statements: forgetRecipient(ids, customerRef) }, undefined);
    }
  }
  const erasedAt = instantText(clock.nowMs());
  const bytes = await store.settleErased();
  return {
    counts,
    quotedIn,
    erasedAt,
    bytes: bytes === 'overwritten' && counts.quoted_in_total > 0 ? 'quoted' : bytes,
  };
}

type SliceContext = EraseDeps &
  EraseRequest & {
    readonly counts: ErasureCounts;
    /** What is deleted already or will be: an event may come again with another line. */
    readonly planned: { readonly changes: Set<string>; readonly notes: Set<number> };
  };

/** Returns the statements that delete a slice; values that stay already have a new commitment. */
async function planSlice(slice: CustomerSlice, context: SliceContext): Promise<Deletion> {
  const { reader, counts, customerRef } = context;
  const { plain, corrected } = slice;
  const lines = [...plain];
  const changes: ChangePlace[] = [];
  const notes: number[] = [];
  if (plain.length > 0) {
    const heights = [...new Set(plain.map(({ height }) => height))];
    notes.push(...(await notesQuoting(reader.database, { text: customerRef, heights })));
  }
  for (const [height, lineNos] of corrected) {
    const plan = await planEvent(height, context, (event) =>
      planErasure(customerRef, event, lineNos),
    );
    lines.push(...plan.lines);
    addPlanned(plan, height, { ...context, changes, notes });
    counts.erased_lines += lineNos.length;
  }
  counts.erased_lines += plain.length;
  return deletions({ lines, changes, notes, counts });
}

/** What deletes quotes of the customer that do not count any more; the others are listed. */
async function planQuotesIn(
  heights: readonly number[],
  context: SliceContext & { readonly quotedIn: number[] },
): Promise<Deletion> {
  const { counts, customerRef, quotedIn } = context;
  const changes: ChangePlace[] = [];
  const notes: number[] = [];
  for (const height of heights) {
    const plan = await planEvent(height, context, (event) => planQuotes(customerRef, event));
    if (plan === undefined) {
      counts.quoted_in_total += 1;
      if (quotedIn.length < QUOTES_LISTED_MAX) quotedIn.push(height);
      continue;
    }
    addPlanned(plan, height, { ...context, changes, notes });
  }
  return deletions({ lines: [], changes, notes, counts });
}

function addPlanned(
  plan: ErasurePlan,
  height: number,
  to: Pick<SliceContext, 'planned'> & {
    readonly changes: ChangePlace[];
    readonly notes: number[];
  },
): void {
  const { planned, changes, notes } = to;
  changes.push(...plan.changes.filter((change) => isAdded(planned.changes, buildKey(change))));
  if (plan.notes && isAdded(planned.notes, height)) notes.push(height);
}

function deletions(found: {
  readonly lines: readonly LinePlace[];
  readonly changes: readonly ChangePlace[];
  readonly notes: readonly number[];
  readonly counts: ErasureCounts;
}): Deletion {
  const { lines, changes, notes, counts } = found;
  counts.erased_changes += changes.length;
  counts.erased_notes += notes.length;
  return {
    heights: [...[...lines, ...changes].map(({ height }) => height), ...notes],
    statements: [
      ...[...cutSlices(lines, PLACES_MAX)].map(deleteLines),
      ...[...cutSlices(changes, PLACES_MAX)].map(deleteChanges),
      ...[...cutSlices(notes, PLACES_MAX)].map(deleteNotes),
    ],
  };
}

function deletionOfResponses(heights: readonly number[], customerRef: string): Deletion {
  return { heights, statements: deleteResponses(heights, customerRef) };
}

function joined(one: Deletion, other: Deletion): Deletion {
  return {
    heights: [...one.heights, ...other.heights],
    statements: [...one.statements, ...other.statements],
  };
}

function buildKey({ height, changeNo }: ChangePlace): string {
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
async function planEvent<Plan extends ErasurePlan | undefined>(
  height: number,
  context: SliceContext,
  buildPlan: (event: OpenedEvent) => Plan,
): Promise<Plan> {
  const { store, counts } = context;
  return await repeatWhileStale({ busy: 'others are correcting the same event' }, async () => {
    const event = await openEvent(context.reader, height);
    const plan = buildPlan(event);
    if (plan === undefined || plan.kept.length === 0) return plan;
    const { outcomes } = await store.correct(recommitment(plan.kept, { ...context, event }));
    if (outcomes.some(({ kind }) => kind !== 'appended')) return 'stale';
    counts.recommitted_values += plan.kept.length;
    return plan;
  });
}

async function openEvent(reader: LedgerReader, height: number): Promise<OpenedEvent> {
  const block = await reader.findBlock(height);
  if (block === undefined || !isEventBlock(block)) {
    throw new Error(`erasing: block ${height} is no event; run \`lothub verify\``);
  }
  const corrections = await readCorrections(reader, [height]);
  return {
    block,
    effective: applyCorrections(block, corrections),
    corrections: corrections.get(height) ?? [],
    values: await readPrivateValues(reader.database, [height], corrections),
  };
}
