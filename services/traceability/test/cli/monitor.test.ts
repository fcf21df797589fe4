// `lothub monitor`: follows the log of a running hub, and notices what an operator could do to it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseVkey } from '@lothub/chain/log';
import { logKeyFile } from '../../src/ledger/log/log-key.ts';
import { aLine, anEvent, boot, type Booted } from '../boot.ts';
import { BRAND, DECIDED, WATCHED, decideOnLots, getDecidedHeight } from '../log/decided.ts';
import { awaitEnd, runCli, startCli, testFolder, type CliRun } from './run.ts';

type Report = Readonly<Record<string, unknown>>;

/** Posts so many blocks in one group. */
async function grow(hub: Booted, count: number, lotCode = 'FLOUR-1'): Promise<void> {
  const events = Array.from({ length: count }, (_, index) =>
    anEvent({ reference: `PO-${index}`, lines: [aLine({ lot_code: lotCode })] }),
  );
  const answer = await hub.post('/v1/events/batch', { events });
  assert.equal(answer.status, 201, answer.text);
}

async function readVkey(hub: Booted): Promise<string> {
  return (await hub.call('/log/1/vkeys')).text.trim();
}

/** A second hub with the key and the origin of the first one: what a dishonest operator shows others. */
async function bootFork(hub: Booted): Promise<Booted> {
  return await boot({
    env: {
      LOG_ORIGIN: parseVkey(await readVkey(hub)).name,
      LOG_KEY_FILE: logKeyFile(hub.dataDir),
    },
  });
}

function listReports(run: CliRun): readonly Report[] {
  return run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Report);
}

function ofType(run: CliRun, type: string): readonly Report[] {
  return listReports(run).filter((report) => report['type'] === type);
}

interface Proxied {
  readonly base: string;
  readonly paths: readonly string[];
  [Symbol.dispose](): void;
}

/** Answers before the hub does, when it returns true. */
type Intercept = (path: string, response: ServerResponse, body: Buffer) => boolean;

async function startProxy(hub: Booted, intercept: Intercept): Promise<Proxied> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    void fetch(hub.base + path).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      if (!intercept(path, response, body)) response.writeHead(answer.status).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    base: `http://127.0.0.1:${address.port}`,
    paths,
    [Symbol.dispose]: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('a hub is read to its checkpoint, and from there in the next run', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await grow(hub, 300);
  const vkey = await readVkey(hub);
  const by = ['monitor', hub.base, '--vkey', vkey, '--state', folder.file('s'), '--once', '--json'];

  const first = await runCli(by);
  await grow(hub, 300);
  const second = await runCli(by);
  const third = await runCli(by);

  assert.deepEqual([first.code, second.code, third.code], [0, 0, 0], second.stdout + second.stderr);
  assert.partialDeepStrictEqual(first.json, {
    type: 'pass',
    source: hub.base,
    origin: parseVkey(vkey).name,
    size: 301,
    from_height: 0,
    blocks: 301,
    contents_not_judged: 0,
    findings: 0,
    signed_by: 'operator_only',
  });
  assert.partialDeepStrictEqual(second.json, { size: 601, from_height: 301, blocks: 300 });
  assert.partialDeepStrictEqual(third.json, { size: 601, from_height: 601, blocks: 0 });
});

test('a chain of several slices is read, and a lot that its last one names is reported', async () => {
  await using hub = await boot();
  for (let batch = 0; batch < 5; batch += 1) await grow(hub, 1_000);
  await grow(hub, 1, 'CAKE-9');

  const run = await runCli(['monitor', hub.base, '--once', '--json', '--lot', 'CAKE-9']);

  assert.equal(run.code, 0, run.stdout);
  assert.deepEqual(
    ofType(run, 'event').map(({ height }) => height),
    [5_001],
  );
  assert.partialDeepStrictEqual(ofType(run, 'pass'), [{ size: 5_002, blocks: 5_002, events: 1 }]);
});

