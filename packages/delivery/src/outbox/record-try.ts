// Records a try in one transaction: a line in the log of each delivery that it sent, their new state,
// and that of their receiver.
import type { WriteOptions } from '@lothub/kit/writer/planned-change';
import type { Sql } from 'sql-template-tag';
import { errorText, judge, type TryResult } from '../sending/answer.ts';
import {
  countFailure,
  disableReceiver,
  forgetFailures,
  hasMorePending,
  whileActive,
  whileFailing,
} from './failure-queries.ts';
import { endDelivered, endFailed, insertAttempt, retryAt, type ClaimedRow } from './due-queries.ts';
import type { FailuresMax, Outbox, OutboxStore } from './outbox.ts';
import { waitAfter } from './schedule.ts';

/** A receiver is disabled when no try has succeeded for this long, */
export const DISABLE_AFTER_MS = 3 * 24 * 60 * 60 * 1_000;
/** but not because of a single delivery that it refuses, which is tried 13 times in that time. */
export const DISABLE_AFTER_FAILURES = 20;
/** A receiver with more pending deliveries is disabled: they would be kept without limit. */
export const PENDING_MAX = 100_000;
/** Tries between two counts of a receiver's pending deliveries. */
const PENDING_LOOKED_AT_EVERY = 100;

const SILENT_FOR_DAYS: FailuresMax = {
  failures: DISABLE_AFTER_FAILURES,
  forMs: DISABLE_AFTER_MS,
  reason: 'The receiver has accepted nothing for 3 days',
};

/**
 * What becomes of deliveries is not flushed by itself: when the power fails, what was sent last is sent again under
 * its id, as after a crash between a try and its record. The flush of a post or of a change of a receiver keeps it.
 */
export const MAY_BE_LOST: WriteOptions = { mayBeLost: true };

export interface EndedTry<Row extends ClaimedRow> {
  /** What it sent: 1 or more deliveries of one receiver. */
  readonly rows: readonly [Row, ...Row[]];
  /** When it began and ended. */
  readonly at: number;
  readonly endedAt: number;
  readonly tookMs: number;
  readonly result: Exclude<TryResult, { readonly kind: 'stopped' }>;
  /** 0 to 1; spreads the next tries. */
  readonly random: number;
  /** Deliveries that may wait for the receiver. */
  readonly pendingMax: number;
}

