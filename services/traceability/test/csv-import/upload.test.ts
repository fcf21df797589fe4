// How the file of an import arrives: one part of a form, within a limit, removed from the disk
// whatever comes of it.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { chooseRounds } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { sweepImportFolders } from '../../src/csv-import/import-folder.ts';
import { HEADER, aFile, aRow, openImportApp, shareImportApp } from './app.ts';

const openTenant = shareImportApp();

const CSV = 'text/csv';

function form(parts: readonly (readonly [string, string | Blob])[]): FormData {
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
}

test('a form without a part named file is a 422 at body, file', async () => {
  await using app = await openTenant();

  const reply = await app.sendBody(form([]));

  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(reply.json['detail'], [
    { loc: ['body', 'file'], msg: 'Field required', type: 'missing' },
  ]);
});

test('another part is refused by its name: an option that is not understood must not be lost', async () => {
  await using app = await openTenant();

  const reply = await app.sendBody(
    form([
      ['dry_run', 'true'],
      ['file', new Blob(['a'])],
    ]),
  );

  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(reply.json['detail']?.[0]?.['loc'], ['body', 'dry_run']);
  assert.equal(reply.json['detail']?.[0]?.['type'], 'extra_forbidden');
});

test('two files are refused', async () => {
  await using app = await openTenant();
  const file = new Blob([aFile([aRow()])], { type: CSV });

  const reply = await app.sendBody(
    form([
      ['file', file],
      ['file', file],
    ]),
  );

  assert.equal(reply.status, 422, reply.text);
  assert.equal(await app.height(), 0);
});

test('a part named file is taken without a file name too', async () => {
  await using app = await openTenant();
  const body = `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${aFile([aRow()])}\r\n--b--\r\n`;

  const reply = await app.sendBody(body, { 'Content-Type': 'multipart/form-data; boundary=b' });

  assert.equal(reply.status, 201, reply.text);
});

for (const type of ['application/json', 'text/csv', 'application/x-www-form-urlencoded']) {
  test(`a body of ${type} is a 415`, async () => {
    await using app = await openTenant();

    const reply = await app.sendBody('{}', { 'Content-Type': type });

    assert.equal(reply.status, 415, reply.text);
    assert.equal(reply.json['detail'], 'Send the file as multipart/form-data');
  });
}

for (const [name, body, type] of [
  ['without a boundary', 'x', 'multipart/form-data'],
  [
    'that ends early',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\na',
    'multipart/form-data; boundary=b',
  ],
  ['without any part', 'x', 'multipart/form-data; boundary=b'],
] as const) {
  test(`a form ${name} is a 422`, async () => {
    await using app = await openTenant();

    const reply = await app.sendBody(body, { 'Content-Type': type });

    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(await app.leftovers(), []);
  });
}

test('a file over the limit is a 413 and leaves nothing behind', async () => {
  await using app = await openImportApp({ fileBytesMax: 1_000 });

  const small = await app.send(HEADER + '\n'.repeat(1_000 - HEADER.length));
  const large = await app.send(HEADER + '\n'.repeat(1_001 - HEADER.length));
  const huge = await app.send(HEADER + '\n'.repeat(1_000_000));

  assert.deepEqual([small.status, large.status, huge.status], [200, 413, 413]);
  assert.equal(large.json['detail'], 'The file is larger than 1000 bytes');
  assert.deepEqual(await app.leftovers(), []);
});

test('nothing is left on the disk after an import, good or bad', async () => {
  await using app = await openTenant();

  await app.send(aFile([aRow()]));
  await app.send(aFile([aRow({ unit: '' })]));
  await app.send('nonsense');

  assert.deepEqual(await app.leftovers(), []);
});

test(
  'an upload that breaks off leaves nothing behind and the service answering',
  { timeout: PATIENCE_MS },
  async ({ signal }) => {
    await using app = await openTenant();
    const untilLeftovers = async (isThere: boolean): Promise<void> => {
      while ((await app.leftovers()).length > 0 !== isThere) await setImmediate(null, { signal });
    };
    const url = new URL(app.base);
    const socket = connect(Number(url.port), url.hostname);
    socket.write(
      'POST /v1/import/csv HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n' +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n' +
        `Content-Disposition: form-data; name="file"; filename="f"\r\n\r\n${HEADER}\n`,
    );
    await untilLeftovers(true);
    socket.destroy();
    await once(socket, 'close');
    await untilLeftovers(false);

    const reply = await app.send(aFile([aRow()]));

    assert.equal(reply.status, 201, reply.text);
  },
);

test('what a crash left behind is removed at the start, and nothing else', async () => {
  await using app = await openTenant();
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(ended, 'exit');
  const running = `csv-import-${process.ppid}-abc`;
  for (const name of [`csv-import-${process.pid}-abc`, `csv-import-${ended.pid}-abc`, running]) {
    await mkdir(join(app.tempDir, name));
    await writeFile(join(app.tempDir, name, 'upload'), 'private');
  }
  await writeFile(join(app.tempDir, 'other'), '');

  await sweepImportFolders(app.tempDir);

  assert.deepEqual((await app.leftovers()).toSorted(), [running, 'other'].toSorted());
});

test('any bytes are answered by a 2xx or a 4xx, and a 4xx stores nothing', async () => {
  await using app = await openImportApp();
  const words = fc.constantFrom(
    ...HEADER.split(','),
    ...['RECEIVE', 'in', '1', '2026-01-01T00:00:00Z', ',', ',', '"', '\n', '\n', '\r\n', ';', ' '],
  );
  const texts = fc.array(words, { maxLength: 60 }).map((parts) => Buffer.from(parts.join('')));
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  const afterHeader = (rest: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
    rest.map((buffer) => Buffer.concat([Buffer.from(`${HEADER}\n`), buffer]));

  await fc.assert(
    fc.asyncProperty(
      fc.oneof(texts, bytes, afterHeader(texts), afterHeader(bytes)),
      async (file) => {
        const before = await app.height();

        const reply = await app.send(new Uint8Array(file));

        const stored = (await app.height()) - before;
        assert.ok(reply.status >= 200 && reply.status < 500, `${reply.status} ${reply.text}`);
        assert.equal(stored, reply.status < 300 ? reply.json['accepted'] : 0);
      },
    ),
    { numRuns: chooseRounds({ usual: 60, long: 300 }) },
  );
  assert.deepEqual(await app.leftovers(), []);
});
