// What the answers to writes say of the log: a proof that verifies unchanged, or why there is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import {
  judgeCheckpoint,
  leafHash,
  parseCheckpoint,
  parsePolicy,
  parseTlogProof,
  verifyInclusion,
} from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { anEvent, boot, type Answer } from '../boot.ts';
import { storedHeight } from '../stored.ts';
import { verifySignature } from '@lothub/chain/test/log/test-keys';

const CSV = `event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit
RECEIVE,2026-03-02T07:15:00Z,BAKERY-1,PO-8,FLOUR-8,FLOUR,in,2,kg
RECEIVE,2026-03-02T08:15:00Z,BAKERY-1,PO-9,FLOUR-9,FLOUR,in,2,kg
`;

const hub = await openForFile(boot());

/** Whether a checkpoint is signed by the keys that the hub names. */
async function isSigned(checkpoint: string): Promise<boolean> {
  const { text } = await hub.call('/log/1/policy');
  const verdict = await judgeCheckpoint(parseCheckpoint(checkpoint), {
    policy: parsePolicy(text),
    verify: verifySignature,
  });
  return verdict.refused === undefined;
}

/** Verifies `log` of an answer with nothing but what is in the answer, and the hub's key. */
async function assertProven({ json }: Answer): Promise<void> {
  const { log, chain } = json;
  assert.equal(json['log_state'], undefined);
  const { index, proof, head, checkpoint } = parseTlogProof(String(log!['proof']));
  const leaf = leafHash(Buffer.from(String(chain!['block_hash']), 'hex'), sha256Bytes);
  const { size, root } = head;
  assert.ok(verifyInclusion({ index, size, leaf, proof, root, hash: sha256Bytes }));
  assert.equal(Number(log!['index']), index);
  assert.equal(index, Number(chain!['block_height']));
  assert.equal(Number(log!['size']), size);
  assert.equal(String(log!['origin']), head.origin);
  assert.equal(Boolean(log!['witnessed']), false);
  assert.equal(json['log_state'], undefined);
  assert.ok(await isSigned(checkpoint));
}

test('the answer to an event has a proof that verifies as it stands', async () => {
  for (let event = 0; event < 5; event += 1) {
    const answer = await hub.post('/v1/events', anEvent());

    assert.equal(answer.status, 201);
    await assertProven(answer);
  }
});

test('events that are posted at the same time all have proofs', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => hub.post('/v1/events', anEvent())),
  );

  for (const answer of answers) await assertProven(answer);
});

test('a replay has a proof, too, to a tree of now', async () => {
  const event = anEvent({ external_id: 'again' });
  const first = await hub.post('/v1/events', event);
  await hub.post('/v1/events', anEvent());

  const replay = await hub.post('/v1/events', event);

  assert.equal(replay.status, 200);
  assert.equal(replay.headers.get('idempotent-replay'), 'true');
  await assertProven(replay);
  assert.ok(Number(replay.json['log']!['size']) > Number(first.json['log']!['size']));
});

test('the answer to a correction has a proof', async () => {
  const { json } = await hub.post('/v1/events', anEvent());

  const answer = await hub.post('/v1/corrections', {
    corrects_event_id: json['id'],
    reason: 'wrong dock',
    requested_by: 'Ada',
    changes: [{ field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-2' }],
  });

  assert.equal(answer.status, 201);
  await assertProven(answer);
});

test('a batch and an import are answered with one checkpoint over all of their blocks', async () => {
  const batch = await hub.post('/v1/events/batch', [
    anEvent({ external_id: 'b-1' }),
    anEvent({ external_id: 'b-2' }),
  ]);
  const again = await hub.post('/v1/events/batch', [anEvent({ external_id: 'b-1' })]);
  const form = new FormData();
  form.set('file', new Blob([CSV]), 'events.csv');
  const file = await hub.call('/v1/import/csv', { method: 'POST', body: form });

  for (const { json, status } of [batch, again, file]) {
    const { log, chain } = json;
    assert.ok(status === 200 || status === 201);
    assert.deepEqual(Object.keys(log!), ['origin', 'size', 'checkpoint']);
    const head = parseCheckpoint(String(log!['checkpoint']));
    assert.equal(head.size, Number(log!['size']));
    assert.ok(head.size > Number(chain!['height']));
    assert.ok(await isSigned(String(log!['checkpoint'])));
  }
});

test('a dry run of an import says nothing of the log', async () => {
  const form = new FormData();
  form.set('file', new Blob([CSV.replaceAll('PO-', 'PO-dry-')]), 'events.csv');

  const { status, json } = await hub.call('/v1/import/csv?dry_run=true', {
    method: 'POST',
    body: form,
  });

  assert.equal(status, 200);
  assert.equal(json['log'], undefined);
});

test('a caller that prefers a minimal answer gets none of it', async () => {
  const prefer = { Prefer: 'respond-async, return=minimal' };
  const event = anEvent({ external_id: 'minimal' });

  const answers = [
    await hub.post('/v1/events', event, prefer),
    await hub.post('/v1/events', event, prefer),
    await hub.post('/v1/events/batch', [event], prefer),
  ];

  for (const { json, headers } of answers) {
    assert.equal('log' in json, false);
    assert.equal('log_state' in json, false);
    assert.equal(headers.get('preference-applied'), 'return=minimal');
  }
});

test('a hub without a log says that it is off', async () => {
  await using without = await boot({ env: { LOG: 'off' } });

  const { status, json } = await without.post('/v1/events', anEvent());
  const batch = await without.post('/v1/events/batch', [anEvent()]);

  assert.equal(status, 201);
  assert.equal(json['log'], null);
  assert.equal(json['log_state'], 'off');
  assert.equal(batch.json['log_state'], 'off');
});

test('a hub whose log is held stores events and proves none', async () => {
  await using held = await boot();
  await held.post('/v1/events', anEvent());
  await held.database.change(`
    insert into chain_alarms (height, code, message, found_at)
    values (1, 'log_forked', 'test', '2026-03-02T07:15:00Z')`);

  let answer = await held.post('/v1/events', anEvent());
  // A process that looks at the alarms now and then signs until it does.
  while (answer.json['log'] !== null) answer = await held.post('/v1/events', anEvent());
  const checkpoint = await held.call('/log/1/checkpoint');

  assert.equal(answer.status, 201);
  assert.equal(Number(answer.json['id']), await storedHeight(held.database));
  assert.equal(answer.json['log_state'], 'held');
  assert.notEqual(checkpoint.status, 500);
});