/** `gone`: the receiver wants no more. `failed`: it is tried again, or was for the last time. */
export const DELIVERY_OUTCOMES = ['delivered', 'gone', 'failed'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** What a try is recorded with. */
export type Recorded<Row extends ClaimedRow> = Pick<
  Outbox<Row>,
  'tables' | 'whileSame' | 'disabling' | 'onDisabled'
> & {
  readonly store: Pick<OutboxStore, 'reader' | 'change'>;
  /** Writes all statements or none; a loss of power may undo it (`MAY_BE_LOST`). */
  readonly write: (statements: readonly Sql[]) => Promise<void>;
};

/**
 * @returns the outcome of the try
 * @throws DatabaseError as the store's `write`; its deliveries are then sent once more
 */
export async function recordTry<Row extends ClaimedRow>(
  outbox: Recorded<Row>,
  ended: EndedTry<Row>,
): Promise<DeliveryOutcome> {
  const { tables, write } = outbox;
  const { rows, endedAt, result } = ended;
  const { receiverId } = rows[0];
  const verdict = judge(result, endedAt);
  const logged = rows.map((row) => logLine(outbox, ended, row));
  const failed = countFailure(tables, { receiverId, at: endedAt });
  switch (verdict.kind) {
    case 'delivered':
      await write([
        ...logged,
        ...rows.map(({ id }) => endDelivered(tables, { id, at: endedAt })),
        forgetFailures(tables, receiverId),
      ]);
      break;
    case 'gone': {
      const endings = rows.map(({ id, attempts: attempt }) =>
        endFailed(tables, { id, attempt, at: endedAt }),
      );
      await writeOrDisable(outbox, ended, {
        statements: [...logged, ...endings, failed],
        disabling: { guard: whileSame(outbox, rows[0]), reason: verdict.reason, isGone: true },
      });
      return verdict.kind;
    }
    case 'refused': {
      const endings = rows.map(({ id, attempts: attempt }) =>
        endFailed(tables, { id, attempt, at: endedAt }),
      );
      await writeOrDisable(outbox, ended, {
        statements: [...logged, ...endings, failed],
        disabling: failingFor(outbox, ended),
      });
      return 'failed';
    }
    case 'undecided':
      await write([
        ...logged,
        ...rows.map((row) => nextTry(outbox, ended, { row, retryAfterMs: null })),
      ]);
      return 'failed';
    case 'failed': {
      const { retryAfterMs } = verdict;
      const next = rows.map((row) => nextTry(outbox, ended, { row, retryAfterMs }));
      await writeOrDisable(outbox, ended, {
        statements: [...logged, ...next, failed],
        disabling: failingFor(outbox, ended),
      });
      break;
    }
  }
  await disableWhenBehind(outbox, ended);
  return verdict.kind;
}

function logLine<Row extends ClaimedRow>(
  { tables }: Recorded<Row>,
  { at, tookMs, result }: EndedTry<Row>,
  { id, attempts: attempt }: Row,
): Sql {
  const httpStatus = 'status' in result ? result.status : null;
  return insertAttempt(tables, { id, attempt, at, tookMs, httpStatus, error: errorText(result) });
}

/** The end, after the last try. */
function nextTry<Row extends ClaimedRow>(
  { tables }: Recorded<Row>,
  { endedAt, random }: EndedTry<Row>,
  { row, retryAfterMs }: { readonly row: Row; readonly retryAfterMs: number | null },
): Sql {
  const { id, attempts: attempt, attemptsBefore } = row;
  const waitMs = waitAfter({ number: attempt - attemptsBefore, retryAfterMs, random });
  return waitMs === undefined
    ? endFailed(tables, { id, attempt, at: endedAt })
    : retryAt(tables, { id, attempt, dueAt: endedAt + waitMs });
}

function whileSame<Row extends ClaimedRow>(outbox: Recorded<Row>, row: Row): Sql {
  const { receiverId } = row;
  return whileActive(outbox.tables, { receiverId, same: outbox.whileSame?.(row) });
}

/** Now and then, because it counts. */
async function disableWhenBehind<Row extends ClaimedRow>(
  outbox: Recorded<Row>,
  ended: EndedTry<Row>,
): Promise<void> {
  const { store, tables } = outbox;
  const { rows, pendingMax } = ended;
  if (rows.every(({ seq }) => seq % PENDING_LOOKED_AT_EVERY !== 0)) return;
  const { receiverId } = rows[0];
  if (!(await hasMorePending(tables, store.reader, { receiverId, than: pendingMax }))) return;
  const reason = `More than ${pendingMax} deliveries were waiting`;
  await writeOrDisable(outbox, ended, {
    statements: [],
    disabling: { guard: whileSame(outbox, rows[0]), reason, isGone: false },
  });
}

interface Disabling {
  readonly guard: Sql;
  readonly reason: string;
  readonly isGone: boolean;
}

function failingFor<Row extends ClaimedRow>(
  { tables, disabling = SILENT_FOR_DAYS }: Recorded<Row>,
  { rows, endedAt }: EndedTry<Row>,
): Disabling | undefined {
  const { receiverId, failures, failingSince } = rows[0];
  if (failingSince === null || failures + 1 < disabling.failures) return undefined;
  if (endedAt - failingSince < disabling.forMs) return undefined;
  // What was read with the claim may be old: another delivery may have arrived since.
  return {
    guard: whileFailing(tables, { receiverId, failures, failingSince }),
    reason: disabling.reason,
    isGone: false,
  };
}

async function writeOrDisable<Row extends ClaimedRow>(
  { store, tables, write, onDisabled }: Recorded<Row>,
  { rows, endedAt }: EndedTry<Row>,
  {
    statements,
    disabling,
  }: { readonly statements: readonly Sql[]; readonly disabling: Disabling | undefined },
): Promise<void> {
  if (disabling !== undefined) {
    const { guard, reason, isGone } = disabling;
    const [row] = rows;
    const { kind } = await store.change({
      guard,
      statements: [
        ...statements,
        disableReceiver(tables, { receiverId: row.receiverId, reason }),
        ...onDisabled(row, { at: endedAt, reason, isGone }),
      ],
    });
    if (kind === 'done') return;
  }
  if (statements.length > 0) await write(statements);
}
