// What the rows of watches do by themselves: each watch is notified of a step once, whoever stops in between and however
// many are at work; what is over ends; a crowd is counted, and a few are not.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { cutSlices } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { askByMail } from '../../src/watching/asking.ts';
import { RENEWAL_MS, WATCHES_PER_ADDRESS_MAX, WATCH_MS } from '../../src/watching/limits.ts';
import { EXPIRED, askForRenewal } from '../../src/watching/sweeps.ts';
import type { Target } from '../../src/watching/target.ts';
import { MAIL_ROUTE, claimDue } from '../../src/watching/sending/delivery-queries.ts';
import { fanOut } from '../../src/watching/sending/fan-out.ts';
import { activate, insertWatch } from '../../src/watching/watch-queries.ts';
import { confirmWatch, countWatches, renewWatch } from '../../src/watching/watches.ts';
import { testEngine } from '../engine.ts';
import { makeEvent, makeLine, openTestLedger, openTestStore } from '../ledger.ts';
import { follow, moveTo, openCase } from '../recall/case-ledger.ts';

/** More than two slices of a fan-out. */
const CROWD = 1_200;
const LEASE_MS = 90_000;
const NOW_MS = Date.parse('2026-03-02T09:00:00.000Z');

let store: LedgerStore;
const clock = { ms: NOW_MS, nowMs: (): number => clock.ms };
const ledger = await openForFile(openTestLedger());
before(async () => {
  ({ store } = ledger);
});

let tenants = 0;
const newTenantId = (): string => `watched-${(tenants += 1)}`;
const recordLots = (tenantId: string, ...codes: readonly string[]) =>
  ledger.record(
    [
      makeEvent(
        'RECEIVE',
        codes.map((code) => makeLine('in', code)),
      ),
    ],
    tenantId,
  );

/** Active watches of as many addresses. */
async function addWatches(target: Target, count: number): Promise<readonly string[]> {
  const { tenantId, kind } = target;
  const ids = Array.from({ length: count }, (_, index) => `wch_${tenantId}-${kind}-${index}`);
  for (const slice of cutSlices(ids)) {
    await store.write(
      slice.flatMap((id) => [
        insertWatch({
          ...{ ...target, id, address: `${id}@mail.example`, route: MAIL_ROUTE, language: 'en' },
          ...{ channel: 'mail', p256dh: null, auth: null, createdAt: NOW_MS },
          expiresAt: NOW_MS,
        }),
        activate(id, NOW_MS + WATCH_MS),
      ]),
    );
  }
  return ids;
}

interface StoredMessage {
  readonly watchId: string;
  readonly topic: string;
  readonly kind: string;
}

/** Returns the messages that are due for this brand, and deletes them. */
async function takeMessages(tenantId: string): Promise<readonly StoredMessage[]> {
  const mine = sql`watch_id in (select id from watches where tenant_id = ${tenantId})`;
  const messages = await store.reader.all<StoredMessage>(sql`
    select watch_id as "watchId", topic as "topic", kind as "kind"
    from watch_deliveries
    where ${mine}
    order by watch_id, topic`);
  await store.write([sql`delete from watch_deliveries where ${mine}`]);
  return messages;
}

const always = (): Promise<boolean> => Promise.resolve(true);

test('a crowd is notified in slices, each once, although the worker is stopped behind each', async () => {
  const tenantId = newTenantId();
  await recordLots(tenantId, 'FLOUR');
  const ids = await addWatches({ tenantId, kind: 'lot', target: 'FLOUR' }, CROWD);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  let rounds = 0;
  for (let isLeft = true; isLeft; rounds += 1) {
    let asked = 0;
    await fanOut({ store, clock }, () => Promise.resolve((asked += 1) <= 2));
    isLeft = (await store.reader.first(sql`select case_no from watch_messages`)) !== undefined;
  }

  const messages = await takeMessages(tenantId);
  assert.ok(rounds >= 3, String(rounds));
  assert.deepEqual(
    messages.map(({ watchId }) => watchId),
    [...ids].sort(),
  );
  assert.deepEqual(
    [...new Set(messages.map(({ topic, kind }) => `${topic} ${kind}`))],
    [`${caseNo}/1 opened`],
  );
});

