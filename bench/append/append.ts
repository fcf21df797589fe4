// npm run bench -- append: single posts beside a no-op of the same server, batches beside the bare
// insert rate of the same rows, and what the background verifier costs single posts. On PostgreSQL it
// is append/engines.ts that measures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { readMigrations } from '@lothub/kit/migrations';
import { SERVICE_NAME, sqliteSchemaFolder } from '@lothub/traceability/ledger/schema';
import { databaseFile } from '@lothub/traceability/ledger/sqlite/store';
import { bytesOnDisk, bytesWrittenBy } from './bytes.ts';
import { benchAppendEngines } from './engines.ts';
import { BATCH_EVENTS, batchBodies, postBatches } from '../batches.ts';
import { benchEvent } from '../events.ts';
import { makeHub } from '../kit/hub.ts';
import { startService, type ServiceChild } from '../kit/child.ts';
import { load, type LoadResult } from '../kit/load.ts';
import { readEngine, wholeNumber } from '../kit/options.ts';
import { median, medianShare, printReport } from '../kit/report.ts';
import { flushesPerSecond, openScratch } from '../kit/scratch.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_SECONDS = 4;
const BATCHES = 60;
/** Blocks the verifier has to read while its cost is measured: more than it can finish. */
const VERIFIED_BLOCKS = 200_000;

export const APPEND_USAGE = '[--engine sqlite|postgres] [--processes 1]';

export async function benchAppend(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { engine: { type: 'string' }, processes: { type: 'string' } },
  });
  const processes = wholeNumber('--processes', values.processes ?? '1', 1);
  if (readEngine(values.engine) === 'postgres') return await benchAppendEngines(processes);
  if (processes > 1) throw new Error('SQLite is served by one process: add --engine postgres');
  await using scratch = await openScratch();
  const flushes = flushesPerSecond(scratch.dir);
  const single = await benchSingle(join(scratch.dir, 'single'));
  const batch = await benchBatch(join(scratch.dir, 'batch'));
  const bytes = await bytesOnDisk(join(scratch.dir, 'batch'));
  const bare = bareInsertRate(join(scratch.dir, 'batch'), join(scratch.dir, 'bare'));
  const verifier = await benchVerifier(join(scratch.dir, 'verifier'));
  printReport('append', [
    { name: 'disk flushes', value: flushes, unit: '/s' },
    { name: `no-op POST, ${CONNECTIONS} connections`, value: single.noop, unit: '/s' },
    { name: `single-event POST, ${CONNECTIONS} connections`, value: single.real, unit: '/s' },
    {
      name: 'single-event POST as a share of the no-op',
      value: single.share,
      unit: '',
      target: { kind: 'at_least', value: 0.4 },
    },
    ...(single.written === undefined
      ? []
      : [
          {
            name: `bytes written for each event, ${CONNECTIONS} connections`,
            value: single.written,
            unit: 'bytes',
            target: { kind: 'at_most', value: 7_000 } as const,
          },
        ]),
    {
      name: 'disk for one event of two lines, all its rows and indexes, tiles aside',
      value: bytes,
      unit: 'bytes',
      target: { kind: 'at_most', value: 1_100 },
    },
    { name: 'bare prepared inserts of the same rows', value: bare, unit: 'events/s' },
    { name: `batches of ${BATCH_EVENTS} events`, value: batch, unit: 'events/s' },
    {
      name: 'batches as a share of the bare inserts',
      value: batch / bare,
      unit: '',
      target: { kind: 'at_least', value: 0.75 },
    },
    { name: 'single POST p99, verifier paused', value: verifier.pausedP99Ms, unit: 'ms' },
    { name: 'single POST p99, verifier running', value: verifier.runningP99Ms, unit: 'ms' },
    {
      name: 'p99 with the verifier running, compared with paused',
      value: verifier.ratio,
      unit: 'times',
      target: { kind: 'at_most', value: 1.3 },
    },
  ]);
}

async function benchSingle(dataDir: string) {
  await using service = await startService({ dataDir });
  const noops: number[] = [];
  const reals: number[] = [];
  let events = 0;
  await post(service, '/v1/events', 'warm', 1);
  const before = bytesWrittenBy(service.process.pid);
  for (let round = 0; round < ROUNDS; round += 1) {
    const noop = await post(service, '/v1/noop', `noop${round}`, ROUND_SECONDS);
    const real = await post(service, '/v1/events', `real${round}`, ROUND_SECONDS);
    noops.push(noop.perSecond);
    reals.push(real.perSecond);
    events += real.requests;
  }
  const after = bytesWrittenBy(service.process.pid);
  return {
    written: before === undefined || after === undefined ? undefined : (after - before) / events,
    noop: median(noops),
    real: median(reals),
    share: medianShare(reals, noops),
  };
}

