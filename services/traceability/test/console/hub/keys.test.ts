// The keys of the hub for its operators: all of them listed, some made and replaced, any revoked, under the operator's
// name; and never a key that reads what a brand keeps to itself.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HUB_KEYS_PER_PAGE } from '../../../src/keys/hub-keys.ts';
import type { KeyLimit } from '../../../src/ledger/tables/off-chain.ts';
import { ADMIN_KEY, anEvent, boot, newTenant, valueAt } from '../../boot.ts';
import { newVisitor, readWords, type Page } from '../visitors.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const olga = await newVisitor(booted, { name: 'Olga Operator', isOperator: true });
const KEYS = '/console/hub/keys';

/** The key that an answer shows; undefined when it shows none. */
function keyIn({ text }: Page): string | undefined {
  return /lh_(?:tenant|admin)_[\w-]+/.exec(text)?.[0];
}

/** The id of the key with a label, from its form that revokes it. */
async function findId(label: string, page?: Page): Promise<string> {
  const { text } = page ?? (await olga.get(KEYS));
  const row = text.split('<tr>').find((one) => one.includes(`>${label}<`)) ?? '';
  return /keys\/([\w-]+)\/revoke/.exec(row)?.[1] ?? '';
}

async function callWith(key: string, path: string, tenant: string): Promise<number> {
  const headers = { 'X-Api-Key': key, 'X-Tenant-Id': tenant };
  return (await booted.call(path, { headers })).status;
}

async function postWith(key: string, tenant: string): Promise<number> {
  const headers = { 'X-Api-Key': key, 'X-Tenant-Id': tenant };
  return (await booted.post('/v1/events', anEvent(), headers)).status;
}

async function make(values: Readonly<Record<string, string>>): Promise<Page> {
  return await olga.post(KEYS, { label: 'Key', kind: 'brand', brand: '', ...values });
}

/** A key that a manager of the brand makes. */
async function keyOfBrand(brand: string, limit: KeyLimit, label: string): Promise<string> {
  const manager = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  return keyIn(await manager.post(`/console/b/${brand}/keys`, { label, limit })) ?? '';
}

test('a key for a brand is shown once, posts its events, and reads nothing of it', async () => {
  const brand = newTenant();

  const made = await make({ label: 'Bakery ERP', brand });

  const key = keyIn(made) ?? '';
  const list = await olga.get(KEYS);
  assert.equal(made.status, 200);
  assert.deepEqual(
    [
      await postWith(key, brand),
      await postWith(key, newTenant()),
      await callWith(key, '/v1/lots', brand),
    ],
    [201, 401, 403],
  );
  assert.match(readWords(list), new RegExp(`Bakery ERP ${brand} post events only .* Never Active`));
  assert.ok(!list.text.includes(key));
});

test('a key for any brand posts events of each, and one for the administration opens that', async () => {
  const anybody = keyIn(await make({ label: 'Any brand', kind: 'any' })) ?? '';
  const admin = keyIn(await make({ label: 'Watcher', kind: 'admin' })) ?? '';

  const statuses = [
    await postWith(anybody, newTenant()),
    await postWith(anybody, newTenant()),
    await callWith(anybody, '/v1/lots', newTenant()),
    await callWith(admin, '/v1/admin/overview', newTenant()),
  ];

  assert.deepEqual(statuses, [201, 201, 403, 200]);
});

test('what an operator does with keys is in the audit under the own name, also in that of the brand', async () => {
  const brand = newTenant();
  await make({ label: 'Audited', brand });
  const id = await findId('Audited');

  await olga.post(`${KEYS}/${id}/revoke`);

  const audit = await booted.call(`/v1/admin/audit?entity_id=${id}`, {
    headers: { 'X-Api-Key': ADMIN_KEY },
  });
  const facts = [['actor'], ['action'], ['tenant_id'], ['details', 'via']] as const;
  const noted = [0, 1].map((at) =>
    facts.map((fact) => valueAt(audit.json, 'entries', at, ...fact)),
  );
  assert.deepEqual(noted, [
    ['Olga Operator', 'revoke_key', brand, 'session'],
    ['Olga Operator', 'issue_key', brand, 'session'],
  ]);
});

test('a key is replaced by one like it, and the old one works for a day', async () => {
  const brand = newTenant();
  const old = keyIn(await make({ label: 'Replaced', brand })) ?? '';

  const answer = await olga.post(`${KEYS}/${await findId('Replaced')}/rotate`);

  const key = keyIn(answer) ?? '';
  assert.notEqual(key, old);
  assert.deepEqual([await postWith(key, brand), await postWith(old, brand)], [201, 201]);
  assert.match(readWords(await olga.get(`${KEYS}?brand=${brand}`)), /Ends at/);
});

test('a key that reads a brand cannot be replaced by an operator, and can be revoked', async () => {
  const brand = newTenant();
  for (const limit of ['all', 'read'] as const) {
    const key = await keyOfBrand(brand, limit, `Reads ${limit}`);
    const list = await olga.get(`${KEYS}?brand=${brand}`);
    const id = await findId(`Reads ${limit}`, list);

    const replaced = await olga.post(`${KEYS}/${id}/rotate`);
    const revoked = await olga.post(`${KEYS}/${id}/revoke`);

    assert.doesNotMatch(list.text, new RegExp(`${id}/rotate`));
    assert.deepEqual([replaced.status, keyIn(replaced)], [404, undefined]);
    assert.equal(revoked.location, `${KEYS}?done=key-revoked`);
    assert.equal(await callWith(key, '/v1/lots', brand), 401);
  }
});

test('a form that cannot be done says what is missing, and makes no key', async () => {
  const refused = [
    await make({ label: ' ', brand: 'bakery' }),
    await make({ brand: '' }),
    await make({ brand: 'not a brand!' }),
    await make({ kind: 'all-of-it', brand: 'bakery' }),
  ];

  assert.deepEqual(
    refused.map(({ status }) => status),
    [422, 422, 422, 422],
  );
  for (const page of refused) assert.equal(keyIn(page), undefined);
  assert.match(refused[1]?.text ?? '', /Please fill this in/);
  assert.equal((await olga.post(`${KEYS}/none/revoke`)).status, 404);
  assert.equal((await olga.post(`${KEYS}/none/rotate`)).status, 404);
});

test('a key of the settings says that the settings have to change, too', async () => {
  const page = await olga.get(KEYS);

  assert.match(readWords(page), /It comes from the settings: change ADMIN_API_KEY as well/);
  assert.match(readWords(page), /It comes from the settings: change TENANT_API_KEY as well/);
});

test('keys come page by page, newest first, of all brands or of one', async () => {
  const brand = newTenant();
  const count = HUB_KEYS_PER_PAGE - 2;
  for (let number = 1; number <= count; number += 1)
    await keyOfBrand(brand, 'post-events', `Till ${number}`);

  const first = await olga.get(KEYS);
  const [, more = ''] = /href="(\/console\/hub\/keys\?before=[^"]+)"/.exec(first.text) ?? [];
  const second = await olga.get(more);
  const mine = await olga.get(`${KEYS}?brand=${brand}`);
  const none = await olga.get(`${KEYS}?brand=${newTenant()}`);

  const rows = ({ text }: Page) => [...text.matchAll(/<tr>/g)].length - 1;
  assert.equal(rows(first), HUB_KEYS_PER_PAGE);
  assert.match(readWords(first), new RegExp(`Till ${count} .*Till 1 `));
  assert.doesNotMatch(readWords(second), /Till/);
  assert.equal(rows(mine), count);
  assert.match(readWords(none), /There is no such key/);
});
