// What a try leaves behind, in one transaction: its line in the log, the new state of the delivery, and
// of its webhook.
import type { Sql } from 'sql-template-tag';
import { errorText, judge } from '../sending/answer.ts';
import type { TryResult } from '../sending/answer.ts';
import {
  countFailure,
  disableWebhook,
  forgetFailures,
  hasMorePending,
  whileActive,
  whileFailing,
} from './failure-queries.ts';
import { endDelivered, endFailed, insertAttempt, retryAt } from './due-queries.ts';
import type { ClaimedRow } from './due-queries.ts';
import type { Outbox, OutboxStore } from './outbox.ts';
import { waitAfter } from './schedule.ts';

/** A webhook at which nothing has succeeded for so long is disabled, */
export const DISABLE_AFTER_MS = 3 * 24 * 60 * 60 * 1_000;
/** but not for one delivery alone that it cannot take, which is tried 13 times in that time. */
export const DISABLE_AFTER_FAILURES = 20;
/** A webhook that is so far behind is disabled: what it has to be sent would be kept for ever. */
export const PENDING_MAX = 100_000;
/** Tries between two looks at how far behind a webhook is. */
const PENDING_LOOKED_AT_EVERY = 100;

const GONE_REASON = 'The receiver answered 410 Gone';
const FAILING_REASON = 'The receiver has accepted nothing for 3 days';

export interface EndedTry<Row extends ClaimedRow> {
  readonly row: Row;
  /** When it began and ended. */
  readonly at: number;
  readonly endedAt: number;
  readonly tookMs: number;
  readonly result: Exclude<TryResult, { readonly kind: 'stopped' }>;
  /** 0 to 1; spreads the next try. */
  readonly random: number;
  /** Deliveries that may wait for the webhook. */
  readonly pendingMax: number;
}

/** `gone`: the receiver wants no more. `failed`: it is tried again, or was for the last time. */
export const DELIVERY_OUTCOMES = ['delivered', 'gone', 'failed'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** What a try is recorded with. */
export type Recorded<Row extends ClaimedRow> = Pick<Outbox<Row>, 'tables' | 'onDisabled'> & {
  readonly store: Pick<OutboxStore, 'reader' | 'write' | 'change'>;
};

/**
 * @returns what came of the try
 * @throws DatabaseError as the store's `write`; the delivery is then sent once more
 */
export async function recordTry<Row extends ClaimedRow>(
  outbox: Recorded<Row>,
  ended: EndedTry<Row>,
): Promise<DeliveryOutcome> {
  const { store, tables } = outbox;
  const { row, endedAt, result } = ended;
  const { id, webhookId, attempts: attempt } = row;
  const verdict = judge(result, endedAt);
  const logged = insertAttempt(tables, {
    id,
    attempt,
    at: ended.at,
    tookMs: ended.tookMs,
    httpStatus: result.kind === 'answered' ? result.status : null,
    error: errorText(result),
  });
  const failed = countFailure(tables, { webhookId, at: endedAt });
  switch (verdict.kind) {
    case 'delivered':
      await store.write([
        logged,
        endDelivered(tables, { id, at: endedAt }),
        forgetFailures(tables, webhookId),
      ]);
      break;
    case 'gone': {
      const statements = [logged, endFailed(tables, { id, attempt, at: endedAt }), failed];
      await writeOrDisable(outbox, ended, {
        statements,
        disabling: { guard: whileActive(tables, row), reason: GONE_REASON },
      });
      return verdict.kind;
    }
    case 'failed': {
      const waitMs = waitAfter({
        number: attempt - row.attemptsBefore,
        retryAfterMs: verdict.retryAfterMs,
        random: ended.random,
      });
      const next =
        waitMs === undefined
          ? endFailed(tables, { id, attempt, at: endedAt })
          : retryAt(tables, { id, attempt, dueAt: endedAt + waitMs });
      await writeOrDisable(outbox, ended, {
        statements: [logged, next, failed],
        disabling: failingFor(outbox, ended),
      });
      break;
    }
  }
  await disableWhenBehind(outbox, ended);
  return verdict.kind;
}

/** Now and then, because it counts. */
async function disableWhenBehind<Row extends ClaimedRow>(
  outbox: Recorded<Row>,
  ended: EndedTry<Row>,
): Promise<void> {
  const { store, tables } = outbox;
  const { row, pendingMax } = ended;
  if (row.seq % PENDING_LOOKED_AT_EVERY !== 0) return;
  const { webhookId } = row;
  if (!(await hasMorePending(tables, store.reader, { webhookId, than: pendingMax }))) return;
  const reason = `More than ${pendingMax} deliveries were waiting`;
  await writeOrDisable(outbox, ended, {
    statements: [],
    disabling: { guard: whileActive(tables, row), reason },
  });
}

interface Disabling {
  readonly guard: Sql;
  readonly reason: string;
}

function failingFor<Row extends ClaimedRow>(
  { tables }: Recorded<Row>,
  { row, endedAt }: EndedTry<Row>,
): Disabling | undefined {
  const { webhookId, failures, failingSince } = row;
  if (failingSince === null || failures + 1 < DISABLE_AFTER_FAILURES) return undefined;
  if (endedAt - failingSince < DISABLE_AFTER_MS) return undefined;
  // What was read with the claim may be old: another delivery may have arrived since.
  return {
    guard: whileFailing(tables, { webhookId, failures, failingSince }),
    reason: FAILING_REASON,
  };
}

async function writeOrDisable<Row extends ClaimedRow>(
  { store, tables, onDisabled }: Recorded<Row>,
  { row, endedAt }: EndedTry<Row>,
  of: { readonly statements: readonly Sql[]; readonly disabling: Disabling | undefined },
): Promise<void> {
  const { statements, disabling } = of;
  if (disabling !== undefined) {
    const { guard, reason } = disabling;
    const { kind } = await store.change({
      guard,
      statements: [
        ...statements,
        disableWebhook(tables, { webhookId: row.webhookId, reason }),
        ...onDisabled(row, { at: endedAt, reason }),
      ],
    });
    if (kind === 'done') return;
  }
  if (statements.length > 0) await store.write(statements);
}
