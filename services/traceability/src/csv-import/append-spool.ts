// The second pass of an import: feeds the checked events to the ledger, slice by slice, and lets
// other writers in between.
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseError, type DatabaseErrorCode } from '@lothub/kit/database';
import { at } from '@lothub/kit/present';
import type { AppendAnswer, Caller, Tip } from '../ledger/draft.ts';
import type { GroupLog } from '../ledger/log/signed-log.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { conflictError } from './event-check.ts';
import { RowErrors, RowWarnings } from './row-error.ts';
import { readSpool, type Spool, type SpooledEvent } from './spool.ts';

/** Submissions that are not yet on disk: the next one is ready when the writer is. */
const IN_FLIGHT_MAX = 2;
/**
 * Slices of one submission while there are no other writers. A commit of 1,000 events costs a third
 * less for each event than one of 200, and delays the first other writer by 40 ms; after that a
 * submission has one slice.
 */
const SLICES_WHILE_ALONE = 5;
/** Wait before a submission is repeated to a queue that was full. */
const BUSY_WAIT_MS = 50;
/** Maximum number of submissions before the import gives up: for about a minute. */
const BUSY_TRIES_MAX = 1_200;

export interface AppendSpoolOptions {
  readonly spool: Spool;
  /** Events in the spool. */
  readonly total: number;
  readonly tenantId: string;
  readonly caller: Caller;
  readonly store: LedgerStore;
  /** Stops between two submissions. */
  readonly signal: AbortSignal;
  /** Receives the result of each submission. */
  readonly onAppended?: (part: AppendedPart) => void;
}

/** The result of one submission. */
export interface AppendedPart {
  /** Events of the submission. */
  readonly events: number;
  /** Events in the spool. */
  readonly total: number;
  /** The appended events: the first row in the file, and the height of the block. */
  readonly blocks: readonly { readonly row: number; readonly height: number }[];
}

/** The results of the spooled events so far. */
export interface Appended {
  readonly accepted: number;
  readonly duplicates: number;
  readonly conflicts: number;
  readonly errors: RowErrors;
  /** Warnings about the appended events. */
  readonly warnings: RowWarnings;
  /** The newest block after the last submission; nothing while there was none. */
  readonly tip: Tip | undefined;
  /** The log's checkpoint of the last submission. */
  readonly log: GroupLog | undefined;
  /** True when there was no other writer since the submission before the last one. */
  readonly alone: boolean;
}

export function nothingAppended(): Appended {
  return {
    accepted: 0,
    duplicates: 0,
    conflicts: 0,
    errors: new RowErrors(),
    warnings: new RowWarnings(),
    tip: undefined,
    log: undefined,
    alone: false,
  };
}

/** A submission; `outcome` never rejects, so that it may be awaited late. */
interface Submitted {
  readonly events: readonly SpooledEvent[];
  readonly outcome: Promise<
    | { readonly kind: 'answered'; readonly answer: AppendAnswer }
    | { readonly kind: 'failed'; readonly error: unknown }
  >;
}

/** Appending stopped in the middle: a prefix is stored, and importing the file again completes it. */
export class ImportInterrupted extends Error {
  readonly code = 'import_interrupted';
  readonly stored: number;
  readonly total: number;

  constructor(facts: { readonly stored: number; readonly total: number }, options: ErrorOptions) {
    super(
      `The import stopped after ${facts.stored} of ${facts.total} new events: ` +
        'import the file again to complete it',
      options,
    );
    this.name = 'ImportInterrupted';
    this.stored = facts.stored;
    this.total = facts.total;
  }
}

/**
 * Appends the events in their order. A crash here leaves a prefix of the file on the chain (a
 * little more than a prefix when the queue was full meanwhile). The spool is lost, the file is not.
 * @throws ImportInterrupted when a part is stored, DatabaseError when nothing is
 */