test('new events of a watched lot and their corrections are reported once', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await hub.post('/v1/events', anEvent());
  await hub.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'SALT "7"' })] }));
  const by = ['monitor', hub.base, '--state', folder.file('state'), '--once', '--json'];
  const watching = [...by, '--lot', 'SALT "7"'];

  const first = await runCli(watching);
  for (const id of [1, 2]) {
    const corrected = await hub.post('/v1/corrections', {
      corrects_event_id: id,
      reason: 'wrong dock',
      requested_by: 'Ada',
      changes: [{ field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-2' }],
    });
    assert.equal(corrected.status, 201, corrected.text);
  }
  const second = await runCli(watching);
  const third = await runCli(watching);

  assert.partialDeepStrictEqual(ofType(first, 'event'), [
    {
      height: 2,
      brand: 'acme',
      kind: 'event',
      event_type: 'RECEIVE',
      lots: ['SALT "7"'],
      corrects: null,
    },
  ]);
  assert.partialDeepStrictEqual(ofType(second, 'event'), [
    { height: 4, kind: 'correction', event_type: null, lots: [], corrects: 2 },
  ]);
  assert.equal(ofType(second, 'event').length, 1);
  assert.deepEqual(ofType(third, 'event'), []);
});

test('a watched brand is reported with all of its events, and no other', async () => {
  await using hub = await boot();
  await hub.post('/v1/events', anEvent());
  await hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': 'other' });

  const run = await runCli(['monitor', hub.base, '--once', '--brand', 'other']);

  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /^Block 2: RECEIVE by other, recorded 20/m);
  assert.doesNotMatch(run.stdout, /^Block 1:/m);
  assert.match(run.stdout, /3 blocks, signed by the operator alone; 3 new blocks read, 1 watched/);
});

test('decisions are reported that name a watched lot, and all of a watched brand', async () => {
  await using hub = await boot();
  const { caseNo } = await decideOnLots(hub);
  const by = ['monitor', hub.base, '--once', '--json'];

  const ofLot = ofType(await runCli([...by, '--lot', WATCHED]), 'event');
  const ofBrand = ofType(await runCli([...by, '--brand', BRAND]), 'event');
  const inWords = await runCli(['monitor', hub.base, '--once', '--lot', WATCHED]);

  assert.partialDeepStrictEqual(ofLot, [
    { height: getDecidedHeight('PRODUCE of the watched lot'), kind: 'event', decision: null },
    {
      ...{
        height: getDecidedHeight('hold of the watched lot'),
        kind: 'decision',
        decision: 'hold',
      },
      ...{ brand: BRAND, lots: [WATCHED], event_type: null, case_no: null, corrects: null },
    },
    {
      ...{ height: getDecidedHeight('recall, disclosed'), kind: 'decision', decision: 'recall' },
      ...{ lots: [WATCHED], case_no: caseNo },
    },
  ]);
  assert.equal(ofLot.length, 3);
  assert.deepEqual(
    ofBrand.map(({ height, decision }) => [height, decision]),
    DECIDED.map((what, index) => {
      const [first = ''] = what.split(/[ ,]/);
      return [index + 1, first === first.toUpperCase() ? null : first];
    }),
  );
  assert.match(inWords.stdout, /^Block 3: hold by mill, lot LOAF-1, recorded 20/m);
  assert.match(inWords.stdout, new RegExp(`^Block 7: recall ${caseNo} by mill, lot LOAF-1`, 'm'));
});

test('without a key the one of the hub is trusted, said, and kept for the next run', async () => {
  await using hub = await boot();
  await using other = await boot({ env: { LOG_ORIGIN: parseVkey(await readVkey(hub)).name } });
  await using folder = await testFolder();
  const state = folder.file('state');

  const first = await runCli(['monitor', hub.base, '--state', state, '--once']);
  const second = await runCli(['monitor', hub.base, '--state', state, '--once', '--json']);
  const stranger = await runCli(['monitor', other.base, '--state', state, '--once', '--json']);

  assert.deepEqual([first.code, second.code, stranger.code], [0, 0, 1]);
  assert.ok(first.stdout.startsWith(`Trusted on first use: ${await readVkey(hub)}\n`));
  assert.deepEqual(ofType(second, 'trusted_on_first_use'), []);
  assert.partialDeepStrictEqual(stranger.json, { type: 'finding', code: 'bad_signature' });
});

test('a text that is not the one of its entry is reported with its height, and the rest is read', async () => {
  await using hub = await boot();
  await grow(hub, 300);
  using proxy = await startProxy(hub, (path, response, body) => {
    if (!path.startsWith('/log/1/blocks/001')) return false;
    response.end(body.toString('utf8').replace('"PO-290"', '"PO-291"'));
    return true;
  });

  const run = await runCli(['monitor', proxy.base, '--once', '--json', '--brand', 'acme']);

  assert.equal(run.code, 1);
  assert.partialDeepStrictEqual(ofType(run, 'finding'), [{ code: 'text_differs', height: 291 }]);
  assert.equal(ofType(run, 'event').length, 299);
  assert.partialDeepStrictEqual(ofType(run, 'pass'), [{ blocks: 301, findings: 1 }]);
});

