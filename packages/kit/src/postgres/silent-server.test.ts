// A server that holds its connections and says nothing: nobody waits for it longer than is worth it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { openForFile } from '../../test/open-for-file.ts';
import { stretchForLoad } from '../../test/patience.ts';
import { startCuttingProxy, type CuttingProxy } from '../../test/postgres/cutting-proxy.ts';
import { startTestPostgres } from '../../test/postgres/server.ts';
import { PostgresConnection } from './connection.ts';
import { PostgresListener } from './listener.ts';

/** Far from the 35 s for which a statement may take, on a machine that runs other tests. */
const SOON_MS = 10_000;
const LIMIT = { timeoutMs: 100 };

const server = await openForFile(startTestPostgres());

interface Ground extends AsyncDisposable {
  readonly connection: PostgresConnection;
  readonly proxy: CuttingProxy;
}

async function open(): Promise<Ground> {
  await using opening = new AsyncDisposableStack();
  const proxy = opening.use(await startCuttingProxy(server.url));
  const connection = opening.use(
    await PostgresConnection.open(proxy.url, { connectionsMax: 2, pipeline: true }),
  );
  const opened = opening.move();
  return { connection, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

test('a read with a time limit ends with it, and the connection is no loss', async () => {
  await using ground = await open();
  const { connection, proxy } = ground;
  proxy.freeze();

  const tookMs = await measureMs(() =>
    assert.rejects(connection.all(sql`select 1`, LIMIT), { code: 'database_busy' }),
  );
  proxy.thaw();

  assert.ok(tookMs < stretchForLoad(SOON_MS), `${tookMs} ms`);
  assert.deepEqual(await connection.all(sql`select 1 as one`), [{ one: 1 }]);
});

test('a time limit holds for a connection that is still to be made', async () => {
  await using ground = await open();
  const { connection, proxy } = ground;
  proxy.cut();
  proxy.freeze();

  const tookMs = await measureMs(() =>
    assert.rejects(connection.all(sql`select 1`, LIMIT), { code: 'database_busy' }),
  );
  proxy.thaw();

  assert.ok(tookMs < stretchForLoad(SOON_MS), `${tookMs} ms`);
});

test('a transaction that is cut before its commit has left nothing, and that is known', async () => {
  await using ground = await open();
  const { connection, proxy } = ground;
  proxy.freeze();

  const cut = connection.pipelinedTransaction(
    async ({ all }) => ({ writes: [], result: await all(sql`select 1`) }),
    LIMIT,
  );
  await assert.rejects(cut, { code: 'database_busy' });

  proxy.thaw();
});

test('a transaction that is cut while it commits may be stored', async () => {
  await using ground = await open();
  const { connection, proxy } = ground;

  const cut = connection.pipelinedTransaction(
    async ({ all }) => {
      await all(sql`select 1`);
      proxy.freeze();
      return { writes: [], result: undefined };
    },
    { timeoutMs: 1_000 },
  );
  await assert.rejects(cut, { name: 'CommitUnknownError', code: 'database_unsure' });

  proxy.thaw();
});

test('closing waits no longer for a server than a moment', async () => {
  const { connection, proxy } = await open();
  proxy.freeze();
  const waiting = assert.rejects(connection.all(sql`select 1`), { code: 'database_busy' });

  const tookMs = await measureMs(() => connection.close());

  await waiting;
  await proxy[Symbol.asyncDispose]();
  assert.ok(tookMs < stretchForLoad(SOON_MS), `${tookMs} ms`);
});

test('whoever waits for a server that is abandoned is refused at once, and so is who comes later', async () => {
  await using ground = await open();
  const { connection, proxy } = ground;
  proxy.freeze();
  // Two have connections, the others wait for one.
  const waiting = Array.from({ length: 6 }, () => connection.all(sql`select 1`));

  const tookMs = await measureMs(async () => {
    connection.abandon();
    await Promise.all(waiting.map((read) => assert.rejects(read, { code: 'database_busy' })));
  });

  await assert.rejects(connection.all(sql`select 1`), { code: 'database_busy' });
  assert.ok(tookMs < stretchForLoad(SOON_MS), `${tookMs} ms`);
});

test('a listener to a server that says nothing ends all the same', async () => {
  await using proxy = await startCuttingProxy(server.url);
  const noticed = Promise.withResolvers<void>();
  const listener = new PostgresListener({
    url: proxy.url,
    channel: 'news',
    onNotice: noticed.resolve,
  });
  await noticed.promise;
  proxy.freeze();

  const tookMs = await measureMs(() => listener.close());

  assert.ok(tookMs < stretchForLoad(SOON_MS), `${tookMs} ms`);
});
