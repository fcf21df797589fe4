// Notices of other connections, also after the own one was lost.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { startCuttingProxy } from '../../test/postgres/cutting-proxy.ts';
import { startTestPostgres, type TestPostgres } from '../../test/postgres/server.ts';
import { PostgresConnection } from './connection.ts';
import { PostgresListener } from './listener.ts';

let server: TestPostgres;
let connection: PostgresConnection;

before(async () => {
  server = await startTestPostgres();
  connection = await PostgresConnection.open(server.url);
});

after(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

/** A listener that has connected, and what it hears from now on. */
async function listen(url: string): Promise<{
  readonly listener: PostgresListener;
  readonly heard: EventEmitter;
}> {
  const heard = new EventEmitter();
  const listener = new PostgresListener({
    url,
    channel: 'news',
    onNotice: () => heard.emit('notice'),
  });
  await once(heard, 'notice');
  return { listener, heard };
}

test('a notice of another connection is heard once its transaction is committed', async () => {
  const { listener, heard } = await listen(server.url);
  let isCommitted = false;
  heard.on('notice', () => assert.ok(isCommitted));

  const noticed = once(heard, 'notice');
  await connection.transaction(async ({ all, execute }) => {
    await execute('notify news');
    await all(sql`select pg_sleep(0.05)`);
    isCommitted = true;
  });

  await noticed;
  await listener.close();
});

test('a listener whose connection is cut comes back, and says that it may have missed something', async () => {
  await using proxy = await startCuttingProxy(server.url);
  const { listener, heard } = await listen(proxy.url);

  const back = once(heard, 'notice');
  proxy.cut();
  await back;
  const noticed = once(heard, 'notice');
  await connection.transaction(({ execute }) => execute('notify news'));

  await noticed;
  await listener.close();
});

test('a listener that was closed leaves no connection behind', async () => {
  const { listener } = await listen(server.url);

  await listener.close();

  const rows = await connection.all(sql`
    select pid
    from pg_stat_activity
    where query ilike 'listen%'`);
  assert.deepEqual(rows, []);
});

test('a channel whose name needs quotes is refused', () => {
  assert.throws(
    () => new PostgresListener({ url: server.url, channel: 'a; drop', onNotice: () => undefined }),
    RangeError,
  );
});
