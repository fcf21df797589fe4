// Messages to watches that wait: rows that are claimed by lease, tried, postponed and deleted. A row exists only while
// its message waits.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { valueRows } from '@lothub/kit/rows/value-rows';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { WatchedChange } from '../../ledger/watching/notify-watchers.ts';
import type { CaseStatus } from '../../terms.ts';
import type { WatchRow } from '../watch-queries.ts';

/** Messages other than those about recalls. */
export const ASKED_KINDS = ['confirm', 'welcome', 'list', 'renew'] as const;
export type AskedKind = (typeof ASKED_KINDS)[number];
/** Messages about a recall; `left`: the watched lot is no longer part of it. */
export type RecallMessageKind = WatchedChange | 'left';

/** The way of all mails; no host is called so. */
export const MAIL_ROUTE = 'mail:';

/** It is due at once, also when it was sent before; nothing when the watch has ended since. */
export function insertAsked(
  watchId: string,
  mail: { readonly kind: AskedKind; readonly at: number },
): Sql {
  return sql`
    insert into watch_deliveries (watch_id, topic, kind, route, due_at, created_at)
    select w.id, cast(${mail.kind} as text), cast(${mail.kind} as text), w.route,
      cast(${mail.at} as bigint), cast(${mail.at} as bigint)
    from watches w
    where w.id = ${watchId}
    on conflict (watch_id, topic) do update
      set due_at = excluded.due_at, attempts = 0, created_at = excluded.created_at`;
}

export interface NotifiedStep {
  readonly caseNo: string;
  readonly stepNo: number;
  readonly caseStatus: string;
}

/** One for each watch that is notified of a step; a watch that has ended since has none. */
export function insertRecallMessages(
  step: NotifiedStep,
  delivery: {
    readonly watches: readonly (readonly [id: string, kind: RecallMessageKind])[];
    readonly at: number;
  },
): Sql {
  const topic = `${step.caseNo}/${step.stepNo}`;
  return sql`
    insert into watch_deliveries (
      watch_id, topic, kind, case_no, step_no, case_status, route, due_at, created_at
    )
    select w.id, cast(${topic} as text), v.column2, cast(${step.caseNo} as text),
      cast(${step.stepNo} as bigint), cast(${step.caseStatus} as text), w.route,
      cast(${delivery.at} as bigint), cast(${delivery.at} as bigint)
    from (${valueRows(delivery.watches)}) v
    join watches w on w.id = v.column1
    where w.status = 'active'
    on conflict (watch_id, topic) do nothing`;
}

export interface RouteDue {
  readonly route: string;
  /** When its first delivery is due. */
  readonly dueAt: number;
}

/** The ways by which something is to be sent, the longest due first. @param limit of ways */
export async function routesDue(
  reader: DatabaseReader,
  limit: number,
): Promise<readonly RouteDue[]> {
  return await reader.all<RouteDue>(sql`
    select route as "route", min(due_at) as "dueAt"
    from watch_deliveries
    group by route
    order by min(due_at), route
    limit ${limit}`);
}

export interface ClaimedDelivery extends Pick<
  WatchRow,
  'tenantId' | 'kind' | 'target' | 'channel' | 'address' | 'language' | 'status'
> {
  readonly watchId: string;
  readonly route: string;
  readonly p256dh: string | null;
  readonly auth: string | null;
  readonly topic: string;
  readonly says: AskedKind | RecallMessageKind;
  readonly caseNo: string | null;
  readonly stepNo: number | null;
  readonly caseStatus: CaseStatus | null;
  /** With this try. */
  readonly attempts: number;
  readonly createdAt: number;
}

/**
 * Claims due deliveries of a way until `leaseUntil`; after that any process may claim them. A watch gets the older step
 * of a recall first, unless that one failed and is postponed for longer than a lease.
 */
