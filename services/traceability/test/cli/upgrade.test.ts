// The first start of a newer version on the ledger of an older one: what the process answers meanwhile, and
// how it ends when it is stopped or when the upgrade fails.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@lothub/kit/test/free-port';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { testAboveEngines } from '@lothub/kit/test/above-engines';
import type { TestFolder } from '@lothub/kit/test/cli-run';
import { holdStatement, type HeldStatement } from '@lothub/kit/test/held-statement-names';
import { logKeyFile } from '../../src/ledger/log/log-key.ts';
import { DERIVED_VERSION } from '../../src/ledger/rows-of-blocks.ts';
import { ADMIN_KEY, TENANT_KEY, anEvent, valueAt } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { makeStoredLedger, tamperWith, type StoredLedger } from '../tampering/database.ts';
import { TIP_HEIGHT } from '../tampering/ledger.ts';
import { awaitEnd, startCli, testFolder } from './run.ts';

/** For each slice of blocks whose rows are made anew, before any of them is. */
const REBUILDING = 'delete from import_keys';
/** The first statement behind the schema files: the upgrade has begun, and no row is made anew yet. */
const SCHEMA_IS_NEWER = 'select derived_version';
const POLL_MS = 50;

const ledger = await openForFile(makeStoredLedger());

async function olderLedger(): Promise<StoredLedger> {
  const copy = await ledger.copy();
  await tamperWith(copy, 'update head set derived_version = 1; delete from lot_quantities');
  return copy;
}

interface Started extends AsyncDisposable {
  readonly child: ReturnType<typeof startCli>;
  readonly ended: Promise<number | string>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  ask(path: string, init?: RequestInit): Promise<Asked>;
  /** Until it takes events. */
  untilReady(): Promise<void>;
}

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

