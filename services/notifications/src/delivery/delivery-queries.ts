// Reads and writes of single deliveries by the owners of their webhook.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { DELIVERY_STATUSES } from './webhook.ts';
import type { DeliveryStatus } from './webhook.ts';

export interface DeliveryRow {
  readonly id: string;
  readonly seq: number;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly dueAt: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

const DELIVERY = sql`
  select
    id as "id",
    seq as "seq",
    status as "status",
    attempts as "attempts",
    due_at as "dueAt",
    created_at as "createdAt",
    ended_at as "endedAt"
  from deliveries`;

export interface DeliveryPart {
  readonly webhookId: string;
  /** undefined: whatever it is. */
  readonly status: DeliveryStatus | undefined;
  /** seq of the last one of the part before. */
  readonly after: number | undefined;
  readonly limit: number;
}

/** The newest notification first. */
export async function deliveriesOf(
  reader: DatabaseReader,
  part: DeliveryPart,
): Promise<readonly DeliveryRow[]> {
  const statuses = part.status === undefined ? DELIVERY_STATUSES : [part.status];
  // The index orders each status by itself: as many of each as all together are asked for.
  const parts = statuses.map(
    (status) => sql`
    select "id", "seq", "status", "attempts", "dueAt", "createdAt", "endedAt"
    from (
      ${DELIVERY}
      where webhook_id = ${part.webhookId}
        and status = ${status}
        ${part.after === undefined ? empty : sql`and seq < ${part.after}`}
      order by seq desc
      limit ${part.limit}
    ) as newest`,
  );
  return await reader.all<DeliveryRow>(sql`
    ${join(parts, ' union all ')}
    order by "seq" desc
    limit ${part.limit}`);
}

export interface DeliveryKey {
  readonly webhookId: string;
  readonly deliveryId: string;
}

export function findDelivery(
  reader: DatabaseReader,
  { webhookId, deliveryId }: DeliveryKey,
): Promise<DeliveryRow | undefined> {
  return reader.first<DeliveryRow>(sql`
    ${DELIVERY}
    where id = ${deliveryId}
      and webhook_id = ${webhookId}`);
}

export interface AttemptRow {
  readonly attempt: number;
  readonly at: number;
  readonly tookMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** The newest first. */
export function attemptsOf(
  reader: DatabaseReader,
  of: { readonly deliveryId: string; readonly limit: number },
): Promise<readonly AttemptRow[]> {
  return reader.all<AttemptRow>(sql`
    select
      attempt as "attempt",
      at as "at",
      took_ms as "tookMs",
      http_status as "httpStatus",
      error as "error"
    from delivery_attempts
    where delivery_id = ${of.deliveryId}
    order by attempt desc
    limit ${of.limit}`);
}

export async function isKept(
  reader: DatabaseReader,
  of: { readonly groupId: string; readonly seq: number },
): Promise<boolean> {
  const row = await reader.first(sql`
    select seq
    from notifications
    where group_id = ${of.groupId}
      and seq = ${of.seq}`);
  return row !== undefined;
}

/** For a guard that sees the group as `g`: it is as it was, and there is something to send. */
export function whileEnded({
  webhookId,
  deliveryId,
  status,
}: DeliveryKey & { readonly status: DeliveryStatus }): Sql {
  return sql`
    and exists (
      select 1
      from deliveries d
      join webhooks w on w.id = d.webhook_id
      join notifications n on n.group_id = d.group_id and n.seq = d.seq
      where d.id = ${deliveryId}
        and d.webhook_id = ${webhookId}
        and d.status = ${status}
        and w.group_id = g.id
        and w.status = 'active'
    )`;
}

/** From the first wait of the schedule on, under the same id. */
export function sendAnew(of: { readonly deliveryId: string; readonly at: number }): Sql {
  return sql`
    update deliveries
    set status = 'pending', attempts_before = attempts, due_at = ${of.at}, ended_at = null
    where id = ${of.deliveryId}`;
}
