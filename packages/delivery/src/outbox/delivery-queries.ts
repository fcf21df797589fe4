// Reads and writes of single deliveries, for the owner of their receiver.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from './status.ts';

/** Tries that are shown of one delivery; it has more only after it was sent again many times. */
const ATTEMPTS_SHOWN_MAX = 100;

export interface DeliveryRow {
  readonly id: string;
  readonly seq: number;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly dueAt: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** Selects deliveries of one table. */
const DELIVERY = sql`
  select
    id as "id",
    seq as "seq",
    status as "status",
    attempts as "attempts",
    due_at as "dueAt",
    created_at as "createdAt",
    ended_at as "endedAt"`;

export interface DeliveryPart {
  readonly receiverId: string;
  /** undefined: whatever it is. */
  readonly status: DeliveryStatus | undefined;
  /** seq of the last one of the part before. */
  readonly after: number | undefined;
  readonly limit: number;
}

/**
 * The newest first.
 * @returns `next`: `after` of the next part; null at the end
 */
export async function readDeliveries(
  tables: OutboxTables,
  reader: DatabaseReader,
  part: DeliveryPart,
): Promise<{ readonly rows: readonly DeliveryRow[]; readonly next: number | null }> {
  const statuses = part.status === undefined ? DELIVERY_STATUSES : [part.status];
  const limit = part.limit + 1;
  // The index is ordered within each status, so up to the whole limit is read of each status.
  const parts = statuses.map(
    (status) => sql`
    select "id", "seq", "status", "attempts", "dueAt", "createdAt", "endedAt"
    from (
      ${DELIVERY}
      from ${tables.deliveries}
      where ${tables.receiver} = ${part.receiverId}
        and status = ${status}
        ${part.after === undefined ? empty : sql`and seq < ${part.after}`}
      order by seq desc
      limit ${limit}
    ) as newest`,
  );
  const found = await reader.all<DeliveryRow>(sql`
    ${join(parts, ' union all ')}
    order by "seq" desc
    limit ${limit}`);
  const { rows, last } = cutPage(found, part.limit);
  return { rows, next: last?.seq ?? null };
}

export interface DeliveryKey {
  readonly receiverId: string;
  readonly deliveryId: string;
}

export function findDelivery(
  tables: OutboxTables,
  reader: DatabaseReader,
  { receiverId, deliveryId }: DeliveryKey,
): Promise<DeliveryRow | undefined> {
  return reader.first<DeliveryRow>(sql`
    ${DELIVERY}
    from ${tables.deliveries}
    where id = ${deliveryId}
      and ${tables.receiver} = ${receiverId}`);
}

export interface AttemptRow {
  readonly attempt: number;
  readonly at: number;
  readonly tookMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** The newest first. */
export function readAttempts(
  tables: OutboxTables,
  reader: DatabaseReader,
  deliveryId: string,
): Promise<readonly AttemptRow[]> {
  return reader.all<AttemptRow>(sql`
    select
      attempt as "attempt",
      at as "at",
      took_ms as "tookMs",
      http_status as "httpStatus",
      error as "error"
    from ${tables.attempts}
    where delivery_id = ${deliveryId}
    order by attempt desc
    limit ${ATTEMPTS_SHOWN_MAX}`);
}

/** A guard: the delivery has ended as it was, and its receiver sends. */
export function whileEnded(
  tables: OutboxTables,
  { receiverId, deliveryId, status }: DeliveryKey & { readonly status: DeliveryStatus },
): Sql {
  return sql`
    select 1 as held
    from ${tables.deliveries} d
    join ${tables.receivers} w on w.id = d.${tables.receiver}
    where d.id = ${deliveryId}
      and d.${tables.receiver} = ${receiverId}
      and d.status = ${status}
      and w.status = 'active'`;
}

/** From the first wait of the schedule on, under the same id. */
export function sendAnew(
  tables: OutboxTables,
  { at, deliveryId }: { readonly deliveryId: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.deliveries}
    set status = 'pending', attempts_before = attempts, due_at = ${at}, ended_at = null
    where id = ${deliveryId}`;
}
