// What happens in a brand of the hub arrives in a group of the inbox beside it: connected in one step by somebody who
// manages the brand and owns the group, once for each message, until the key of the group is revoked.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@lothub/kit/test/until';
import { giveRole } from '@lothub/people/brands/grants';
import { COMMAND_LINE } from '@lothub/people/brands/roles-of-place';
import { bootFronted } from './fronted.ts';

const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const fronted = await bootFronted({ TENANT_API_KEY: TENANT_KEY, RATE_LIMIT_V1: '0' });
after(() => fronted[Symbol.asyncDispose]());

const BRAND = 'bakery';
const HEADERS = { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': BRAND };
const PASSWORD = 'a quiet mill by the river';

async function request(
  path: string,
  init: { readonly cookie?: string; readonly json?: unknown; readonly form?: object } = {},
): Promise<Response> {
  const { cookie, json, form } = init;
  const body = json === undefined ? form && new URLSearchParams({ ...form }) : JSON.stringify(json);
  return await fetch(fronted.base + path, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    redirect: 'manual',
    headers: {
      'Sec-Fetch-Site': 'same-origin',
      ...(path.startsWith('/v1') ? HEADERS : { Origin: fronted.base }),
      ...(json === undefined ? { Accept: 'text/html' } : { 'Content-Type': 'application/json' }),
      ...(cookie === undefined ? {} : { Cookie: cookie }),
    },
  });
}

interface Shown {
  readonly title: string;
  readonly body: string | null;
  readonly severity: string;
  readonly sender: { readonly name: string };
}

async function readNotifications(groupId: string, cookie: string): Promise<readonly Shown[]> {
  const path = `/api/v1/groups/${groupId}/notifications`;
  const answer = await fetch(fronted.base + path, { headers: { Cookie: cookie } });
  return ((await answer.json()) as { readonly items: readonly Shown[] }).items;
}

test('a hold in the brand is a notification of the group, until its key is revoked', async () => {
  const { people } = fronted.hub;
  const link = new URL(fronted.notifications.setupLink?.url ?? '').pathname;
  const setUp = await request(link, {
    form: { name: 'Olga', email: 'olga@hub.example', password: PASSWORD, group: 'Schicht' },
  });
  const cookie = setUp.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0] ?? '')
    .join('; ');
  const me = (await (
    await fetch(`${fronted.base}/api/v1/me`, { headers: { Cookie: cookie } })
  ).json()) as { readonly id: string };
  await giveRole(people, COMMAND_LINE, {
    place: { kind: 'brand', id: BRAND },
    accountId: me.id,
    role: 'manager',
  });
  const groups = (await (
    await fetch(`${fronted.base}/api/v1/groups`, { headers: { Cookie: cookie } })
  ).json()) as { readonly items: readonly { readonly id: string; readonly name: string }[] };
  const groupId = groups.items[0]?.id ?? '';
  const list = `/console/b/${BRAND}/webhooks`;

  const page = await (await request(list, { cookie })).text();
  const connected = await request(`${list}/inbox`, {
    cookie,
    form: { group: groupId, 'lot.held': 'yes' },
  });
  const line = {
    lot_code: 'BREAD-1',
    product_sku: 'BREAD',
    direction: 'in',
    quantity: 1,
    unit: 'kg',
  };
  const received = await request('/v1/events', {
    json: {
      ...{ event_type: 'RECEIVE', occurred_at: '2026-03-02T07:15:00+01:00' },
      ...{ location: 'BAKERY-1', reference: 'PO-1', lines: [line] },
    },
  });
  const held = await request('/v1/lots/BREAD-1/hold', { json: { reason: 'a smell', by: 'Olga' } });
  await until('it is in the group', async () =>
    (await readNotifications(groupId, cookie)).some(({ title }) => title === 'Lots held: 1'),
  );
  const [notification] = await readNotifications(groupId, cookie);
  const keys = (await (
    await fetch(`${fronted.base}/api/v1/groups/${groupId}/keys`, { headers: { Cookie: cookie } })
  ).json()) as { readonly items: readonly { readonly id: string; readonly name: string }[] };
  const key = keys.items.find(({ name }) => name === BRAND);
  await fetch(`${fronted.base}/api/v1/groups/${groupId}/keys/${String(key?.id)}`, {
    method: 'DELETE',
    headers: { Cookie: cookie, Origin: fronted.base, 'Sec-Fetch-Site': 'same-origin' },
  });
  const webhook = String(connected.headers.get('location')).replace(/\?.*/, '');
  await request(`${webhook}/test`, { cookie, form: {} });
  await until('the webhook is disabled', async () =>
    (await (await request(webhook, { cookie })).text()).includes('>Disabled<'),
  );

  const again = await request(`${list}/inbox`, {
    cookie,
    form: { group: groupId, 'lot.held': 'yes' },
  });
  const second = String(again.headers.get('location')).replace(/\?.*/, '');
  const deleted = await request(`${second}/delete`, { cookie, form: {} });
  const left = (await (
    await fetch(`${fronted.base}/api/v1/groups/${groupId}/keys`, { headers: { Cookie: cookie } })
  ).json()) as { readonly items: readonly { readonly name: string; readonly state: string }[] };

  assert.match(String(deleted.headers.get('location')), /done=disconnected/);
  assert.deepEqual(
    left.items.filter(({ name }) => name === BRAND).map(({ state }) => state),
    ['revoked', 'revoked'],
  );
  assert.match(page, /Schicht/);
  assert.equal(connected.status, 303);
  assert.equal(received.status, 201);
  assert.ok(held.ok);
  assert.equal(notification?.severity, 'warning');
  assert.equal(notification?.sender.name, BRAND);
  assert.match(String(notification?.body), /BREAD-1\nhttp.*\/console\/b\/bakery\/lots/);
});