export async function appendSpool(options: AppendSpoolOptions): Promise<Appended> {
  const inFlight: Submitted[] = [];
  let appended = nothingAppended();
  let failure: { readonly error: unknown } | undefined;
  const takeFirst = async (): Promise<void> => {
    const submitted = inFlight.shift();
    if (submitted === undefined) return;
    const outcome = await submitted.outcome;
    if (outcome.kind === 'failed') failure ??= { error: outcome.error };
    else {
      appended = tally(appended, submitted.events, outcome.answer);
      options.onAppended?.(partOfAnswer(submitted.events, outcome.answer, options.total));
    }
  };
  let slices: (readonly SpooledEvent[])[] = [];
  for await (const slice of readSpool(options.spool)) {
    if (options.signal.aborted) failure ??= { error: options.signal.reason };
    if (failure !== undefined) break;
    slices.push(slice);
    if (slices.length < (appended.alone ? SLICES_WHILE_ALONE : 1)) continue;
    inFlight.push(submit(options, slices.flat()));
    slices = [];
    if (inFlight.length >= IN_FLIGHT_MAX) await takeFirst();
  }
  if (failure === undefined && slices.length > 0) inFlight.push(submit(options, slices.flat()));
  while (inFlight.length > 0) await takeFirst();
  if (failure !== undefined) {
    if (appended.tip === undefined && failure.error instanceof DatabaseError) throw failure.error;
    const stored = appended.accepted + appended.duplicates;
    throw new ImportInterrupted({ stored, total: options.total }, { cause: failure.error });
  }
  return appended;
}

function submit(options: AppendSpoolOptions, events: readonly SpooledEvent[]): Submitted {
  return {
    events,
    outcome: appendPatiently(options, events).then(
      (answer) => ({ kind: 'answered' as const, answer }),
      (error: unknown) => ({ kind: 'failed' as const, error }),
    ),
  };
}

const PASSING: ReadonlySet<DatabaseErrorCode> = new Set(['database_busy', 'database_unsure']);

/** An import has time: it waits for a full queue instead of giving up in the middle of a file. */
async function appendPatiently(
  options: AppendSpoolOptions,
  events: readonly SpooledEvent[],
): Promise<AppendAnswer> {
  const { tenantId, caller } = options;
  const drafts = events.map((event) => event.draft);
  for (let tries = 1; ; tries += 1) {
    try {
      return await options.store.append({ tenantId, caller, drafts, unit: 'each' });
    } catch (error) {
      // A repeated submission finds by its keys the events that are stored already.
      const isPassing = error instanceof DatabaseError && PASSING.has(error.code);
      if (!isPassing || tries >= BUSY_TRIES_MAX || options.signal.aborted) throw error;
      await wait(BUSY_WAIT_MS);
    }
  }
}

function partOfAnswer(
  events: readonly SpooledEvent[],
  { outcomes }: AppendAnswer,
  total: number,
): AppendedPart {
  const blocks = outcomes.flatMap((outcome, index) =>
    outcome.kind === 'appended' ? [{ row: at(events, index).row, height: outcome.height }] : [],
  );
  return { events: events.length, total, blocks };
}

function tally(before: Appended, events: readonly SpooledEvent[], answer: AppendAnswer): Appended {
  const { errors, warnings } = before;
  let { accepted, duplicates, conflicts } = before;
  answer.outcomes.forEach((outcome, index) => {
    const event = at(events, index);
    if (outcome.kind === 'appended') {
      accepted += 1;
      const { height: block_height } = outcome;
      for (const { code, row } of event.warnings) warnings.add(code, { row, block_height });
      if (outcome.heldLots.length > 0)
        warnings.add('lot_on_hold', { row: event.row, block_height });
    }
    if (outcome.kind === 'replayed') duplicates += 1;
    if (outcome.kind === 'conflict') {
      // Another writer took the external id or the group after the file was checked.
      conflicts += 1;
      errors.add(conflictError(outcome, event.row));
    }
  });
  const { tip, log } = answer;
  const grown = before.tip === undefined ? undefined : tip.height - before.tip.height;
  const alone = grown === accepted - before.accepted;
  return { accepted, duplicates, conflicts, errors, warnings, tip, log, alone };
}
