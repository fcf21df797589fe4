// What is written of a post, on each engine: a delivery for each webhook of its group, and each device of its members,
// that wants it; once, whatever happens in between.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { newTestDatabase, type StoredRow, type TestDatabase } from '../../test/engine.ts';
import {
  postTo,
  storeAccount,
  storeDevice,
  storeGroup,
  storeWebhook,
} from '../../test/stored-group.ts';
import type { StoredDevice } from '../../test/stored-group.ts';
import { insertMember } from '../groups/new-group.ts';
import { openStore } from './open-store.ts';
import type { Post, PostOutcome } from './post.ts';
import type { NotificationStore } from './store.ts';
import { Distribution } from './distribution.ts';

const NOW_MS = Date.UTC(2026, 0, 5, 6);

let database: TestDatabase;
let store: NotificationStore;

before(async () => {
  database = await newTestDatabase();
  store = await openStore({
    ...database,
    clock: { nowMs: () => NOW_MS },
    onFatal: (error) => {
      throw error;
    },
  });
});
after(async () => {
  await store.close();
  await database[Symbol.asyncDispose]();
});

async function post(one: Post): Promise<PostOutcome> {
  const outcome = await store.post(one);
  await store.distribute();
  return outcome;
}

async function newMember(groupId: string, mutedUntil: number | null = null): Promise<string> {
  const accountId = await storeAccount(database);
  await store.write([
    ...insertMember({ groupId, accountId, role: 'member', at: 1 }),
    sql`
      update members
      set muted_until = ${mutedUntil}
      where group_id = ${groupId}
        and account_id = ${accountId}`,
  ]);
  return accountId;
}

async function newDevice(
  groupId: string,
  device: Omit<StoredDevice, 'accountId'> = {},
): Promise<string> {
  return await storeDevice(store, { accountId: await newMember(groupId), ...device });
}

function deliveriesIn(groupId: string): Promise<readonly StoredRow[]> {
  return database.rows(
    `select id, device_id, seq, kind, status, attempts, due_at, created_at, ended_at
    from device_deliveries
    where group_id = ?
    order by seq, device_id`,
    groupId,
  );
}

async function listNotifiedDevices(groupId: string): Promise<readonly unknown[]> {
  return (await deliveriesIn(groupId)).map((row) => row['device_id']);
}

test('a post writes a delivery for each device of each member, due at once', async () => {
  const groupId = await storeGroup(store);
  const accountId = await newMember(groupId);
  const devices = [
    await storeDevice(store, { accountId }),
    await storeDevice(store, { accountId }),
    await newDevice(groupId),
  ];

  const posted = await post(postTo(groupId));

  assert.ok(posted.kind === 'created');
  const { id, seq, createdAt } = posted;
  const rows = await deliveriesIn(groupId);
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    devices.toSorted().map((device) => ({
      ...{ id: `msg_${id}_${device}`, device_id: device, seq, kind: 'created', status: 'pending' },
      ...{ attempts: 0, due_at: createdAt, created_at: createdAt, ended_at: null },
    })),
  );
});

test('a device gets what is of its severity or above, from posts of one commit too', async () => {
  const groupId = await storeGroup(store);
  const grave = await newDevice(groupId, { minSeverity: 'warning' });
  const gravest = await newDevice(groupId, { minSeverity: 'critical' });

  await Promise.all(
    (['info', 'warning', 'critical'] as const).map((severity) =>
      post(postTo(groupId, { severity })),
    ),
  );

  const rows = await deliveriesIn(groupId);
  const notified = rows.map((row) => `${String(row['seq'])} ${String(row['device_id'])}`);
  assert.deepEqual(notified, [
    `2 ${grave}`,
    ...[grave, gravest].toSorted().map((one) => `3 ${one}`),
  ]);
});

for (const status of ['paused', 'disabled', 'deleted'] as const) {
  test(`a device that is ${status} gets nothing`, async () => {
    const groupId = await storeGroup(store);
    const active = await newDevice(groupId);
    await newDevice(groupId, { status });

    await post(postTo(groupId));

    assert.deepEqual(await listNotifiedDevices(groupId), [active]);
  });
}

test('a device of somebody who is no member gets nothing', async () => {
  const [groupId, elsewhere] = [await storeGroup(store), await storeGroup(store)];
  await newDevice(elsewhere);

  await post(postTo(groupId));

  assert.deepEqual(await listNotifiedDevices(groupId), []);
});

test('a member who has muted the group gets nothing until then, and everything after', async () => {
  const groupId = await storeGroup(store);
  const muted = await newMember(groupId, NOW_MS + 1);
  const over = await newMember(groupId, NOW_MS);
  await storeDevice(store, { accountId: muted });
  const heard = await storeDevice(store, { accountId: over });

  await post(postTo(groupId, { severity: 'critical' }));

  assert.deepEqual(await listNotifiedDevices(groupId), [heard]);
});

test('posts of several groups in one commit reach the devices of their own members', async () => {
  const groups = await Promise.all(Array.from({ length: 3 }, () => storeGroup(store)));
  const devices = await Promise.all(groups.map((groupId) => newDevice(groupId)));

  await Promise.all(groups.map((groupId) => post(postTo(groupId))));

  const notified = await Promise.all(groups.map(listNotifiedDevices));
  assert.deepEqual(
    notified,
    devices.map((device) => [device]),
  );
});

