// Computes the progress of a recall: who was notified, who responded, who is silent, and how much
// of the sold amounts is with customers who responded
// (docs/interface/traceability.md#notifications-of-a-case).
import type { DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns } from '@lothub/kit/in-turns';
import Big from 'big.js';
import type { Static } from 'typebox';
import { countNotifications, respondedCustomers, type NotificationCount } from './queries.ts';
import type { EffectivenessSchema } from './schema.ts';
import { AUDIENCES } from '../notification-status.ts';
import { NOTIFICATION_STATUSES, type NotificationStatus } from '../../terms.ts';
import type { Reach } from '../trace/reach.ts';

export type Effectiveness = Static<typeof EffectivenessSchema>;

/** Notifications read in one query. */
const ROWS_PER_PAGE = 1_000;
const PERCENT = 100;
/** Decimal places of a share. */
const SHARE_DIGITS = 2;

/** @param recallCase.reach of the lots that the case covers */
export async function readEffectiveness(
  database: DatabaseReader,
  recallCase: { readonly caseId: number; readonly reach: Reach },
): Promise<Effectiveness> {
  const counts = await countNotifications(database, recallCase.caseId);
  const accounted = new Map<string, Big>();
  const pages = pagesInTurns({
    start: { notificationId: 0 },
    limit: ROWS_PER_PAGE,
    read: ({ notificationId: above }, limit) =>
      respondedCustomers(database, { caseId: recallCase.caseId, above, limit }),
  });
  for await (const page of pages) {
    for (const { recipient } of page) {
      for (const { quantity, unit } of recallCase.reach.of('customer', recipient).quantities) {
        accounted.set(unit, (accounted.get(unit) ?? new Big(0)).plus(quantity));
      }
    }
  }
  return {
    ...sumFigures(counts),
    by_audience: AUDIENCES.map((audience) => ({
      audience,
      ...sumFigures(counts.filter((count) => count.audience === audience)),
    })),
    quantities: recallCase.reach.sold().map(({ quantity, unit }) => {
      const sold = new Big(quantity);
      const answered = accounted.get(unit) ?? new Big(0);
      // Goods of one reference may have one customer in the delivery and another one in the sale.
      const known = answered.gt(sold) ? sold : answered;
      return {
        unit,
        distributed: Number(quantity),
        accounted_for: known.toNumber(),
        accounted_for_percent: sold.eq(0)
          ? PERCENT
          : known.div(sold).times(PERCENT).round(SHARE_DIGITS, Big.roundDown).toNumber(),
      };
    }),
  };
}

type Figures = Omit<Effectiveness['by_audience'][number], 'audience'>;

/** Adds up the notifications of a case. */
export function sumFigures(counts: readonly NotificationCount[]): Figures {
  const sum = (statuses: readonly NotificationStatus[]): number =>
    counts
      .filter((count) => statuses.includes(count.status))
      .reduce((total, count) => total + count.notifications, 0);
  return {
    notifications: sum(NOTIFICATION_STATUSES),
    notified: sum(['sent', 'acknowledged', 'resolved']),
    responded: sum(['acknowledged', 'resolved']),
    silent: sum(['sent']),
  };
}
