// How many imports there may be at once, of the hub and of one tenant, and that a client that leaves
// ends its import.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { SLICE_EVENTS_MAX } from '../../src/csv-import/spool.ts';
import { HEADER, aFile, aRow, manyEvents, openImportApp, withAppend } from './app.ts';
import type { ImportApp } from './app.ts';

const LOOK_EVERY_MS = 5;
const SLOW = { timeout: PATIENCE_MS } as const;
/** The level of pino. */
const WARN = 40;

/** Rows in more bytes than are checked on the spot: a thread does it. */
const LARGE_FILE = aFile(manyEvents(2_000));

interface Upload {
  readonly tenant: string;
  readonly file: string;
  readonly query?: string;
}

/** A client that sends a file over a connection of its own; `sent` of it, if not all. */
async function startUpload(app: ImportApp, { tenant, file, query = '' }: Upload, sent?: number) {
  const url = new URL(app.base);
  const socket = connect(Number(url.port), url.hostname);
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
  const body = Buffer.from(`${head}${file}\r\n--b--\r\n`);
  await once(socket, 'connect');
  socket.write(
    `POST /v1/import/csv${query} HTTP/1.1\r\nHost: x\r\nX-Tenant-Id: ${tenant}\r\n` +
      `Content-Length: ${body.length}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n`,
  );
  socket.write(sent === undefined ? body : body.subarray(0, sent));
  return socket;
}

/** An upload that never comes to its end. */
function startHanging(app: ImportApp, tenant: string): Promise<Socket> {
  return startUpload(app, { tenant, file: HEADER.repeat(10) }, HEADER.length);
}

async function leave(socket: Socket): Promise<void> {
  socket.destroy();
  await once(socket, 'close');
}

async function until(holds: () => Promise<boolean> | boolean, signal: AbortSignal): Promise<void> {
  while (!(await holds())) await sleep(LOOK_EVERY_MS, null, { signal });
}

function untilFolders(app: ImportApp, count: number, signal: AbortSignal): Promise<void> {
  return until(async () => (await app.leftovers()).length === count, signal);
}

/** The reply once the places of imports that ended are free again, which a moment may come before. */
async function importOnceFree(app: ImportApp, signal: AbortSignal) {
  for (;;) {
    const reply = await app.send(aFile([aRow()]));
    if (reply.status !== 429 && reply.status !== 503) return reply;
    await setImmediate(null, { signal });
  }
}

/** Lines of the log at `warn` and above, as texts. */
function complaints(app: ImportApp): readonly string[] {
  return app
    .log()
    .split('\n')
    .filter((line) => line !== '' && (JSON.parse(line) as { level: number }).level >= WARN);
}

function assertNoFailure(app: ImportApp): void {
  for (const line of complaints(app)) assert.match(line, new RegExp(`"level":${WARN},`));
}

/** Each complaint is a refusal, not a failure; asserts it with the complaint as the message. */
function assertRefusals(app: ImportApp): void {
  const lines = complaints(app);
  assert.notEqual(lines.length, 0);
  for (const line of lines) {
    assert.match(line, new RegExp(`"level":${WARN},.*refused an? `));
    assert.doesNotMatch(line, /stack/);
  }
}

/** A store that appends once it may, and the number of submissions that wait for it. */
class Gate {
  readonly #opened = Promise.withResolvers<undefined>();
  waiting = 0;

  open(): void {
    this.#opened.resolve(undefined);
  }

  readonly around = (store: LedgerStore): LedgerStore =>
    withAppend(store, async (submission) => {
      this.waiting += 1;
      await this.#opened.promise;
      return await store.append(submission);
    });
}

test(
  'a third import of one tenant is a 429, and other tenants import meanwhile',
  SLOW,
  async ({ signal }) => {
    await using app = await openImportApp();
    const hanging = [await startHanging(app, 'acme'), await startHanging(app, 'acme')];
    await untilFolders(app, 2, signal);

    const third = await app.send(aFile([aRow()]));
    const others = await app.send(aFile([aRow()]), '', 'bolt');
    await leave(hanging[0]!);
    await untilFolders(app, 1, signal);
    const again = await importOnceFree(app, signal);
    await leave(hanging[1]!);

    assert.equal(third.status, 429, third.text);
    assert.match(String(third.json['detail']), /^2 imports of this tenant are running/);
    assert.equal(third.headers.get('Retry-After'), '5');
    assert.deepEqual([others.status, again.status], [201, 201]);
    assertRefusals(app);
  },
);

