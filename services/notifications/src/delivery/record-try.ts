// What a try leaves behind, in one transaction: its line in the log, the new state of the delivery, and
// of its webhook.
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry } from '../store/audit.ts';
import type { Actor } from '../store/audit.ts';
import type { NotificationStore } from '../store/store.ts';
import { errorText, judge } from './answer.ts';
import type { TryResult } from './answer.ts';
import {
  countFailure,
  disableWebhook,
  forgetFailures,
  hasMorePending,
  whileActive,
  whileFailing,
} from './failure-queries.ts';
import { endDelivered, endFailed, insertAttempt, retryAt } from './outbox-queries.ts';
import type { ClaimedRow } from './outbox-queries.ts';
import { waitAfter } from './schedule.ts';

/** A webhook at which nothing has succeeded for so long is disabled, */
export const DISABLE_AFTER_MS = 3 * 24 * 60 * 60 * 1_000;
/** but not for one notification alone that it cannot take, which is tried 13 times in that time. */
export const DISABLE_AFTER_FAILURES = 20;
/** A webhook that is so far behind is disabled: it would keep its group's notifications for ever. */
export const PENDING_MAX = 100_000;
/** Tries between two looks at how far behind a webhook is. */
const PENDING_LOOKED_AT_EVERY = 100;

const GONE_REASON = 'The receiver answered 410 Gone';
const FAILING_REASON = 'The receiver has accepted nothing for 3 days';

const SERVICE: Actor = { accountId: null, name: 'service' };

export interface EndedTry {
  readonly row: ClaimedRow;
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

/**
 * @returns what came of the try
 * @throws DatabaseError as `NotificationStore.write`; the delivery is then sent once more
 */
export async function recordTry(
  store: NotificationStore,
  ended: EndedTry,
): Promise<DeliveryOutcome> {
  const { row, endedAt, result } = ended;
  const { id, webhookId, attempts: attempt } = row;
  const verdict = judge(result, endedAt);
  const logged = insertAttempt({
    id,
    attempt,
    at: ended.at,
    tookMs: ended.tookMs,
    httpStatus: result.kind === 'answered' ? result.status : null,
    error: errorText(result),
  });
  const failed = countFailure({ webhookId, at: endedAt });
  switch (verdict.kind) {
    case 'delivered':
      await store.write([logged, endDelivered({ id, at: endedAt }), forgetFailures(webhookId)]);
      break;
    case 'gone': {
      const statements = [logged, endFailed({ id, attempt, at: endedAt }), failed];
      await writeOrDisable(store, ended, {
        statements,
        disabling: { guard: whileActive(row), reason: GONE_REASON },
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
          ? endFailed({ id, attempt, at: endedAt })
          : retryAt({ id, attempt, dueAt: endedAt + waitMs });
      await writeOrDisable(store, ended, {
        statements: [logged, next, failed],
        disabling: failingFor(ended),
      });
      break;
    }
  }
  await disableWhenBehind(store, ended);
  return verdict.kind;
}

/** Now and then, because it counts. */
async function disableWhenBehind(store: NotificationStore, ended: EndedTry): Promise<void> {
  const { row, pendingMax } = ended;
  if (row.seq % PENDING_LOOKED_AT_EVERY !== 0) return;
  const { webhookId } = row;
  if (!(await hasMorePending(store.reader, { webhookId, than: pendingMax }))) return;
  const reason = `More than ${pendingMax} deliveries were waiting`;
  await writeOrDisable(store, ended, {
    statements: [],
    disabling: { guard: whileActive(row), reason },
  });
}

interface Disabling {
  readonly guard: Sql;
  readonly reason: string;
}

function failingFor({ row, endedAt }: EndedTry): Disabling | undefined {
  const { webhookId, failures, failingSince } = row;
  if (failingSince === null || failures + 1 < DISABLE_AFTER_FAILURES) return undefined;
  if (endedAt - failingSince < DISABLE_AFTER_MS) return undefined;
  // What was read with the claim may be old: another delivery may have arrived since.
  return { guard: whileFailing({ webhookId, failures, failingSince }), reason: FAILING_REASON };
}

async function writeOrDisable(
  store: NotificationStore,
  { row, endedAt }: EndedTry,
  of: { readonly statements: readonly Sql[]; readonly disabling: Disabling | undefined },
): Promise<void> {
  const { statements, disabling } = of;
  if (disabling !== undefined) {
    const { guard, reason } = disabling;
    const { kind } = await store.change({
      guard,
      statements: [
        ...statements,
        disableWebhook({ webhookId: row.webhookId, reason }),
        insertAuditEntry({
          at: endedAt,
          actor: SERVICE,
          action: 'webhook_disabled',
          groupId: row.groupId,
          subject: row.webhookId,
          details: { reason },
        }),
      ],
    });
    if (kind === 'done') return;
  }
  if (statements.length > 0) await store.write(statements);
}