export function claimDue(claim: {
  readonly route: string;
  readonly at: number;
  readonly leaseUntil: number;
  readonly limit: number;
}): Sql {
  return sql`
    update watch_deliveries
    set due_at = ${claim.leaseUntil}, attempts = attempts + 1
    where (watch_id, topic) in (
        select d.watch_id, d.topic
        from watch_deliveries d
        where d.route = ${claim.route} and d.due_at <= ${claim.at}
          and not exists (
            select 1
            from watch_deliveries older
            where older.watch_id = d.watch_id and older.case_no = d.case_no
              and older.step_no < d.step_no
              and older.due_at <= ${claim.leaseUntil}
          )
        order by d.due_at, d.watch_id, d.topic
        limit ${claim.limit}
      )
      and due_at <= ${claim.at}
    returning watch_id as "watchId", topic as "topic"`;
}

export interface DeliveryKey {
  readonly watchId: string;
  readonly topic: string;
}

/** @param keys at most IN_LIST_MAX, or none */
export async function claimedDeliveries(
  reader: DatabaseReader,
  keys: readonly DeliveryKey[],
): Promise<readonly ClaimedDelivery[]> {
  if (keys.length === 0) return [];
  const wanted = new Set(keys.map(keyText));
  const rows = await reader.all<ClaimedDelivery>(sql`
    select
      d.watch_id as "watchId",
      d.topic as "topic",
      d.kind as "says",
      d.case_no as "caseNo",
      d.step_no as "stepNo",
      d.case_status as "caseStatus",
      d.attempts as "attempts",
      d.created_at as "createdAt",
      d.route as "route",
      w.tenant_id as "tenantId",
      w.kind as "kind",
      w.target as "target",
      w.channel as "channel",
      w.address as "address",
      w.language as "language",
      w.status as "status",
      w.p256dh as "p256dh",
      w.auth as "auth"
    from watch_deliveries d
    join watches w on w.id = d.watch_id
    where d.watch_id in (${inList(keys.map(({ watchId }) => watchId))})`);
  return rows.filter((row) => wanted.has(keyText(row)));
}

function keyText({ watchId, topic }: DeliveryKey): string {
  return `${watchId} ${topic}`;
}

/** Whether something newer of the same recall waits for the same watch. */
export async function hasNewer(
  reader: DatabaseReader,
  { watchId, caseNo, stepNo }: Pick<ClaimedDelivery, 'watchId' | 'caseNo' | 'stepNo'>,
): Promise<boolean> {
  if (caseNo === null || stepNo === null) return false;
  const row = await reader.first(sql`
    select topic
    from watch_deliveries
    where watch_id = ${watchId} and case_no = ${caseNo} and step_no > ${stepNo}
    limit 1`);
  return row !== undefined;
}

/** What failed before and says less than what was sent now. */
export function endOlder({ watchId, caseNo, stepNo }: ClaimedDelivery): Sql {
  return sql`
    delete from watch_deliveries
    where watch_id = ${watchId} and case_no = ${caseNo} and step_no < ${stepNo}`;
}

/** @param attempts only while it is this try; undefined: whichever it is */
export function endDelivery({ watchId, topic }: DeliveryKey, attempts?: number): Sql {
  return sql`
    delete from watch_deliveries
    where watch_id = ${watchId} and topic = ${topic}
      ${attempts === undefined ? empty : sql`and attempts = ${attempts}`}`;
}

/** Nothing once another try of it has begun. */
export function putOff(
  { watchId, topic }: DeliveryKey,
  failure: { readonly attempts: number; readonly dueAt: number },
): Sql {
  return sql`
    update watch_deliveries
    set due_at = ${failure.dueAt}
    where watch_id = ${watchId} and topic = ${topic} and attempts = ${failure.attempts}`;
}

/** As `putOff`, as if it had not been tried. */
export function giveBack({ watchId, topic }: DeliveryKey, lease: { readonly at: number }): Sql {
  return sql`
    update watch_deliveries
    set due_at = ${lease.at}, attempts = attempts - 1
    where watch_id = ${watchId} and topic = ${topic}`;
}
