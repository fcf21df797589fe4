// What ends by itself: watches whose time is over, confirmed or not. Before that, one that was confirmed is asked
// whether it should continue.
import { inList } from '@lothub/kit/in-list';
import { sweepByTime, type Sweep } from '@lothub/kit/retention/sweeps';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { LedgerStore } from '../ledger/store.ts';
import type { Clock } from '@lothub/kit/clock';
import { insertAsked } from './sending/delivery-queries.ts';
import { RENEWAL_MS } from './limits.ts';

/** Watches that are asked in one transaction. */
const RENEWALS_AT_ONCE = 100;

/** Deletes expired watches, with their waiting messages. */
export const EXPIRED: Sweep = sweepByTime({
  name: 'watches',
  isRare: false,
  table: sql`watches`,
  time: sql`expires_at`,
  keptMs: 0,
});

/** @returns how many were asked: there may be more */
export async function askForRenewal({
  store,
  clock,
}: {
  readonly store: Pick<LedgerStore, 'reader' | 'write'>;
  readonly clock: Clock;
}): Promise<number> {
  const at = clock.nowMs();
  const due = await store.reader.all<{ readonly id: string }>(sql`
    select id as "id"
    from watches
    where status = 'active' and renewal_asked_at is null and expires_at <= ${at + RENEWAL_MS}
    order by expires_at
    limit ${RENEWALS_AT_ONCE}`);
  if (due.length === 0) return 0;
  await store.write([
    noteRenewalAsked(
      due.map(({ id }) => id),
      at,
    ),
    ...due.map(({ id }) => insertAsked(id, { kind: 'renew', at })),
  ]);
  return due.length;
}

function noteRenewalAsked(ids: readonly string[], at: number): Sql {
  return sql`
    update watches
    set renewal_asked_at = ${at}
    where id in (${inList(ids)}) and renewal_asked_at is null`;
}
