// What is served below /log/: the paths, headers and bytes of C2SP tlog-tiles, checked with the pure code
// that verifiers use.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  judgeCheckpoint,
  leafHash,
  parseCheckpoint,
  parsePolicy,
  parseTlogProof,
  TILE_WIDTH,
  verifyInclusion,
} from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { anEvent, boot } from '../boot.ts';
import { storedBlocks } from '../stored.ts';
import { tamper } from '../ledger.ts';
import { until } from '../witnessing/witnessed-hub.ts';
import { verifySignature } from '@lothub/chain/test/log/test-keys';

const EVENTS = 12;

const hub = await openForFile(boot());
before(async () => {
  for (let event = 0; event < EVENTS; event += 1) await hub.post('/v1/events', anEvent());
});

async function bytesAt(path: string): Promise<Buffer> {
  const answer = await fetch(hub.base + path);
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
}

test('the checkpoint is signed by the key that vkeys names, over the tree of all blocks', async () => {
  const checkpoint = await hub.call('/log/1/checkpoint');
  const policy = await hub.call('/log/1/policy');
  const vkeys = await hub.call('/log/1/vkeys');

  const verdict = await judgeCheckpoint(parseCheckpoint(checkpoint.text), {
    policy: parsePolicy(policy.text),
    verify: verifySignature,
  });
  const latest = await hub.call('/log/1/checkpoint/latest');
  assert.equal(verdict.refused, undefined);
  assert.equal(parseCheckpoint(checkpoint.text).size, EVENTS + 1);
  assert.equal(latest.text, checkpoint.text);
  assert.ok(policy.text.includes(`log ${vkeys.text.trim()}\n`));
  assert.ok(policy.text.endsWith('\nquorum none\n'));
});

test('texts that change are asked for again, tiles are kept for a year, proofs are not kept', async () => {
  const size = EVENTS + 1;
  const found = [];

  for (const path of [
    'checkpoint',
    'checkpoint/latest',
    'vkeys',
    'policy',
    `tile/0/000.p/${size}`,
    `tile/entries/000.p/${size}`,
    `blocks/000.p/${size}`,
    'proof/3',
  ]) {
    const { status, headers } = await hub.call(`/log/1/${path}`);
    const kept = headers.get('cache-control');
    found.push([path, status, headers.get('content-type'), kept]);
    assert.equal(headers.get('access-control-allow-origin'), '*');
  }

  const text = 'text/plain; charset=utf-8';
  const forever = 'public, max-age=31536000, immutable';
  assert.deepEqual(found, [
    ['checkpoint', 200, text, 'no-cache'],
    ['checkpoint/latest', 200, text, 'no-cache'],
    ['vkeys', 200, text, 'no-cache'],
    ['policy', 200, text, 'no-cache'],
    [`tile/0/000.p/${size}`, 200, 'application/octet-stream', forever],
    [`tile/entries/000.p/${size}`, 200, 'application/octet-stream', forever],
    [`blocks/000.p/${size}`, 200, 'application/x-ndjson', forever],
    ['proof/3', 200, text, 'no-store'],
  ]);
});

test('tiles, entries and texts are those of the stored blocks, at any width', async () => {
  const blocks = await storedBlocks(hub.database);
  const entries = blocks.map(({ blockHash }) => Buffer.from(blockHash, 'hex'));

  for (const width of [1, 5, EVENTS + 1]) {
    const tile = await bytesAt(`/log/1/tile/0/000.p/${width}`);
    const bundle = await bytesAt(`/log/1/tile/entries/000.p/${width}`);
    const texts = await bytesAt(`/log/1/blocks/000.p/${width}`);

    const some = entries.slice(0, width);
    assert.deepEqual(tile, Buffer.concat(some.map((entry) => leafHash(entry, sha256Bytes))));
    assert.deepEqual(bundle, Buffer.concat(some.flatMap((entry) => [Buffer.of(0, 32), entry])));
    const expected = blocks.slice(0, width).map(({ canonical }) => `${canonical}\n`);
    assert.equal(texts.toString(), expected.join(''));
  }
});

test('a complete tile is found in the signed tree before it is kept for the next who asks', async () => {
  const large = await boot();
  const events = Array.from({ length: TILE_WIDTH + 1 }, () => anEvent());
  const posted = await large.post('/v1/events/batch', events);
  assert.equal(posted.status, 201, posted.text);
  const blocks = await storedBlocks(large.database);
  const leaves = blocks
    .slice(0, TILE_WIDTH)
    .map(({ blockHash }) => leafHash(Buffer.from(blockHash, 'hex'), sha256Bytes));
  const path = '/log/1/tile/0/000';
  const read = async () => Buffer.from(await (await fetch(large.base + path)).arrayBuffer());
  assert.deepEqual(await read(), Buffer.concat(leaves));

  const others = Buffer.concat(leaves.toReversed());
  const deadline = performance.now() + PATIENCE_MS;
  const change = 'update log_tiles set hashes = ? where level = 0';
  while ((await large.database.change(change, others)) === 0) {
    assert.ok(performance.now() < deadline, 'the tile was not stored');
    await sleep(20);
  }

  assert.deepEqual(await read(), Buffer.concat(leaves));
  await using again = await large.restart();
  const { status, json } = await again.call(path);
  assert.equal(status, 503);
  assert.match(String(json['detail']), /differs from what was signed/);
  assert.equal(again.service.state.valid, false);
});