test('two at work at once notify each watch once', async () => {
  const tenantId = newTenantId();
  await recordLots(tenantId, 'FLOUR');
  const ids = await addWatches({ tenantId, kind: 'sku', target: 'FLOUR' }, CROWD);
  await openCase(ledger, 'FLOUR', { tenantId });
  await using other = testEngine === 'sqlite' ? undefined : await openTestStore(ledger.database);

  await Promise.all([
    fanOut({ store, clock }, always),
    fanOut({ store: other ?? store, clock }, always),
  ]);
  await fanOut({ store, clock }, always);

  const messages = await takeMessages(tenantId);
  assert.equal(messages.length, ids.length);
});

test('each watch hears what a step is to it', async () => {
  const tenantId = newTenantId();
  await recordLots(tenantId, 'FLOUR-1');
  const [first] = await addWatches({ tenantId, kind: 'lot', target: 'FLOUR-1' }, 1);
  const caseNo = await openCase(ledger, 'FLOUR-1', { tenantId, direction: 'downstream' });
  await ledger.record(
    [makeEvent('PRODUCE', [makeLine('in', 'FLOUR-1'), makeLine('out', 'BREAD-1')])],
    tenantId,
  );
  await fanOut({ store, clock }, always);
  const opened = await takeMessages(tenantId);
  const product = { tenantId, kind: 'sku', target: 'BREAD' } as const;
  const id = `wch_${tenantId}-bread`;
  await store.write([
    insertWatch({
      ...{ ...product, id, address: 'bread@mail.example', route: MAIL_ROUTE, language: 'en' },
      ...{ channel: 'mail', p256dh: null, auth: null, createdAt: NOW_MS, expiresAt: NOW_MS },
    }),
    activate(id, NOW_MS + WATCH_MS),
  ]);

  await follow(ledger);
  await fanOut({ store, clock }, always);
  const widened = await takeMessages(tenantId);
  await moveTo(ledger, { tenantId, caseNo, to: 'notification' });
  await fanOut({ store, clock }, always);
  const moved = await takeMessages(tenantId);

  assert.deepEqual(
    opened.map(({ watchId, kind }) => [watchId, kind]),
    [[first, 'opened']],
  );
  assert.deepEqual(
    widened.map(({ watchId, kind }) => [watchId, kind]),
    [[id, 'widened']],
  );
  assert.deepEqual(
    moved.map(({ kind }) => kind),
    ['moved', 'moved'],
  );
});

test('a brand that nobody watches, and another brand with the same lot, tell nobody', async () => {
  const [tenantId, other] = [newTenantId(), newTenantId()];
  await recordLots(tenantId, 'FLOUR');
  await recordLots(other, 'FLOUR');
  await openCase(ledger, 'FLOUR', { tenantId });
  const none = await store.reader.all(sql`select case_no from watch_messages`);

  await addWatches({ tenantId: other, kind: 'lot', target: 'FLOUR' }, 1);
  await openCase(ledger, 'FLOUR', { tenantId });
  await fanOut({ store, clock }, always);
  const unwatched = [...(await takeMessages(other)), ...(await takeMessages(tenantId))];
  const [own] = await addWatches({ tenantId, kind: 'lot', target: 'FLOUR' }, 1);
  await openCase(ledger, 'FLOUR', { tenantId });
  await fanOut({ store, clock }, always);

  assert.deepEqual([none, unwatched], [[], []]);
  assert.deepEqual(await takeMessages(other), []);
  assert.deepEqual(
    (await takeMessages(tenantId)).map(({ watchId }) => watchId),
    [own],
  );
});

test('a brand is told how many watch, and of fewer than five only that there are some', async () => {
  const tenantId = newTenantId();
  const target = { tenantId, kind: 'lot', target: 'FLOUR' } as const;
  const count = () => countWatches(store.reader, { tenantId, targets: [target] });

  const counts = [await count()];
  await addWatches(target, 4);
  counts.push(await count());
  await addWatches({ ...target, kind: 'sku' }, 1);
  await store.write([sql`update watches set kind = 'lot' where tenant_id = ${tenantId}`]);
  counts.push(await count());

  assert.deepEqual(counts, [0, 'few', 5]);
});

