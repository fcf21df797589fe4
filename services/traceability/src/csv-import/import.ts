// Imports a CSV file in two passes: the whole file is checked first, then its events are appended
// slice by slice. A crash between slices leaves a prefix; importing the file again completes it,
// because every event is known by its external id or by its content.
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { DatabaseError } from '@lothub/kit/database';
import type { WarningCode } from '../events/prepare.ts';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import type { AppendAnswer, Tip } from '../ledger/draft.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { checkInThread } from './check-thread.ts';
import { conflictError } from './check.ts';
import type { CheckedFile } from './check.ts';
import { findStoredEvents, findTip } from './queries.ts';
import { RowErrors, fieldErrorOfRow } from './row-error.ts';
import type { RowError } from './row-error.ts';
import { readSpool } from './spool.ts';
import type { Spool, SpooledEvent } from './spool.ts';

/** Slices submitted and not yet on disk: the next one is ready when the writer is. */
const SLICES_IN_FLIGHT_MAX = 2;
/** How long a slice waits before it is submitted again to a queue that was full. */
const BUSY_WAIT_MS = 50;
/** How often a slice is submitted before the import gives up: about a minute. */
const BUSY_TRIES_MAX = 1_200;

export interface ImportAnswer {
  readonly dry_run: boolean;
  /** Rows of the file that are not blank, without the header. */
  readonly rows: number;
  readonly events: number;
  /** Events appended; in a dry run, events that would be. */
  readonly accepted: number;
  /** Events that were stored already with the same content. */
  readonly duplicates: number;
  readonly rejected: number;
  readonly errors: readonly RowError[];
  /** Warnings of the accepted events, counted by their code. */
  readonly warnings: readonly { readonly code: WarningCode; readonly count: number }[];
  readonly chain: {
    readonly height: number;
    readonly tip_hash: string;
    readonly chain_valid: boolean;
  };
}

export interface ImportOptions {
  /** The file as it was uploaded. */
  readonly file: string;
  /** A folder of this import alone, removed by the caller whatever happens. */
  readonly folder: string;
  readonly tenantId: string;
  readonly onError: 'abort' | 'proceed';
  readonly mode: 'append' | 'dry_run';
  readonly store: LedgerStore;
  readonly state: ChainState;
  readonly clock: Clock;
  readonly log: ImportLog;
  /** Stops the import between two slices. */
  readonly signal: AbortSignal;
}

export interface ImportLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
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
 * Checks a file and appends its events.
 * @throws FieldsRefusal when the file cannot be read, or (`abort`) an event breaks a rule
 * @throws Refusal `rule_broken` (`abort`) when an external id is taken by other content
 * @throws ImportInterrupted when appending stopped in the middle
 * @throws DatabaseError when nothing was stored: the database or the disk cannot take it now
 */
export async function importCsv(options: ImportOptions): Promise<ImportAnswer> {
  const { store, state, log, tenantId } = options;
  const checked = await check(options);
  for (const height of checked.unsound) {
    const message = `block ${height} is not the text that was hashed`;
    state.report({ height, code: 'hash_mismatch', message });
  }
  const { rows, events, duplicates, invalid, conflicts } = checked;
  log.info(
    { tenant_id: tenantId, rows, events, duplicates, invalid, conflicts },
    'checked an imported file',
  );
  if (options.onError === 'abort') refuse(checked);
  const added = events - duplicates - invalid - conflicts;
  const appended =
    options.mode === 'dry_run'
      ? { ...NOTHING_APPENDED, accepted: added }
      : await appendSpool(options, checked.spool, added);
  const errors = [...checked.errors, ...appended.errors.kept];
  const tip = appended.tip ?? (await findTip(store.reader));
  return {
    dry_run: options.mode === 'dry_run',
    rows,
    events,
    accepted: appended.accepted,
    duplicates: duplicates + appended.duplicates,
    rejected: invalid + conflicts + appended.conflicts,
    errors,
    warnings: Object.entries(checked.warnings).map(([code, count]) => ({
      code: code as WarningCode,
      count,
    })),
    chain: { height: tip.height, tip_hash: tip.hash, chain_valid: state.valid },
  };
}

async function check(options: ImportOptions): Promise<CheckedFile> {
  const reader: DatabaseReader = options.store.reader;
  const result = await checkInThread({
    file: options.file,
    folder: options.folder,
    nowMs: options.clock.nowMs(),
    findStored: (keys) => findStoredEvents(reader, options.tenantId, keys),
    signal: options.signal,
  });
  if (result.kind === 'unreadable') throw new FieldsRefusal(result.errors.map(fieldErrorOfRow));
  return result;
}