test('a path that is spelled otherwise, or that the log does not reach yet, is not there', async () => {
  const paths = [
    'tile/0/000',
    `tile/0/000.p/${EVENTS + 2}`,
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/0',
    'tile/0/0000.p/1',
    'tile/0/x000/000.p/1',
    'tile/00/000.p/1',
    'tile/8/000.p/1',
    'tile/1/000.p/1',
    'tile/0/001.p/1',
    'tile/0/000.p/1/',
    'tile/0/%30%30%30.p/1',
    'tile/entries/0.p/1',
    'blocks/0.p/1',
    'blocks/entries/000.p/1',
    'proof/01',
    'proof/-1',
    `proof/${EVENTS + 1}`,
    `proof/1?size=${EVENTS + 2}`,
    'proof/1?size=x',
    'proof/99999999999999999999',
  ].map((path) => `/log/1/${path}`);
  paths.push('/log/2/checkpoint', '/log/01/checkpoint', '/log/checkpoint', '/log/2/tile/0/000.p/1');

  const statuses = [];
  for (const path of paths) statuses.push([path, (await fetch(hub.base + path)).status]);

  assert.deepEqual(
    statuses.filter(([, status]) => status !== 404),
    [],
  );
});

test('the proof of every block verifies unchanged', async () => {
  const blocks = await storedBlocks(hub.database);

  for (const { height, blockHash } of blocks) {
    const { text } = await hub.call(`/log/1/proof/${height}?size=${EVENTS + 1}`);
    const { index, proof, head } = parseTlogProof(text);
    const leaf = leafHash(Buffer.from(blockHash, 'hex'), sha256Bytes);
    assert.equal(index, height);
    assert.ok(
      verifyInclusion({ index, size: head.size, leaf, proof, root: head.root, hash: sha256Bytes }),
    );
  }
});

test('epochs are empty while there is one log', async () => {
  const { status, text, headers } = await hub.call('/log/epochs');

  assert.equal(status, 200);
  assert.equal(text, '');
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
});

test('HEAD answers as GET does, without the body', async () => {
  const answer = await fetch(`${hub.base}/log/1/tile/0/000.p/4`, { method: 'HEAD' });

  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-length'), '128');
});

test('every operation of the log is described', async () => {
  const { json } = await hub.call('/openapi.json');

  const described = Object.entries(json['paths']!).filter(([path]) => path.startsWith('/log/'));
  assert.deepEqual(described.map(([path, { get }]) => [path, String(get!['operationId'])]).sort(), [
    ['/log/epochs', 'listLogEpochs'],
    ['/log/{epoch}/blocks/{path}', 'getLogBlocks'],
    ['/log/{epoch}/checkpoint', 'getLogCheckpoint'],
    ['/log/{epoch}/checkpoint/latest', 'getLatestLogCheckpoint'],
    ['/log/{epoch}/policy', 'getLogPolicy'],
    ['/log/{epoch}/proof/{index}', 'getLogProof'],
    ['/log/{epoch}/tile/entries/{path}', 'getLogEntries'],
    ['/log/{epoch}/tile/{level}/{path}', 'getLogTile'],
    ['/log/{epoch}/timestamp/{size}', 'getLogTimestamp'],
    ['/log/{epoch}/timestamp/{size}/checkpoint', 'getStampedLogCheckpoint'],
    ['/log/{epoch}/timestamp/{size}/proof/{index}', 'getStampedLogProof'],
    ['/log/{epoch}/vkeys', 'getLogKeys'],
  ]);
});

test('an address that asks too often waits, and may read that from another origin', async () => {
  await using limited = await boot({ env: { RATE_LIMIT_LOG: '2' } });
  for (let asked = 0; asked < 2; asked += 1) await limited.call('/log/1/checkpoint');

  const refused = await limited.call('/log/1/checkpoint');
  const page = await limited.call('/health');

  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('access-control-allow-origin'), '*');
  assert.equal(page.status, 200);
});

test('a hub without a log says so at every path of it', async () => {
  await using without = await boot({ env: { LOG: 'off' } });

  for (const path of [
    'checkpoint',
    'tile/0/000.p/1',
    'blocks/000.p/1',
    'proof/0',
    'vkeys',
    'policy',
  ]) {
    const { status, json } = await without.call(`/log/1/${path}`);
    assert.equal(status, 404);
    assert.equal(json['detail'], 'This hub keeps no public log (LOG=off)');
  }
});

test('a text that is no longer the one that was hashed is not sent', async () => {
  await using tampered = await boot();
  await tampered.post('/v1/events', anEvent());
  const [, block] = await storedBlocks(tampered.database);
  const other = block!.canonical.replace('"recorded_at"', '"recorded_At"');
  await tamper(tampered.database, 'update blocks set canonical = ? where height = 1', other);

  const { status, headers } = await tampered.call('/log/1/blocks/000.p/2');

  assert.equal(status, 503);
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('a proof that does not lead to the signed root is not sent, and makes the chain invalid; it is sent when the block is back', async () => {
  await using tampered = await boot();
  await tampered.post('/v1/events', anEvent());
  const [genesis] = await storedBlocks(tampered.database);
  const change = 'update blocks set hash = ? where height = 0';
  await tamper(tampered.database, change, '00'.repeat(32));

  const { status, json } = await tampered.call('/log/1/proof/1');
  await tamper(tampered.database, change, genesis!.blockHash);
  const again = await tampered.call('/log/1/proof/1');

  assert.equal(status, 503);
  // The log may have been held for it already, of which the chain's state learns a moment later.
  assert.match(String(json['detail']), /differs from what was signed|is held/);
  await until('an invalid chain', () => !tampered.service.state.valid);
  assert.equal(again.status, 200, again.text);
});
