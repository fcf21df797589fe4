// examples/verify.py, which shares no code with this package, judges chains as this package does.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';

import { anyCharacter } from './any-character.ts';
import { ChainVerifier } from '../src/index.ts';
import { at, makeBlock, makeChain, eventPayload, genesis } from './vectors/chain-maker.ts';
import { plainChain, RECEIVED, sha256, type VectorBlock } from './vectors/chain-maker.ts';
import { makeCommitments } from './vectors/commitments.ts';
import { makeGoodChains } from './vectors/good-chains.ts';
import { makeVectorFiles } from './vectors/vector-files.ts';

const SCRIPT = fileURLToPath(new URL('../../../examples/verify.py', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../../vectors/', import.meta.url));

const OK = 0;
const BROKEN = 1;
const UNUSABLE = 2;

const RANDOM_CHAINS = 400;
/** Fixed, so that a disagreement that is found once can be found again. */
const SEED = 20_260_102;

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
/** People may be without Python; where changes are judged, a missing one fails every test below. */
const IS_JUDGED = HAS_PYTHON || process.env['CI'] === 'true';

type Answer = { readonly status: number | null; readonly stderr: string; readonly stdout: string };

const folder = mkdtempSync(join(tmpdir(), 'lothub-verify-'));
after(() => {
  rmSync(folder, { recursive: true });
});

/** Asynchronous, because a hub that is asked may live in this process. */
async function run(...args: readonly string[]): Promise<Answer> {
  const child = spawn('python3', [SCRIPT, ...args], {
    env: { PATH: process.env['PATH'], no_proxy: '*' },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  await once(child, 'close');
  return { status: child.exitCode, stdout, stderr };
}

function fileWith(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function formatExport(blocks: readonly VectorBlock[]): string {
  return blocks.map(({ canonical }) => `${canonical}\n`).join('');
}

function json(answer: Answer): unknown {
  return JSON.parse(answer.stdout);
}

if (IS_JUDGED) {
  suite('examples/verify.py', judgeScript);
} else {
  test('examples/verify.py is judged only where python3 is on the path', (t) => {
    t.diagnostic('not judged: there is no python3 on the path');
  });
}

function judgeScript(): void {
  const blocks = plainChain(4);
  const tip = at(blocks, 3);
  const valid = {
    valid: true,
    chain_id: at(blocks, 0).block_hash,
    blocks: 4,
    height: 3,
    tip_hash: tip.block_hash,
  };

  test('agrees with every vector', async () => {
    const answer = await run('--vectors', VECTORS);

    assert.equal(answer.status, OK, answer.stdout + answer.stderr);
    assert.match(answer.stdout, /^[1-9][0-9]* vectors, 0 judged otherwise\n$/);
  });

  test('agrees with this package on chains that were changed at random', async () => {
    writeVectors(randomChains());

    const answer = await run('--vectors', folder);

    assert.equal(answer.status, OK, answer.stdout + answer.stderr);
  });

  test('says which vector it judges otherwise, and ends with 1', async () => {
    writeVectors([
      { name: 'cut', blocks, expect: { valid: false, first_bad_height: 1, code: 'height_gap' } },
    ]);

    const answer = await run('--vectors', folder);

    assert.equal(answer.status, BROKEN);
    assert.match(answer.stdout, /broken-chains: cut: .*\n.* 1 judged otherwise/);
  });

  test('verifies an export file', async () => {
    const path = fileWith('good.jsonl', formatExport(blocks));

    const answer = await run(path, '--json');

    assert.equal(answer.status, OK, answer.stderr);
    assert.deepEqual(json(answer), valid);
  });

  test('verifies an export file with every character that is not escaped', async () => {
    const strange = makeGoodChains().find(({ name }) => name === 'unicode and escapes');
    const path = fileWith('strange.jsonl', formatExport(strange?.blocks ?? []));

    const answer = await run(path);

    assert.equal(answer.status, OK, answer.stdout + answer.stderr);
  });

  test('finds a changed line of an export file where the next line does not link to it', async () => {
    const changed = formatExport(blocks).replace('wms-1001', 'wms-9999');
    const path = fileWith('changed.jsonl', changed);

    const answer = await run(path, '--json');

    assert.equal(answer.status, BROKEN);
    assert.partialDeepStrictEqual(json(answer), {
      valid: false,
      first_bad_height: 2,
      code: 'prev_hash_mismatch',
    });
  });

  for (const [name, content, height, code] of [
    ['a removed line', formatExport(blocks.toSpliced(2, 1)), 2, 'height_mismatch'],
    ['an empty line', formatExport(blocks).replace('\n', '\n\n'), 1, 'not_json'],
    ['carriage returns', formatExport(blocks).replaceAll('\n', '\r\n'), 0, 'not_canonical'],
    ['an empty file', '', 0, 'height_gap'],
  ] as const) {
    test(`finds ${name}`, async () => {
      const answer = await run(fileWith('bad.jsonl', content), '--json');

      assert.equal(answer.status, BROKEN);
      assert.partialDeepStrictEqual(json(answer), { first_bad_height: height, code });
    });
  }

  test('finds a line that is not UTF-8', async () => {
    const path = join(folder, 'latin.jsonl');
    writeFileSync(path, Buffer.from(formatExport(blocks).replace('DOCK', 'D\u00d6CK'), 'latin1'));

    const answer = await run(path, '--json');

    assert.equal(answer.status, BROKEN);
    assert.partialDeepStrictEqual(json(answer), { first_bad_height: 1, code: 'not_json' });
  });

  test('accepts a chain that holds a block noted earlier', async () => {
    const path = fileWith('good.jsonl', formatExport(blocks));

    const answer = await run(path, '--checkpoint', `2:${at(blocks, 2).block_hash}`);

    assert.equal(answer.status, OK, answer.stdout);
  });

  test('finds another chain than the one noted, and a tail that was cut off', async () => {
    const path = fileWith('good.jsonl', formatExport(blocks));

    const other = await run(path, '--json', '--checkpoint', `2:${tip.block_hash}`);
    const cut = await run(path, '--json', '--checkpoint', `4:${tip.block_hash}`);

    assert.deepEqual([other.status, cut.status], [BROKEN, BROKEN]);
    assert.partialDeepStrictEqual(json(other), {
      first_bad_height: 2,
      code: 'checkpoint_mismatch',
    });
    assert.partialDeepStrictEqual(json(cut), { first_bad_height: 4, code: 'checkpoint_missing' });
  });

  test('checks a disclosure alone, and ends with 1 when it does not open the commitment', async () => {
    for (const vector of makeCommitments()) {
      const path = fileWith('disclosure.json', JSON.stringify(vector));

      const answer = await run('--disclosure', path);

      assert.equal(answer.status, vector.valid ? OK : BROKEN, vector.name);
    }
  });

  test('says which block carries the disclosed commitment', async () => {
    const disclosure = fileWith('disclosure.json', JSON.stringify(makeCommitments()[0]));
    const several = makeGoodChains().find(({ name }) => name === 'several events');
    const holding = fileWith('several.jsonl', formatExport(several?.blocks ?? []));
    const lacking = fileWith('good.jsonl', formatExport(blocks));

    const found = await run(holding, '--disclosure', disclosure, '--json');
    const missing = await run(lacking, '--disclosure', disclosure, '--json');

    assert.partialDeepStrictEqual(json(found), { valid: true, commitment_height: 3 });
    assert.equal(missing.status, BROKEN);
    assert.partialDeepStrictEqual(json(missing), { code: 'commitment_missing' });
  });

  for (const [name, args] of [
    ['no arguments', []],
    ['an unknown option', ['--nothing']],
    ['a missing file', ['no-such-file.jsonl']],
    ['a folder without vectors', ['--vectors', 'no-such-folder']],
    ['a malformed checkpoint', ['no-such-file.jsonl', '--checkpoint', '1:abc']],
    ['a hub that is not there', ['--url', 'http://127.0.0.1:1']],
  ] as const) {
    test(`ends with 2 for ${name}`, async () => {
      const answer = await run(...args);

      assert.equal(answer.status, UNUSABLE);
      assert.notEqual(answer.stderr, '');
      assert.doesNotMatch(answer.stderr, /Traceback/);
    });
  }

  /** More than two pages of the explorer. */
  const long = plainChain(405);

  for (const list of ['with', 'without'] as const) {
    const chain = list === 'with' ? long : blocks;

    test(`reads a hub whose lists come ${list} canonical texts`, async () => {
      const { base, close } = await listen(explorer(chain, list));

      const answer = await run('--url', `${base}/`, '--json').finally(close);

      assert.equal(answer.status, OK, answer.stdout + answer.stderr);
      assert.partialDeepStrictEqual(json(answer), {
        blocks: chain.length,
        tip_hash: at(chain, chain.length - 1).block_hash,
      });
    });
  }

  test('finds a changed block of a hub', async () => {
    const changed = { ...at(long, 201), canonical: at(long, 200).canonical };
    const { base, close } = await listen(explorer(long.with(201, changed), 'with'));

    const answer = await run('--url', base, '--json').finally(close);

    assert.equal(answer.status, BROKEN);
    assert.partialDeepStrictEqual(json(answer), { first_bad_height: 201, code: 'hash_mismatch' });
  });

  test('asks a hub again after the seconds of its answer', async () => {
    const answers = explorer(blocks, 'with');
    let refusals = 0;
    const { base, close } = await listen((request, response) => {
      if (refusals > 0) {
        answers(request, response);
        return;
      }
      refusals += 1;
      response.writeHead(429, { 'Retry-After': '0' }).end();
    });

    const answer = await run('--url', base).finally(close);

    assert.equal(answer.status, OK, answer.stderr);
    assert.equal(refusals, 1);
  });

  test('ends with 2 when a hub answers something else', async () => {
    const { base, close } = await listen((_request, response) => response.end('{"stats":{}}'));

    const answer = await run('--url', base).finally(close);

    assert.equal(answer.status, UNUSABLE);
    assert.match(answer.stderr, /does not answer as the explorer/);
  });
}

/** Vector files of which only the broken chains are other ones; chains named so may be good, too. */
function writeVectors(chains: readonly unknown[]): void {
  for (const { name, text } of makeVectorFiles()) fileWith(name, text);
  fileWith('broken-chains.json', JSON.stringify({ vectors: chains }));
}

/** Chains with a random change, hashed anew or not, and what this package says of them. */
function randomChains(): readonly unknown[] {
  const notes = fc.string({ unit: anyCharacter, maxLength: 12 });
  const pieces = fc.oneof(
    fc.constantFrom('"', '\\', '{', '}', ',', ':', ' ', '\n', '0', '1.0', '-', '\\u0041', '[', ']'),
    fc.constantFrom('\\ud800', '"v":1', 'null', '\u{1f35e}', '\u00e9', '"a":1,', '\ufeff', 'e5'),
    fc.string({ unit: anyCharacter, maxLength: 3 }),
  );
  const changes = fc.record({
    notes,
    block: fc.nat({ max: 2 }),
    spot: fc.nat(),
    length: fc.nat({ max: 3 }),
    piece: pieces,
    rehash: fc.boolean(),
  });
  return fc.sample(changes, { numRuns: RANDOM_CHAINS, seed: SEED }).map((change, index) => {
    const chain = makeChain([
      genesis(),
      eventPayload(1, { event: { ...RECEIVED, notes: change.notes } }),
      eventPayload(2),
    ]);
    const { height, block_hash, canonical } = at(chain, change.block);
    const spot = change.spot % canonical.length;
    const text = (
      canonical.slice(0, spot) +
      change.piece +
      canonical.slice(spot + change.length)
    ).toWellFormed();
    const changed = change.rehash
      ? makeBlock(height, text)
      : { height, block_hash, canonical: text };
    const blocks = chain.with(change.block, changed);
    return { name: `random chain ${index}`, blocks, expect: judgeBlocks(blocks) };
  });
}

function judgeBlocks(blocks: readonly VectorBlock[]): object {
  const verifier = new ChainVerifier({ hash: sha256, depth: 'contents' });
  const fault = verifier.verifyBlocks(
    blocks.map(({ height, block_hash, canonical }) => ({
      height,
      blockHash: block_hash,
      canonical,
    })),
  );
  if (fault !== undefined) {
    return { valid: false, first_bad_height: fault.height, code: fault.code };
  }
  const { height, blockHash } = verifier.position;
  return { valid: true, height, tip_hash: blockHash };
}

/** The three public paths that the verifier reads. */
function explorer(blocks: readonly VectorBlock[], list: 'with' | 'without'): RequestListener {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://hub');
    if (pathname === '/public/explorer') {
      response.end(JSON.stringify({ stats: { height: blocks.length - 1 } }));
      return;
    }
    if (pathname === '/public/explorer/blocks') {
      const before = Number(searchParams.get('before'));
      const limit = Math.min(Number(searchParams.get('limit')), 200);
      const page = blocks.slice(Math.max(0, before - limit), before).toReversed();
      const shown =
        list === 'with' ? page : page.map(({ height, block_hash }) => ({ height, block_hash }));
      response.end(JSON.stringify({ blocks: shown, next: null }));
      return;
    }
    const height = Number(/^\/public\/explorer\/block\/([0-9]+)$/.exec(pathname)?.[1]);
    response.end(JSON.stringify({ ...at(blocks, height), brand: 'acme' }));
  };
}

async function listen(
  answer: RequestListener,
): Promise<{ readonly base: string; readonly close: () => void }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    base: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