test('newest blocks that were read are compared again in each pass, and reported once', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await grow(hub, 300);
  let isChanged = false;
  using proxy = await startProxy(hub, (path, response, body) => {
    if (!isChanged || !path.startsWith('/log/1/blocks/')) return false;
    response.end(body.toString('utf8').replace('"PO-290"', '"PO-291"'));
    return true;
  });
  const state = ['--state', folder.file('state'), '--brand', 'acme'];
  const by = ['monitor', proxy.base, ...state, '--once', '--json'];

  const before = await runCli(by);
  const again = await runCli(by);
  isChanged = true;
  const after = await runCli(by);

  assert.deepEqual([before.code, again.code, after.code], [0, 0, 1]);
  assert.deepEqual(
    [before, again, after].map((run) => ofType(run, 'event').length),
    [300, 0, 0],
  );
  assert.partialDeepStrictEqual(ofType(after, 'finding'), [{ code: 'text_differs', height: 291 }]);
});

test('a withheld text is reported, and blocks after it verify', async () => {
  await using hub = await boot();
  await grow(hub, 5);
  using proxy = await startProxy(hub, (path, response, body) => {
    if (!path.startsWith('/log/1/blocks/')) return false;
    const lines = body.toString('utf8').split('\n');
    response.end(lines.with(3, '{"withheld":3}').join('\n'));
    return true;
  });

  const run = await runCli(['monitor', proxy.base, '--once', '--json']);

  assert.equal(run.code, 0, run.stdout);
  assert.deepEqual(ofType(run, 'text_withheld'), [{ type: 'text_withheld', height: 3 }]);
  assert.partialDeepStrictEqual(ofType(run, 'pass'), [{ blocks: 6, withheld: 1, findings: 0 }]);
});

test('texts that are left out are reported', async () => {
  await using hub = await boot();
  await grow(hub, 5);
  using proxy = await startProxy(hub, (path, response, body) => {
    if (!path.startsWith('/log/1/blocks/')) return false;
    response.end(body.toString('utf8').split('\n').slice(0, 4).join('\n'));
    return true;
  });

  const run = await runCli(['monitor', proxy.base, '--once', '--json']);

  assert.equal(run.code, 1);
  assert.partialDeepStrictEqual(ofType(run, 'finding'), [{ code: 'text_missing', height: 4 }]);
});

test('entries that were not signed are reported, and nothing of them is believed', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  const state = folder.file('state');
  await grow(hub, 300);
  using proxy = await startProxy(hub, (path, response, body) => {
    if (!path.startsWith('/log/1/tile/entries/001')) return false;
    body.writeUInt8(body.readUInt8(100) ^ 1, 100);
    response.end(body);
    return true;
  });
  const by = ['--state', state, '--once', '--json', '--brand', 'acme'];

  const run = await runCli(['monitor', proxy.base, ...by]);
  const after = await runCli(['monitor', hub.base, ...by]);

  assert.equal(run.code, 1);
  assert.partialDeepStrictEqual(ofType(run, 'finding'), [{ code: 'entries_differ', height: 0 }]);
  assert.deepEqual(ofType(run, 'event'), []);
  assert.equal(after.code, 0, after.stdout);
  assert.equal(ofType(after, 'event').length, 300);
});

test('a log that lost blocks is rolled back: both checkpoints are printed, and the kept one stays', async () => {
  await using hub = await boot();
  await using older = await bootFork(hub);
  await using folder = await testFolder();
  const state = folder.file('state');
  await grow(hub, 20);
  await grow(older, 5);
  const by = ['--vkey', await readVkey(hub), '--state', state];
  await runCli(['monitor', hub.base, ...by, '--once']);
  const kept = await readFile(state, 'utf8');

  // Not --once: a contradiction ends a monitor that continues, too.
  const run = await runCli(['monitor', older.base, ...by]);

  assert.equal(run.code, 1);
  assert.match(run.stdout, /^WRONG \(rolled_back\): /m);
  for (const shown of [hub, older]) {
    assert.ok(run.stdout.includes((await shown.call('/log/1/checkpoint')).text));
  }
  assert.equal(await readFile(state, 'utf8'), kept);
});

