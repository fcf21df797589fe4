// Messages to a device: the first message confirms the way, what comes is encrypted for its browser, and a browser
// that is gone is forgotten.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPushService, verifySigner } from '@lothub/delivery/test/push-service';
import type { PushService, TestBrowser } from '@lothub/delivery/test/push-service';
import { RecallTenant } from '../recall/tenant.ts';
import { PUBLIC_URL, bootWatched, hasNoMessages, openPage, until } from './watching.ts';
import type { WatchedHub } from './watching.ts';

let watched: WatchedHub;
let service: PushService;
/** Paths of browsers that are gone. */
const gone = new Set<string>();
before(async () => {
  service = await startPushService((response, { path }) => {
    response.writeHead(gone.has(path) ? 410 : 201).end();
  });
  watched = await bootWatched();
});
after(async () => {
  await watched[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

interface Asked {
  readonly brand: string;
  readonly lot_code?: string;
  readonly gtin?: string;
  readonly what?: string;
}

async function ask(path: string, { subscription }: TestBrowser, asked: Asked) {
  const { endpoint, p256dh, auth } = subscription;
  const response = await fetch(`${watched.hub.base}/watch/device${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Language': 'de' },
    body: JSON.stringify({
      ...asked,
      subscription: { endpoint, expirationTime: null, keys: { p256dh, auth } },
    }),
  });
  return { status: response.status, json: (await response.json()) as { watched?: boolean } };
}

interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly lang: string;
}

function listMessages(browser: TestBrowser): readonly PushMessage[] {
  return browser.messages().map(({ payload }) => JSON.parse(payload) as PushMessage);
}

async function readStatus({ subscription }: TestBrowser): Promise<unknown> {
  const [row] = await watched.hub.database.rows(
    `select status from watches where address = '${subscription.endpoint}'`,
  );
  return row?.['status'];
}

async function watchOn(browser: TestBrowser, asked: Asked): Promise<void> {
  assert.equal((await ask('', browser, asked)).status, 202);
  await until('the first message', async () => (await readStatus(browser)) === 'active');
}

test('a device is notified once its first message has arrived, in its language', async () => {
  const { hub } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  const browser = service.newBrowser();
  const asked = { brand: tenant.id, lot_code: 'FLOUR' };

  await watchOn(browser, asked);
  const { case_no: caseNo } = await tenant.open('FLOUR', { severity: 'class_i' });
  await until('the recall', () => browser.messages().length === 2);

  const [welcome, recall] = listMessages(browser);
  assert.equal(welcome!.title, `Bescheid bei Rückruf: Charge FLOUR von ${tenant.id}`);
  assert.deepEqual(
    { ...recall!, body: '' },
    {
      title: `Rückruf: Charge FLOUR von ${tenant.id}`,
      body: '',
      tag: caseNo,
      url: `${PUBLIC_URL}/recalls/${String(caseNo)}`,
      lang: 'de',
    },
  );
  assert.match(recall!.body, /Schwere Gesundheitsschäden/);
  const { claims, publicKey } = await verifySigner(browser.messages()[1]!.request);
  assert.equal(claims.sub, PUBLIC_URL);
  const page = await openPage(hub, `/lot/FLOUR?brand=${tenant.id}`);
  assert.ok(page.text.includes(`data-watch="${publicKey}"`));
  assert.equal(browser.messages()[1]!.request.headers['urgency'], 'high');
});

test('the page of the lot ends it for this device', async () => {
  const tenant = new RecallTenant(watched.hub);
  await tenant.receive('FLOUR');
  const [browser, other] = [service.newBrowser(), service.newBrowser()];
  const asked = { brand: tenant.id, lot_code: 'FLOUR', what: 'product' };
  await watchOn(browser, asked);
  await watchOn(other, asked);

  const before = await ask('/state', browser, asked);
  const ofLot = await ask('/state', browser, { ...asked, what: 'lot' });
  await ask('/end', browser, asked);
  const behind = await ask('/state', browser, asked);
  await tenant.open('FLOUR');
  await until('the recall', () => other.messages().length === 2);

  assert.deepEqual(
    [before, ofLot, behind].map(({ json }) => json.watched),
    [true, false, false],
  );
  assert.equal(await readStatus(browser), undefined);
  assert.equal(browser.messages().length, 1);
});

test('a browser that is gone is forgotten with all that it watched', async () => {
  const tenant = new RecallTenant(watched.hub);
  await tenant.receive('FLOUR', 'SUGAR');
  const browser = service.newBrowser();
  await watchOn(browser, { brand: tenant.id, lot_code: 'FLOUR' });
  await watchOn(browser, { brand: tenant.id, lot_code: 'SUGAR' });

  gone.add(new URL(browser.subscription.endpoint).pathname);
  await tenant.open('FLOUR');

  await until('nothing waits', () => hasNoMessages(watched));
  assert.equal(await readStatus(browser), undefined);
});

for (const [what, change] of [
  ['an address of a private network', { endpoint: 'https://10.0.0.1/push' }],
  ['plain http to a public host', { endpoint: 'http://8.8.8.8/push' }],
  ['no address', { endpoint: 'push' }],
  ['a key that is no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['a short secret', { auth: 'AAAA' }],
] as const) {
  test(`${what} is refused, and nothing is kept`, async () => {
    const tenant = new RecallTenant(watched.hub);
    await tenant.receive('FLOUR');
    const browser = service.newBrowser();
    const wrong = { ...browser, subscription: { ...browser.subscription, ...change } };

    const answer = await ask('', wrong, { brand: tenant.id, lot_code: 'FLOUR' });

    assert.equal(answer.status, 422);
    const rows = await watched.hub.database.rows(
      `select id from watches where tenant_id = '${tenant.id}'`,
    );
    assert.deepEqual(rows, []);
  });
}

test('a product is watched by its GTIN, and notified of any lot that its brand records with it', async () => {
  const { hub } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  const sku = String((await tenant.lot('FLOUR'))['product_sku']);
  const named = await hub.call(`/v1/products/${encodeURIComponent(sku)}`, {
    method: 'PUT',
    headers: { ...tenant.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ names: { de: 'Weizenmehl', en: 'Wheat flour' }, gtin: '4006381333931' }),
  });
  assert.ok([200, 201].includes(named.status), named.text);
  const browser = service.newBrowser();

  const page = await openPage(hub, `/product/04006381333931?brand=${tenant.id}`);
  await watchOn(browser, { brand: tenant.id, gtin: '04006381333931' });
  await tenant.receive('FLOUR-2');
  await tenant.open('FLOUR-2');
  await until('the recall', () => browser.messages().length === 2);

  assert.match(page.text, /name="gtin" value="04006381333931"/);
  assert.equal(listMessages(browser)[1]!.title, `Rückruf: Weizenmehl von ${tenant.id}`);
});

test('the service worker is a plain script at an address that stays', async () => {
  const worker = await fetch(`${watched.hub.base}/watch/worker.js`);

  const script = await worker.text();
  assert.equal(worker.status, 200);
  assert.match(worker.headers.get('content-type') ?? '', /javascript/);
  assert.equal(worker.headers.get('cache-control'), 'no-cache');
  assert.doesNotMatch(script, /^\s*(import|export) /m);
});