test('a post writes a delivery for each active webhook of its group that wants its severity', async () => {
  const [groupId, elsewhere] = [await storeGroup(store), await storeGroup(store)];
  const createdBy = await storeAccount(database);
  const all = await storeWebhook(store, {
    ...{ groupId, createdBy, minSeverity: 'info', status: 'active' },
  });
  const grave = await storeWebhook(store, {
    ...{ groupId, createdBy, minSeverity: 'warning', status: 'active' },
  });
  for (const [where, status] of [
    [groupId, 'paused'],
    [groupId, 'disabled'],
    [elsewhere, 'active'],
  ] as const) {
    await storeWebhook(store, { groupId: where, createdBy, minSeverity: 'info', status });
  }

  const outcomes = await Promise.all(
    (['info', 'warning', 'critical'] as const).map((severity) =>
      post(postTo(groupId, { severity })),
    ),
  );

  const [info, warning, critical] = outcomes.map((outcome) =>
    outcome.kind === 'created' ? outcome : undefined,
  );
  const rows = await database.rows(
    `select id, webhook_id, seq, status, attempts, due_at, created_at
    from deliveries where group_id = ?`,
    groupId,
  );
  const expected = [
    { webhook: all, place: info },
    { webhook: all, place: warning },
    { webhook: grave, place: warning },
    { webhook: all, place: critical },
    { webhook: grave, place: critical },
  ].map(({ webhook, place }) => ({
    id: `msg_${place?.id}_${webhook}`,
    webhook_id: webhook,
    seq: place?.seq,
    status: 'pending',
    attempts: 0,
    due_at: place?.createdAt,
    created_at: place?.createdAt,
  }));
  assert.deepEqual(sortedById(rows), sortedById(expected));
});

function sortedById(rows: readonly StoredRow[]): readonly StoredRow[] {
  return rows
    .map((row) => ({ ...row }))
    .toSorted((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1));
}

async function newWebhook(groupId: string): Promise<string> {
  const createdBy = await storeAccount(database);
  return await storeWebhook(store, {
    ...{ groupId, createdBy, minSeverity: 'info', status: 'active' },
  });
}

async function countRows(table: 'deliveries' | 'undistributed', groupId: string): Promise<unknown> {
  const text = `select count(*) as rows from ${table} where group_id = ?`;
  const [row] = await database.rows(text, groupId);
  return row?.['rows'];
}

test('a post into a group without receivers leaves nothing to be distributed', async () => {
  const groupId = await storeGroup(store);
  await newMember(groupId);

  await store.post(postTo(groupId));

  assert.equal(await countRows('undistributed', groupId), 0);
});

test('what nobody distributed before a crash is distributed once at the next start', async () => {
  const groupId = await storeGroup(store);
  await newWebhook(groupId);
  await store.post(postTo(groupId));
  await store.post(postTo(groupId));
  const before = await countRows('deliveries', groupId);

  await Promise.all([new Distribution(store).run(), new Distribution(store).run()]);

  assert.deepEqual(
    [before, await countRows('deliveries', groupId), await countRows('undistributed', groupId)],
    [0, 2, 0],
  );
});

test('a distribution that fails leaves the rest for the next one', async () => {
  const groupId = await storeGroup(store);
  await newWebhook(groupId);
  await store.post(postTo(groupId));
  const failing = new Distribution({
    reader: store.reader,
    write: () => Promise.reject(new Error('the disk is full')),
  });

  await assert.rejects(failing.run(), /the disk is full/);
  const left = await countRows('undistributed', groupId);
  await store.distribute();

  assert.deepEqual([left, await countRows('deliveries', groupId)], [1, 1]);
});

test('many notifications for many receivers are written in small transactions, each once', async () => {
  const groupId = await storeGroup(store);
  for (let count = 0; count < 30; count += 1) await newWebhook(groupId);
  await Promise.all(Array.from({ length: 20 }, () => store.post(postTo(groupId))));
  const sizes: number[] = [];
  const watched = new Distribution({
    reader: store.reader,
    write: async (statements, options) => {
      const before = Number(await countRows('deliveries', groupId));
      const rows = await store.write(statements, options);
      sizes.push(Number(await countRows('deliveries', groupId)) - before);
      return rows;
    },
  });

  await watched.run();

  assert.equal(await countRows('deliveries', groupId), 600);
  assert.deepEqual(sizes, [180, 180, 180, 60]);
});

test('what is posted while a distribution looks for the last time is distributed by the next call', async () => {
  const groupId = await storeGroup(store);
  await newWebhook(groupId);
  const looking = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const distribution = new Distribution({
    reader: {
      all: async (query) => {
        const rows = await store.reader.all(query);
        looking.resolve();
        await release.promise;
        return rows as never;
      },
    },
    write: (statements, options) => store.write(statements, options),
  });
  const first = distribution.run();
  await looking.promise;
  await store.post(postTo(groupId));

  const second = distribution.run();
  release.resolve();
  await first;
  await second;

  assert.equal(await countRows('deliveries', groupId), 1);
});
