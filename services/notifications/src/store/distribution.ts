// Writes a delivery for each receiver of what was posted. A post only notes that there are receivers (`undistributed`);
// who is to get it is decided here, a moment later and for many posts at once, so that a post takes as long with
// receivers as without. A crash in between leaves the note, and what is noted is distributed at the next start.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX, inList } from '@lothub/kit/in-list';
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
  #running: Promise<void> | undefined;
  /** Begins when the running one ends. */
  #next: Promise<void> | undefined;

  constructor(store: DistributionStore) {
    this.#store = store;
  }

  /**
   * Distributes what was posted before it is called.
   * @throws DatabaseError as the store's `write`: the rest is left for the next time
   */
  run(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    // The running one may have looked for the last time already.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  #start(): Promise<void> {
    const running = this.#distribute().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #distribute(): Promise<void> {
    for (;;) {
      const noted = await this.#readNoted();
      if (noted.length === 0) return;
      const receivers = await this.#countReceivers(noted);
      for (let next = 0; next < noted.length;) {
        const end = endOfSlice(noted, next, receivers);
        const through = noted[end - 1]?.id;
        if (through === undefined) throw new Error('a slice of notifications is empty');
        await this.#store.write(distributeThrough(through), MAY_BE_LOST);
        next = end;
      }
    }
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
    rows += receivers.get(groupId) ?? 0;
    if (end > start && rows > ROWS_MAX) break;
    end += 1;
  }
  return end;
}

const RANKED = (severity: string): string =>
  `case ${severity} when 'info' then 0 when 'warning' then 1 else 2 end`;
const WANTED = (receiver: string): Sql =>
  raw(`${RANKED(`${receiver}.min_severity`)} <= ${RANKED('n.severity')}`);

/**
 * Positions are committed in their order, so all notes up to one that was read are seen. Of two processes that
 * distribute the same at once, in the same order, the second finds the deliveries there.
 */
function distributeThrough(through: number): readonly Sql[] {
  return [
    sql`
      insert into deliveries (id, webhook_id, group_id, seq, status, due_at, created_at)
      select
        'msg_' || n.id || '_' || w.id, w.id, n.group_id, n.seq, 'pending', n.created_at, n.created_at
      from undistributed u
      join notifications n on n.id = u.id
      join webhooks w on
        w.group_id = n.group_id
        and w.status = 'active'
        and ${WANTED('w')}
      where u.id <= ${through}
      order by n.id, w.id
      on conflict (id) do nothing`,
    sql`
      insert into device_deliveries
        (id, device_id, group_id, seq, kind, status, due_at, created_at)
      select
        'msg_' || n.id || '_' || d.id, d.id, n.group_id, n.seq, 'created', 'pending', n.created_at,
        n.created_at
      ${toMembers(sql`devices d`, sql`d.account_id`, through)}
        and d.status = 'active'
        and ${WANTED('d')}
      order by n.id, d.id
      on conflict (id) do nothing`,
    sql`
      insert into mail_deliveries
        (id, receiver_id, group_id, seq, kind, status, due_at, created_at)
      select
        'msg_' || n.id || '_' || r.id, r.id, n.group_id, n.seq, 'created', 'pending',
        ${raw(mailDueAt('n.created_at'))}, n.created_at
      ${toMembers(sql`mail_receivers r`, sql`r.account_id`, through)}
        and r.status = 'active'
        and ${WANTED('r')}
      order by n.id, r.id
      on conflict (id) do nothing`,
    sql`
      delete from undistributed
      where id <= ${through}`,
  ];
}

/** In this order SQLite walks the members of a group once for all of its notifications. */
function toMembers(receivers: Sql, accountId: Sql, through: number): Sql {
  return sql`
      from (
        select distinct group_id
        from undistributed
        where id <= ${through}
      ) g
      cross join members m
      cross join ${receivers}
      cross join undistributed u
      cross join notifications n
      where m.group_id = g.group_id
        and ${accountId} = m.account_id
        and u.id <= ${through}
        and u.group_id = g.group_id
        and n.id = u.id
        and coalesce(m.muted_until, 0) <= n.created_at`;
}
