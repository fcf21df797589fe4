// What a pass of retention deletes, and what it leaves alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '@lothub/kit/database';
import { BATCH_ROWS, type RetentionPass } from '@lothub/kit/retention/retention-loop';
import { MS_PER_DAY } from '@lothub/kit/retention/sweeps';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { ALONE_TURN } from '@lothub/kit/turn';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { newTestDatabase, type StoredRow, type TestDatabase } from '../../test/engine.ts';
import {
  postTo,
  storeAccount,
  storeDevice,
  storeGroup,
  storeWebhook,
} from '../../test/stored-group.ts';
import { turnOn } from '../mail/receiver-queries.ts';
import { insertMember } from '../groups/new-group.ts';
import { openStore } from '../store/open-store.ts';
import type { NotificationStore } from '../store/store.ts';
import { openRetention, retainOnce } from './retention.ts';
import { SWEEPS } from './sweep-queries.ts';
import { storeWith } from '../../test/store-with.ts';

const HOUR_MS = 60 * 60 * 1_000;
const LOOK_EVERY_MS = 5;
const START_MS = Date.UTC(2026, 0, 5, 6);

let database: TestDatabase;
let store: NotificationStore;
/** The clock of the store and of retention. Groups keep a day and 100 rows unless a test says otherwise. */
let nowMs = START_MS;
const clock = { nowMs: () => nowMs };

before(async () => {
  database = await newTestDatabase();
  store = await openStore({
    ...database,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });
});
after(async () => {
  await store.close();
  await database[Symbol.asyncDispose]();
});

async function retain(
  changes: Partial<RetentionPass & { readonly store: NotificationStore }> = {},
): Promise<void> {
  const { signal } = new AbortController();
  await retainOnce({
    store,
    clock,
    turn: ALONE_TURN,
    sweeps: SWEEPS,
    signal,
    pauseMs: 0,
    ...changes,
  });
}

interface Kept {
  readonly days?: number;
  readonly rows?: number;
}

async function newGroup({ days = 3_650, rows = 10_000_000 }: Kept = {}): Promise<string> {
  const groupId = await storeGroup(store);
  await keep(groupId, { days, rows });
  return groupId;
}

async function keep(groupId: string, { days, rows }: Required<Kept>): Promise<void> {
  await store.write([
    sql`
      update groups
      set retention_days = ${days}, retention_rows = ${rows}
      where id = ${groupId}`,
  ]);
}

async function postMany(groupId: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => store.post(postTo(groupId))));
}

async function readSeqs(groupId: string): Promise<readonly unknown[]> {
  const rows = await database.rows(
    'select seq from notifications where group_id = ? order by seq',
    groupId,
  );
  return rows.map(({ seq }) => seq);
}

async function readHead(groupId: string): Promise<StoredRow | undefined> {
  const [row] = await database.rows(
    'select head_seq, pruned_seq, pruned_position from group_heads where group_id = ?',
    groupId,
  );
  return row === undefined ? undefined : { ...row };
}

async function readPosition(groupId: string, seq: number): Promise<unknown> {
  const [row] = await database.rows(
    'select id from notifications where group_id = ? and seq = ?',
    groupId,
    seq,
  );
  return row?.['id'];
}

async function countRows(table: string): Promise<unknown> {
  const [row] = await database.rows(`select count(*) as rows from ${table}`);
  return row?.['rows'];
}

test('what belongs together goes with its last row, and what is gone waits for nobody', async () => {
  const groupId = await newGroup({ rows: 100 });
  const critical = { severity: 'critical' } as const;
  await store.post(postTo(groupId, { ...critical, dedupKey: 'gone' }));
  await store.post(postTo(groupId, { ...critical, dedupKey: 'kept' }));
  await store.post(postTo(groupId, critical));
  await postMany(groupId, 99);
  await store.post(postTo(groupId, { ...critical, dedupKey: 'kept' }));

  await retain();

  const items = await database.rows(
    'select dedup_key, first_seq, last_seq, count from occurrences where group_id = ?',
    groupId,
  );
  const open = await database.rows('select seq from unacknowledged where group_id = ?', groupId);
  assert.deepEqual(
    items.map((row) => ({ ...row })),
    [{ dedup_key: 'kept', first_seq: 2, last_seq: 103, count: 2 }],
  );
  assert.deepEqual(
    open.map(({ seq }) => seq),
    [103],
  );
});

