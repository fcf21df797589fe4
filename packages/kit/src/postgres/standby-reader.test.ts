// A reader over a primary and its standby: what is read is never old, whatever the standby does.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { PATIENCE_MS } from '../../test/patience.ts';
import { until } from '../../test/until.ts';
import { startTestPostgres } from '../../test/postgres/server.ts';
import type { TestDatabase, TestPostgres } from '../../test/postgres/server.ts';
import { startTestStandby, type TestStandby } from '../../test/postgres/standby.ts';
import { PostgresConnection } from './connection.ts';
import { StandbyReader } from './standby-reader.ts';

let primary: TestPostgres;
let standby: TestStandby;

before(async () => {
  primary = await startTestPostgres();
  standby = await startTestStandby(primary, { synchronous: false });
});

after(async () => {
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

interface Shop extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly writer: PostgresConnection;
  /** The standby, asked without the reader. */
  readonly direct: PostgresConnection;
  readonly reader: StandbyReader;
}

async function openShop(
  options: { readonly waitMsMax?: number; readonly standbyUrl?: string } = {},
): Promise<Shop> {
  const database = await primary.createDatabase();
  const writer = await PostgresConnection.open(database.url);
  await writer.all(sql`create table goods (no bigint primary key)`);
  const url = options.standbyUrl ?? standby.buildUrl(database);
  const direct = PostgresConnection.openLater(url);
  await untilReplayed(direct);
  const reader = new StandbyReader({
    primary: writer,
    standby: PostgresConnection.openLater(url, { pipeline: true }),
    waitMsMax: options.waitMsMax ?? PATIENCE_MS,
  });
  return {
    database,
    writer,
    direct,
    reader,
    [Symbol.asyncDispose]: async () => {
      await reader.close();
      await direct.close();
      await writer.close();
    },
  };
}

/** A database can be connected to on the standby when its making has been replayed there. */
function untilReplayed(direct: PostgresConnection): Promise<void> {
  return until('the standby has the database', () =>
    direct.first(sql`select 1`).then(
      () => true,
      () => false,
    ),
  );
}

async function add(writer: PostgresConnection, no: number): Promise<void> {
  await writer.all(sql`insert into goods (no) values (${no})`);
}

async function countIn(reader: Pick<PostgresConnection, 'first'>): Promise<number> {
  const row = await reader.first<{ goods: number }>(sql`select count(*) as goods from goods`);
  return row?.goods ?? -1;
}

/** Reads until the standby answers again after a rest. */
async function untilStandbyReads({ reader }: Shop): Promise<void> {
  const { standby: before } = reader.reads;
  await until('the standby answers', async () => {
    await countIn(reader);
    return reader.reads.standby > before;
  });
}

test('a standby that follows is read, and shows what was just acknowledged', async () => {
  await using shop = await openShop();
  await add(shop.writer, 1);

  const counted = await countIn(shop.reader);

  assert.equal(counted, 1);
  assert.deepEqual(shop.reader.reads, { primary: 0, standby: 1 });
});

test('every read shows all that was acknowledged before it began, and never less than the one before', async () => {
  await using shop = await openShop();
  let acknowledged = 0;
  let stopped = false;
  const writes = async (): Promise<void> => {
    while (!stopped) {
      await add(shop.writer, acknowledged);
      acknowledged += 1;
    }
  };
  const reads = async (): Promise<void> => {
    let seen = 0;
    for (let read = 0; read < 60; read += 1) {
      const atLeast = Math.max(acknowledged, seen);
      // By turns with the primary alone, as other processes may read.
      seen = await countIn(read % 3 === 2 ? shop.writer : shop.reader);
      assert.ok(seen >= atLeast, `${seen} of ${atLeast}`);
    }
  };

  const writing = writes();
  await Promise.all([reads(), reads(), reads(), reads()]);
  stopped = true;
  await writing;

  assert.ok(acknowledged > 0);
  assert.ok(shop.reader.reads.standby > 0);
});

test('a standby that stays behind is not read until it has caught up', async () => {
  await using shop = await openShop({ waitMsMax: 30 });
  await countIn(shop.reader);
  await shop.direct.all(sql`select pg_wal_replay_pause()`);
  await add(shop.writer, 1);

  const behind = [await countIn(shop.reader), await countIn(shop.direct)];
  const reads = shop.reader.reads;
  await shop.direct.all(sql`select pg_wal_replay_resume()`);
  await untilStandbyReads(shop);

  assert.deepEqual(behind, [1, 0]);
  assert.deepEqual(reads, { primary: 1, standby: 1 });
});

test('a read waits a little for a standby that is about to be there', async () => {
  await using shop = await openShop();
  await countIn(shop.reader);
  await shop.direct.all(sql`select pg_wal_replay_pause()`);
  await add(shop.writer, 1);

  const waiting = countIn(shop.reader);
  await shop.direct.all(sql`select pg_wal_replay_resume()`);

  assert.equal(await waiting, 1);
  assert.deepEqual(shop.reader.reads, { primary: 0, standby: 2 });
});

/** Lets no commit be acknowledged until it is disposed: the primary waits for a standby nobody has. */
async function holdCommits(): Promise<AsyncDisposable> {
  const boss = await PostgresConnection.open(primary.url);
  await boss.all(sql`alter system set synchronous_standby_names = 'nobody'`);
  await boss.all(sql`select pg_reload_conf()`);
  return {
    [Symbol.asyncDispose]: async () => {
      await boss.all(sql`alter system reset synchronous_standby_names`);
      await boss.all(sql`select pg_reload_conf()`);
      await boss.close();
    },
  };
}

/** The server takes a moment to hold commits: adds until one is held. */
async function addHeld({ writer }: Shop): Promise<{ no: number; commit: Promise<void> }> {
  for (let no = 1; ; no += 1) {
    let isAcknowledged = false;
    const commit = add(writer, no).then(() => {
      isAcknowledged = true;
    });
    let isHeld = false;
    await until('the commit waits for the standby', async () => {
      const held = sql`select 1 from pg_stat_activity where wait_event = 'SyncRep'`;
      isHeld = (await writer.first(held)) !== undefined;
      return isHeld || isAcknowledged;
    });
    if (isHeld) return { no, commit };
    await commit;
  }
}

test('what the primary does not show yet is not shown, though the standby has it', async () => {
  await using shop = await openShop({ waitMsMax: 30 });
  let held: { no: number; commit: Promise<void> };
  let counted: number;
  {
    await using _commits = await holdCommits();
    held = await addHeld(shop);
    await until('the primary shows the row', async () => (await countIn(shop.direct)) === held.no);

    counted = await countIn(shop.reader);
  }

  assert.equal(counted, held.no - 1);
  await held.commit;
  assert.equal(await countIn(shop.reader), held.no);
});

test('while the standby is away the primary is read, and afterwards the standby again', async () => {
  await using shop = await openShop();
  await countIn(shop.reader);
  await standby.stop('immediate');
  await add(shop.writer, 1);

  const away = await Promise.all([countIn(shop.reader), countIn(shop.reader)]);
  await add(shop.writer, 2);
  const resting = await countIn(shop.reader);
  await standby.start();
  await untilStandbyReads(shop);

  assert.deepEqual([away, resting], [[1, 1], 2]);
  assert.equal(await countIn(shop.reader), 2);
});

test('a read that the standby undoes to go on replaying is done on the primary', async () => {
  await using shop = await openShop();
  await shop.direct.all(sql`alter system set max_standby_streaming_delay = 0`);
  await shop.direct.all(sql`select pg_reload_conf()`);
  await add(shop.writer, 1);
  const slow = shop.reader.all(sql`
    select count(*) as goods, pg_sleep(2) is not null as slept
    from goods
  `);
  await until('the slow statement runs', async () => {
    const running = await shop.direct.all(sql`
      select 1
      from pg_stat_activity
      where query like '%pg_sleep(2)%' and state = 'active' and pid <> pg_backend_pid()
    `);
    return running.length > 0;
  });

  await shop.writer.all(sql`alter table goods add column name text`);

  assert.deepEqual(await slow, [{ goods: 1, slept: 1 }]);
  assert.deepEqual(shop.reader.reads, { primary: 1, standby: 0 });
  assert.equal(await countIn(shop.reader), 1);
  assert.equal(shop.reader.reads.standby, 1);
});

test('a broken query is refused in the words of the primary', async () => {
  await using shop = await openShop();

  await assert.rejects(shop.reader.all(sql`select nothing from nowhere`), {
    code: 'database_failed',
  });
});

test('a server that follows another primary is not read', async () => {
  await using stranger = await startTestPostgres({ ownSystem: true });
  await using follower = await startTestStandby(stranger, { synchronous: false });
  const elsewhere = await stranger.createDatabase();
  await using shop = await openShop({ standbyUrl: follower.buildUrl(elsewhere) });
  await add(shop.writer, 1);

  const counted = await countIn(shop.reader);

  assert.equal(counted, 1);
  assert.deepEqual(shop.reader.reads, { primary: 1, standby: 0 });
});

test('a promoted standby is read no more', async () => {
  await using promoted = await startTestStandby(primary, { synchronous: false });
  const database = await primary.createDatabase();
  await using writer = await PostgresConnection.open(database.url);
  await writer.all(sql`create table goods (no bigint primary key)`);
  await using reader = new StandbyReader({
    primary: writer,
    standby: PostgresConnection.openLater(promoted.buildUrl(database), { pipeline: true }),
    waitMsMax: PATIENCE_MS,
  });
  await using direct = PostgresConnection.openLater(promoted.buildUrl(database));
  await untilReplayed(direct);
  await countIn(reader);
  await promoted.promote();
  await using usurper = await PostgresConnection.open(promoted.buildUrl(database));
  await usurper.all(sql`insert into goods (no) values (${7}), (${8})`);
  await add(writer, 1);

  const counted = await countIn(reader);

  assert.equal(counted, 1);
  assert.deepEqual(reader.reads, { primary: 1, standby: 1 });
});
