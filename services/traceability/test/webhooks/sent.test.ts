// What receivers of a brand are sent: each type in the order of what happened, signed, small, and without what is
// private.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { at } from '@lothub/kit/present';
import { Webhook as Verifier } from 'standardwebhooks';
import { LOTS_NAMED_MAX } from '../../src/ledger/webhooks/notify.ts';
import { newTenant } from '../boot.ts';
import { CASE, RecallTenant, made } from '../recall/tenant.ts';
import { bootSending, fillBoxes, newReceiver, until, type Message } from './receiving.ts';

const PUBLIC_URL = 'http://trace.example.com';

/** Names of the threads that were started. */
const threads: unknown[] = [];
subscribe('worker_threads', (started) => {
  threads.push((started as { readonly worker: Worker }).worker.threadName);
});
const hub = await openForFile(bootSending({ env: { PUBLIC_URL } }));

const POSTED = { 'Content-Type': 'application/json' };

async function hold(tenant: RecallTenant, lotCode: string, reason = 'a smell of solvent') {
  const answer = await hub.call(`/v1/lots/${lotCode}/hold`, {
    method: 'POST',
    headers: { ...tenant.headers, ...POSTED },
    body: JSON.stringify({ reason, by: 'Ada Miller' }),
  });
  assert.ok([200, 201].includes(answer.status), answer.text);
}

test('a brand without a webhook has nothing to send', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');

  await hold(tenant, 'FLOUR');
  await tenant.open('FLOUR');

  const rows = await hub.database.rows('select id from webhook_deliveries');
  assert.deepEqual(rows, []);
  assert.ok(!threads.includes('sending'));
});

test('what happened while no webhook was active is not told', async () => {
  const tenant = new RecallTenant(hub);
  const types = ['hold.breached'] as const;
  await tenant.receive('FLOUR', 'YEAST');
  await hold(tenant, 'FLOUR');
  await hold(tenant, 'YEAST');
  await using to = await newReceiver({ booted: hub, brand: tenant.id, types });
  const url = `${to.receiver.base}/hook`;
  const set = (status: string) =>
    to.manager.post(to.path, { name: 'ERP', url, status, ...fillBoxes(types) });

  await set('paused');
  await tenant.produce(['FLOUR'], ['BREAD']);
  await set('active');
  await tenant.produce(['YEAST'], ['ROLLS']);
  await to.receiver.arrived(1);

  assert.deepEqual(
    to.messages().map(({ data }) => data['lots']),
    [['YEAST']],
  );
});

test('one thread of its own sends', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await using to = await newReceiver({ booted: hub, brand: tenant.id });

  await hold(tenant, 'FLOUR');
  await to.receiver.arrived(1);

  assert.deepEqual(
    threads.filter((name) => name === 'sending'),
    ['sending'],
  );
});