test('of 101 rows a group that keeps 100 loses the oldest, and its beginning moves behind it', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 101);
  const position = await readPosition(groupId, 1);

  await retain();

  assert.deepEqual(await readHead(groupId), {
    head_seq: 101,
    pruned_seq: 1,
    pruned_position: position,
  });
  assert.deepEqual(
    await readSeqs(groupId),
    Array.from({ length: 100 }, (_, index) => index + 2),
  );
});

test('of 100 rows a group that keeps 100 loses none', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 100);

  await retain();

  assert.equal((await readSeqs(groupId)).length, 100);
});

test('a notification goes when it is older than the days a group keeps, and not before', async () => {
  const groupId = await newGroup({ days: 2 });
  await postMany(groupId, 1);
  const postedAtMs = nowMs;
  nowMs = postedAtMs + 1;
  await postMany(groupId, 1);

  nowMs = postedAtMs + 2 * MS_PER_DAY;
  await retain();
  const atTwoDays = await readSeqs(groupId);
  nowMs += 1;
  await retain();

  assert.deepEqual(atTwoDays, [1, 2]);
  assert.deepEqual(await readSeqs(groupId), [2]);
});

test('seq goes on when everything is gone', async () => {
  const groupId = await newGroup({ days: 1 });
  await postMany(groupId, 3);
  const position = await readPosition(groupId, 3);
  nowMs += MS_PER_DAY + 1;

  await retain();
  const head = await readHead(groupId);
  await postMany(groupId, 1);
  await retain();

  assert.deepEqual(head, { head_seq: 3, pruned_seq: 3, pruned_position: position });
  assert.deepEqual(await readSeqs(groupId), [4]);
});

test('many batches delete what one would, and leave groups that are not due alone', async () => {
  const [groupId, otherId] = [await newGroup({ rows: 100 }), await newGroup()];
  await postMany(groupId, 2 * BATCH_ROWS + 101);
  await postMany(otherId, 3);

  await retain();

  assert.equal((await readHead(groupId))?.['pruned_seq'], 2 * BATCH_ROWS + 1);
  assert.equal((await readSeqs(groupId)).length, 100);
  assert.equal((await readSeqs(otherId)).length, 3);
});

for (const receiver of ['a webhook', 'a device'] as const) {
  test(`nothing at or behind a notification that ${receiver} waits for is deleted`, async () => {
    const groupId = await newGroup({ rows: 100 });
    const accountId = await storeAccount(database);
    await postMany(groupId, 5);
    await store.write([...insertMember({ groupId, accountId, role: 'member', at: nowMs })]);
    const minSeverity = 'critical';
    if (receiver === 'a device') await storeDevice(store, { accountId, minSeverity });
    else {
      const webhook = { groupId, createdBy: accountId, minSeverity, status: 'active' } as const;
      await storeWebhook(store, webhook);
    }
    await store.post(postTo(groupId, { severity: 'critical' }));
    await postMany(groupId, 200);

    await retain();
    const noted = await readHead(groupId);
    await store.distribute();
    await retain();
    const waiting = await readHead(groupId);
    const deliveries = receiver === 'a device' ? sql`device_deliveries` : sql`deliveries`;
    await store.write([
      sql`
        update ${deliveries}
        set status = 'delivered', ended_at = ${nowMs}
        where group_id = ${groupId}`,
    ]);
    await retain();

    assert.deepEqual([noted?.['pruned_seq'], waiting?.['pruned_seq']], [5, 5]);
    assert.equal((await readHead(groupId))?.['pruned_seq'], 106);
  });
}

test('a delivery that is sent again between planning and deleting keeps its notification', async () => {
  const groupId = await newGroup({ rows: 100 });
  const createdBy = await storeAccount(database);
  await storeWebhook(store, { groupId, createdBy, minSeverity: 'info', status: 'active' });
  await postMany(groupId, 110);
  const setAll = (status: string): Sql => sql`
    update deliveries
    set status = ${status}
    where group_id = ${groupId}`;
  await store.write([setAll('failed')]);
  const racing = storeWith(store, {
    change: async (change) => {
      await store.write([setAll('pending')]);
      return await store.change(change);
    },
  });

  await retain({ store: racing });

  assert.equal((await readSeqs(groupId)).length, 110);
});

