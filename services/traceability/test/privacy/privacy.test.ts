// What is private of a SELL event is shown to its tenant and to nobody else: not by any public
// endpoint or page, not by another tenant's answers, not by a refusal, not by the log.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, type Answer } from '../boot.ts';

/** Words that are nowhere else, so that any trace of them is a leak. */
const SECRETS = ['Qwzcustomer7', 'Qwzchannel8', 'Qwznotes9'] as const;
const [CUSTOMER, CHANNEL, NOTES] = SECRETS;
const OWNER = 'privacy-owner';
const asOwner = { 'X-Tenant-Id': OWNER };

const SALE = anEvent({
  event_type: 'SELL',
  external_id: 'sale-1',
  notes: `${NOTES} back door`,
  reference: 'SO-1',
  location: 'SHOP-1',
  lines: [
    aLine({ lot_code: 'LOT-P', direction: 'out', customer_ref: CUSTOMER, channel: CHANNEL }),
    aLine({
      lot_code: 'LOT-P',
      direction: 'out',
      customer_ref: CUSTOMER,
      channel: `web ${CHANNEL}`,
    }),
  ],
});

const hub = await openForFile(boot());
before(async () => {
  await hub.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'LOT-P' })] }), asOwner);
  const answer = await hub.post('/v1/events', SALE, asOwner);
  assert.equal(answer.status, 201, answer.text);
});

/** Fails when a secret is in the body or in a header of an answer. */
function assertSilent(answer: Answer, what: string): void {
  const text = [answer.text, ...[...answer.headers].map((header) => header.join(': '))].join('\n');
  for (const secret of SECRETS) {
    assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `${what} shows ${secret}`);
  }
}

/** Values for the parameters of the described paths; the secrets too, since they are searched for. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  lot_code: ['LOT-P', CUSTOMER, CHANNEL],
  height: ['0', '1', '2', CUSTOMER],
  q: ['LOT-P', 'SO-1', '2', 'SELL'],
  brand: ['', OWNER, 'unknown-brand'],
};

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** Addresses of every described public GET, with every value of its parameters. */
async function publicAddresses(): Promise<readonly string[]> {
  const description = JSON.parse((await hub.call('/openapi.json')).text) as Described;
  return Object.entries(description.paths)
    .filter(([path]) => !path.startsWith('/v1/'))
    .flatMap(([path, operations]) => {
      const queries = (operations['get']?.parameters ?? []).filter(({ in: at }) => at === 'query');
      const filled = [...path.matchAll(/\{(\w+)\}/g)].reduce<readonly string[]>(
        (paths, [mark, name = '']) =>
          paths.flatMap((one) => (VALUES[name] ?? ['1']).map((value) => one.replace(mark, value))),
        [path],
      );
      const asked = queries.flatMap(({ name }) =>
        (VALUES[name] ?? []).map((value) => `?${name}=${encodeURIComponent(value)}`),
      );
      return filled.flatMap((one) => ['', ...asked].map((query) => one + query));
    });
}

/** Links of our own pages, followed from the start page on. */
async function pageAddresses(): Promise<readonly string[]> {
  const found = new Set(['/', '/docs', '/api-docs', '/openapi.json', '/lot/LOT-P?brand=' + OWNER]);
  for (const address of found) {
    const answer = await hub.call(address);
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) continue;
    for (const [, link = ''] of answer.text.matchAll(/(?:href|src)="(\/[^"#]*)/g)) {
      found.add(link.replaceAll('&amp;', '&'));
    }
  }
  return [...found];
}

test('the tenant itself is shown what it sent', async () => {
  const answer = await hub.call('/v1/events', { headers: asOwner });

  for (const secret of SECRETS) assert.ok(answer.text.includes(secret), secret);
});

test('no public endpoint shows any of it, whatever is asked', async () => {
  const addresses = await publicAddresses();

  assert.ok(addresses.length > 30, `${addresses.length} addresses`);
  for (const address of addresses) assertSilent(await hub.call(address), address);
});