async function post(
  service: ServiceChild,
  path: string,
  series: string,
  seconds: number,
): Promise<LoadResult> {
  const result = await load({
    url: `${service.address}${path}`,
    connections: CONNECTIONS,
    seconds,
    method: 'POST',
    body: (n) => JSON.stringify(benchEvent(n, series)),
  });
  if (result.failures > 0) throw new Error(`${result.failures} posts to ${path} were refused`);
  return result;
}

/** Events a second of batches over HTTP. */
async function benchBatch(dataDir: string): Promise<number> {
  await using service = await startService({ dataDir });
  return await postBatches(service, batchBodies(BATCHES, 'batch'));
}

const TABLES = [
  'blocks',
  'tenants',
  'events',
  'lots',
  'lines',
  'lot_texts',
  'lot_quantities',
] as const;

/** In which order the rows were written; by their keys when nothing is said. */
const ORDER: Readonly<Partial<Record<(typeof TABLES)[number], string>>> = {
  lots: 'lot_no',
  lot_texts: 'lot_no',
  lot_quantities: 'lot_no',
};

/**
 * Events a second when the rows that the batches left are inserted by nothing but prepared
 * statements into an empty database of the same schema, a transaction for every batch.
 */
function bareInsertRate(sourceDir: string, targetDir: string): number {
  const source = new SqliteConnection(databaseFile(sourceDir), 'read');
  mkdirSync(targetDir, { recursive: true });
  const target = new SqliteConnection(databaseFile(targetDir), 'write');
  migrateSqlite(target, readMigrations(sqliteSchemaFolder), SERVICE_NAME);
  const readRows = (table: string, order: string) =>
    source.database.prepare(`select * from ${table} order by ${order}`).all();
  const tables = new Map(TABLES.map((table) => [table, readRows(table, ORDER[table] ?? '1, 2')]));
  const prepareInsert = (table: string) => {
    const columns = Object.keys(tables.get(table as (typeof TABLES)[number])?.[0] ?? {});
    const statement = target.database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
    return (row: Record<string, unknown>) => {
      statement.run(...(columns.map((column) => row[column]) as (string | number | null)[]));
    };
  };
  const insert = new Map(TABLES.map((table) => [table, prepareInsert(table)]));
  const cursors = new Map(TABLES.map((table) => [table, 0]));
  const insertThrough = (table: (typeof TABLES)[number], column: string, height: number) => {
    const rows = tables.get(table) ?? [];
    let cursor = cursors.get(table) ?? 0;
    for (; cursor < rows.length && Number(rows[cursor]?.[column]) <= height; cursor += 1) {
      insert.get(table)?.(rows[cursor] ?? {});
    }
    cursors.set(table, cursor);
  };
  const events = tables.get('events')?.length ?? 0;
  const startedAt = performance.now();
  for (let height = BATCH_EVENTS; height <= events; height += BATCH_EVENTS) {
    target.transaction(() => {
      insertThrough('blocks', 'height', height);
      insertThrough('tenants', 'first_height', height);
      insertThrough('events', 'height', height);
      insertThrough('lots', 'first_height', height);
      const lastLotNo = Number(
        tables.get('lots')?.[(cursors.get('lots') ?? 0) - 1]?.['lot_no'] ?? 0,
      );
      insertThrough('lines', 'height', height);
      insertThrough('lot_texts', 'lot_no', lastLotNo);
      insertThrough('lot_quantities', 'lot_no', lastLotNo);
    });
  }
  const rate = events / ((performance.now() - startedAt) / 1_000);
  void source.close();
  void target.close();
  return rate;
}

async function benchVerifier(dataDir: string) {
  await makeHub({ dataDir, events: VERIFIED_BLOCKS, series: 'hub' });
  await using service = await startService({ dataDir });
  const paused: number[] = [];
  const running: number[] = [];
  await post(service, '/v1/events', 'warm', 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    service.process.send('verifier-pause');
    paused.push((await post(service, '/v1/events', `p${round}`, ROUND_SECONDS)).p99Ms);
    service.process.send('verifier-resume');
    running.push((await post(service, '/v1/events', `r${round}`, ROUND_SECONDS)).p99Ms);
  }
  return {
    pausedP99Ms: median(paused),
    runningP99Ms: median(running),
    ratio: medianShare(running, paused),
  };
}