/** @throws FieldsRefusal, Refusal when an event of the file cannot be accepted */
function refuse(checked: CheckedFile): void {
  if (checked.invalid > 0) throw new FieldsRefusal(checked.errors.map(fieldErrorOfRow));
  const [first] = checked.errors;
  if (first === undefined) return;
  const more = checked.conflicts > 1 ? ` (and ${checked.conflicts - 1} more events like it)` : '';
  throw new Refusal('rule_broken', `row ${first.row}: ${first.msg}${more}`);
}

/** What became of the spooled events so far. */
interface Appended {
  readonly accepted: number;
  readonly duplicates: number;
  readonly conflicts: number;
  readonly errors: RowErrors;
  readonly tip: Tip | undefined;
}

const NOTHING_APPENDED: Appended = {
  accepted: 0,
  duplicates: 0,
  conflicts: 0,
  errors: new RowErrors(),
  tip: undefined,
};

/** A submitted slice; never rejects, so that it may be awaited late. */
interface Submitted {
  readonly slice: readonly SpooledEvent[];
  readonly outcome: Promise<
    | { readonly kind: 'answered'; readonly answer: AppendAnswer }
    | { readonly kind: 'failed'; readonly error: unknown }
  >;
}

/**
 * Appends the slices in their order. A crash here leaves a prefix of the file on the chain (or, when
 * the queue was full, a little more than a prefix); the spool is gone, the file is not.
 */
async function appendSpool(options: ImportOptions, spool: Spool, total: number): Promise<Appended> {
  const inFlight: Submitted[] = [];
  let appended: Appended = { ...NOTHING_APPENDED, errors: new RowErrors() };
  let failure: { readonly error: unknown } | undefined;
  const takeFirst = async (): Promise<void> => {
    const submitted = inFlight.shift();
    if (submitted === undefined) return;
    const outcome = await submitted.outcome;
    if (outcome.kind === 'failed') failure ??= { error: outcome.error };
    else appended = tally(appended, submitted.slice, outcome.answer);
  };
  for await (const slice of readSpool(spool)) {
    if (options.signal.aborted) failure ??= { error: options.signal.reason };
    if (failure !== undefined) break;
    inFlight.push(submit(options, slice));
    if (inFlight.length >= SLICES_IN_FLIGHT_MAX) await takeFirst();
  }
  while (inFlight.length > 0) await takeFirst();
  if (failure !== undefined) {
    if (appended.tip === undefined && failure.error instanceof DatabaseError) throw failure.error;
    const stored = appended.accepted + appended.duplicates;
    throw new ImportInterrupted({ stored, total }, { cause: failure.error });
  }
  return appended;
}

function submit(options: ImportOptions, slice: readonly SpooledEvent[]): Submitted {
  return {
    slice,
    outcome: appendPatiently(options, slice).then(
      (answer) => ({ kind: 'answered' as const, answer }),
      (error: unknown) => ({ kind: 'failed' as const, error }),
    ),
  };
}

/** An import has time: it waits for a full queue instead of giving up in the middle of a file. */
async function appendPatiently(
  options: ImportOptions,
  slice: readonly SpooledEvent[],
): Promise<AppendAnswer> {
  const drafts = slice.map((event) => event.draft);
  for (let tries = 1; ; tries += 1) {
    try {
      return await options.store.append({ tenantId: options.tenantId, drafts, unit: 'each' });
    } catch (error) {
      const busy = error instanceof DatabaseError && error.code === 'database_busy';
      if (!busy || tries >= BUSY_TRIES_MAX || options.signal.aborted) throw error;
      await wait(BUSY_WAIT_MS);
    }
  }
}

function tally(before: Appended, slice: readonly SpooledEvent[], answer: AppendAnswer): Appended {
  let { accepted, duplicates, conflicts } = before;
  answer.outcomes.forEach((outcome, index) => {
    if (outcome.kind === 'appended') accepted += 1;
    if (outcome.kind === 'replayed') duplicates += 1;
    if (outcome.kind === 'conflict') {
      // Another writer took the external id after the file was checked.
      conflicts += 1;
      before.errors.add(conflictError(slice[index]?.row ?? 0, outcome));
    }
  });
  return { accepted, duplicates, conflicts, errors: before.errors, tip: answer.tip };
}
