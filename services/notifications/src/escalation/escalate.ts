// Decides what is due, one notification after the other, and escalates each once: its row, the
// deliveries to people and the audit entry are written in one transaction, which also advances the rule.
import type { Clock } from '@lothub/kit/clock';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { NotificationStore } from '../store/store.ts';
import {
  dueNotifications,
  dueRules,
  insertEscalated,
  moveChecked,
  readItem,
  whileDue,
} from './due-queries.ts';
import type { DueNotification, DueRule } from './due-queries.ts';

/** The service itself. */
export const SERVICE: Actor = { accountId: null, name: 'service' };

/** Rules looked at together. */
const RULES_PER_LOOK = 100;
/** Notifications of one rule in a round: the others have their turn. */
const NOTIFICATIONS_PER_ROUND = 100;

export interface EscalateDeps {
  readonly store: Pick<NotificationStore, 'reader' | 'write' | 'change'>;
  readonly clock: Clock;
  /** Asked before each group. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly onEscalated?: (() => void) | undefined;
}

/**
 * One round over all rules.
 * @returns whether there may be more that is due
 * @throws DatabaseError as the store's `change`
 */
export async function escalateDue(deps: EscalateDeps): Promise<boolean> {
  const { store, clock, mayGoOn } = deps;
  let after = '';
  let isMore = false;
  for (;;) {
    const page = { after, nowMs: clock.nowMs(), limit: RULES_PER_LOOK };
    const rules = await dueRules(store.reader, page);
    for (const rule of rules) {
      if (!(await mayGoOn())) return false;
      if (await escalateRule(deps, rule)) isMore = true;
    }
    after = rules.at(-1)?.groupId ?? '';
    if (rules.length < RULES_PER_LOOK) return isMore;
  }
}

/** @returns whether there is more of this rule */
async function escalateRule(deps: EscalateDeps, due: DueRule): Promise<boolean> {
  const { store, clock, onEscalated } = deps;
  const limit = NOTIFICATIONS_PER_ROUND;
  const found = await dueNotifications(store.reader, due, { nowMs: clock.nowMs(), limit });
  let rule = due;
  let decided = due.checkedSeq;
  for (const one of found) {
    if (await isToGoOn(store, rule, one)) {
      const outcome = await store.change({
        guard: whileDue(rule, one),
        statements: buildStatements(rule, one.seq, clock.nowMs()),
      });
      // It was acknowledged, the rule was changed, or another process has checked: the next look starts there.
      if (outcome.kind === 'stale') return false;
      rule = { ...rule, checkedSeq: one.seq };
      onEscalated?.();
    }
    decided = one.seq;
  }
  if (decided > rule.checkedSeq) await store.write([moveChecked(rule, decided)]);
  return found.length === limit;
}

async function isToGoOn(
  { reader }: Pick<NotificationStore, 'reader'>,
  { groupId }: DueRule,
  { seq, dedupKey, status, redactedAt, ackAt }: DueNotification,
): Promise<boolean> {
  if (ackAt !== null || redactedAt !== null || status === 'resolved') return false;
  if (dedupKey === null) return true;
  const item = await readItem(reader, { groupId, dedupKey, seq });
  // What belongs together is taken up, resolved and escalated as one.
  return item.resolvedSeq === null && item.ackSeq === null && item.escalatedSeq === null;
}

function buildStatements(rule: DueRule, seq: number, at: number) {
  const { groupId, afterMinutes, toGroupId } = rule;
  return [
    ...insertEscalated(rule, seq, at),
    moveChecked(rule, seq),
    insertAuditEntry({
      at,
      actor: SERVICE,
      action: 'notification_escalated',
      groupId,
      subject: String(seq),
      details: { seq, after_minutes: afterMinutes, to_group: toGroupId },
    }),
  ];
}
