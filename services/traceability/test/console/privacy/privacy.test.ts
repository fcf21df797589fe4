// Erasing a customer and disclosing an event, on pages: in two steps, with what is done said before, and by nobody
// but a manager.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, valueAt } from '../../boot.ts';
import { newVisitor, readWords, type TestVisitor } from '../visitors.ts';

const BRAND = 'bakery';
const PRIVACY = `/console/b/${BRAND}/privacy`;
const OF_BRAND = { 'X-Tenant-Id': BRAND };
let max: TestVisitor;

const hub = await openForFile(boot());
before(async () => {
  max = await newVisitor(hub, { name: 'Max', brands: { [BRAND]: 'manager' } });
});

/** @returns its id */
async function sell(customer: string, brand = BRAND): Promise<number> {
  const line = aLine({ lot_code: `L-${customer}`, direction: 'out', customer_ref: customer });
  const event = anEvent({ event_type: 'SELL', lines: [line] });
  const { json, text } = await hub.post('/v1/events', event, { 'X-Tenant-Id': brand });
  const height = Number(valueAt(json, 'chain', 'block_height'));
  assert.ok(height > 0, text);
  return height;
}

async function readCustomers(eventId: number): Promise<unknown> {
  const { json } = await hub.call(`/v1/events/${eventId}/disclosure`, { headers: OF_BRAND });
  return valueAt(json, 'effective', 'lines');
}

test('the first step says how much there is and erases nothing', async () => {
  const eventId = await sell('C-<b>1</b>');

  const page = await max.post(`${PRIVACY}/erase`, { customer_ref: 'C-<b>1</b>' });

  assert.equal(page.status, 200);
  assert.match(readWords(page), /lines of sales and deliveries: 1; notices of recalls: 0\./);
  assert.match(page.text, /C-&lt;b&gt;1&lt;\/b&gt;/);
  assert.equal(valueAt(await readCustomers(eventId), 0, 'customer_ref'), 'C-<b>1</b>');
});

test('the second step erases nothing until the box is ticked', async () => {
  const eventId = await sell('C-2');

  const page = await max.post(`${PRIVACY}/erase/now?lang=de`, { customer_ref: 'C-2' });

  assert.equal(page.status, 422);
  assert.match(readWords(page), /Bitte füllen Sie das aus/);
  assert.match(page.text, /name="customer_ref" value="C-2"/);
  assert.equal(valueAt(await readCustomers(eventId), 0, 'customer_ref'), 'C-2');
});

test('the second step erases for good, says what, and the audit has the person and not the customer', async () => {
  const eventId = await sell('C-3');

  const page = await max.post(`${PRIVACY}/erase/now`, { customer_ref: 'C-3', sure: 'yes' });

  assert.equal(page.status, 200);
  assert.match(readWords(page), /The customer is erased\. Lines that named the customer 1/);
  assert.equal(valueAt(await readCustomers(eventId), 0, 'erased'), true);
  const { json, text } = await hub.call('/v1/dashboard/audit?action=erase_customer', {
    headers: OF_BRAND,
  });
  assert.equal(valueAt(json, 'entries', 0, 'actor'), 'Max');
  assert.doesNotMatch(text, /C-3/);
});

test('a customer’s reference is in no address and in no log', async () => {
  await max.post(`${PRIVACY}/erase`, { customer_ref: 'C-SECRET-77' });
  const page = await max.post(`${PRIVACY}/erase/now`, {
    customer_ref: 'C-SECRET-77',
    sure: 'yes',
  });

  assert.doesNotMatch(page.text, /(?:href|action)="[^"]*C-SECRET-77/);
  assert.doesNotMatch(hub.log(), /C-SECRET-77/);
});

test('a disclosure is looked at first, and is a file then, which the audit notes', async () => {
  const eventId = await sell('C-4');
  const before = await hub.call('/v1/dashboard/audit?action=disclose_line', { headers: OF_BRAND });

  const look = await max.post(`${PRIVACY}/disclose`, { event_id: String(eventId), line: '1' });
  const between = await hub.call('/v1/dashboard/audit?action=disclose_line', { headers: OF_BRAND });
  const file = await max.post(`${PRIVACY}/disclose/file`, { event_id: String(eventId), line: '1' });

  assert.match(readWords(look), /commitments: 1; of them erased: 0/);
  assert.doesNotMatch(look.text, /C-4/);
  // Not their texts: entries get their places in the chain of the audit meanwhile.
  const ids = [between, before].map(({ json }) => valueAt(json, 'entries', 0, 'id'));
  assert.equal(ids[0], ids[1]);
  assert.match(
    file.headers.get('content-disposition') ?? '',
    new RegExp(`attachment; filename="disclosure-${eventId}\\.json"`),
  );
  const disclosed: unknown = JSON.parse(file.text);
  assert.equal(valueAt(disclosed, 'openings', 0, 'values', 'customer_ref'), 'C-4');
  const { json } = await hub.call('/v1/dashboard/audit?action=disclose_line', {
    headers: OF_BRAND,
  });
  assert.equal(valueAt(json, 'entries', 0, 'actor'), 'Max');
  assert.equal(valueAt(json, 'entries', 0, 'entity_id'), String(eventId));
});

for (const [what, values, words] of [
  ['a number that no event has', { event_id: '999999' }, /kein Ereignis mit dieser Nummer/],
  ['words', { event_id: 'all of them' }, /nicht die richtige Form/],
  ['a line that the event does not have', { line: '2' }, /Diese Zeile hat das Ereignis nicht/],
  ['line 0', { line: '0' }, /Diese Zeile hat das Ereignis nicht/],
] as const) {
  test(`${what} is refused in German, at both steps`, async () => {
    const event_id = String(await sell('C-5'));

    for (const step of ['disclose', 'disclose/file']) {
      const page = await max.post(`${PRIVACY}/${step}?lang=de`, { event_id, ...values });

      assert.equal(page.status, 422);
      assert.match(readWords(page), words);
    }
  });
}

test('an event of another brand is not found, nor is its customer counted', async () => {
  const event_id = String(await sell('C-6', 'mill'));

  const disclosed = await max.post(`${PRIVACY}/disclose/file`, { event_id });
  const found = await max.post(`${PRIVACY}/erase`, { customer_ref: 'C-6' });

  assert.equal(disclosed.status, 422);
  assert.match(readWords(disclosed), /no event of this number/);
  assert.match(readWords(found), /Nothing names C-6/);
});

test('quality sees no tab of private values and gets no further', async () => {
  const quinn = await newVisitor(hub, { brands: { [BRAND]: 'quality' } });

  const { text } = await quinn.get(`/console/b/${BRAND}/profile`);

  assert.doesNotMatch(text, /\/privacy/);
  assert.equal((await quinn.get(PRIVACY)).status, 403);
  assert.equal((await quinn.post(`${PRIVACY}/erase/now`, { customer_ref: 'C' })).status, 403);
});