test('acknowledgements and single reads go with their notifications, and no others', async () => {
  const groupId = await newGroup({ rows: 100 });
  const otherId = await newGroup();
  const accountId = await storeAccount(database);
  await postMany(groupId, 103);
  for (const id of [groupId, otherId]) {
    await store.write([
      ...insertMember({ groupId: id, accountId, role: 'owner', at: nowMs }),
      ...[3, 4].flatMap((seq) => [
        sql`
          insert into acknowledgements (group_id, seq, account_id, at)
          values (${id}, ${seq}, ${accountId}, ${nowMs})`,
        sql`
          insert into read_exceptions (account_id, group_id, seq, is_read)
          values (${accountId}, ${id}, ${seq}, 0)`,
      ]),
    ]);
  }

  await retain();

  for (const table of ['acknowledgements', 'read_exceptions']) {
    const rows = await database.rows(`select group_id, seq from ${table} order by group_id, seq`);
    assert.deepEqual(
      rows.map(({ group_id: id, seq }) => `${String(id)} ${String(seq)}`).sort(),
      [`${groupId} 4`, `${otherId} 3`, `${otherId} 4`].sort(),
    );
  }
});

test('a group that is to keep more by now keeps it', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 150);
  const racing = storeWith(store, {
    change: async (change) => {
      await keep(groupId, { days: 3_650, rows: 1_000 });
      return await store.change(change);
    },
  });

  await retain({ store: racing });

  assert.equal((await readSeqs(groupId)).length, 150);
});

test('two processes that prune at the same moment delete nothing twice and nothing too much', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 3 * BATCH_ROWS);

  await Promise.all([retain(), retain()]);

  assert.equal((await readSeqs(groupId)).length, 100);
  assert.equal((await readHead(groupId))?.['pruned_seq'], 3 * BATCH_ROWS - 100);
});

test('the beginning of a group never goes back, however late a process is with its batch', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 2 * BATCH_ROWS + 100);
  const late = storeWith(store, {
    change: async (change) => {
      await retain();
      return await store.change(change);
    },
  });

  await retain({ store: late });

  assert.equal((await readHead(groupId))?.['pruned_seq'], 2 * BATCH_ROWS);
});

test('posts that come while a group is pruned keep their order without gaps', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 2 * BATCH_ROWS);

  const [posted] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => store.post(postTo(groupId)))),
    retain(),
  ]);

  const created = posted.map((outcome) => (outcome.kind === 'created' ? outcome.seq : undefined));
  assert.deepEqual(
    created,
    created.map((_, index) => 2 * BATCH_ROWS + 1 + index),
  );
  await retain();
  assert.equal((await readSeqs(groupId)).length, 100);
});

test('it stops between two batches when it has to', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 2 * BATCH_ROWS + 100);
  const stopping = new AbortController();
  const stopped = storeWith(store, {
    change: async (change) => {
      stopping.abort();
      return await store.change(change);
    },
  });

  await retain({ store: stopped, signal: stopping.signal });

  assert.equal((await readHead(groupId))?.['pruned_seq'], BATCH_ROWS);
});

test('it deletes nothing while it is the turn of another process', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 101);

  await retain({ turn: { ...ALONE_TURN, take: () => Promise.resolve(false) } });

  assert.equal((await readSeqs(groupId)).length, 101);
});

test('it goes on by itself after a database that was away, and reports it each time', async () => {
  const groupId = await newGroup({ rows: 100 });
  await postMany(groupId, 101);
  const warnings: unknown[] = [];
  const away = storeWith(store, {
    change: (change) =>
      warnings.length < 2
        ? Promise.reject(new DatabaseError('database_busy', 'away'))
        : store.change(change),
  });
  const log = { warn: (...line: readonly unknown[]) => void warnings.push(line) };
  const pace = { firstAfterMs: 0, everyMs: 1 };

  await using retention = openRetention({ store: away, clock, log, pace });
  const endsAt = Date.now() + PATIENCE_MS;
  while ((await readSeqs(groupId)).length > 100) {
    assert.ok(Date.now() < endsAt, 'nothing was deleted');
    await sleep(LOOK_EVERY_MS);
  }
  await retention.close();

  assert.equal(warnings.length, 2);
});

interface Swept {
  readonly table: string;
  readonly keptMs: number;
  /** A row that ended `at`; `name` distinguishes it. */
  readonly insert: (row: { readonly name: string; readonly at: number }) => Promise<readonly Sql[]>;
}

