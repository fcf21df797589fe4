// `lothub verify` and `lothub export`: of a database, of a hub at an address, of a file.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sealBlock, type SealedBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { anEvent, boot, type Booted } from '../boot.ts';
import { runCli, testFolder, toText } from './run.ts';
import { tamper } from '../ledger.ts';

async function postEvents(hub: Booted, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const answer = await hub.post('/v1/events', anEvent({ reference: `PO-${index}` }));
    assert.equal(answer.status, 201);
  }
}

/** A good chain of this many blocks, made without a hub; `notes` is in each event. */
function aChain(length: number, notes = ''): readonly SealedBlock[] {
  const blocks: SealedBlock[] = [];
  for (let height = 0; height < length; height += 1) {
    const recorded = `"recorded_at":"2026-01-02T03:04:05.${String(height % 1000).padStart(3, '0')}Z"`;
    const text =
      height === 0
        ? `{"hub":"Lothub","nonce":"${'a'.repeat(64)}",${recorded},"type":"genesis","v":1}`
        : `{"brand":"acme","event":{"event_type":"RECEIVE","lines":[],"notes":"${notes}"},${recorded},"type":"event","v":1}`;
    const prevHash = blocks.at(-1)?.blockHash ?? '0'.repeat(64);
    blocks.push(sealBlock({ height, payloadText: text, prevHash, hash: sha256Hex }));
  }
  return blocks;
}

test('the chain of a running hub verifies, and --json says how far', async () => {
  await using hub = await boot();
  await postEvents(hub, 3);

  const run = await runCli(['verify', '--json'], hub.database.env);

  assert.equal(run.code, 0);
  assert.deepEqual(
    [
      run.json['ok'],
      run.json['blocks'],
      run.json['head']?.['height'],
      run.json['first_bad_height'],
    ],
    [true, 4, 3, null],
  );
});

test('a database with a changed block ends with 1 and names the first bad height', async () => {
  await using hub = await boot();
  await postEvents(hub, 3);
  await tamper(
    hub.database,
    "update blocks set canonical = replace(canonical, 'PO-1', 'PO-9') where height = 2",
  );

  const run = await runCli(['verify'], hub.database.env);
  const json = (await runCli(['verify', '--json'], hub.database.env)).json;

  assert.equal(run.code, 1);
  assert.match(run.stdout, /DOES NOT VERIFY\. First bad height: 2\.\n/);
  assert.match(run.stdout, /^2 +hash_mismatch /m);
  assert.deepEqual([json['ok'], json['first_bad_height']], [false, 2]);
});

test('--depth links finds a block that was changed, and not a row beside the blocks', async () => {
  await using hub = await boot();
  await postEvents(hub, 3);
  await tamper(hub.database, "update events set reference = 'elsewhere' where height = 2");
  const links = async () =>
    await runCli(['verify', '--depth', 'links', '--json'], hub.database.env);

  const beside = (await links()).json;
  const whole = await runCli(['verify'], hub.database.env);
  await tamper(
    hub.database,
    "update blocks set canonical = replace(canonical, 'PO-1', 'PO-9') where height = 2",
  );
  const changed = await links();

  assert.deepEqual(
    [beside['ok'], beside['depth'], beside['blocks'], beside['alarms_cleared']],
    [true, 'links', 4, 0],
  );
  assert.equal(whole.code, 1);
  assert.deepEqual([changed.code, changed.json['first_bad_height']], [1, 2]);
});

test('--depth links says what it did not judge, and clears no alarm', async () => {
  await using hub = await boot();
  await postEvents(hub, 1);
  await hub.database.change(
    "insert into chain_alarms (height, code, message, found_at) values (1, 'hash_mismatch', 'x', '2026-01-02T03:04:05.678Z')",
  );

  const links = await runCli(['verify', '--depth', 'links'], hub.database.env);
  const whole = await runCli(['verify', '--json'], hub.database.env);

  assert.equal(links.code, 0);
  assert.match(links.stdout, /contents and the rows beside the blocks were not compared/);
  assert.equal(whole.json['alarms_cleared'], 1);
});

