// npm run bench -- read: public reads, single posts and the start at 1,000,000 blocks beside 1,000, on
// SQLite or, with the same ledgers moved over, on PostgreSQL.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchEvent } from './events.ts';
import { startService } from './kit/child.ts';
import type { ServiceChild } from './kit/child.ts';
import { startDatabaseServer } from './kit/database-server.ts';
import { copyHub } from './kit/hub-copy.ts';
import { makeHub } from './kit/hub.ts';
import { load } from './kit/load.ts';
import { engineOf } from './kit/options.ts';
import { benchMiddle } from './read-middle.ts';
import { median, printReport } from './kit/report.ts';
import type { Figure } from './kit/report.ts';
import { openScratch } from './kit/scratch.ts';

const SMALL_BLOCKS = 1_000;
const LARGE_BLOCKS = 1_000_000;
const ROUNDS = 7;
const ROUND_SECONDS = 1;
/** One request at a time: the time of an answer, not of a queue. */
const CONNECTIONS = 1;
/** A million blocks take about a minute; progress is told this often. */
const PROGRESS_EVERY = 100_000;
const GROWN_AT_MOST = 1.5;
const READY_MS_MAX = 2_000;

/** What a path is made of: the request's number, the size of the hub, hashes of some blocks. */
interface PathSource {
  readonly n: number;
  readonly blocks: number;
  readonly hashes: readonly string[];
}

type PathOf = (source: PathSource) => string;

/** Numbers spread over the whole hub, in an order of their own. */
const STRIDE = 7_919;
/**
 * Family numbers that all have as many digits, so that a prefix finds as much in a small hub as in a
 * large one: 100 to 165 of 1,000 blocks, 100,000 to 165,999 of 1,000,000.
 */
const familyOf = ({ n, blocks }: PathSource): number =>
  blocks / 10 + ((n * STRIDE) % Math.floor((blocks * 66) / 1_000));
const heightOf = ({ n, blocks }: PathSource): number => 2 + ((n * STRIDE) % (blocks - 2));
/** Hex digits that only one block begins with. */
const HASH_DIGITS = 12;
const HASHES = 150;

const READS: Readonly<Record<string, PathOf>> = {
  'GET /public/verify': (from) => `/public/verify/LOT-hub-${familyOf(from)}-5`,
  'GET /public/explorer': () => '/public/explorer',
  'GET /public/explorer/blocks': (from) =>
    `/public/explorer/blocks?limit=50&before=${heightOf(from)}`,
  'GET /public/explorer/transactions': (from) =>
    `/public/explorer/transactions?limit=50&before=${heightOf(from)}.0`,
  'GET /public/explorer/blocks, one brand': () => '/public/explorer/blocks?limit=50&brand=bench',
  'GET /public/explorer/search, lot code': (from) =>
    `/public/explorer/search?q=LOT-hub-${familyOf(from)}-`,
  'GET /public/explorer/search, reference': (from) =>
    `/public/explorer/search?q=WO-hub-${familyOf(from)}`,
  'GET /public/explorer/search, hash prefix': ({ n, hashes }) =>
    `/public/explorer/search?q=${(hashes[n % hashes.length] ?? '').slice(0, HASH_DIGITS)}`,
  'GET /public/explorer/lot': (from) => `/public/explorer/lot/LOT-hub-${familyOf(from)}-3`,
};

export const READ_USAGE =
  '[--engine sqlite|postgres] [--middle: only a lot in the middle of 3,000]';

