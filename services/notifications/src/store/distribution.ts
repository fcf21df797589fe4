// Writes a delivery for each receiver of what was posted. A post only notes that there are receivers (`undistributed`);
// who is to get it is decided here, a moment later and for many posts at once, so that a post takes as long with
// receivers as without. A crash in between leaves the note, and what is noted is distributed at the next start.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX, inList } from '@lothub/kit/in-list';
import { at, present } from '@lothub/kit/present';
import { SharedQuestion } from '@lothub/kit/serving/shared-question';
import { MAY_BE_LOST } from '@lothub/delivery/outbox/record-try';
import sql, { raw, type Sql } from 'sql-template-tag';
import { mailDueAt } from './receivers.ts';
import type { NotificationStore } from './store.ts';

/** Rows of one transaction, unless one notification alone has more: posts are written in between. */
const ROWS_MAX = 200;

interface Noted {
  readonly id: number;
  readonly groupId: string;
}

export interface DistributionStore extends Pick<NotificationStore, 'write'> {
  readonly reader: Pick<DatabaseReader, 'all'>;
}

export class Distribution {
  readonly #store: DistributionStore;
  readonly #runs = new SharedQuestion(() => this.#distribute());

  constructor(store: DistributionStore) {
    this.#store = store;
  }

  /**
   * Distributes what was posted before it is called.
   * @throws DatabaseError as the store's `write`: the rest is left for the next time
   */
  run(): Promise<void> {
    return this.#runs.ask();
  }

  async #distribute(): Promise<void> {
    let noted: readonly Noted[];
    do {
      noted = await this.#readNoted();
      if (noted.length === 0) return;
      const receivers = await this.#countReceivers(noted);
      for (let next = 0; next < noted.length;) {
        next = endOfSlice(noted, next, receivers);
        const through = at(noted, next - 1).id;
        await this.#store.write(distributeThrough(through), MAY_BE_LOST);
      }
    } while (noted.length === IN_LIST_MAX);
  }

  async #readNoted(): Promise<readonly Noted[]> {
    return await this.#store.reader.all<Noted>(sql`
      select id as "id", group_id as "groupId"
      from undistributed
      order by id
      limit ${IN_LIST_MAX}`);
  }

  /** How many receivers each group has by now. */
  async #countReceivers(noted: readonly Noted[]): Promise<ReadonlyMap<string, number>> {
    const groupIds = [...new Set(noted.map(({ groupId }) => groupId))];
    const rows = await this.#store.reader.all<{ groupId: string; receivers: number }>(sql`
      select
        g.id as "groupId",
        (
          select count(*)
          from webhooks w
          where w.group_id = g.id
        ) + (
          select count(*)
          from members m
          join devices d on d.account_id = m.account_id
          where m.group_id = g.id
        ) + (
          select count(*)
          from members m
          join mail_receivers r on r.account_id = m.account_id
          where m.group_id = g.id
        ) as "receivers"
      from groups g
      where g.id in (${inList(groupIds)})`);
    return new Map(rows.map(({ groupId, receivers }) => [groupId, receivers]));
  }
}

/** Where the notifications end that go into one transaction: at least one. */
function endOfSlice(
  noted: readonly Noted[],
  start: number,
  receivers: ReadonlyMap<string, number>,
): number {
  let rows = 0;
  let end = start;
  for (const { groupId } of noted.slice(start)) {
    rows += present(receivers.get(groupId), `the group ${groupId}`);
    if (end > start && rows > ROWS_MAX) break;
    end += 1;
  }
  return end;
}

/** Whether a receiver, by its name in the query, wants a notification `n`. */
function isWanted(receiver: string): Sql {
  return raw(`${rankOf(`${receiver}.min_severity`)} <= ${rankOf('n.severity')}`);
}

function rankOf(severity: string): string {
  return `case ${severity} when 'info' then 0 when 'warning' then 1 else 2 end`;
}

/**
 * Positions are committed in their order, so all notes up to one that was read are seen. Of two processes that
 * distribute the same at once, in the same order, the second finds the deliveries there.
 *
 * SQLite joins in the order of the text (`cross join`). Left to itself it walks all notifications up to the last noted
 * one, and looks whether each is noted.
 */
function distributeThrough(through: number): readonly Sql[] {
  return [
    sql`
      insert into deliveries (id, webhook_id, group_id, seq, status, due_at, created_at)
      select
        'msg_' || n.id || '_' || r.id, r.id, n.group_id, n.seq, 'pending', n.created_at, n.created_at
      from undistributed u
      cross join notifications n
      cross join webhooks r
      where u.id <= ${through}
        and n.id = u.id
        and r.group_id = n.group_id
        and r.status = 'active'
        and ${isWanted('r')}
      order by n.id, r.id
      on conflict (id) do nothing`,
    distributeToMembers(through, {
      ...{ receivers: sql`devices`, deliveries: sql`device_deliveries`, receiver: sql`device_id` },
      dueAt: sql`n.created_at`,
    }),
    distributeToMembers(through, {
      ...{ receivers: sql`mail_receivers`, deliveries: sql`mail_deliveries` },
      ...{ receiver: sql`receiver_id`, dueAt: raw(mailDueAt('n.created_at')) },
    }),
    sql`
      delete from undistributed
      where id <= ${through}`,
  ];
}

/** To receivers that people have: the members of a group are walked once for all of its notifications. */
function distributeToMembers(
  through: number,
  to: {
    readonly receivers: Sql;
    readonly deliveries: Sql;
    /** The column of a delivery that names its receiver. */
    readonly receiver: Sql;
    /** When a delivery is due, of a notification `n` for a receiver `r`. */
    readonly dueAt: Sql;
  },
): Sql {
  return sql`
      insert into ${to.deliveries}
        (id, ${to.receiver}, group_id, seq, kind, status, due_at, created_at)
      select
        'msg_' || n.id || '_' || r.id, r.id, n.group_id, n.seq, 'created', 'pending', ${to.dueAt},
        n.created_at
      from (
        select distinct group_id
        from undistributed
        where id <= ${through}
      ) g
      cross join members m
      cross join ${to.receivers} r
      cross join undistributed u
      cross join notifications n
      where m.group_id = g.group_id
        and r.account_id = m.account_id
        and u.id <= ${through}
        and u.group_id = g.group_id
        and n.id = u.id
        and coalesce(m.muted_until, 0) <= n.created_at
        and r.status = 'active'
        and ${isWanted('r')}
      order by n.id, r.id
      on conflict (id) do nothing`;
}
