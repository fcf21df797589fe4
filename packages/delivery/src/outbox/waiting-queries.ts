// Counts pending deliveries and reads the age of the oldest, for monitoring.
import type { DatabaseReader } from '@lothub/kit/database';
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import sql from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';

/** Counting takes a millisecond for a thousand rows; more than this is too many, however many more. */
export const DELIVERIES_COUNTED_MAX = 10_000;

export interface WaitingDeliveries {
  readonly kind: 'first' | 'retry';
  readonly count: number;
  /** When the oldest of them was written. */
  readonly oldestAt: number;
}

/** A kind of which none waits is left out. */
export async function waitingDeliveries(
  { deliveries }: OutboxTables,
  reader: DatabaseReader,
): Promise<readonly WaitingDeliveries[]> {
  return await reader.all<WaitingDeliveries>(
    sql`
      select
        case when attempts = attempts_before then 'first' else 'retry' end as kind,
        count(*) as "count",
        min(created_at) as "oldestAt"
      from (
        select attempts, attempts_before, created_at
        from ${deliveries}
        where status = 'pending'
        limit ${DELIVERIES_COUNTED_MAX}
      ) as pending
      group by case when attempts = attempts_before then 'first' else 'retry' end`,
    { timeoutMs: HEALTH_WAIT_MS },
  );
}