export async function benchRead(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { engine: { type: 'string' }, middle: { type: 'boolean', default: false } },
  });
  const engine = engineOf(values.engine);
  await using scratch = await openScratch();
  await using database = engine === 'postgres' ? await startDatabaseServer(scratch.dir) : undefined;
  const startOf = async (dataDir: string): Promise<() => Promise<ServiceChild>> => {
    if (database === undefined) return () => startService({ dataDir });
    const { url: databaseUrl } = await database.createDatabase();
    await copyHub({ dataDir, databaseUrl });
    return () => startService({ dataDir: `${dataDir}-files`, env: { DATABASE_URL: databaseUrl } });
  };
  const report = engine === 'postgres' ? 'read-postgres' : 'read';
  const ofMiddle = await benchMiddle(startOf, scratch.dir);
  if (values.middle) {
    printReport(`${report}-middle`, ofMiddle);
    return;
  }
  const small = join(scratch.dir, 'small');
  const large = join(scratch.dir, 'large');
  await makeHub({ dataDir: small, events: SMALL_BLOCKS, series: 'hub' });
  await makeHub({
    dataDir: large,
    events: LARGE_BLOCKS,
    series: 'hub',
    onProgress: (done) => {
      if (done % PROGRESS_EVERY === 0) console.error(`made ${done} of ${LARGE_BLOCKS} blocks`);
    },
  });
  const startSmall = await startOf(small);
  const startLarge = await startOf(large);
  const figures: Figure[] = [...ofMiddle, await benchStart(startLarge)];
  await using smallHub = await startSmall();
  await using largeHub = await startLarge();
  const hashes = new Map([
    [smallHub, await someHashes(smallHub, SMALL_BLOCKS)],
    [largeHub, await someHashes(largeHub, LARGE_BLOCKS)],
  ]);
  for (const [name, pathOf] of Object.entries(READS)) {
    figures.push(
      ...(await compare(name, (child, blocks, seconds) =>
        load({
          url: child.address,
          connections: CONNECTIONS,
          seconds,
          method: 'GET',
          path: (n) => pathOf({ n, blocks, hashes: hashes.get(child) ?? [] }),
        }),
      )(smallHub, largeHub)),
    );
  }
  let series = 0;
  figures.push(
    ...(await compare('single POST', (child, _blocks, seconds) => {
      series += 1;
      const own = `post${series}`;
      return load({
        url: `${child.address}/v1/events`,
        connections: CONNECTIONS,
        seconds,
        method: 'POST',
        body: (n) => JSON.stringify(benchEvent(n, own)),
      });
    })(smallHub, largeHub)),
  );
  printReport(report, figures);
}

/** Hashes of blocks spread over the hub. */
async function someHashes(child: ServiceChild, blocks: number): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (let n = 0; n < HASHES; n += 1) {
    const height = heightOf({ n, blocks, hashes });
    const response = await fetch(`${child.address}/public/explorer/block/${height}`);
    const block = (await response.json()) as { readonly block_hash: string };
    hashes.push(block.block_hash);
  }
  return hashes;
}

async function benchStart(start: () => Promise<ServiceChild>): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await using service = await start();
    times.push(service.readyMs);
  }
  return {
    name: `start to ready at ${LARGE_BLOCKS} blocks`,
    value: median(times),
    unit: 'ms',
    target: { kind: 'at_most', value: READY_MS_MAX },
  };
}

type Measure = (
  child: ServiceChild,
  blocks: number,
  seconds: number,
) => Promise<{ readonly p50Ms: number; readonly failures: number }>;

function compare(
  name: string,
  measure: Measure,
): (small: ServiceChild, large: ServiceChild) => Promise<readonly Figure[]> {
  return async (small, large) => {
    const smalls: number[] = [];
    const larges: number[] = [];
    await measure(small, SMALL_BLOCKS, ROUND_SECONDS);
    await measure(large, LARGE_BLOCKS, ROUND_SECONDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const atSmall = await measure(small, SMALL_BLOCKS, ROUND_SECONDS);
      const atLarge = await measure(large, LARGE_BLOCKS, ROUND_SECONDS);
      if (atSmall.failures + atLarge.failures > 0) throw new Error(`${name} was refused`);
      smalls.push(atSmall.p50Ms);
      larges.push(atLarge.p50Ms);
    }
    return [
      { name: `${name}, median at ${SMALL_BLOCKS} blocks`, value: median(smalls), unit: 'ms' },
      {
        name: `${name}, 1,000,000 blocks compared with 1,000`,
        value: median(larges.map((value, round) => value / (smalls[round] ?? value))),
        unit: 'times',
        target: { kind: 'at_most', value: GROWN_AT_MOST },
      },
    ];
  };
}
