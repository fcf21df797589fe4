// `lothub verify --policy`: evidence and proof files without a hub, and the log that a hub shows against
// the checkpoint that was kept.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import {
  bytesOfHex,
  concatBytes,
  leafHash,
  parseTilePath,
  subtreeInTile,
  TILE_WIDTH,
} from '@lothub/chain/log';
import {
  POLICY,
  POLICY_OF_NOBODY,
  TestLog,
  WITNESSES,
} from '@lothub/chain/test/log/evidence-maker';
import { sha256Bytes } from '@lothub/chain/test/log/naive-tree';
import { plainChain, type VectorBlock } from '@lothub/chain/test/vectors/chain-maker';
import { runCli, testFolder } from './run.ts';

const CHAIN = plainChain(600);
const WITNESSED = 'proved, witnessed 3 of 3 at 2026-01-03T00:28:20Z';
const LOG = new TestLog(CHAIN.slice(0, 300));

/** A hub that shows this chain's log, and may be given another chain to show. */
async function openHub(shown: readonly VectorBlock[]) {
  let blocks = shown;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/log/1/', '');
    if (path === 'checkpoint') return response.end(new TestLog(blocks).checkpoint);
    const tile = parseTilePath(path);
    const bytes = tile === undefined ? undefined : buildTile(blocks, tile);
    return bytes === undefined ? response.writeHead(404).end('{}') : response.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    base: `http://127.0.0.1:${address.port}`,
    show: (other: readonly VectorBlock[]): void => {
      blocks = other;
    },
    [Symbol.dispose]: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function buildTile(
  blocks: readonly VectorBlock[],
  { level, index, width }: { level: number | 'entries'; index: number; width: number },
): Uint8Array {
  const leaves = blocks.map((block) => leafHash(bytesOfHex(block.block_hash), sha256Bytes));
  const first = index * TILE_WIDTH;
  if (level === 0) return concatBytes(...leaves.slice(first, first + width));
  return concatBytes(
    ...Array.from({ length: width }, (_, at) =>
      subtreeInTile(
        concatBytes(...leaves.slice((first + at) * TILE_WIDTH, (first + at + 1) * TILE_WIDTH)),
        { start: 0, count: TILE_WIDTH },
        sha256Bytes,
      ),
    ),
  );
}

/** A folder with a policy, and a way to write more files into it. */
async function aFolder(policy = POLICY) {
  const folder = await testFolder();
  const file = async (name: string, content: string): Promise<string> => {
    const path = folder.file(name);
    await writeFile(path, content);
    return path;
  };
  return { folder, file, policy: await file('policy', policy), state: folder.file('state.json') };
}

test('an evidence file is proved without a hub, and --json says how', async () => {
  const { folder, file, policy } = await aFolder();
  await using _folder = folder;
  const evidence = await file('lot.json', LOG.evidenceText([0, 1, 299]));

  const run = await runCli(['verify', '--evidence', evidence, '--policy', policy]);
  const { json } = await runCli(['verify', '--evidence', evidence, '--policy', policy, '--json']);

  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, new RegExp(`${WITNESSED}\n$`));
  assert.partialDeepStrictEqual(json, {
    ok: true,
    sentence: WITNESSED,
    verdict: 'witnessed',
    witnessed: { cosigned: 3, of: 3 },
    blocks: 3,
    contents_not_judged: 0,
  });
});

test('the same file is judged by each policy that is given', async () => {
  const { folder, file } = await aFolder();
  await using _folder = folder;
  const [log, alder, birch, cedar] = POLICY.split('\n');
  const cosigned = new TestLog(CHAIN.slice(0, 300), WITNESSES.slice(0, 2));
  const evidence = await file('lot.json', cosigned.evidenceText([0, 1]));

  for (const [lines, code, answer] of [
    [['quorum none'], 0, "proved, operator's word only"],
    [[alder, 'quorum alder'], 0, 'proved, witnessed 1 of 1 at 2026-01-03T00:26:40Z'],
    [
      [alder, birch, cedar, 'group g 2 alder birch cedar', 'quorum g'],
      0,
      'proved, witnessed 2 of 3 at 2026-01-03T00:28:20Z',
    ],
    [
      [alder, birch, cedar, 'group g any alder birch', 'group h all g cedar', 'quorum h'],
      1,
      'refused: no_quorum',
    ],
  ] as const) {
    const policy = await file('mine', [log, ...lines, ''].join('\n'));
    const run = await runCli(['verify', '--evidence', evidence, '--policy', policy]);

    assert.equal(run.code, code, run.stdout);
    assert.ok(run.stdout.endsWith(`${answer}\n`), run.stdout);
  }
});

test('a changed evidence file ends with 1 and its code', async () => {
  const { folder, file, policy } = await aFolder();
  await using _folder = folder;
  const evidence = await file('lot.json', LOG.evidenceText([0, 1]).replace('250.5', '250.6'));

  const run = await runCli(['verify', '--evidence', evidence, '--policy', policy, '--json']);

  assert.equal(run.code, 1);
  assert.partialDeepStrictEqual(run.json, { ok: false, code: 'not_in_tree' });
});

