// Appends corrections, one or many. If another correction changed the same event meanwhile, the
// requests are judged again, against the event as it counts then.
import { cutSlices } from '@lothub/kit/in-list';
import { inTurns } from '@lothub/kit/in-turns';
import { at, present } from '@lothub/kit/present';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import { Refusal } from '../errors.ts';
import { blocksOfExternalIds } from '../events/external-ids.ts';
import type { Warning } from '../events/prepare.ts';
import type { Caller, CorrectionAnswer, Tip } from '../ledger/draft.ts';
import { applyCorrections, readCorrections } from '../ledger/effective-reader.ts';
import { readPrivateValues } from '../ledger/private-values.ts';
import type { GroupLog } from '../ledger/log/signed-log.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { findTenant } from '../lots/queries.ts';
import { planCorrection, refuseUncorrectable, targetAfter } from './plan.ts';
import type { CorrectionPlan, CorrectionTarget, PlannedChange } from './plan.ts';
import { ExternalIdTaken, readReplay } from './replay.ts';
import type { CorrectionInput } from './schema.ts';

/** The result of one request. */
export type Corrected =
  | {
      readonly kind: 'appended' | 'replayed';
      readonly block: Tip;
      /** The event that is corrected. */
      readonly target: Tip;
      readonly changes: readonly PlannedChange[];
      readonly warnings: readonly Warning[];
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Not appended, because another one of the same call was refused. */
  | { readonly kind: 'withheld' };

export interface CorrectionCall {
  readonly tenantId: string;
  /** Makes the caller of a correction. `person` is the caller, whatever the request declares. */
  readonly callerFor: (requestedBy: string) => Caller;
  /** `all`: one that is refused withholds every other. */
  readonly unit: 'all' | 'each';
  readonly wantsProofs?: boolean;
  readonly store: Pick<LedgerStore, 'correct'>;
  readonly reader: LedgerReader;
  readonly newSalt: () => string;
}

export interface CorrectedAll {
  /** The results in the order of the requests. */
  readonly results: readonly Corrected[];
  readonly tip: Tip;
  readonly log: GroupLog | undefined;
}

/**
 * Plans checked corrections and appends them; answers once they are on disk.
 * @throws DatabaseError `database_busy` when others kept correcting an event, or the queue is full
 */
export async function correctEvents(
  declared: readonly CorrectionInput[],
  call: CorrectionCall,
): Promise<CorrectedAll> {
  const requests = declared.map((request) => ({
    ...request,
    requested_by: call.callerFor(request.requested_by).person ?? request.requested_by,
  }));
  const results = new Map<number, Corrected>();
  let last: CorrectionAnswer | undefined;
  return await repeatWhileStale({ busy: 'others are correcting the same event' }, async () => {
    const planned = await judgeAll(requests, results, call);
    const isRefused =
      call.unit === 'all' && [...results.values()].some(({ kind }) => kind === 'refused');
    if (isRefused || planned.size === 0) {
      return {
        results: requests.map((_request, index) => results.get(index) ?? { kind: 'withheld' }),
        tip: last?.tip ?? (await call.reader.head()),
        log: last?.log,
      };
    }
    const { tenantId, unit, wantsProofs = false } = call;
    const corrections = [...planned].map(([index, { plan }]) => ({
      ...plan.submission,
      caller: call.callerFor(at(requests, index).requested_by),
    }));
    const answer = await call.store.correct({ tenantId, corrections, unit, wantsProofs });
    for (const [position, [index, { plan, target }]] of [...planned].entries()) {
      const outcome = at(answer.outcomes, position);
      if (outcome.kind !== 'appended') continue;
      last = answer;
      const block = { height: outcome.height, hash: outcome.hash };
      const { changes, warnings } = plan;
      results.set(index, { kind: 'appended', block, target, changes, warnings });
    }
    return 'stale';
  });
}

interface Planned {
  readonly plan: CorrectionPlan;
  readonly target: Tip;
}

/**
 * Judges the requests that have no result yet: returns the results of those that were appended
 * before, refuses those that cannot be appended, and plans the others in their order. One that
 * repeats an earlier one of the same call waits for that one.
 */
async function judgeAll(
  requests: readonly CorrectionInput[],
  results: Map<number, Corrected>,
  call: CorrectionCall,
): Promise<ReadonlyMap<number, Planned>> {
  const open = requests.flatMap((request, index) =>
    results.has(index) ? [] : [{ request, index }],
  );
  const stored = await heightsOfExternalIds(
    call,
    open.flatMap(({ request }) => request.external_id ?? []),
  );
  const firstOf = new Map<string, CorrectionInput>();
  /** Events as they count after the planned corrections. */
  const targets = new Map<number, CorrectionTarget>();
  const planned = new Map<number, Planned>();
  for await (const { request, index } of inTurns(open)) {
    try {
      const externalId = request.external_id ?? undefined;
      const height = externalId === undefined ? undefined : stored.get(externalId);
      if (height !== undefined) {
        const replayed = await readReplay(call.reader, { request, height });
        results.set(index, { kind: 'replayed', ...replayed, warnings: [] });
        continue;
      }
      const first = externalId === undefined ? undefined : firstOf.get(externalId);
      if (first !== undefined) {
        refuseUnlessSame(request, first);
        continue;
      }
      const { tenantId, reader, newSalt } = call;
      const eventId = request.corrects_event_id;
      const target =
        targets.get(eventId) ?? (await readTarget(reader, { tenantId, height: eventId }));
      const plan = planCorrection(request, { target, newSalt });
      targets.set(eventId, targetAfter(target, plan.submission));
      if (externalId !== undefined) firstOf.set(externalId, request);
      planned.set(index, { plan, target: { height: target.height, hash: target.hash } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.set(index, await refusedOrRepeated(request, { refusal: error, stored, call }));
    }
  }
  return planned;
}

/**
 * The same correction may have been appended between the read of its external id and that of its
 * event; then its old values no longer fit.
 */
async function refusedOrRepeated(
  request: CorrectionInput,
  attempt: {
    readonly refusal: Refusal;
    readonly stored: ReadonlyMap<string, number>;
    readonly call: CorrectionCall;
  },
): Promise<Corrected> {
  const externalId = request.external_id ?? undefined;
  const refused: Corrected = { kind: 'refused', refusal: attempt.refusal };
  if (externalId === undefined || attempt.stored.has(externalId)) return refused;
  const height = (await heightsOfExternalIds(attempt.call, [externalId])).get(externalId);
  if (height === undefined) return refused;
  try {
    const replayed = await readReplay(attempt.call.reader, { request, height });
    return { kind: 'replayed', ...replayed, warnings: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'refused', refusal: error };
  }
}

/** @throws ExternalIdTaken when two requests of one call have an external id and differ */
function refuseUnlessSame(request: CorrectionInput, first: CorrectionInput): void {
  if (JSON.stringify(request) === JSON.stringify(first)) return;
  throw new ExternalIdTaken(
    'external_id is already used by an earlier correction of this request with other content',
  );
}

async function heightsOfExternalIds(
  { reader, tenantId }: Pick<CorrectionCall, 'reader' | 'tenantId'>,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const heights = new Map<string, number>();
  if (externalIds.length === 0) return heights;
  const tenant = await findTenant(reader.database, tenantId);
  if (tenant === undefined) return heights;
  for (const slice of cutSlices(externalIds)) {
    const { tenantNo } = tenant;
    const rows = await blocksOfExternalIds(reader.database, { tenantNo, externalIds: slice });
    for (const { externalId, height } of rows) heights.set(externalId, height);
  }
  return heights;
}

/**
 * Appends one correction.
 * @throws Refusal `rule_broken` when the event cannot be corrected so
 * @throws DatabaseError as `correctEvents`
 */
export async function correctEvent(
  request: CorrectionInput,
  call: Omit<CorrectionCall, 'unit' | 'callerFor'> & { readonly caller: Caller },
): Promise<Extract<Corrected, { kind: 'appended' | 'replayed' }> & Omit<CorrectedAll, 'results'>> {
  const { results, tip, log } = await correctEvents([request], {
    ...call,
    callerFor: () => call.caller,
    unit: 'all',
  });
  const result = present(results[0], 'the result of one correction');
  if (result.kind === 'refused') throw result.refusal;
  if (result.kind === 'withheld') throw new Error('a single correction cannot be withheld');
  return { ...result, tip, log };
}

/** @throws Refusal `rule_broken` when the tenant has no such event, or it is a correction */
export async function readTarget(
  reader: LedgerReader,
  wanted: { readonly tenantId: string; readonly height: number },
): Promise<CorrectionTarget> {
  const block = refuseUncorrectable(await reader.findBlock(wanted.height), wanted.tenantId);
  const { height, hash } = block;
  const corrections = await readCorrections(reader, [height]);
  const privateValues = await readPrivateValues(reader.database, [height], corrections);
  return {
    height,
    hash,
    effective: applyCorrections(block, corrections),
    privateValues: privateValues.effective(height),
  };
}