test('no page shows any of it', async () => {
  const addresses = await pageAddresses();

  assert.ok(addresses.length > 5, `${addresses.length} pages`);
  for (const address of addresses) assertSilent(await hub.call(address), address);
});

test('searching for a private value finds nothing', async () => {
  for (const secret of SECRETS) {
    const answer = await hub.call(`/public/explorer/search?q=${secret}`);
    assert.equal(answer.status, 200);
    const found = Object.values(answer.json)
      .filter((value) => Array.isArray(value))
      .flat();
    assert.deepEqual(found, []);
    assert.equal((await hub.call(`/public/verify/${secret}`)).status, 404);
    assert.equal((await hub.call(`/public/explorer/lot/${secret}`)).status, 404);
  }
});

test('no other tenant is shown any of it', async () => {
  const asOther = { 'X-Tenant-Id': newTenant() };
  const answers = [
    await hub.call('/v1/events', { headers: asOther }),
    await hub.post('/v1/events', { ...SALE, notes: 'mine', lines: [aLine()] }, asOther),
    await hub.call('/v1/brand', { headers: asOther }),
  ];

  for (const answer of answers) assertSilent(answer, 'another tenant’s answer');
});

test('neither acceptance nor refusal of private values repeats them', async () => {
  const answers = [
    await hub.post('/v1/events', SALE, asOwner),
    await hub.post('/v1/events/batch', [SALE, { ...SALE, external_id: 'sale-2' }], asOwner),
    await hub.post('/v1/events', { ...SALE, lines: [aLine({ channel: 'store' })] }, asOwner),
    await hub.post('/v1/events', { ...SALE, notes: [NOTES] }, asOwner),
    await hub.post('/v1/events', { ...SALE, location: undefined }, asOwner),
    await hub.post('/v1/events', { ...SALE, event_type: 'SHIP', external_id: 'ship-1' }, asOwner),
    await hub.post('/v1/events/batch?on_error=proceed', [{ ...SALE, reference: 7 }], asOwner),
    await hub.post(
      '/v1/events',
      anEvent({ lines: [aLine({ customer_ref: CUSTOMER.repeat(50), channel: `${CHANNEL}\0` })] }),
      asOwner,
    ),
    await hub.call('/v1/events', {
      method: 'POST',
      headers: { ...asOwner, 'Content-Type': 'application/json' },
      body: `{"customer_ref":"${CUSTOMER}"`,
    }),
  ];

  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 201, 400, 422, 422, 201, 200, 422, 422],
  );
  for (const [index, answer] of answers.entries()) assertSilent(answer, `answer ${index}`);
});

test('the log at its most talkative holds none of it', async () => {
  await using talkative = await boot({ env: { LOG_LEVEL: 'trace' } });
  const statuses = [
    await talkative.post('/v1/events', SALE, asOwner),
    await talkative.post('/v1/events', { ...SALE, notes: `${NOTES}!` }, asOwner),
    await talkative.post('/v1/events', { ...SALE, notes: [NOTES] }, asOwner),
    await talkative.post('/v1/events/batch', [SALE, { [CUSTOMER]: CHANNEL }], asOwner),
    await talkative.call(`/public/explorer/search?q=${CUSTOMER}`),
    await talkative.call(`/v1/events?limit=${CUSTOMER}`, { headers: asOwner }),
    await talkative.call('/v1/events', { headers: { 'X-Tenant-Id': `?${CUSTOMER}` } }),
  ].map((answer) => answer.status);

  const log = talkative.log();

  assert.deepEqual(statuses, [201, 400, 422, 422, 200, 422, 422]);
  assert.ok(log.includes('/v1/events'), 'requests are logged at this level');
  for (const secret of SECRETS) assert.ok(!log.includes(secret), secret);
});
