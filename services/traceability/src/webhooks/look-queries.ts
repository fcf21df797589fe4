// Changes that are reported after their transaction: the position of the last look, and the changes since.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { WebhookEvent } from '../ledger/webhooks/event-types.ts';

/** By a height of the chain, and by a number of the alarms. */
export const LOOKS = ['breaches', 'alarms'] as const;
export type Look = (typeof LOOKS)[number];

/** Before a webhook begins to send: while no other one sends, nothing older is reported. */
export function beginLooks(): readonly Sql[] {
  return LOOKS.map(
    (look) => sql`
      insert into webhook_looks (name, position)
      select cast(${look} as text), ${NOW_OF[look]}
      from head
      where id = 1
        and not exists (select 1 from webhooks where status = 'active')
      on conflict (name) do update set position = excluded.position`,
  );
}

const NOW_OF: Readonly<Record<Look, Sql>> = {
  breaches: sql`height`,
  alarms: sql`(select coalesce(max(a.id), 0) from chain_alarms a)`,
};

/** @returns undefined while no active webhook of any brand is for this type, or none ever was */
export async function findPosition(
  reader: DatabaseReader,
  look: Look,
  type: WebhookEvent,
): Promise<number | undefined> {
  const row = await reader.first<{ readonly position: number }>(sql`
    select l.position
    from webhook_looks l
    where l.name = ${look}
      and exists (
        select 1
        from webhooks w
        where w.status = 'active' and w.event_types like ${`% ${type} %`}
      )`);
  return row?.position;
}

/** A guard: no other process has advanced. */
export function whileAt(look: Look, position: number): Sql {
  return sql`
    select name
    from webhook_looks
    where name = ${look} and position = ${position}`;
}

export function moveTo(look: Look, position: number): Sql {
  return sql`update webhook_looks set position = ${position} where name = ${look}`;
}

export interface BreachRow {
  /** Height of the event that used lots on hold. */
  readonly height: number;
  readonly tenantId: string;
  readonly at: string;
  readonly lots: number;
}

/** By block, the oldest first; blocks are committed in their order. */
export function breachesAbove(
  reader: DatabaseReader,
  query: { readonly height: number; readonly limit: number },
): Promise<readonly BreachRow[]> {
  return reader.all<BreachRow>(sql`
    select
      block_height as height,
      min(tenant_id) as "tenantId",
      min(at) as at,
      count(*) as lots
    from audit_entries
    where action = 'hold_breach'
      and block_height > ${query.height}
    group by block_height
    order by block_height
    limit ${query.limit}`);
}

/** Codes of the lots of one breach. */
export async function lotsOfBreach(
  reader: DatabaseReader,
  query: { readonly height: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await reader.all<{ readonly code: string }>(sql`
    select entity_id as code
    from audit_entries
    where action = 'hold_breach'
      and block_height = ${query.height}
    order by id
    limit ${query.limit}`);
  return rows.map(({ code }) => code);
}

export interface AlarmFound {
  readonly id: number;
  readonly height: number;
  readonly code: string;
  readonly foundAt: string;
}

export function alarmsAbove(
  reader: DatabaseReader,
  query: { readonly id: number; readonly limit: number },
): Promise<readonly AlarmFound[]> {
  return reader.all<AlarmFound>(sql`
    select id, height, code, found_at as "foundAt"
    from chain_alarms
    where id > ${query.id}
    order by id
    limit ${query.limit}`);
}

/** Brands with an active webhook for a type. */
export async function brandsToNotify(
  reader: DatabaseReader,
  query: { readonly type: WebhookEvent; readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await reader.all<{ readonly tenantId: string }>(sql`
    select distinct tenant_id as "tenantId"
    from webhooks
    where status = 'active'
      and event_types like ${`% ${query.type} %`}
      and tenant_id > ${query.after}
    order by tenant_id
    limit ${query.limit}`);
  return rows.map(({ tenantId }) => tenantId);
}

/** Whether a change that is reported once was reported. */
export async function isReported(reader: DatabaseReader, name: string): Promise<boolean> {
  const row = await reader.first(sql`select position from webhook_looks where name = ${name}`);
  return row !== undefined;
}

/** A guard: it was not reported meanwhile. */
export function whileNotReported(name: string): Sql {
  return sql`
    select id
    from head
    where id = 1 and not exists (select 1 from webhook_looks where name = ${name})`;
}

export function noteReported(name: string, atMs: number): Sql {
  return sql`insert into webhook_looks (name, position) values (${name}, ${atMs})`;
}