test('an older checkpoint that is shown for a moment is no rollback', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  const older = (await hub.call('/log/1/checkpoint')).text;
  await grow(hub, 5);
  let isOlder = false;
  using proxy = await startProxy(hub, (path, response) => {
    if (!isOlder || path !== '/log/1/checkpoint') return false;
    isOlder = false;
    response.end(older);
    return true;
  });
  const by = ['monitor', proxy.base, '--state', folder.file('state'), '--once', '--json'];
  await runCli(by);

  isOlder = true;
  const run = await runCli(by);

  assert.equal(run.code, 0, run.stdout);
  assert.equal(isOlder, false);
});

test('a fork is a split view, at the same size and at a larger one', async () => {
  await using hub = await boot();
  await using fork = await bootFork(hub);
  await using folder = await testFolder();
  await grow(hub, 20);
  await grow(fork, 20);
  const by = ['--vkey', await readVkey(hub), '--state', folder.file('state'), '--once', '--json'];
  await runCli(['monitor', hub.base, ...by]);

  const same = await runCli(['monitor', fork.base, ...by]);
  await grow(fork, 300);
  const larger = await runCli(['monitor', fork.base, ...by]);

  const kept = (await hub.call('/log/1/checkpoint')).text;
  assert.deepEqual([same.code, larger.code], [1, 1]);
  for (const run of [same, larger]) {
    assert.partialDeepStrictEqual(run.json, { code: 'split_view', contradiction: { kept } });
  }
});

test('a hub that asks to wait is waited for', async () => {
  await using hub = await boot();
  await grow(hub, 5);
  let isBusy = true;
  using proxy = await startProxy(hub, (path, response) => {
    if (!isBusy || !path.startsWith('/log/1/blocks/')) return false;
    isBusy = false;
    response.writeHead(429, { 'Retry-After': '1' }).end('{}');
    return true;
  });

  const run = await runCli(['monitor', proxy.base, '--once', '--json']);

  assert.equal(run.code, 0, run.stderr);
  assert.equal(proxy.paths.filter((path) => path.startsWith('/log/1/blocks/')).length, 2);
  assert.match(run.stderr, /waiting when http.* asks for it/);
});

test('a monitor that goes on reports growth, a hub that is away, and ends with 0 at a signal', async () => {
  await using hub = await boot();
  let isAway = false;
  using proxy = await startProxy(hub, (_path, response) => {
    if (isAway) response.writeHead(404).end('{}');
    return isAway;
  });
  const child = startCli(
    ['monitor', proxy.base, '--interval', '1', '--json', '--brand', 'acme'],
    {},
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const ended = awaitEnd(child);
  const heard = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(output)) {
      assert.equal(child.exitCode, null, output);
      await wait(20);
    }
  };

  await heard(/"type":"pass".*"size":1,/);
  await hub.post('/v1/events', anEvent());
  await heard(/"type":"event","height":1,/);
  isAway = true;
  await heard(/"type":"not_read","code":"hub_refused"/);
  child.kill('SIGTERM');

  assert.equal(await ended, 0);
});

test('what cannot be understood or read ends with 2', async () => {
  await using folder = await testFolder();
  const vkey = 'example.com/hub/1+0fe55aaa+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4';
  const garbage = folder.file('garbage');
  await writeFile(garbage, '{"format":"lothub-kept/1"}');
  const url = 'http://127.0.0.1:9';

  for (const [args, expected] of [
    [[], /missing required argument/],
    [['trace.example.com'], /reading the address/],
    [[url, '--vkey', `${vkey}x`], /verifier key/],
    [[url, '--vkey', vkey, '--policy', garbage], /cannot be used with/],
    [[url, '--policy', folder.file('none'), '--once'], /ENOENT/],
    [[url, '--policy', garbage, '--once'], /Line 1 of the policy/],
    [[url, '--interval', '0'], /Give 1 to 86,400 seconds/],
    [[url, '--brand', ' '], /tenant id/],
    [[url, '--state', garbage], /not what a monitor keeps/],
  ] as const) {
    const run = await runCli(['monitor', ...args]);

    assert.equal(run.code, 2, args.join(' ') + run.stderr);
    assert.match(run.stderr, expected);
  }
});