async function start(
  place: StoredLedger,
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const port = await freePort();
  const child = startCli(['serve'], {
    PORT: String(port),
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
    TENANT_API_KEY: TENANT_KEY,
    ADMIN_API_KEY: ADMIN_KEY,
    ...env,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const ended = awaitEnd(child);
  const ask = async (path: string, init: RequestInit = {}): Promise<Asked> => {
    // A connection that is kept may be closed in the very moment in which it is used again.
    const headers = { Connection: 'close', ...init.headers };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const json: unknown = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  };
  return {
    child,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    ask,
    untilReady: async () => {
      // What it writes may come while it is asked, and nothing after that.
      while ((await ask('/ready')).status !== 200) await sleep(POLL_MS);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function postEvent(started: Started, id = 'after-the-upgrade'): Promise<Asked> {
  return post(started, '/v1/events', anEvent({ external_id: id }));
}

function post(started: Started, path: string, body: unknown): Promise<Asked> {
  return started.ask(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Api-Key': TENANT_KEY,
      'X-Tenant-Id': 'acme',
    },
    body: JSON.stringify(body),
  });
}

async function derivedVersion(place: StoredLedger): Promise<number> {
  await using tampering = await place.tampering();
  const [head] = await tampering.all('select derived_version from head');
  return Number(head?.['derived_version']);
}

describe('a hub that is being upgraded', () => {
  let copy: StoredLedger;
  let folder: TestFolder;
  let held: HeldStatement;
  let started: Started;
  before(async () => {
    copy = await olderLedger();
    folder = await testFolder();
    held = await holdStatement(folder.file('held'), REBUILDING);
    started = await start(copy, held.env);
    await held.reached();
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
    await copy[Symbol.asyncDispose]();
  });

  test('a hub that is being upgraded says how far it is, and is not ready', async () => {
    const health = await started.ask('/health');
    const ready = await started.ask('/ready');

    assert.equal(health.status, 200);
    assert.equal(valueAt(health.json, 'status'), 'upgrading');
    assert.equal(valueAt(health.json, 'percent'), 0);
    assert.equal(ready.status, 503);
    assert.equal(valueAt(ready.json, 'ready'), false);
    assert.match(started.stderr(), /^Upgrading: rows that an older version derived are made anew/m);
    assert.doesNotMatch(started.stdout(), /is listening on/);
  });

  test('while it is upgraded, a hub answers what no derived row is read for', async () => {
    const page = await started.ask('/public/explorer/blocks?limit=200');
    const text = await started.ask('/explorer/block/1/canonical.txt');
    const guide = await started.ask('/api-docs');

    const blocks = valueAt(page.json, 'blocks') as readonly { readonly height: number }[];
    assert.deepEqual([page.status, text.status, guide.status], [200, 200, 200]);
    assert.equal(blocks.length, TIP_HEIGHT + 1);
    assert.equal(page.headers.get('access-control-allow-origin'), '*');
    assert.match(text.text, /^\{"height":1,/);
  });

  test('while it is upgraded, a hub refuses everything else for now', async () => {
    const headers = { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'acme' };
    const requests: readonly (readonly [string, RequestInit])[] = [
      ['/public/verify/FLOUR-1', {}],
      ['/public/explorer/blocks?brand=acme', {}],
      ['/public/explorer/blocks?event_type=HOLD', {}],
      ['/public/explorer/block/1', {}],
      ['/explorer', {}],
      ['/v1/lots', { headers }],
      ['/v1/events', { method: 'POST', headers, body: '{}' }],
      ['/nothing', {}],
    ];

    const answers = await Promise.all(requests.map(([path, init]) => started.ask(path, init)));

    for (const { status, headers: sent, json } of answers) {
      assert.equal(status, 503);
      assert.equal(sent.get('retry-after'), '5');
      assert.match(String(valueAt(json, 'detail')), /upgrade/);
    }
  });

  test('after its upgrade a hub says where it listens, is ready and takes events', async () => {
    await held.release();
    await started.untilReady();
    const health = await started.ask('/health');
    const posted = await postEvent(started);

    assert.equal(valueAt(health.json, 'status'), 'ok');
    assert.equal(posted.status, 201);
    assert.equal(await derivedVersion(copy), DERIVED_VERSION);
  });
});

testInLongRun('a signal ends an upgrade in order, and the next start begins it again', async () => {
  await using copy = await olderLedger();
  await using folder = await testFolder();
  const held = await holdStatement(folder.file('held'), REBUILDING);
  await using stopped = await start(copy, held.env);
  await held.reached();

  stopped.child.kill('SIGTERM');
  const code = await stopped.ended;
  const versionAfterStop = await derivedVersion(copy);
  await using again = await start(copy);
  await once(again.child.stdout, 'data');
  await again.untilReady();

  assert.equal(code, 0);
  assert.equal(versionAfterStop, 1);
  assert.equal(await derivedVersion(copy), DERIVED_VERSION);
});

testAboveEngines('an upgrade that fails ends the process with 1 and says why', async () => {
  await using copy = await olderLedger();
  await tamperWith(copy, "update blocks set canonical = canonical || ' ' where height = 6");

  await using started = await start(copy);
  const code = await started.ended;

  assert.equal(code, 1);
  assert.match(
    started.stderr(),
    /^lothub: .*upgrading the derived rows: .*hash_mismatch at block 6/m,
  );
  assert.equal(await derivedVersion(copy), 1);
});

if (testEngine === 'postgres') {
  test('another process says that one upgrades the database, and is ready after it', async () => {
    await using copy = await olderLedger();
    await using folder = await testFolder();
    const held = await holdStatement(folder.file('held'), REBUILDING);
    await using first = await start(copy, held.env);
    await held.reached();
    await using second = await start(
      { ...copy, dataDir: folder.file('second') },
      { LOG_KEY_FILE: logKeyFile(copy.dataDir) },
    );
    while (!second.stderr().includes('Upgrading')) await once(second.child.stderr, 'data');

    const health = await second.ask('/health');
    const blocks = await second.ask('/public/explorer/blocks');
    await held.release();
    await Promise.all([first.untilReady(), second.untilReady()]);

    assert.equal(health.status, 200);
    assert.equal(valueAt(health.json, 'status'), 'upgrading');
    assert.equal(valueAt(health.json, 'percent'), null);
    assert.equal(blocks.status, 200);
    assert.equal((await postEvent(second)).status, 201);
  });

  testInLongRun('a process of an older version writes nothing once an upgrade begins', async () => {
    await using copy = await ledger.copy();
    await using folder = await testFolder();
    // As a hub is whose older version asks nothing of sessions.
    await tamperWith(copy, 'drop function refuse_older_programs cascade');
    await using older = await start(copy, {
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('older-program.ts', import.meta.url))}`,
    });
    await once(older.child.stdout, 'data');
    await older.untilReady();
    const before = await postEvent(older, 'before-the-upgrade');
    await tamperWith(copy, "delete from schema_versions where name = '0042-older-programs.sql'");
    const held = await holdStatement(folder.file('held'), SCHEMA_IS_NEWER);
    await using newer = await start(
      { ...copy, dataDir: folder.file('newer') },
      { ...held.env, LOG_KEY_FILE: logKeyFile(copy.dataDir) },
    );
    await held.reached();
    const stored = await rowsOfWrites(copy);

    const refused = await Promise.all([
      postEvent(older, 'while-it-is-upgraded'),
      post(older, '/v1/recall/cases', {
        ...{ seed_lot_code: 'FLOUR-1', title: 'Metal', reason: 'A sieve broke', opened_by: 'Ada' },
      }),
      post(older, '/v1/lots/FLOUR-1/hold', { reason: 'A look', by: 'Ada' }),
    ]);
    const storedBeside = await rowsOfWrites(copy);
    await held.release();
    await newer.untilReady();
    const after = await postEvent(newer);

    assert.equal(before.status, 201);
    assert.deepEqual(
      refused.map(({ status }) => status),
      [500, 500, 500],
    );
    assert.match(older.stdout(), /another process has brought the database to a newer version/);
    assert.deepEqual(storedBeside, stored);
    assert.equal(after.status, 201);
    assert.equal((await postEvent(older, 'after-it')).status, 500);
    assert.equal(await derivedVersion(copy), DERIVED_VERSION);
  });
}

/** How many rows there are in each table that a process of an older version could write. */
async function rowsOfWrites(place: StoredLedger): Promise<readonly unknown[]> {
  await using tampering = await place.tampering();
  return await tampering.all(`
    select
      (select count(*) from blocks) as blocks,
      (select count(*) from recall_cases) as cases,
      (select count(*) from lot_holds) as holds,
      (select count(*) from api_keys) as keys,
      (select count(*) from audit_entries) as entries`);
}
