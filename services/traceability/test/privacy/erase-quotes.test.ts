// Erasing a customer that the notes of other sales quote: notes that count are listed and kept, what
// corrections have replaced goes, and the answer promises no more than was done.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Json } from '../boot.ts';
import { change, corrected } from '../corrections/correction-requests.ts';
import { testEngine } from '../engine.ts';
import { verifiedCodes } from '../verified.ts';

const hub = await openForFile(boot());

interface Sale {
  readonly tenant: string;
  readonly eventId: number;
}

async function sell(tenant: string, customer: string | undefined, notes: string): Promise<Sale> {
  const line = aLine({
    direction: 'out',
    ...(customer !== undefined && { customer_ref: customer }),
  });
  const event = anEvent({ event_type: 'SELL', lines: [line], notes });
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 201, answer.text);
  return { tenant, eventId: Number(answer.json['id']) };
}

async function erase(tenant: string, customer_ref: string): Promise<Json> {
  const answer = await hub.post('/v1/privacy/erase', { customer_ref }, { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

function quotedIn(answer: Json): readonly number[] {
  const list = Object.values(answer['quoted_in'] ?? {});
  assert.equal(answer['quoted_in_total'], list.length);
  for (const item of list) assert.equal(valueAt(item, 'field'), 'notes');
  return list.map((item) => Number(valueAt(item, 'event_id')));
}

async function isKept(text: string): Promise<boolean> {
  const rows = [];
  for (const table of ['private_lines', 'private_changes', 'private_notes']) {
    rows.push(...(await hub.database.rows(`select * from ${table}`)));
  }
  return JSON.stringify(rows).includes(text);
}

/** What an answer says of the bytes when notes are kept, and when none are. */
const BYTES =
  testEngine === 'sqlite'
    ? { quoted: 'quoted', gone: 'overwritten' }
    : { quoted: 'vacuum', gone: 'vacuum' };

test('notes of other sales that quote the customer are listed and kept', async () => {
  const tenant = newTenant();
  await sell(tenant, 'Anna', 'her own sale, says Anna');
  const toAnother = await sell(tenant, 'Berta', 'Anna picked it up');
  const toNobody = await sell(tenant, undefined, 'paid by Anna');
  const moved = await sell(tenant, 'Berta', 'nothing yet');
  await corrected(hub, moved, change('notes', 'nothing yet', 'Anna has called'));
  const rewritten = await sell(tenant, 'Berta', 'Anna has called');
  await corrected(hub, rewritten, change('notes', 'Anna has called', 'Anna has called twice'));

  const answer = await erase(tenant, 'Anna');

  assert.partialDeepStrictEqual(answer, { erased_lines: 1, erased_notes: 1 });
  assert.deepEqual(
    quotedIn(answer),
    [toAnother, toNobody, rewritten, moved].map((sale) => sale.eventId),
  );
  assert.equal(answer['bytes'], BYTES.quoted);
  assert.equal(await isKept('Anna picked it up'), true);
});

test('a customer that no other notes quote leaves nothing to correct', async () => {
  const tenant = newTenant();
  await sell(tenant, 'Anna', 'for Anna');
  await sell(tenant, 'Berta', 'Joanna rang, and not ANNA');

  const answer = await erase(tenant, 'Anna');

  assert.deepEqual(quotedIn(answer), []);
  assert.equal(answer['bytes'], BYTES.gone);
});

test('once the notes are corrected a repeat erases what they said, and what counts stays', async () => {
  const tenant = newTenant();
  const sale = await sell(tenant, 'Berta', 'Quoted-2 picked it up');
  const first = await erase(tenant, 'Quoted-2');
  await corrected(hub, sale, change('notes', 'Quoted-2 picked it up', 'A neighbour picked it up'));

  const again = await erase(tenant, 'Quoted-2');

  assert.deepEqual(quotedIn(first), [sale.eventId]);
  assert.partialDeepStrictEqual(again, {
    erased_lines: 0,
    erased_notes: 1,
    erased_changes: 1,
    recommitted_values: 1,
    bytes: BYTES.gone,
  });
  assert.deepEqual(quotedIn(again), []);
  assert.equal(await isKept('Quoted-2'), false);
  const list = await hub.call('/v1/events', { headers: { 'X-Tenant-Id': tenant } });
  assert.match(list.text, /A neighbour picked it up/);
  assert.match(list.text, /Berta/);
});

test('a text between two corrections goes, and so do the notes of a sale that was voided', async () => {
  const tenant = newTenant();
  const between = await sell(tenant, 'Berta', 'first');
  await corrected(hub, between, change('notes', 'first', 'by Middle-3'));
  await corrected(hub, between, change('notes', 'by Middle-3', 'last'));
  const voided = await sell(tenant, 'Berta', 'by Middle-3');
  await corrected(hub, voided, change('status', 'accepted', 'voided'));

  const answer = await erase(tenant, 'Middle-3');

  assert.deepEqual(quotedIn(answer), []);
  assert.partialDeepStrictEqual(answer, { erased_notes: 1, erased_changes: 2 });
  assert.equal(await isKept('Middle-3'), false);
  const list = await hub.call('/v1/events', { headers: { 'X-Tenant-Id': tenant } });
  assert.match(list.text, /"last"/);
});

test('notes of other tenants are neither listed nor touched', async () => {
  const [own, other] = [newTenant(), newTenant()];
  await sell(own, 'Shared-4', 'nothing');
  const sale = await sell(other, 'Berta', 'by Shared-4');
  await corrected(hub, sale, change('notes', 'by Shared-4', 'by nobody'));

  const answer = await erase(own, 'Shared-4');

  assert.deepEqual(quotedIn(answer), []);
  assert.equal(await isKept('by Shared-4'), true);
});

test('among many events each quote is found', async () => {
  const tenant = newTenant();
  const sale = (notes: string): Record<string, unknown> =>
    anEvent({ event_type: 'SELL', notes, lines: [aLine({ direction: 'out' })] });
  const events = Array.from({ length: 1_000 }, (_, index) =>
    sale(index % 250 === 249 ? 'Far-5 paid' : `number ${index}`),
  );
  const posted = await hub.post('/v1/events/batch', { events }, { 'X-Tenant-Id': tenant });
  assert.equal(posted.status, 201, posted.text);
  const ids = [249, 499, 749, 999].map((index) => valueAt(posted.json, 'results', index, 'id'));

  const answer = await erase(tenant, 'Far-5');

  assert.deepEqual(quotedIn(answer), ids);
});

test('the audit says how many quotes were left, and not of whom', async () => {
  const tenant = newTenant();
  await sell(tenant, 'Berta', 'Audit-6 paid');

  await erase(tenant, 'Audit-6');

  const [row] = await hub.database.rows(
    'select details from audit_entries where tenant_id = ?',
    tenant,
  );
  assert.partialDeepStrictEqual(JSON.parse(String(row?.['details'])), { quoted_in_total: 1 });
  assert.doesNotMatch(String(row?.['details']), /Audit-6/);
});

test('everything verifies after all of it', async () => {
  assert.deepEqual(await verifiedCodes(hub.database), []);
});