test('the proof of a POST is proved with the hash of its block', async () => {
  const { folder, file, policy } = await aFolder(POLICY_OF_NOBODY);
  await using _folder = folder;
  const evidence = await file('block.tlog-proof', LOG.proofText(7));
  const by = ['verify', '--evidence', evidence, '--policy', policy];

  const run = await runCli([...by, '--block-hash', CHAIN[7]!.block_hash]);
  const other = await runCli([...by, '--block-hash', CHAIN[8]!.block_hash]);
  const none = await runCli(by);

  assert.deepEqual([run.code, other.code, none.code], [0, 1, 1]);
  assert.match(run.stdout, /proved, operator's word only\n$/);
  assert.match(other.stdout, /refused: not_in_tree\n$/);
  assert.match(none.stdout, /refused: malformed\n$/);
});

test('the log of a hub is followed from one checkpoint to the next', async () => {
  const { folder, policy, state } = await aFolder();
  await using _folder = folder;
  using hub = await openHub(CHAIN.slice(0, 300));
  const by = ['verify', '--url', hub.base, '--policy', policy, '--state', state];

  const first = await runCli(by);
  hub.show(CHAIN);
  const second = await runCli(by);
  const third = await runCli(by);

  assert.deepEqual([first.code, second.code, third.code], [0, 0, 0], second.stderr);
  assert.match(first.stdout, /No checkpoint of .* was kept yet/);
  assert.match(second.stdout, /tree of 300 blocks is the beginning of that of 600 blocks/);
  assert.match(third.stdout, /It is the tree of 600 blocks that was kept/);
});

test('a log that lost blocks is rolled back, both checkpoints are printed and the kept one stays', async () => {
  const { folder, policy, state } = await aFolder();
  await using _folder = folder;
  using hub = await openHub(CHAIN);
  const by = ['verify', '--url', hub.base, '--policy', policy, '--state', state];
  await runCli(by);
  const kept = await readFile(state, 'utf8');

  hub.show(CHAIN.slice(0, 300));
  const run = await runCli(by);

  assert.equal(run.code, 1);
  assert.match(run.stdout, /refused: rolled_back\n/);
  assert.ok(run.stdout.includes(new TestLog(CHAIN).checkpoint));
  assert.ok(run.stdout.includes(LOG.checkpoint.trimEnd()));
  assert.equal(await readFile(state, 'utf8'), kept);
});

test('a log that was forked is a split view, at the same size and at a larger one', async () => {
  const { folder, policy, state } = await aFolder();
  await using _folder = folder;
  using hub = await openHub(CHAIN.slice(0, 300));
  const by = ['verify', '--url', hub.base, '--policy', policy, '--state', state, '--json'];
  await runCli(by);
  const swapped = CHAIN.with(10, CHAIN[11]!).with(11, CHAIN[10]!);

  hub.show(swapped.slice(0, 300));
  const same = await runCli(by);
  hub.show(swapped);
  const larger = await runCli(by);

  assert.deepEqual([same.code, larger.code], [1, 1]);
  for (const { json } of [same, larger]) {
    assert.partialDeepStrictEqual(json, {
      code: 'split_view',
      checkpoints: { kept: LOG.checkpoint },
    });
  }
});

test('evidence is compared with the kept tree by the tiles of the hub', async () => {
  const { folder, file, policy, state } = await aFolder();
  await using _folder = folder;
  using hub = await openHub(CHAIN);
  const evidence = await file('lot.json', LOG.evidenceText([0, 1]));
  const by = ['verify', '--url', hub.base, '--policy', policy, '--state', state];
  await runCli(by);

  const run = await runCli([...by, '--evidence', evidence]);

  assert.equal(run.code, 0, run.stdout);
  assert.match(run.stdout, /tree of 300 blocks is the beginning of that of 600 blocks/);
});

test('what goes together, and what cannot be read, is said with 2', async () => {
  const { folder, file, policy } = await aFolder();
  await using _folder = folder;
  const evidence = await file('lot.json', LOG.evidenceText([0, 1]));
  const bad = await file('bad', 'quorum all\n');
  const binary = folder.file('binary');
  await writeFile(binary, Buffer.of(0xff));

  for (const [args, expected] of [
    [['--evidence', evidence], /--policy/],
    [['--state', evidence], /--policy/],
    [['--policy', policy], /--evidence FILE or --url BASE/],
    [['--evidence', evidence, '--policy', bad], /Line 1 of the policy/],
    [['--evidence', evidence, '--policy', binary], /reading .*binary/],
    [['--evidence', folder.file('none'), '--policy', policy], /ENOENT/],
    [['--evidence', evidence, '--policy', policy, '--state', bad], /kept checkpoints is not JSON/],
    [['--evidence', evidence, '--policy', policy, '--block-hash', 'abc'], /64 lower-case/],
    [['--evidence', evidence, '--policy', policy, '--file', 'x'], /cannot be used with/],
  ] as const) {
    const run = await runCli(['verify', ...args]);

    assert.equal(run.code, 2, args.join(' '));
    assert.match(run.stderr, expected);
  }
});
