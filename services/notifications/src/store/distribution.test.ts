// Which devices a post writes deliveries for, on each engine: those of members of its group that want it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { newTestDatabase, type StoredRow, type TestDatabase } from '../../test/engine.ts';
import { postTo, storeAccount, storeDevice, storeGroup } from '../../test/stored-group.ts';
import type { StoredDevice } from '../../test/stored-group.ts';
import { insertMember } from '../groups/new-group.ts';
import { openStore } from './open-store.ts';
import type { NotificationStore } from './store.ts';

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

  const posted = await store.post(postTo(groupId));

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
      store.post(postTo(groupId, { severity })),
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

    await store.post(postTo(groupId));

    assert.deepEqual(await listNotifiedDevices(groupId), [active]);
  });
}

test('a device of somebody who is no member gets nothing', async () => {
  const [groupId, elsewhere] = [await storeGroup(store), await storeGroup(store)];
  await newDevice(elsewhere);

  await store.post(postTo(groupId));

  assert.deepEqual(await listNotifiedDevices(groupId), []);
});

test('a member who has muted the group gets nothing until then, and everything after', async () => {
  const groupId = await storeGroup(store);
  const muted = await newMember(groupId, NOW_MS + 1);
  const over = await newMember(groupId, NOW_MS);
  await storeDevice(store, { accountId: muted });
  const heard = await storeDevice(store, { accountId: over });

  await store.post(postTo(groupId, { severity: 'critical' }));

  assert.deepEqual(await listNotifiedDevices(groupId), [heard]);
});

test('posts of several groups in one commit reach the devices of their own members', async () => {
  const groups = await Promise.all(Array.from({ length: 3 }, () => storeGroup(store)));
  const devices = await Promise.all(groups.map((groupId) => newDevice(groupId)));

  await Promise.all(groups.map((groupId) => store.post(postTo(groupId))));

  const notified = await Promise.all(groups.map(listNotifiedDevices));
  assert.deepEqual(
    notified,
    devices.map((device) => [device]),
  );
});