test('an address watches fifty lots and products at most', async () => {
  const tenantId = newTenantId();
  const address = 'collector@mail.example';
  for (let index = 0; index < WATCHES_PER_ADDRESS_MAX + 2; index += 1) {
    const target = { tenantId, kind: 'lot', target: `LOT-${index}` } as const;
    await askByMail({ store, clock }, { target, address, language: 'en' });
    await store.write([
      sql`update watches set status = 'active', asked = 0 where address = ${address}`,
    ]);
  }

  const [row] = await store.reader.all<{ readonly count: number }>(
    sql`select count(*) as "count" from watches where address = ${address}`,
  );
  assert.equal(row?.count, WATCHES_PER_ADDRESS_MAX);
});

test('a watch lasts two years, is asked once before its end, and goes on only when somebody answers', async () => {
  await store.write([sql`delete from watches`]);
  const tenantId = newTenantId();
  const [kept = '', silent = ''] = await addWatches({ tenantId, kind: 'lot', target: 'A' }, 2);
  clock.ms = NOW_MS + WATCH_MS - RENEWAL_MS - 1;
  const early = await askForRenewal({ store, clock });

  clock.ms += 1;
  await askForRenewal({ store, clock });
  const again = await askForRenewal({ store, clock });
  const asked = (await takeMessages(tenantId)).map(({ kind }) => kind);
  const isRenewed = await renewWatch({ store, clock }, kept);
  clock.ms = NOW_MS + WATCH_MS;
  await sweepAll();

  const left = await store.reader.all(
    sql`select id as "id", expires_at as "until" from watches where tenant_id = ${tenantId}`,
  );
  clock.ms = NOW_MS;
  assert.deepEqual([early, again, asked, isRenewed], [0, 0, ['renew', 'renew'], true]);
  assert.deepEqual(
    left.map((row) => ({ ...(row as object) })),
    [{ id: kept, until: NOW_MS + 2 * WATCH_MS - RENEWAL_MS }],
  );
  assert.notEqual(silent, kept);
});

test('what nobody confirms in two days is deleted, with its mail', async () => {
  const tenantId = newTenantId();
  const target = { tenantId, kind: 'lot', target: 'A' } as const;
  const address = 'silent@mail.example';
  await askByMail({ store, clock }, { target, address, language: 'en' });
  const find = () =>
    store.reader.first<{ readonly id: string }>(
      sql`select id as "id" from watches where address = ${address}`,
    );
  const { id } = (await find())!;

  clock.ms = NOW_MS + 48 * 3_600_000 - 1;
  await sweepAll();
  const before = await find();
  clock.ms += 1;
  await sweepAll();
  const isConfirmed = await confirmWatch({ store, clock }, id);

  clock.ms = NOW_MS;
  assert.equal(before?.id, id);
  assert.deepEqual([await find(), isConfirmed], [undefined, false]);
  assert.deepEqual(await takeMessages(tenantId), []);
});

async function sweepAll(): Promise<void> {
  for (;;) {
    const statement = await EXPIRED.next(store.reader, { nowMs: clock.ms, rows: 500 });
    if (statement === undefined) return;
    await store.write([statement]);
  }
}

test('a step that failed holds up a newer one for a lease at most, and what is under way for as long', async () => {
  const tenantId = newTenantId();
  await recordLots(tenantId, 'FLOUR');
  await addWatches({ tenantId, kind: 'lot', target: 'FLOUR' }, 1);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await moveTo(ledger, { tenantId, caseNo, to: 'notification' });
  await fanOut({ store, clock }, always);
  const claim = async (): Promise<readonly string[]> => {
    const due = { route: MAIL_ROUTE, at: clock.ms, leaseUntil: clock.ms + LEASE_MS, limit: 9 };
    const [rows = []] = await store.write([claimDue(due)]);
    return rows.map((row) => (row as { readonly topic: string }).topic);
  };
  const putOffBy = (ms: number) =>
    store.write([
      sql`update watch_deliveries set due_at = ${clock.ms + ms} where topic = ${`${caseNo}/1`}`,
    ]);

  const first = await claim();
  const underWay = await claim();
  await putOffBy(LEASE_MS);
  const soon = await claim();
  await putOffBy(LEASE_MS + 1);
  const late = await claim();
  await takeMessages(tenantId);

  assert.deepEqual([first, underWay, soon, late], [[`${caseNo}/1`], [], [], [`${caseNo}/2`]]);
});