test('a seventh import is a 503, logged as a refusal without a stack', SLOW, async ({ signal }) => {
  await using app = await openImportApp();
  const hanging = [];
  for (const tenant of ['a', 'a', 'b', 'b', 'c', 'c']) {
    hanging.push(await startHanging(app, tenant));
  }
  await untilFolders(app, 6, signal);

  const reply = await app.send(aFile([aRow()]));
  for (const socket of hanging) await leave(socket);
  await untilFolders(app, 0, signal);
  const again = await importOnceFree(app, signal);

  assert.equal(reply.status, 503, reply.text);
  assert.match(String(reply.json['detail']), /too many imports.*nothing was stored/i);
  assert.notEqual(reply.headers.get('Retry-After'), null);
  assert.equal(again.status, 201, again.text);
  assertRefusals(app);
});

test(
  'a client that leaves while its import waits for its turn ends it at once',
  SLOW,
  async ({ signal }) => {
    const gate = new Gate();
    await using app = await openImportApp({ around: gate.around });
    const running = ['a', 'b'].map((tenant) => app.send(aFile([aRow()]), '', tenant));
    await until(() => gate.waiting === 2, signal);
    const socket = await startUpload(app, { tenant: 'c', file: aFile([aRow()]) });
    await untilFolders(app, 3, signal);

    await leave(socket);

    await untilFolders(app, 2, signal);
    gate.open();
    const replies = await Promise.all(running);
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [201, 201],
    );
    assert.equal(gate.waiting, 2);
  },
);

for (const query of ['', '?dry_run=true']) {
  const what = query === '' ? 'an import' : 'a dry run';
  test(
    `a client that leaves while its file is checked ends ${what} at once`,
    SLOW,
    async ({ signal }) => {
      let lookups = 0;
      await using app = await openImportApp({
        around: (store) => {
          const around = withAppend(store, (submission) => store.append(submission));
          const { reader } = store;
          const hang = <Row>(): Promise<Row> => {
            lookups += 1;
            return new Promise<Row>(() => undefined);
          };
          return {
            ...around,
            reader: {
              all: hang,
              first: hang,
              close: () => reader.close(),
              [Symbol.asyncDispose]: () => reader.close(),
            },
          };
        },
      });
      const socket = await startUpload(app, { tenant: 'acme', file: LARGE_FILE, query });
      await until(() => lookups > 0, signal);

      await leave(socket);

      await untilFolders(app, 0, signal);
      await until(() => app.log().includes('its client left'), signal);
      assertNoFailure(app);
      assert.equal(await app.height(), 0);
    },
  );
}

test(
  'a client that leaves while events are appended ends the import between two slices',
  SLOW,
  async ({ signal }) => {
    let appended = 0;
    const left = Promise.withResolvers<undefined>();
    await using app = await openImportApp({
      around: (store) =>
        withAppend(store, async (submission) => {
          appended += 1;
          if (appended === 2) await left.promise;
          return await store.append(submission);
        }),
    });
    const file = aFile(manyEvents(SLICE_EVENTS_MAX * 20));
    const socket = await startUpload(app, { tenant: 'acme', file });
    await until(() => appended === 2, signal);

    await leave(socket);
    // The service has the same news once it answers somebody who asked later.
    await fetch(app.base);
    left.resolve(undefined);

    await until(() => app.log().includes('its client left'), signal);
    await untilFolders(app, 0, signal);
    assert.ok((await app.height()) < SLICE_EVENTS_MAX * 20);
    const again = await app.send(file);
    assert.equal(again.status, 201, again.text);
    assert.equal(await app.height(), SLICE_EVENTS_MAX * 20);
    assertNoFailure(app);
  },
);