const SWEPT: readonly Swept[] = [
  {
    table: 'idempotency_keys',
    keptMs: 24 * HOUR_MS,
    insert: async ({ name, at }) => [
      sql`
        insert into idempotency_keys
          (group_id, idempotency_key, content_hash, notification_id, seq, created_at)
        values ('grp_swept', ${name}, 'hash', 1, 1, ${at})`,
    ],
  },
  {
    table: 'signals',
    keptMs: 24 * HOUR_MS,
    insert: async ({ name, at }) => [
      sql`
        insert into signals (position, kind, group_id, account_id, detail, at)
        values (${name === 'old' ? -2 : -1}, 'key', null, null, '{}', ${at})`,
    ],
  },
  {
    table: 'deliveries',
    keptMs: 30 * MS_PER_DAY,
    insert: async ({ name, at }) => {
      const groupId = await newGroup();
      const createdBy = await storeAccount(database);
      const webhook = { groupId, createdBy, minSeverity: 'info', status: 'active' } as const;
      const webhookId = await storeWebhook(store, webhook);
      return [
        sql`
          insert into deliveries
            (id, webhook_id, group_id, seq, status, due_at, created_at, ended_at)
          values (${`msg_${name}`}, ${webhookId}, ${groupId}, 1, 'failed', 1, 1, ${at})`,
        sql`
          insert into delivery_attempts (delivery_id, attempt, at, took_ms)
          values (${`msg_${name}`}, 1, 1, 1)`,
      ];
    },
  },
  {
    table: 'device_deliveries',
    keptMs: 7 * MS_PER_DAY,
    insert: async ({ name, at }) => {
      const accountId = await storeAccount(database);
      const deviceId = await storeDevice(store, { accountId });
      return [
        sql`
          insert into device_deliveries
            (id, device_id, group_id, seq, kind, status, due_at, created_at, ended_at)
          values (${`msg_${name}`}, ${deviceId}, 'grp_x', 1, 'created', 'failed', 1, 1, ${at})`,
        sql`
          insert into device_attempts (delivery_id, attempt, at, took_ms)
          values (${`msg_${name}`}, 1, 1, 1)`,
      ];
    },
  },
  {
    table: 'mail_deliveries',
    keptMs: 7 * MS_PER_DAY,
    insert: async ({ name, at }) => {
      const accountId = await storeAccount(database);
      const id = `mr_${name}`;
      const wants = { minSeverity: 'critical', rhythm: 'at_once' } as const;
      return [
        turnOn({ id, accountId, ...wants, createdAt: 1 }),
        sql`
          insert into mail_deliveries
            (id, receiver_id, group_id, seq, kind, status, due_at, created_at, ended_at)
          values (${`msg_${name}`}, ${id}, 'grp_x', 1, 'created', 'failed', 1, 1, ${at})`,
        sql`
          insert into mail_attempts (delivery_id, attempt, at, took_ms)
          values (${`msg_${name}`}, 1, 1, 1)`,
      ];
    },
  },
  {
    table: 'read_tokens',
    keptMs: 30 * MS_PER_DAY,
    insert: async ({ name, at }) => [
      sql`
        insert into read_tokens (id, account_id, name, secret_hash, created_at, revoked_at)
        values (${name}, ${await storeAccount(database)}, 'a', ${name}, 1, ${at})`,
    ],
  },
  {
    table: 'audit',
    keptMs: 2 * 365 * MS_PER_DAY,
    insert: async ({ name, at }) => [
      sql`
        insert into audit (at, account_id, actor, action, group_id, subject, details)
        values (${at}, null, 'operator', 'key_issued', null, ${name}, '{}')`,
    ],
  },
];

for (const { table, keptMs, insert } of SWEPT) {
  test(`rows of ${table} go when their time is over, and not before`, async () => {
    await store.write([sql`delete from delivery_attempts`, sql`delete from signals`]);
    await retain();
    const others = Number(await countRows(table));
    await store.write(await insert({ name: 'old', at: nowMs - keptMs }));
    await store.write(await insert({ name: 'new', at: nowMs - keptMs + 1 }));

    await retain();

    assert.equal(Number(await countRows(table)) - others, 1);
    nowMs += 1;
    await retain();
    assert.equal(Number(await countRows(table)), others);
  });
}

test('the tables that retention sweeps are those of this test', () => {
  assert.deepEqual(
    SWEEPS.map(({ name }) => name),
    SWEPT.map(({ table }) => table),
  );
});

test('a sweep of more rows than one batch deletes them all', async () => {
  await store.write([sql`delete from idempotency_keys`]);
  await store.write(
    Array.from(
      { length: 2 * BATCH_ROWS + 1 },
      (_, index) => sql`
        insert into idempotency_keys
          (group_id, idempotency_key, content_hash, notification_id, seq, created_at)
        values ('grp_swept', ${String(index)}, 'hash', 1, 1, ${index})`,
    ),
  );

  await retain();

  assert.equal(Number(await countRows('idempotency_keys')), 0);
});
