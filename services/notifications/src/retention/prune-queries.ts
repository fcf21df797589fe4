// What retention takes from groups: notifications, always the oldest first, and what hangs on them.
import type { DatabaseReader } from '@lothub/kit/database';
import { MS_PER_DAY } from '@lothub/kit/retention/sweeps';
import sql, { join, type Sql } from 'sql-template-tag';
import { SEVERITIES } from '../store/post.ts';
import type { PlannedChange } from '../store/store.ts';

/** What keeps its notification: rows `d`, and which of them. */
const OUTBOXES: readonly { readonly rows: Sql; readonly waiting: Sql }[] = [
  ...[sql`deliveries`, sql`device_deliveries`, sql`mail_deliveries`].map((rows) => ({
    rows,
    waiting: sql`d.status = 'pending'`,
  })),
  { rows: sql`undistributed`, waiting: sql`1 = 1` },
];

/** A group that holds more than it is to keep. */
export interface DueGroup {
  readonly groupId: string;
  readonly headSeq: number;
  readonly prunedSeq: number;
  readonly retentionDays: number;
  readonly retentionRows: number;
}

/** In the order of their ids. It looks at the oldest notification of each group, and at no other. */
export function dueGroups(
  reader: DatabaseReader,
  page: { readonly after: string; readonly nowMs: number; readonly limit: number },
): Promise<readonly DueGroup[]> {
  return reader.all<DueGroup>(sql`
    select
      g.id as "groupId",
      h.head_seq as "headSeq",
      h.pruned_seq as "prunedSeq",
      g.retention_days as "retentionDays",
      g.retention_rows as "retentionRows"
    from groups g
    join group_heads h on h.group_id = g.id
    where g.id > ${page.after}
      and (
        h.head_seq - h.pruned_seq > g.retention_rows
        or (
          select oldest.created_at
          from notifications oldest
          where oldest.group_id = h.group_id
            and oldest.seq = h.pruned_seq + 1
        ) < ${page.nowMs} - g.retention_days * ${MS_PER_DAY}
      )
    order by g.id
    limit ${page.limit}`);
}

/** The newest notification of what is to be deleted next. */
export interface PruneEnd {
  readonly seq: number;
  readonly position: number;
}

/**
 * The end of the oldest notifications of a group that are beyond its age or number; at most `rows` of
 * them, and none at or behind the first that a receiver still waits for.
 */
export async function findPruneEnd(
  reader: DatabaseReader,
  batch: { readonly group: DueGroup; readonly nowMs: number; readonly rows: number },
): Promise<PruneEnd | undefined> {
  const { groupId, prunedSeq, headSeq, retentionDays, retentionRows } = batch.group;
  const end = await reader.first<{ readonly seq: number | null; readonly position: number | null }>(
    sql`
      select max(n.seq) as seq, max(n.id) as position
      from notifications n
      where n.group_id = ${groupId}
        and n.seq > ${prunedSeq}
        and n.seq <= ${prunedSeq + batch.rows}
        ${join(
          OUTBOXES.map(
            ({ rows, waiting }) => sql`
        and n.seq < coalesce(
          (
            select min(d.seq)
            from ${rows} d
            where d.group_id = ${groupId}
              and ${waiting}
          ),
          ${headSeq + 1}
        )`,
          ),
          '',
        )}
        and (
          n.seq <= ${headSeq - retentionRows}
          or n.created_at < ${batch.nowMs - retentionDays * MS_PER_DAY}
        )`,
  );
  if (end === undefined || end.seq === null || end.position === null) return undefined;
  return { seq: end.seq, position: end.position };
}

/**
 * Deletes up to `end`, as long as the group is to keep as much as it was, and no receiver waits for one of
 * them again. Whoever reads sees the rows gone and the group's beginning moved, or neither.
 */
export function pruneChange(group: DueGroup, end: PruneEnd): PlannedChange {
  const { groupId, prunedSeq, retentionDays, retentionRows } = group;
  return {
    guard: sql`
      select 1 as held
      from group_heads h
      join groups g on g.id = h.group_id
      where h.group_id = ${groupId}
        and h.pruned_seq = ${prunedSeq}
        and g.retention_days = ${retentionDays}
        and g.retention_rows = ${retentionRows}
        ${join(
          OUTBOXES.map(
            ({ rows, waiting }) => sql`
        and not exists (
          select 1
          from ${rows} d
          where d.group_id = ${groupId}
            and d.seq <= ${end.seq}
            and ${waiting}
        )`,
          ),
          '',
        )}`,
    statements: [
      sql`
        delete from notifications
        where group_id = ${groupId}
          and seq <= ${end.seq}`,
      sql`
        delete from acknowledgements
        where group_id = ${groupId}
          and seq <= ${end.seq}`,
      sql`
        delete from unacknowledged
        where group_id = ${groupId}
          and seq <= ${end.seq}`,
      ...SEVERITIES.map(
        (severity) => sql`
        delete from occurrences
        where group_id = ${groupId}
          and severity = ${severity}
          and last_seq <= ${end.seq}`,
      ),
      sql`
        delete from escalated
        where group_id = ${groupId}
          and seq <= ${end.seq}`,
      sql`
        update group_heads
        set pruned_seq = ${end.seq}, pruned_position = ${end.position}
        where group_id = ${groupId}`,
    ],
  };
}

/** Deleted notifications that one member had read one by one. */
interface GoneExceptions {
  readonly accountId: string;
  readonly throughSeq: number;
}

/**
 * Deletes some of what a member has read one by one among what is gone, which counts no more.
 * @returns undefined when there is nothing of it
 */
export async function dropGoneExceptions(
  reader: DatabaseReader,
  { rows, groupId }: { readonly groupId: string; readonly rows: number },
): Promise<Sql | undefined> {
  const gone = await reader.first<GoneExceptions>(sql`
    select
      m.account_id as "accountId",
      (
        select max(lowest.seq)
        from (
          select e.seq
          from read_exceptions e
          where e.account_id = m.account_id
            and e.group_id = m.group_id
            and e.seq <= h.pruned_seq
          order by e.seq
          limit ${rows}
        ) lowest
      ) as "throughSeq"
    from members m
    join group_heads h on h.group_id = m.group_id
    where m.group_id = ${groupId}
      and exists (
        select 1
        from read_exceptions e
        where e.account_id = m.account_id
          and e.group_id = m.group_id
          and e.seq <= h.pruned_seq
      )
    limit 1`);
  if (gone === undefined) return undefined;
  return sql`
    delete from read_exceptions
    where account_id = ${gone.accountId}
      and group_id = ${groupId}
      and seq <= ${gone.throughSeq}`;
}
