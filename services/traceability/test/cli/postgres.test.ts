// The command line over a hub on PostgreSQL: where it says the hub is, what it does not do there, and
// that the password of the address is printed nowhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { anEvent, boot, TENANT_KEY, ADMIN_KEY, type Booted } from '../boot.ts';
import { runCli, serveCli, testFolder, type CliRun } from './run.ts';
import { newTestDatabase } from '../engine.ts';
import { tamper } from '../ledger.ts';
import { makeStoredLedger, type StoredLedger } from '../tampering/database.ts';
import { freePort } from '@lothub/kit/test/free-port';

const GIVEN_KEYS = { TENANT_API_KEY: TENANT_KEY, ADMIN_API_KEY: ADMIN_KEY };
/** As it is in an address, and as a server takes it. */
const WRONG = { encoded: 'wr%40ng-s3cret', plain: 'wr@ng-s3cret' };

const COMMANDS: readonly (readonly string[])[] = [
  ['verify'],
  ['verify', '--accept-tip'],
  ['keys', 'list'],
  ['keys', 'issue', '--role', 'tenant', '--label', 'x', '--any-tenant'],
  ['export'],
  ['rebuild'],
  ['demo'],
  ['serve'],
];

const ledger = await openForFile(makeStoredLedger());

function buildEnv({ dataDir, databaseUrl = '' }: StoredLedger): Record<string, string> {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
}

function readPassword(url: string): string {
  return new URL(url).password;
}

function changed(url: string, change: (address: URL) => void): string {
  const address = new URL(url);
  change(address);
  return address.href;
}

function assertSecret(run: Pick<CliRun, 'stdout' | 'stderr'>, ...secrets: readonly string[]): void {
  for (const secret of secrets) {
    assert.equal(`${run.stdout}${run.stderr}`.includes(secret), false, run.stderr);
  }
}

for (const args of COMMANDS) {
  const command = args.join(' ');

  test(`${command} with a wrong password says where and what to do, and no password`, async () => {
    const url = changed(ledger.databaseUrl ?? '', (address) => {
      address.password = WRONG.encoded;
    });

    const run = await runCli(args, { ...buildEnv(ledger), DATABASE_URL: url, PORT: '0' });

    assert.equal(run.code, 1, run.stderr);
    assert.match(
      run.stderr,
      /PostgreSQL database \w+ at 127\.0\.0\.1:\d+: .*password authentication/,
    );
    assert.match(run.stderr, /DATABASE_URL/);
    assertSecret(run, WRONG.encoded, WRONG.plain);
  });

  test(`${command} without a server says so and why, and no password`, async () => {
    const port = await freePort();
    const url = changed(ledger.databaseUrl ?? '', (address) => {
      address.port = String(port);
    });

    const run = await runCli(args, { ...buildEnv(ledger), DATABASE_URL: url, PORT: '0' });

    assert.equal(run.code, 1, run.stderr);
    assert.match(run.stderr, new RegExp(`at 127\\.0\\.0\\.1:${port}: connecting: no connection`));
    assert.match(run.stderr, /ECONNREFUSED/);
    assertSecret(run, readPassword(url));
  });
}

test('a server that is not fit says what to do, and not to look whether it runs', async () => {
  await using server = await newTestDatabase();
  await server.change(
    "insert into schema_versions (service, version, name) values ('traceability', 9999, 'later')",
  );

  const run = await runCli(['serve'], { ...server.env, PORT: '0' });

  assert.equal(run.code, 1, run.stderr);
  assert.match(run.stderr, /run the newer program, or restore a backup made before the upgrade\n$/);
});

for (const args of COMMANDS.filter(([name]) => name !== 'serve' && name !== 'demo')) {
  test(`${args.join(' ')} on a database without a hub says that there is none`, async () => {
    await using server = await newTestDatabase();
    await server.change('delete from schema_versions');

    const run = await runCli(args, server.env);

    assert.equal(run.code, 2, run.stderr);
    assert.match(run.stderr, /there is none; set DATABASE_URL to the database of a hub/);
  });
}

test('an address that is none is refused without being printed', async () => {
  const url = 'mysql://root:s3cret@127.0.0.1/hub';

  const run = await runCli(['verify'], { ...buildEnv(ledger), DATABASE_URL: url });

  assert.equal(run.code, 2);
  assert.match(run.stderr, /DATABASE_URL is not usable/);
  assertSecret(run, 's3cret', url);
});

test('serve names the database, without what opens it', async () => {
  await using hub = await newTestDatabase();

  await using served = await serveCli({ ...hub.env, ...GIVEN_KEYS });

  const { hostname, port, pathname } = new URL(hub.databaseUrl ?? '');
  const place = `PostgreSQL database ${pathname.slice(1)} at ${hostname}:${port}`;
  assert.match(served.stdout(), new RegExp(`^Database: ${place}$`, 'm'));
  assertSecret({ stdout: served.stdout(), stderr: '' }, readPassword(hub.databaseUrl ?? ''));
});

test('two services run over one database, also with one data directory', async () => {
  await using hub = await newTestDatabase();
  await using one = await serveCli({ ...hub.env, ...GIVEN_KEYS });
  await using other = await serveCli({ ...hub.env, ...GIVEN_KEYS });

  const answers = await Promise.all(
    [one, other].map(({ base }) => fetch(`${base}/public/explorer`)),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
});

test('backup leaves it to the tools of the server and says where that is described', async () => {
  await using folder = await testFolder();

  const run = await runCli(['backup', folder.file('hub.db')], buildEnv(ledger));

  assert.equal(run.code, 2);
  assert.match(run.stderr, /pg_dump.*docs\/operating\.md/);
});

/** Of one event; what the small ledger's cases hold comes from no trace, which `verify` finds. */
async function soundHub(): Promise<Booted> {
  const hub = await boot();
  await hub.post('/v1/events', anEvent({ reference: 'PO-1' }));
  await hub.service.close();
  return hub;
}

test('verify names the database it has verified', async () => {
  await using hub = await soundHub();

  const run = await runCli(['verify', '--json'], hub.database.env);

  assert.equal(run.code, 0, run.stdout);
  assert.match(String(run.json['source']), /^PostgreSQL database \w+ at 127\.0\.0\.1:\d+$/);
  assert.equal(run.json['blocks'], 2);
});

test('rebuild repairs rows that verify finds wrong', async () => {
  await using hub = await soundHub();
  await tamper(hub.database, "update lines set quantity = '999' where height = 1");
  const broken = await runCli(['verify'], hub.database.env);

  const rebuilt = await runCli(['rebuild'], hub.database.env);

  const verified = await runCli(['verify'], hub.database.env);
  assert.deepEqual([broken.code, rebuilt.code, verified.code], [1, 0, 0], verified.stdout);
});

test('demo loads into a hub that a service runs over', async () => {
  await using hub = await boot();

  const run = await runCli(['demo'], { ...hub.database.env, TENANT_API_KEY: TENANT_KEY });

  assert.equal(run.code, 0, run.stderr);
  const stats = await hub.call('/public/explorer');
  assert.equal(stats.status, 200);
});