test('--depth links is refused where there is no database to read', async () => {
  const run = await runCli(['verify', '--depth', 'links', '--url', 'https://trace.example.com']);

  assert.equal(run.code, 2);
  assert.match(run.stderr, /--depth is for the hub of the settings/);
});

test('a hub at an address verifies over its public explorer', async () => {
  await using hub = await boot();
  await postEvents(hub, 3);

  const run = await runCli(['verify', '--url', `${hub.base}/`, '--json']);

  assert.equal(run.code, 0);
  assert.deepEqual([run.json['blocks'], run.json['source']], [4, hub.base]);
});

interface ExplorerOptions {
  readonly blocks: readonly SealedBlock[];
  /** Blocks of one page at most, whatever is requested. */
  readonly pageMax?: number;
  readonly tipHash?: string;
  /** Answers before the explorer does, when it returns true. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

interface Explorer extends AsyncDisposable {
  readonly base: string;
  readonly paths: readonly string[];
}

/** The two endpoints that a verification reads, over given blocks. */
async function startExplorer(options: ExplorerOptions): Promise<Explorer> {
  const { blocks } = options;
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (options.before?.(request, response) === true) return;
    const url = new URL(request.url ?? '', 'http://explorer');
    const end = Number(url.searchParams.get('before'));
    const limit = Math.min(Number(url.searchParams.get('limit')), options.pageMax ?? 200);
    const page = blocks.filter(({ height }) => height < end && height >= end - limit).reverse();
    const tip = blocks.at(-1)!;
    const stats = { height: tip.height, tip_hash: options.tipHash ?? tip.blockHash };
    const listed = page.map((block) => ({ ...block, block_hash: block.blockHash }));
    response.end(JSON.stringify(url.pathname.endsWith('/blocks') ? { blocks: listed } : { stats }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}`,
    paths,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

test('a long chain is read page by page, lowest first, and never twice', async () => {
  await using explorer = await startExplorer({ blocks: aChain(450) });

  const run = await runCli(['verify', '--url', explorer.base, '--json']);

  assert.equal(run.code, 0);
  assert.equal(run.json['blocks'], 450);
  assert.deepEqual(
    explorer.paths.map((path) => new URL(path, explorer.base).searchParams.get('before')),
    [null, '200', '400', '450'],
  );
});

test('pages that a hub cuts short because their blocks are large are read whole', async () => {
  await using explorer = await startExplorer({ blocks: aChain(90), pageMax: 7 });

  const run = await runCli(['verify', '--url', explorer.base, '--json']);

  assert.deepEqual([run.code, run.json['blocks']], [0, 90]);
});

test('a hub that limits the rate is asked again after the seconds it names', async () => {
  let refusals = 0;
  await using explorer = await startExplorer({
    blocks: aChain(5),
    before: (_request, response) => {
      refusals += 1;
      if (refusals !== 2) return false;
      response.writeHead(429, { 'Retry-After': '1' }).end('{"detail":"Rate limit exceeded"}');
      return true;
    },
  });

  const run = await runCli(['verify', '--url', explorer.base]);

  assert.equal(run.code, 0);
  assert.match(run.stderr, /waiting 1 second: the hub answers no faster/);
});

test('a hub whose explorer shows a changed block ends with 1 at its height', async () => {
  const blocks = aChain(300).map((block) =>
    block.height === 207
      ? { ...block, canonical: block.canonical.replace('RECEIVE', 'DISPOSE') }
      : block,
  );
  await using explorer = await startExplorer({ blocks });

  const run = await runCli(['verify', '--url', explorer.base, '--json']);

  assert.equal(run.code, 1);
  assert.deepEqual([run.json['first_bad_height'], run.json['blocks']], [207, 207]);
});

test('a hub whose tip is not the last block of its explorer ends with 1', async () => {
  await using explorer = await startExplorer({ blocks: aChain(3), tipHash: 'f'.repeat(64) });

  const run = await runCli(['verify', '--url', explorer.base]);

  assert.equal(run.code, 1);
  assert.match(run.stdout, /checkpoint_mismatch/);
});

for (const [name, body] of [
  ['a page that is no JSON', '<html>'],
  ['another JSON', '{"stats":{}}'],
]) {
  test(`an address that answers ${name} is not taken for a hub`, async () => {
    await using explorer = await startExplorer({
      blocks: aChain(1),
      before: (_request, response) => response.end(body) !== undefined,
    });

    const run = await runCli(['verify', '--url', explorer.base]);

    assert.equal(run.code, 1);
    assert.match(run.stderr, /is this the address of a hub\?/);
  });
}

test('an address where nobody listens is reported as such', async () => {
  const gone = await startExplorer({ blocks: aChain(1) });
  await gone[Symbol.asyncDispose]();

  const run = await runCli(['verify', '--url', gone.base]);

  assert.equal(run.code, 1);
  assert.match(run.stderr, /ECONNREFUSED.*; is the hub running, and is the address right\?/s);
});

test('an export holds the stored texts, a line each, and verifies', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await postEvents(hub, 3);
  const file = folder.file('chain.jsonl');

  const exported = await runCli(['export', file, '--json'], hub.database.env);
  const verified = await runCli(['verify', '--file', file, '--json']);

  assert.deepEqual([exported.code, exported.json['blocks']], [0, 4]);
  assert.deepEqual([verified.code, verified.json['blocks']], [0, 4]);
  const [, second = ''] = (await readFile(file, 'utf8')).split('\n');
  const block = await hub.call('/public/explorer/block/1');
  assert.equal(second, toText(block.json['canonical']));
});

test('an export to standard output is the same as one to a file', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await postEvents(hub, 2);
  const file = folder.file('chain.jsonl');

  const printed = await runCli(['export'], hub.database.env);
  await runCli(['export', file], hub.database.env);

  assert.equal(printed.code, 0);
  assert.equal(printed.stdout, await readFile(file, 'utf8'));
});

test('an export never replaces a file unless it is asked to', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  const file = folder.file('chain.jsonl');
  await writeFile(file, 'mine');

  const refused = await runCli(['export', file], hub.database.env);
  const kept = await readFile(file, 'utf8');
  const forced = await runCli(['export', file, '--force'], hub.database.env);

  assert.deepEqual([refused.code, kept, forced.code], [2, 'mine', 0]);
  assert.match(refused.stderr, /there is such a file; give another name, or --force/);
});

test('an export of a broken chain is whole, says where it breaks and ends with 1', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await postEvents(hub, 3);
  await tamper(
    hub.database,
    "update blocks set canonical = replace(canonical, 'PO-1', 'PO-9') where height = 2",
  );
  const file = folder.file('chain.jsonl');

  const run = await runCli(['export', file, '--json'], hub.database.env);

  assert.equal(run.code, 1);
  assert.equal(run.json['first_bad_height'], 2);
  assert.match(await readFile(file, 'utf8'), /PO-9/);
});

test('part of a chain verifies from where it begins, and says that no more is proven', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await postEvents(hub, 4);
  const file = folder.file('part.jsonl');

  await runCli(['export', file, '--from', '2', '--to', '3'], hub.database.env);
  const run = await runCli(['verify', '--file', file]);

  assert.equal(run.code, 0);
  assert.match(run.stdout, /2 blocks, height 2 to 3/);
  assert.match(run.stdout, /nothing is proven of what came before/);
});

for (const range of [
  ['--from', '3'],
  ['--from', '2', '--to', '1'],
]) {
  test(`a range outside the chain is refused: ${range.join(' ')}`, async () => {
    await using hub = await boot();
    await postEvents(hub, 2);

    const run = await runCli(['export', ...range], hub.database.env);

    assert.equal(run.code, 2);
    assert.match(run.stderr, /the chain has height 0 to 2; give --from and --to within it/);
  });
}

function formatExport(blocks: readonly SealedBlock[]): string {
  return blocks.map(({ canonical }) => `${canonical}\n`).join('');
}

test('line separators of Unicode inside a text do not divide it', async () => {
  await using folder = await testFolder();
  const file = folder.file('chain.jsonl');
  await writeFile(file, formatExport(aChain(3, 'a\u2028b\u2029c\u0085d')));

  const run = await runCli(['verify', '--file', file, '--json']);

  assert.deepEqual([run.code, run.json['blocks']], [0, 3]);
});

test('blocks longer than what is read at once are put together again', async () => {
  await using folder = await testFolder();
  const file = folder.file('chain.jsonl');
  await writeFile(file, formatExport(aChain(4, 'ä'.repeat(1_300_000))));

  const run = await runCli(['verify', '--file', file, '--json']);

  assert.deepEqual([run.code, run.json['blocks']], [0, 4]);
});

const BROKEN_FILES: readonly (readonly [
  string,
  (lines: string[]) => string | Buffer,
  string,
  number,
])[] = [
  [
    'with a changed text',
    (l) => l.join('\n').replace('"height":2,', '"height":2 ,'),
    'not_canonical',
    2,
  ],
  ['without one of its lines', (l) => l.toSpliced(2, 1).join('\n'), 'height_mismatch', 2],
  ['with an empty line', (l) => l.toSpliced(2, 0, '').join('\n'), 'not_json', 2],
  ['with Windows line ends', (l) => l.join('\r\n'), 'not_canonical', 0],
  ['with a mark at its beginning', (l) => `\ufeff${l.join('\n')}`, 'not_json', 0],
  ['without any line', () => '', 'height_gap', 0],
  [
    'that is not UTF-8',
    (l) => Buffer.from(l.join('\n').replace('Lothub', 'L\u00f6thub'), 'latin1'),
    'not_json',
    0,
  ],
];

for (const [name, breakFile, code, height] of BROKEN_FILES) {
  test(`a file ${name} does not verify: ${code} at ${height}`, async () => {
    await using folder = await testFolder();
    const file = folder.file('chain.jsonl');
    await writeFile(file, breakFile(aChain(5).map(({ canonical }) => canonical)));

    const run = await runCli(['verify', '--file', file, '--json']);

    assert.equal(run.code, 1);
    assert.deepEqual(
      [run.json['first_bad_height'], run.json['mismatches']?.['0']?.['code']],
      [height, code],
    );
  });
}

test('a chain made anew from its beginning verifies, and not against an earlier checkpoint', async () => {
  await using folder = await testFolder();
  const file = folder.file('chain.jsonl');
  const noted = aChain(5, 'true')[3]!;
  await writeFile(file, formatExport(aChain(5, 'false')));
  const checkpoint = `3:${noted.blockHash}`;

  const alone = await runCli(['verify', '--file', file]);
  const against = await runCli(['verify', '--file', file, '--checkpoint', checkpoint]);

  assert.equal(alone.code, 0);
  assert.equal(against.code, 1);
  assert.match(against.stdout, /^3 +checkpoint_mismatch /m);
});

test('a chain whose tail was cut off does not hold a checkpoint of it', async () => {
  await using folder = await testFolder();
  const file = folder.file('chain.jsonl');
  const blocks = aChain(5);
  await writeFile(file, formatExport(blocks.slice(0, 3)));

  const run = await runCli(['verify', '--file', file, '--checkpoint', `4:${blocks[4]!.blockHash}`]);

  assert.equal(run.code, 1);
  assert.match(run.stdout, /^3 +checkpoint_missing /m);
});

test('a file that is not there ends with 2', async () => {
  await using folder = await testFolder();

  const run = await runCli(['verify', '--file', folder.file('gone')]);

  assert.equal(run.code, 2);
  assert.match(run.stderr, /reading .*gone: ENOENT/);
});