test('holds and a case arrive in their order, each signed as the standard says', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await using to = await newReceiver({ booted: hub, brand: tenant.id });

  await hold(tenant, 'FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR', { severity: 'class_i' });
  await tenant.moveThrough(caseNo, 'notification');
  await to.receiver.arrived(4);

  const messages = to.messages();
  assert.deepEqual(
    messages.map(({ type }) => type),
    ['lot.held', 'recall.opened', 'lot.held', 'recall.moved'],
  );
  for (const { headers, body } of to.receiver.received) {
    assert.deepEqual(
      new Verifier(to.secret).verify(body, headers as Record<string, string>),
      JSON.parse(body),
    );
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(to.secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${signature}`);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String(headers['user-agent']), /^lothub\/\d/);
  }
  const [byHand, opened, byCase, moved] = messages;
  const held = { lots: ['FLOUR'], lots_total: 1 };
  const base = `${PUBLIC_URL}/console/b/${tenant.id}`;
  assert.deepEqual(
    { ...byHand?.data, block_height: 0, links: 0 },
    { brand: tenant.id, ...held, case_no: null, block_height: 0, links: 0 },
  );
  assert.deepEqual(
    { ...byCase?.data, block_height: 0, links: 0 },
    { brand: tenant.id, ...held, case_no: caseNo, block_height: 0, links: 0 },
  );
  const common = { brand: tenant.id, case_no: caseNo, confidential: false, title: CASE.title };
  const links = {
    console: `${base}/recalls/${String(caseNo)}`,
    public: `${PUBLIC_URL}/recalls/${String(caseNo)}`,
  };
  assert.deepEqual(
    { ...opened?.data, block_height: 0 },
    { ...common, severity: 'class_i', lots: 1, block_height: 0, links },
  );
  assert.deepEqual(
    { ...moved?.data, block_height: 0 },
    {
      ...{ ...common, severity: 'class_i', block_height: 0, links },
      ...{ from: 'investigation', to: 'notification' },
    },
  );
  const height = Number(opened?.data['block_height']);
  const [block] = await hub.database.rows(`select canonical from blocks where height = ${height}`);
  assert.match(String(block?.['canonical']), new RegExp(String(caseNo)));
});

test('nothing private leaves the house', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await tenant.post({
    event_type: 'SHIP',
    lines: [{ ...made('FLOUR'), customer_ref: 'secret-customer' }],
  });
  await using to = await newReceiver({ booted: hub, brand: tenant.id });

  await hold(tenant, 'FLOUR', 'a secret smell');
  const { case_no: caseNo } = await tenant.open('FLOUR', {
    ...{ title: 'A secret title', reason: 'a secret wire', confidential: true },
  });
  await tenant.move(caseNo, 'cancelled', { note: 'a secret note' });
  await to.receiver.arrived(3);

  const sent = to.receiver.received.map(({ body }) => body).join('\n');
  assert.doesNotMatch(sent, /secret|Ada/);
  assert.deepEqual(
    to.messages().map(({ type, data }) => [type, data['confidential'], data['lots']]),
    [
      ['lot.held', undefined, ['FLOUR']],
      ['recall.opened', true, undefined],
      ['recall.moved', true, undefined],
    ],
  );
  assert.doesNotMatch(sent, /"public":"http:\/\/trace\.example\.com\/recalls/);
});

test('a case that leaves confidence is reported as everybody reads it from then on', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await using to = await newReceiver({ booted: hub, brand: tenant.id, types: ['recall.moved'] });
  const { case_no: caseNo } = await tenant.open('FLOUR', { confidential: true });

  await tenant.moveThrough(caseNo, 'notification');
  await to.receiver.arrived(1);

  const { data } = at(to.messages(), 0);
  assert.equal(data['title'], CASE.title);
  assert.equal(data['to'], 'notification');
});

test('lots that enter an open case later are reported once, a few of many by their codes', async () => {
  const tenant = new RecallTenant(hub);
  const many = Array.from({ length: LOTS_NAMED_MAX + 5 }, (_, n) => `BREAD-${n}`);
  await tenant.receive('FLOUR');
  await tenant.open('FLOUR');
  await using to = await newReceiver({ booted: hub, brand: tenant.id, types: ['lot.held'] });

  await tenant.produce(['FLOUR'], many);
  await to.receiver.arrived(1);

  const { data } = at(to.messages(), 0);
  assert.equal(data['lots_total'], many.length);
  assert.equal((data['lots'] as readonly string[]).length, LOTS_NAMED_MAX);
});

test('an event that takes lots on hold is one breach, with its lots', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR', 'YEAST');
  await using to = await newReceiver({ booted: hub, brand: tenant.id, types: ['hold.breached'] });
  await hold(tenant, 'FLOUR');
  await hold(tenant, 'YEAST');

  const event = await tenant.produce(['FLOUR', 'YEAST'], ['BREAD']);
  await to.receiver.arrived(1);
  await tenant.produce(['FLOUR'], ['ROLLS']);
  await to.receiver.arrived(2);

  const [first, second] = to.messages();
  assert.deepEqual(first?.data['lots'], ['FLOUR', 'YEAST']);
  assert.equal(first?.data['event_id'], event.json['id']);
  assert.deepEqual(second?.data['lots'], ['FLOUR']);
});

test('what happened before there was a webhook is not told', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await hold(tenant, 'FLOUR');
  const { json: breach } = await tenant.produce(['FLOUR'], ['BREAD']);

  await using to = await newReceiver({ booted: hub, brand: tenant.id });
  // Found once more: a look may have come by before the webhook was there.
  await hub.database.change("update webhook_looks set position = 0 where name = 'breaches'");
  await until('the breach is found', async () => {
    const [look] = await hub.database.rows(
      "select position from webhook_looks where name = 'breaches'",
    );
    return Number(look?.['position']) >= Number(breach['id']);
  });
  await hold(tenant, 'BREAD');
  await to.receiver.arrived(1);

  assert.deepEqual(
    to.messages().map(({ data }) => data['lots']),
    [['BREAD']],
  );
});

test('a finding of a verification is sent to each brand that wants it', async () => {
  await using one = await newReceiver({ booted: hub, brand: newTenant(), types: ['chain.alarm'] });
  await using other = await newReceiver({ booted: hub, brand: newTenant() });

  await hub.database.change(
    "insert into chain_alarms (height, code, message, found_at) values (7, 'hash_differs', 'no', ?)",
    new Date(Date.now() + 1).toISOString(),
  );
  await Promise.all([one, other].map(({ receiver }) => receiver.arrived(1)));

  for (const to of [one, other]) {
    const { type, data } = at(to.messages(), 0);
    assert.equal(type, 'chain.alarm');
    assert.deepEqual([data['code'], data['height']], ['hash_differs', 7]);
  }
  await hub.database.change('delete from chain_alarms');
});

test('a recall of a supplier that reached the brand is reported once', async () => {
  const [mill, bakery] = [new RecallTenant(hub), new RecallTenant(hub)];
  await mill.receive('W-118');
  const linked = await hub.call('/v1/suppliers/Mill', {
    method: 'PUT',
    headers: { ...bakery.headers, ...POSTED },
    body: JSON.stringify({ brand: mill.id }),
  });
  assert.equal(linked.status, 201, linked.text);
  await bakery.post({
    lines: [
      { ...made('FLOUR'), direction: 'in', supplier_name: 'Mill', supplier_lot_code: 'W-118' },
    ],
  });
  await using to = await newReceiver({ booted: hub, brand: bakery.id, types: ['recall.inbound'] });

  const { case_no: caseNo } = await mill.open('W-118');
  await mill.moveThrough(caseNo, 'notification');
  await to.receiver.arrived(1);
  await mill.receive('MORE-1');
  await until('it was looked again', async () => {
    const [row] = await hub.database.rows(
      `select count(*) as reported from webhook_looks where name like 'inbound ${bakery.id} %'`,
    );
    return Number(row?.['reported']) === 1;
  });

  const [first, ...more] = to.messages();
  const data: Message['data'] = first?.data ?? {};
  assert.deepEqual([data['case_no'], data['supplier']], [caseNo, mill.id]);
  assert.deepEqual(more, []);
});

test('a file that is refused is reported without its name and without its rows', async () => {
  const tenant = new RecallTenant(hub);
  await using to = await newReceiver({ booted: hub, brand: tenant.id, types: ['import.failed'] });
  const form = new FormData();
  form.append('file', new Blob(['event_type,lot_code\nsecret,secret\n']), 'secret.csv');

  const answer = await hub.call('/v1/import/csv', {
    method: 'POST',
    headers: tenant.headers,
    body: form,
  });
  await to.receiver.arrived(1);

  assert.equal(answer.status, 422);
  const { data } = at(to.messages(), 0);
  assert.equal(data['state'], 'failed');
  assert.match(String(data['import_id']), /^imp_/);
  assert.doesNotMatch(at(to.receiver.received, 0).body, /secret/);
});
