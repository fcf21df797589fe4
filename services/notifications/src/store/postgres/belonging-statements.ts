// What belongs together and what waits to be acknowledged, on PostgreSQL: read before posts are planned, and
// written with them, each in one statement that is sent only when there is something for it.
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { OpenPlace, PlannedBelonging, PlannedItem, StoredItem } from '../plan-belonging.ts';

export interface ItemKey {
  readonly groupId: string;
  readonly dedupKey: string;
}

/** The newest of each of these; what has none is left out. */
export function readItems(keys: readonly ItemKey[]): Sql {
  return sql`
    select
      k.group_id as "groupId", k.dedup_key as "dedupKey", o.first_seq as "firstSeq",
      o.first_at as "firstAt", o.last_seq as "lastSeq", o.severity as "severity",
      o.status as "status", o.count as "count"
    from unnest(
      ${textArray(keys.map(({ groupId }) => groupId))}::text[],
      ${textArray(keys.map(({ dedupKey }) => dedupKey))}::text[]
    ) as k (group_id, dedup_key)
    cross join lateral (
      select first_seq, first_at, last_seq, severity, status, count
      from occurrences
      where group_id = k.group_id and dedup_key = k.dedup_key
      order by first_seq desc
      limit 1
    ) o`;
}

export type ItemRow = ItemKey & StoredItem;

export function belongingWrites(planned: PlannedBelonging): readonly Sql[] {
  const { items, settled, unacknowledged } = planned;
  return [
    ...(items.length > 0 ? [writeItems(items)] : []),
    ...(settled.length > 0 ? [deleteOpen(settled)] : []),
    ...(unacknowledged.length > 0 ? [insertOpen(unacknowledged)] : []),
  ];
}

function writeItems(items: readonly PlannedItem[]): Sql {
  return sql`
    insert into occurrences
      (group_id, first_seq, dedup_key, last_seq, severity, status, count, first_at)
    select group_id, first_seq, dedup_key, last_seq, severity, status, count, first_at
    from unnest(
      ${textArray(items.map(({ groupId }) => groupId))}::text[],
      ${bigintArray(items.map(({ firstSeq }) => firstSeq))}::bigint[],
      ${textArray(items.map(({ dedupKey }) => dedupKey))}::text[],
      ${bigintArray(items.map(({ lastSeq }) => lastSeq))}::bigint[],
      ${textArray(items.map(({ severity }) => severity))}::text[],
      ${textArray(items.map(({ status }) => status))}::text[],
      ${bigintArray(items.map(({ count }) => count))}::bigint[],
      ${bigintArray(items.map(({ firstAt }) => firstAt))}::bigint[]
    ) as n (group_id, first_seq, dedup_key, last_seq, severity, status, count, first_at)
    on conflict (group_id, first_seq) do update
    set
      last_seq = excluded.last_seq,
      severity = excluded.severity,
      status = excluded.status,
      count = excluded.count`;
}

function unnestPlaces(places: readonly OpenPlace[]): Sql {
  return sql`
    unnest(
      ${textArray(places.map(({ groupId }) => groupId))}::text[],
      ${bigintArray(places.map(({ seq }) => seq))}::bigint[]
    ) as p (group_id, seq)`;
}

function insertOpen(places: readonly OpenPlace[]): Sql {
  return sql`
    insert into unacknowledged (group_id, seq)
    select p.group_id, p.seq
    from ${unnestPlaces(places)}`;
}

function deleteOpen(places: readonly OpenPlace[]): Sql {
  return sql`
    delete from unacknowledged u
    using ${unnestPlaces(places)}
    where u.group_id = p.group_id and u.seq = p.seq`;
}
