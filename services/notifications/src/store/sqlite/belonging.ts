// What belongs together and what waits to be acknowledged, in SQLite: read before posts are planned, and written
// with them.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { PlannedBelonging, StoredItem } from '../plan-belonging.ts';

const READ_ITEM = `
  select
    first_seq as "firstSeq", first_at as "firstAt", last_seq as "lastSeq",
    severity as "severity", status as "status", count as "count"
  from occurrences
  where group_id = ? and dedup_key = ?
  order by first_seq desc
  limit 1`;
const WRITE_ITEM = `
  insert into occurrences
    (group_id, first_seq, dedup_key, last_seq, severity, status, count, first_at)
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (group_id, first_seq) do update
  set
    last_seq = excluded.last_seq,
    severity = excluded.severity,
    status = excluded.status,
    count = excluded.count`;
const INSERT_OPEN = 'insert into unacknowledged (group_id, seq) values (?, ?)';
const DELETE_OPEN = 'delete from unacknowledged where group_id = ? and seq = ?';

export function readItem(
  connection: SqliteConnection,
  groupId: string,
  dedupKey: string,
): StoredItem | undefined {
  return connection.statement(READ_ITEM).get(groupId, dedupKey) as StoredItem | undefined;
}

export function writeBelonging(connection: SqliteConnection, planned: PlannedBelonging): void {
  for (const item of planned.items) {
    const { groupId, firstSeq, dedupKey, lastSeq, severity, status, count, firstAt } = item;
    const newest = [lastSeq, severity, status, count];
    connection.statement(WRITE_ITEM).run(groupId, firstSeq, dedupKey, ...newest, firstAt);
  }
  for (const { groupId, seq } of planned.settled) {
    connection.statement(DELETE_OPEN).run(groupId, seq);
  }
  for (const { groupId, seq } of planned.unacknowledged) {
    connection.statement(INSERT_OPEN).run(groupId, seq);
  }
}
