// Several events in one call: all or none, or (on_error=proceed) the good ones.
import { FIELD_ERRORS_MAX } from '@lothub/kit/http/field-errors';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { cutSlices } from '@lothub/kit/in-list';
import { Pace, nextWorkTurn } from '@lothub/kit/in-turns';
import type { Clock } from '@lothub/kit/clock';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { AppendAnswer, Caller, Draft, DraftOutcome } from '../ledger/draft.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { LogAnswers } from '../log/answers.ts';
import { conflictSentence, ledgerWarnings } from './answers.ts';
import {
  SLICE_ITEMS,
  itemsOfBatch,
  listItemErrors,
  rejectedItem,
  sentExternalId,
  summarise,
} from './batch-form.ts';
import type { BatchAnswer, BatchResult } from './batch-form.ts';
import { checkEvent } from './check-event.ts';
import { withoutUnfit } from './fit.ts';
import type { Prepared } from './prepare.ts';
import { BATCH_EVENTS_MAX, LINES_MAX } from './schema.ts';
import type { OnError } from '../terms.ts';

/** Lines prepared in one turn of the event loop: some milliseconds, even of a sale. */
const LINES_PER_TURN = 500;

/**
 * The events of a batch body: `{"events":[…]}` or a bare array.
 * @throws FieldsRefusal when the body is neither, or has none or too many events
 */
export function eventsOfBatch(body: unknown): readonly unknown[] {
  return itemsOfBatch(body, { name: 'events', itemsMax: BATCH_EVENTS_MAX });
}

/**
 * Appends a batch.
 * @throws FieldsRefusal (`abort`) when an event's fields are wrong; all of them are named, and all external
 *   ids of other events that are taken by other content
 * @throws Refusal `rule_broken` (`abort`) when external ids are taken by other content; all are named
 */
export async function appendBatch(options: {
  readonly tenantId: string;
  readonly caller: Caller;
  readonly events: readonly unknown[];
  readonly onError: OnError;
  readonly store: Pick<LedgerStore, 'append'>;
  readonly reader: Pick<LedgerReader, 'head' | 'database'>;
  readonly state: Pick<ChainState, 'valid'>;
  readonly clock: Clock;
  /** Undefined when the caller wants nothing about the log. */
  readonly logAnswers?: Pick<LogAnswers, 'ofTree'> | undefined;
}): Promise<BatchAnswer> {
  const { events, onError } = options;
  const prepared = await withoutUnfit(await prepareAll(events, options.clock.nowMs()), {
    database: options.reader.database,
    tenantId: options.tenantId,
  });
  const isRefused = onError === 'abort' && prepared.some((one) => one.kind === 'invalid');
  const unit = isRefused ? 'none' : onError === 'abort' ? 'all' : 'each';
  const outcomes = new Map<number, DraftOutcome>();
  let last: AppendAnswer | undefined;
  const ready = prepared.flatMap((one, index) =>
    one.kind === 'ready' ? [{ index, draft: one.draft }] : [],
  );
  for (const slice of cutSlices(ready, unit === 'each' ? SLICE_ITEMS : BATCH_EVENTS_MAX)) {
    const answer: AppendAnswer = await options.store.append({
      tenantId: options.tenantId,
      caller: options.caller,
      drafts: slice.map((one): Draft => one.draft),
      unit,
    });
    last = answer;
    slice.forEach((one, position) => {
      const outcome = answer.outcomes[position];
      if (outcome !== undefined) outcomes.set(one.index, outcome);
    });
  }
  const results = prepared.map((one, index) =>
    one.kind === 'invalid'
      ? rejectedItem(index, sentExternalId(events[index]), one.errors)
      : buildResult(one, index, outcomes.get(index)),
  );
  if (isRefused) throw new FieldsRefusal(listItemErrors(results));
  if (onError === 'abort') refuseConflicts(outcomes, results);
  const tip = last?.tip ?? (await options.reader.head());
  const log = await options.logAnswers?.ofTree(tip, last?.log);
  return { ...summarise(results, tip, options.state), ...log };
}

/**
 * Prepares every event, with turns for other requests in between. All errors are named until there are
 * FIELD_ERRORS_MAX of them in the whole batch; of every further event only the first, because a hostile
 * batch holds millions.
 */
async function prepareAll(events: readonly unknown[], nowMs: number): Promise<readonly Prepared[]> {
  const pace = new Pace(LINES_PER_TURN);
  const all: Prepared[] = [];
  let named = 0;
  for (const [index, event] of events.entries()) {
    if (pace.isOver(countLines(event))) await nextWorkTurn();
    const left = FIELD_ERRORS_MAX - named;
    const prepared = checkEvent(event, {
      root: ['body', 'events', index],
      errors: left > 0 ? 'all' : 'first',
      nowMs,
      newSalt,
      identity: 'external_id',
    });
    if (prepared.kind === 'ready') all.push(prepared);
    else {
      const errors = prepared.errors.slice(0, Math.max(1, left));
      named += errors.length;
      all.push({ kind: 'invalid', errors });
    }
  }
  return all;
}

/** Returns the work of an event: its lines, up to the maximum of an event, and one more. */
function countLines(event: unknown): number {
  if (typeof event !== 'object' || event === null || !('lines' in event)) return 1;
  return Array.isArray(event.lines) ? 1 + Math.min(event.lines.length, LINES_MAX) : 1;
}

function refuseConflicts(
  outcomes: ReadonlyMap<number, DraftOutcome>,
  results: readonly BatchResult[],
): void {
  const conflicts = [...outcomes].flatMap(([index, outcome]) =>
    outcome.kind === 'conflict' ? [{ index, outcome }] : [],
  );
  const [first] = conflicts;
  if (first === undefined) return;
  const more = conflicts.length - 1;
  const others = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'event' : 'events'} like it)`;
  const sentence = conflictSentence(first.outcome, `events[${first.index}]: `);
  throw new Refusal('rule_broken', sentence + others, { errors: listItemErrors(results) });
}

function buildResult(
  prepared: Extract<Prepared, { kind: 'ready' }>,
  index: number,
  outcome: DraftOutcome | undefined,
): BatchResult {
  const externalId = prepared.draft.externalId;
  if (outcome === undefined || outcome.kind === 'withheld') {
    return rejectedItem(index, externalId, []);
  }
  if (outcome.kind === 'conflict') {
    const loc = ['body', 'events', index, 'external_id'];
    const msg = conflictSentence(outcome, '');
    return rejectedItem(index, externalId, [{ loc, msg, type: 'external_id_conflict' }]);
  }
  return {
    index,
    external_id: externalId,
    status: outcome.kind === 'appended' ? 'accepted' : 'duplicate',
    id: outcome.height,
    block_height: outcome.height,
    block_hash: outcome.hash,
    errors: [],
    warnings: [...prepared.warnings, ...ledgerWarnings(outcome)],
  };
}
