// Erasing a customer (docs/interface/traceability.md#erasing): what goes, what stays, what is reported; and
// that the chain, its verification and repeated posts do not mind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { systemClock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { pino } from 'pino';
import { ChainState } from '../../src/ledger/verify/chain-state.ts';
import { LedgerReader } from '../../src/ledger/read.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { eraseCustomer } from '../../src/privacy/erase.ts';
import { aLine, anEvent, boot, newTenant, valueAt } from '../boot.ts';
import type { Answer, Booted, Json } from '../boot.ts';
import { change, corrected } from '../corrections/correction-requests.ts';
import { openTestStore } from '../ledger.ts';
import { rebuildRows, verifyTraced } from '../verified.ts';

const hub = await openForFile(boot());

const NOTHING = {
  erased_lines: 0,
  erased_changes: 0,
  erased_notes: 0,
  erased_notifications: 0,
  recommitted_values: 0,
  quoted_in: [],
  quoted_in_total: 0,
};

function sale(
  customers: readonly (string | undefined)[],
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return anEvent({
    event_type: 'SELL',
    lines: customers.map((customer_ref) =>
      aLine({ direction: 'out', channel: 'Farm shop', ...(customer_ref && { customer_ref }) }),
    ),
    ...changes,
  });
}

async function sell(
  tenant: string,
  customers: readonly (string | undefined)[],
  changes: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly tenant: string; readonly eventId: number }> {
  const answer = await hub.post('/v1/events', sale(customers, changes), { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 201, answer.text);
  return { tenant, eventId: Number(answer.json['id']) };
}

async function erase(tenant: string, customer_ref: string, on = hub): Promise<Json> {
  const answer = await on.post('/v1/privacy/erase', { customer_ref }, { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** The lines of an event as its tenant sees them. */
async function readLines(recorded: { readonly tenant: string; readonly eventId: number }) {
  const answer = await hub.call('/v1/events?limit=200', {
    headers: { 'X-Tenant-Id': recorded.tenant },
  });
  const events = Object.values(answer.json['events'] ?? {});
  const event = events.find((one) => Number(one['id']) === recorded.eventId);
  return Object.values(event?.['lines'] ?? {}).map((line) => [
    valueAt(line, 'customer_ref'),
    valueAt(line, 'channel'),
  ]);
}

/** Whether a text is in any private row, or in anything else beside the chain. */
async function isKept(text: string, on = hub): Promise<boolean> {
  const rows = [];
  for (const table of [
    'private_lines',
    'private_changes',
    'private_notes',
    'private_requests',
    'audit_entries',
    'recall_notifications',
  ]) {
    rows.push(...(await on.database.rows(`select * from ${table}`)));
  }
  return JSON.stringify(rows).includes(text);
}

async function findings(on = hub): Promise<readonly unknown[]> {
  return (await verifyTraced(on.database)).mismatches;
}

test('a customer is erased from every line that names it, and from no other', async () => {
  const tenant = newTenant();
  const first = await sell(tenant, ['Anna', 'Berta', 'Anna']);
  const second = await sell(tenant, ['Anna'], { reference: 'SO-2' });

  const erased = await erase(tenant, 'Anna');

  assert.partialDeepStrictEqual(erased, { ...NOTHING, erased_lines: 3 });
  assert.match(String(erased['erased_at']), /^\d{4}-.*Z$/);
  assert.deepEqual(await readLines(first), [
    [null, null],
    ['Berta', 'Farm shop'],
    [null, null],
  ]);
  assert.deepEqual(await readLines(second), [[null, null]]);
  assert.equal(await isKept('Anna'), false);
});

test('a customer that is not known is answered with zeros, by a tenant that is not known, too', async () => {
  const tenant = newTenant();
  await sell(tenant, ['Anna']);

  const answers = [await erase(tenant, 'Ann'), await erase(newTenant(), 'Anna')];

  for (const answer of answers) assert.partialDeepStrictEqual(answer, NOTHING);
  assert.equal(await isKept('Anna'), true);
});

test("another tenant's sales to the same customer stay", async () => {
  const [own, other] = [newTenant(), newTenant()];
  await sell(own, ['Shared']);
  const kept = await sell(other, ['Shared']);

  const erased = await erase(own, 'Shared');

  assert.equal(erased['erased_lines'], 1);
  assert.deepEqual(await readLines(kept), [['Shared', 'Farm shop']]);
});

test('references are distinguished by every character', async () => {
  const tenant = newTenant();
  const names = ['C-1', 'c-1', 'C-10', ' C-1', 'C-1%', 'Ç-1'];
  const sold = await sell(tenant, names);

  await erase(tenant, 'C-1');

  const left = (await readLines(sold)).map(([customer]) => customer);
  assert.deepEqual(left, [null, ...names.slice(1)]);
});

test('sales that are posted after the erasing are new', async () => {
  const tenant = newTenant();
  await sell(tenant, ['Anna']);
  await erase(tenant, 'Anna');

  const later = await sell(tenant, ['Anna'], { reference: 'SO-9' });

  assert.deepEqual(await readLines(later), [['Anna', 'Farm shop']]);
  assert.equal((await erase(tenant, 'Anna'))['erased_lines'], 1);
});

test('who was corrected to be the customer is erased, and what was said before as well', async () => {
  const tenant = newTenant();
  const sold = await sell(tenant, ['Typo-1', 'Berta']);
  await corrected(
    hub,
    sold,
    change('lines[0].customer_ref', 'Typo-1', 'Carla-1'),
    change('lines[0].channel', 'Farm shop', 'Door'),
  );

  const erased = await erase(tenant, 'Carla-1');

  assert.partialDeepStrictEqual(erased, { ...NOTHING, erased_lines: 1, erased_changes: 2 });
  assert.deepEqual(await readLines(sold), [
    [null, null],
    ['Berta', 'Farm shop'],
  ]);
  assert.equal((await isKept('Carla-1')) || (await isKept('Typo-1')), false);
});

test('who counts since a correction stays when the one before is erased, provable as ever', async () => {
  const tenant = newTenant();
  const sold = await sell(tenant, ['Wrong-2']);
  await corrected(hub, sold, change('lines[0].customer_ref', 'Wrong-2', 'Right-2'));

  const erased = await erase(tenant, 'Wrong-2');

  assert.partialDeepStrictEqual(erased, {
    ...NOTHING,
    erased_lines: 1,
    erased_changes: 1,
    recommitted_values: 2,
  });
  assert.deepEqual(await readLines(sold), [['Right-2', 'Farm shop']]);
  assert.equal(await isKept('Wrong-2'), false);
  const again = await erase(tenant, 'Wrong-2');
  assert.partialDeepStrictEqual(again, NOTHING);
  const height = Number((await hub.call('/public/explorer')).json['stats']?.['height']);
  assert.partialDeepStrictEqual(await erase(tenant, 'Right-2'), { erased_lines: 1 });
  assert.deepEqual(await readLines(sold), [[null, null]]);
  const after = Number((await hub.call('/public/explorer')).json['stats']?.['height']);
  // That of the erasure alone.
  assert.equal(after, height + 1);
});

test('a customer between two others goes, and what does not name it stays as it was', async () => {
  const tenant = newTenant();
  const sold = await sell(tenant, ['First-3']);
  await corrected(hub, sold, change('lines[0].customer_ref', 'First-3', 'Middle-3'));
  await corrected(hub, sold, change('lines[0].customer_ref', 'Middle-3', 'Last-3'));

  const erased = await erase(tenant, 'Middle-3');

  assert.partialDeepStrictEqual(erased, { erased_changes: 2, recommitted_values: 1 });
  assert.deepEqual(await readLines(sold), [['Last-3', 'Farm shop']]);
  assert.equal(await isKept('Middle-3'), false);
  assert.equal(await isKept('First-3'), true);
});

test('a customer that was taken off a line, or whose sale was voided, leaves nothing', async () => {
  const tenant = newTenant();
  const taken = await sell(tenant, ['Gone-4']);
  await corrected(hub, taken, change('lines[0].customer_ref', 'Gone-4', null));
  const voided = await sell(tenant, ['Gone-4']);
  await corrected(hub, voided, change('lines[0].customer_ref', 'Gone-4', 'Else-4'));
  await corrected(hub, voided, change('status', 'accepted', 'voided'));

  const erased = await erase(tenant, 'Gone-4');

  assert.partialDeepStrictEqual(erased, { erased_lines: 2, recommitted_values: 0 });
  assert.equal((await isKept('Gone-4')) || (await isKept('Else-4')), false);
  assert.deepEqual(await readLines(taken), [[null, null]]);
});

test('notes that quote the customer go with it, and others stay', async () => {
  const tenant = newTenant();
  await sell(tenant, ['Quoted-5'], { notes: 'Mrs Quoted-5 rang twice' });
  await sell(tenant, ['Quoted-5'], { notes: 'Left at the back door', reference: 'SO-5' });
  const renamed = await sell(tenant, ['Quoted-5', 'Dora-5'], { notes: 'for Quoted-5' });
  await corrected(hub, renamed, change('notes', 'for Quoted-5', 'Two parcels'));

  const erased = await erase(tenant, 'Quoted-5');

  assert.partialDeepStrictEqual(erased, { erased_notes: 2, erased_changes: 1 });
  assert.equal(await isKept('Quoted-5'), false);
  assert.equal(await isKept('Left at the back door'), true);
  const list = await hub.call('/v1/events', { headers: { 'X-Tenant-Id': tenant } });
  assert.match(list.text, /Two parcels/);
});

test('a correction with notes of every length is accepted', async () => {
  // Random, so that no database can make it short enough for an index.
  const long = Array.from({ length: 2_000 }, () =>
    String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
  ).join('');
  const sold = await sell(newTenant(), ['Anna'], { notes: 'short' });

  const answer = await corrected(hub, sold, change('notes', 'short', long));

  assert.equal(answer['status'], 'accepted');
});

test('a retry after the erasing is a retry, and brings nothing back', async () => {
  const tenant = newTenant();
  const headers = { 'X-Tenant-Id': tenant };
  const event = sale(['Retry-6', 'Berta'], { external_id: 'so-6', notes: 'by Retry-6' });
  const first = await hub.post('/v1/events', event, headers);
  await erase(tenant, 'Retry-6');

  const again = await hub.post('/v1/events', event, headers);
  const other = await hub.post(
    '/v1/events',
    sale(['Retry-6', 'Somebody'], { external_id: 'so-6', notes: 'by Retry-6' }),
    headers,
  );

  assert.equal(again.status, 200, again.text);
  assert.equal(again.headers.get('Idempotent-Replay'), 'true');
  assert.equal(valueAt(again.json, 'id'), valueAt(first.json, 'id'));
  assert.equal(other.status, 400);
  assert.match(other.text, /lines\[1\]\.customer_ref/);
  assert.equal(await isKept('Retry-6'), false);
});

test('a file without ids that is imported again after the erasing adds nothing', async () => {
  const tenant = newTenant();
  const importFile = async (): Promise<Answer> => {
    const body = new FormData();
    const header =
      'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit,' +
      'customer_ref';
    const row = 'SELL,2026-03-02T07:15:00Z,SHOP,SO-7,LOT-7,SKU,out,1,pcs,Import-7';
    body.set('file', new Blob([`${header}\n${row}`]), 'sales.csv');
    const headers = { 'X-Tenant-Id': tenant };
    return await hub.call('/v1/import/csv', { method: 'POST', headers, body });
  };
  await importFile();
  await erase(tenant, 'Import-7');

  const again = await importFile();

  assert.partialDeepStrictEqual(again.json, { accepted: 0, duplicates: 1 });
  assert.equal(await isKept('Import-7'), false);
});

test('the audit says that somebody was erased, and how much, and not who', async () => {
  const tenant = newTenant();
  await sell(tenant, ['Audit-8']);

  await erase(tenant, 'Audit-8');

  const rows = await hub.database.rows(
    'select action, entity_type, entity_id, details from audit_entries where tenant_id = ?',
    tenant,
  );
  assert.equal(rows.length, 1);
  assert.partialDeepStrictEqual(rows[0], { action: 'erase_customer', entity_type: 'customer' });
  assert.partialDeepStrictEqual(JSON.parse(String(rows[0]?.['details'])), { erased_lines: 1 });
  assert.doesNotMatch(JSON.stringify(rows), /Audit-8/);
  assert.doesNotMatch(hub.log(), /Audit-8/);
});

test('a repeat completes an erasing that was interrupted between two slices', async () => {
  await using first = await boot();
  const lines = Array.from({ length: 700 }, () =>
    aLine({ direction: 'out', customer_ref: 'Bulk-9', channel: 'Farm shop' }),
  );
  for (const reference of ['SO-1', 'SO-2', 'SO-3']) {
    const answer = await first.post(
      '/v1/events',
      anEvent({ event_type: 'SELL', reference, lines }),
    );
    assert.equal(answer.status, 201, answer.text);
  }
  await first.service.close();
  await assert.rejects(eraseUntilDiskIsFull(first, 'Bulk-9'), { code: 'database_full' });
  await using again = await first.restart();
  const [kept] = await again.database.rows('select count(*) as count from private_lines');
  const begun = await again.database.rows(
    "select details from audit_entries where action = 'erase_customer'",
  );

  const erased = await erase('acme', 'Bulk-9', again);

  assert.deepEqual(
    begun.map((row) => ({ ...row })),
    [{ details: '{"stage":"begun"}' }],
  );
  assert.ok(Number(kept?.['count']) > 0 && Number(kept?.['count']) < 2_100);
  assert.equal(erased['erased_lines'], kept?.['count']);
  assert.equal(await isKept('Bulk-9', again), false);
  assert.deepEqual(await findings(again), []);
});

/** Erases with a store that takes the first slice alone. */
async function eraseUntilDiskIsFull(hubAtRest: Booted, customerRef: string): Promise<void> {
  await using store = await openTestStore(hubAtRest.database);
  let slices = 0;
  const full: Pick<LedgerStore, 'change' | 'correct' | 'erase' | 'settleErased'> = {
    change: (change) => store.change(change),
    correct: (submission) => store.correct(submission),
    settleErased: () => store.settleErased(),
    erase: (statements) => {
      slices += 1;
      if (slices > 1) throw new DatabaseError('database_full', 'the disk is full');
      return store.erase(statements);
    },
  };
  const state = new ChainState({ store, clock: systemClock, log: pino({ level: 'silent' }) });
  const reader = new LedgerReader({ database: store.reader, state });
  await eraseCustomer(
    { store: full, reader, clock: systemClock, newSalt },
    { tenantId: 'acme', customerRef, caller: { actor: 'test', requestId: null } },
  );
}

test('recall cases, simulations and notices show that a customer was erased, and not who', async () => {
  const tenant = newTenant();
  const headers = { 'X-Tenant-Id': tenant };
  await sell(tenant, ['Recalled-11', 'Berta']);
  const opened = await hub.post(
    '/v1/recall/cases',
    { seed_lot_code: 'FLOUR-1', title: 'Glass', reason: 'Found', opened_by: 'Ada' },
    headers,
  );
  const path = `/v1/recall/cases/${String(opened.json['case_no'])}`;
  const before = await hub.call(`${path}/notifications?audience=customer`, { headers });

  const erased = await erase(tenant, 'Recalled-11');

  const after = [
    await hub.call(`${path}/notifications?audience=customer`, { headers }),
    await hub.call(path, { headers }),
    await hub.post('/v1/recall/simulate', { lot_code: 'FLOUR-1' }, headers),
  ];
  assert.match(before.text, /Recalled-11/);
  assert.equal(erased['erased_notifications'], 1);
  for (const answer of after) {
    assert.equal(answer.status, 200, answer.text);
    assert.doesNotMatch(answer.text, /Recalled-11/);
    assert.match(answer.text, /"erased":true/);
    assert.match(answer.text, /Berta/);
  }
});

test('what was erased stays so after rebuilding and after a new start', async () => {
  await using first = await boot();
  const sold = await first.post('/v1/events', sale(['Rebuilt-10', 'Berta']));
  await erase('acme', 'Rebuilt-10', first);
  await first.service.close();
  await rebuildRows(first.database);

  await using again = await first.restart();

  const list = await again.call('/v1/events');
  assert.equal(sold.status, 201);
  assert.equal(valueAt(list.json, 'events', 0, 'lines', 0, 'customer_ref'), null);
  assert.equal(valueAt(list.json, 'events', 0, 'lines', 1, 'customer_ref'), 'Berta');
  assert.deepEqual(await findings(again), []);
});

test('everything verifies after all of it', async () => {
  assert.deepEqual(await findings(), []);
});

test('no customer, one that is no text, and one that is too long are refused', async () => {
  for (const body of [
    {},
    { customer_ref: '' },
    { customer_ref: 7 },
    { customer_ref: 'x'.repeat(201) },
  ]) {
    const answer = await hub.post('/v1/privacy/erase', body);

    assert.equal(answer.status, 422, JSON.stringify(body));
  }
});
