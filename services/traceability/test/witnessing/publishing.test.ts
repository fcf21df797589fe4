// What the hub publishes when witnesses cosign, and what everybody else reads of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCheckpoint, parseCheckpoint, parsePolicy, parseTlogProof } from '@lothub/chain/log';
import { testKey, verifySignature } from '@lothub/chain/test/log/test-keys';
import { publish } from '../../src/witnessing/published.ts';
import { anEvent, valueAt } from '../boot.ts';
import { openTestLedger } from '../ledger.ts';
import { answer } from './test-witness.ts';
import { publishedSize, until, untilPublished, witnessedHub } from './witnessed-hub.ts';

test('a checkpoint is published with the cosignatures of a round, and satisfies the policy that the hub shows', async () => {
  await using setup = await witnessedHub();
  const { hub } = setup;
  for (let event = 0; event < 5; event += 1) await hub.post('/v1/events', anEvent());

  await untilPublished(hub, 6);

  const { text } = await hub.call('/log/1/checkpoint');
  const policy = await hub.call('/log/1/policy');
  const verdict = await judgeCheckpoint(parseCheckpoint(text), {
    policy: parsePolicy(policy.text),
    verify: verifySignature,
  });
  assert.ok(verdict.refused === undefined);
  assert.ok(verdict.quorum.witnessed.length >= 2);
  assert.ok(policy.text.includes('# run by: The people of alpha\n'));
  const latest = await hub.call('/log/1/checkpoint/latest');
  assert.equal(parseCheckpoint(latest.text).signatures.length, 1);
});

test('all witnesses of a round are asked for one head, with the log’s signature alone', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  await hub.post('/v1/events', anEvent());
  await until('all three', () => witnesses.all.every(({ size }) => size === 2));

  const notes = witnesses.all.map(({ asked }) => {
    const { body } = asked.findLast(({ method }) => method === 'POST')!;
    return body.slice(body.indexOf('\n\n') + 2);
  });

  assert.equal(new Set(notes).size, 1);
  assert.equal(parseCheckpoint(notes[0]!).signatures.length, 1);
});

test('several keys at one address are asked with one request, and each of their cosignatures counts', async () => {
  await using setup = await witnessedHub({
    names: ['alpha'],
    quorum: ['group both 2 alpha alpha-2', 'quorum both'],
    prepare: ({ all: [alpha] }) => void (alpha!.secondKey = testKey(0x21)),
  });
  const { hub, witnesses } = setup;
  await hub.post('/v1/events', anEvent());
  await untilPublished(hub, 2);

  const published = await hub.call('/log/1/checkpoint');
  const { text: policy } = await hub.call('/log/1/policy');
  const { json } = await hub.call('/health');

  const verdict = await judgeCheckpoint(parseCheckpoint(published.text), {
    policy: parsePolicy(policy),
    verify: verifySignature,
  });
  assert.ok(verdict.refused === undefined);
  assert.deepEqual(
    verdict.quorum.witnessed.map(({ witness }) => witness.name),
    ['alpha', 'alpha-2'],
  );
  const [alpha] = witnesses.all;
  const bodies = alpha!.asked.filter(({ method }) => method === 'POST').map(({ body }) => body);
  assert.equal(new Set(bodies).size, bodies.length);
  assert.equal(alpha!.cosigned.length, bodies.length);
  assert.equal(valueAt(json, 'log', 'quorum'), '2 of 2');
  const standings = valueAt(json, 'log', 'witnesses') as readonly unknown[];
  assert.deepEqual(
    standings.map((one) => [valueAt(one, 'name'), valueAt(one, 'state'), valueAt(one, 'size')]),
    [
      ['alpha', 'cosigned', 2],
      ['alpha-2', 'cosigned', 2],
    ],
  );
});

test('nobody waits for witnesses; the answer is witnessed when it is asked for again', async () => {
  await using setup = await witnessedHub();
  const { hub } = setup;
  const event = anEvent({ external_id: 'E-1' });

  const fresh = await hub.post('/v1/events', event);
  await untilPublished(hub, 2);
  const replayed = await hub.post('/v1/events', event);

  assert.equal(valueAt(fresh.json, 'log', 'witnessed'), false);
  assert.equal(valueAt(replayed.json, 'log', 'witnessed'), true);
  const { head } = parseTlogProof(String(valueAt(replayed.json, 'log', 'proof')));
  assert.ok(head.signatures.length >= 3);
});

test('a proof leads to the published checkpoint when that holds the block, otherwise to the newest', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await hub.post('/v1/events', anEvent());
  await untilPublished(hub, 2);
  for (const witness of witnesses.all) {
    witness.behave = (_asked, response) => (answer(response, 500, ''), true);
  }
  await hub.post('/v1/events', anEvent());

  const older = parseTlogProof((await hub.call('/log/1/proof/1')).text);
  const newer = parseTlogProof((await hub.call('/log/1/proof/2')).text);
  const larger = parseTlogProof((await hub.call('/log/1/proof/1?size=3')).text);

  assert.deepEqual([older.head.size, older.head.signatures.length > 1], [2, true]);
  assert.deepEqual([newer.head.size, newer.head.signatures.length], [3, 1]);
  assert.deepEqual([larger.head.size, larger.head.signatures.length], [3, 1]);
});

test('before the quorum the checkpoint is not there, and the newest is', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  const [alpha, beta] = witnesses.all;
  for (const witness of [alpha!, beta!]) {
    witness.behave = (_asked, response) => (answer(response, 500, ''), true);
  }

  await hub.post('/v1/events', anEvent());
  await until('gamma', () => witnesses.all[2]!.size === 2);
  const size = await publishedSize(hub);
  const latest = parseCheckpoint((await hub.call('/log/1/checkpoint/latest')).text);

  assert.equal(size, 1);
  assert.equal(latest.size, 2);
});

test('a hub whose policy was never satisfied says where the newest checkpoint is', async () => {
  await using setup = await witnessedHub({ isKnown: false });

  const { status, json } = await setup.hub.call('/log/1/checkpoint');

  assert.equal(status, 503);
  assert.match(String(json['detail']), /checkpoint\/latest/);
});

test('witnesses under a domain of the hub are asked, and count as none', async () => {
  await using setup = await witnessedHub({ env: { LOG_ORIGIN: 'hub.example.org/log/1' } });
  const { hub, witnesses } = setup;
  await until('all', () => witnesses.all.every(({ size }) => size === 1));
  await until('stored', async () => (await hub.call('/health')).text.includes('"cosigned"'));

  const { json } = await hub.call('/health');

  assert.equal(await publishedSize(hub), 0);
  assert.equal(valueAt(json, 'log', 'quorum'), '0 of 0');
  assert.equal(valueAt(json, 'log', 'witnesses', 0, 'counts'), false);
  assert.match(hub.log(), /alpha runs under a domain of this hub: it is asked, and counts as none/);
  assert.match(hub.log(), /the quorum of alpha, beta, gamma cannot be met/);
});

test('of older checkpoints the last of each day is kept', async () => {
  await using ledger = await openTestLedger();
  const day = (size: number): string => `2026-03-0${size <= 3 ? 1 : 2}T00:00:00.000Z`;
  for (let size = 1; size <= 1_005; size += 1) {
    const row = { epoch: 1, size, root: new Uint8Array(32), note: '', published_at: day(size) };
    await ledger.store.write(publish(row));
  }

  const rows = await ledger.database.rows('select size from log_checkpoints order by size limit 3');

  assert.deepEqual(
    rows.map(({ size }) => Number(size)),
    [3, 6, 7],
  );
});
