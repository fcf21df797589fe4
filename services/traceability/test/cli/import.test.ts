// `lothub import` against a hub that answers as the test wants: what it sends, and what it makes of
// each answer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { runCli, testFolder, type TestFolder } from './run.ts';

const KEY = 'test-tenant-key-0123456789abcdef';
const CSV = 'event_type;lot_code\r\nRECEIVE;"FLOUR, ""1"""\r\n';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface FakeHub extends AsyncDisposable {
  readonly base: string;
  /** Imports in the order they came. */
  readonly imports: readonly Received[];
}

interface FakeAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers imports one after the other with these; everything else with an empty list. */
async function fakeHub(...answers: readonly FakeAnswer[]): Promise<FakeHub> {
  const imports: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '';
      const body = (await buffer(request)).toString('utf8');
      const answer = answers[imports.length] ?? answers.at(-1)!;
      const isImport = path.startsWith('/v1/import/');
      if (isImport) imports.push({ path, headers: request.headers, body });
      if (request.headers['x-api-key'] !== KEY) {
        response.writeHead(401).end('{"detail":"Invalid API key"}');
      } else if (isImport) {
        response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.json));
      } else {
        response.end('{"events":[]}');
      }
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}`,
    imports,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const TAKEN: FakeAnswer = {
  status: 200,
  json: { rows: 3, events: 2, accepted: 1, duplicates: 1, rejected: 0, errors: [] },
};

async function csvIn(folder: TestFolder, text = CSV): Promise<string> {
  const file = folder.file('events.csv');
  await writeFile(file, text);
  return file;
}

test('the file arrives byte for byte in the field "file", with key and tenant', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli(args, { TENANT_API_KEY: KEY });

  assert.equal(run.code, 0);
  const [received] = hub.imports;
  const type = received?.headers['content-type'] ?? '';
  const form = await new Response(received?.body, { headers: { 'Content-Type': type } }).formData();
  const file = form.get('file');
  assert.ok(file instanceof File);
  assert.deepEqual([file.name, await file.text()], ['events.csv', CSV]);
  assert.equal(received?.headers['x-tenant-id'], 'bakery');
  assert.equal(received?.path, '/v1/import/csv');
});

test('options reach the hub as its own words', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  await runCli([...args, '--on-error', 'proceed', '--dry-run'], { TENANT_API_KEY: KEY });

  assert.equal(hub.imports[0]?.path, '/v1/import/csv?on_error=proceed&dry_run=true');
});

test('what is said about the form of the file reaches the hub', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const form = ['--encoding', 'windows-1252', '--delimiter', 'semicolon', '--decimal', 'comma'];
  const dates = ['--date-order', 'dmy', '--timezone', 'Europe/Berlin'];
  await runCli([...args, ...form, ...dates], { TENANT_API_KEY: KEY });

  assert.equal(
    hub.imports[0]?.path,
    '/v1/import/csv?encoding=windows-1252&delimiter=semicolon&decimal=comma&date_order=dmy' +
      '&timezone=Europe%2FBerlin',
  );
});

for (const [option, word] of [
  ['--timezone', 'Europe/Atlantis'],
  ['--decimal', 'dot'],
] as const) {
  test(`${option} ${word} is refused before anything is sent`, async () => {
    await using folder = await testFolder();
    await using hub = await fakeHub(TAKEN);

    const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
    const run = await runCli([...args, option, word], { TENANT_API_KEY: KEY });

    assert.notEqual(run.code, 0);
    assert.deepEqual(hub.imports, []);
  });
}

test('a workbook goes to the endpoint for workbooks, with the name of its sheet', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);
  const file = await csvIn(folder, 'PK\x03\x04 and more');

  const args = ['import', file, '--url', hub.base, '--tenant', 'bakery'];
  await runCli(args, { TENANT_API_KEY: KEY });
  await runCli([...args, '--sheet', 'March'], { TENANT_API_KEY: KEY });

  assert.deepEqual(
    hub.imports.map(({ path }) => path),
    ['/v1/import/xlsx', '/v1/import/xlsx?sheet=March'],
  );
});

test('a key in a file is used, whatever white space is around it', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);
  await writeFile(folder.file('key'), `${KEY}\n`);

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli([...args, '--key-file', folder.file('key')]);

  assert.equal(run.code, 0);
});

test('rows that were rejected are shown as a table, and end with 1', async () => {
  await using folder = await testFolder();
  const error = { row: 3, column: 'quantity', msg: 'Input should be a number', type: 'float_type' };
  const joined = {
    ...error,
    row: 4,
    column: 'unit',
    columns: ['unit', 'channel'],
    msg: 'Too long',
  };
  const counts = { rows: 3, events: 2, accepted: 1, duplicates: 0, rejected: 1 };
  const json = { ...counts, errors: [error, joined] };
  await using hub = await fakeHub({ status: 200, json });

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli([...args, '--on-error', 'proceed'], { TENANT_API_KEY: KEY });

  assert.equal(run.code, 1);
  assert.match(run.stdout, /^3 rows, 2 events: 1 accepted, 0 stored already, 1 rejected\.\n/);
  assert.match(run.stdout, /^row +column +reason\n3 +quantity +Input should be a number$/m);
  assert.match(run.stdout, /^4 +unit, channel +Too long$/m);
});

test('warnings are shown with their rows and blocks', async () => {
  await using folder = await testFolder();
  const rows = [
    { row: 2, block_height: 7 },
    { row: 9, block_height: null },
  ];
  const warnings = [{ code: 'no_offset', count: 3, rows }];
  await using hub = await fakeHub({ ...TAKEN, json: { ...(TAKEN.json as object), warnings } });

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const text = await runCli(args, { TENANT_API_KEY: KEY });
  const json = await runCli([...args, '--json'], { TENANT_API_KEY: KEY });

  assert.match(text.stdout, /no_offset +3 +2 \(block 7\), 9, …/);
  assert.deepEqual((JSON.parse(json.stdout) as { warnings: unknown }).warnings, warnings);
});

test('a file that was refused as a whole is shown in the same way', async () => {
  await using folder = await testFolder();
  const loc = ['body', 'file', 7, 'direction'];
  const detail = [{ loc, msg: 'Input should be in or out', type: 'enum' }];
  await using hub = await fakeHub({ status: 422, json: { detail } });

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const text = await runCli(args, { TENANT_API_KEY: KEY });
  const json = await runCli([...args, '--json'], { TENANT_API_KEY: KEY });

  assert.equal(text.code, 1);
  assert.match(text.stdout, /^Nothing was imported[^]*^7 +direction +Input should be in or out$/m);
  assert.deepEqual(json.json['errors'], [
    { row: '7', column: 'direction', reason: 'Input should be in or out', type: 'enum' },
  ]);
});

test('a sentence of the hub is shown when a rule is broken', async () => {
  await using folder = await testFolder();
  const detail = 'row 2: external_id is taken by another event';
  await using hub = await fakeHub({ status: 400, json: { detail } });

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli(args, { TENANT_API_KEY: KEY });

  assert.equal(run.code, 1);
  assert.ok(run.stdout.includes(detail));
});

test('a wrong key is reported before anything is sent', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli(args, { TENANT_API_KEY: 'another-key-0123456789abcdef' });

  assert.equal(run.code, 1);
  assert.match(run.stderr, /answered 401: Invalid API key; give the key of this hub/);
  assert.deepEqual(hub.imports, []);
});

test('a busy hub is sent the file again after the seconds it names', async () => {
  await using folder = await testFolder();
  const busy = { status: 503, json: { detail: 'busy' }, headers: { 'Retry-After': '1' } };
  await using hub = await fakeHub(busy, TAKEN);

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli(args, { TENANT_API_KEY: KEY });

  assert.equal(run.code, 0);
  assert.equal(hub.imports.length, 2);
  assert.equal(hub.imports[0]?.body.includes('FLOUR'), hub.imports[1]?.body.includes('FLOUR'));
});

test('an empty file is sent as it is', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);

  const args = ['import', await csvIn(folder, ''), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli(args, { TENANT_API_KEY: KEY });

  assert.equal(run.code, 0);
  assert.match(hub.imports[0]?.body ?? '', /Content-Type: text\/csv\r\n\r\n\r\n--lothub-/);
});

test('a file that is not there ends with 2', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub(TAKEN);

  const args = ['import', folder.file('gone.csv'), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli(args, { TENANT_API_KEY: KEY });

  assert.equal(run.code, 2);
  assert.match(run.stderr, /reading .*gone\.csv: ENOENT/);
});

test('a key is never in what the command prints', async () => {
  await using folder = await testFolder();
  await using hub = await fakeHub({ status: 500, json: { detail: 'broken' } });

  const args = ['import', await csvIn(folder), '--url', hub.base, '--tenant', 'bakery'];
  const run = await runCli(args, { TENANT_API_KEY: KEY });

  assert.equal(run.code, 1);
  assert.ok(!(run.stdout + run.stderr).includes(KEY));
});
