// npm run bench -- read: every GET of the interface, simulations, single posts, start and memory at 1,000,000 blocks
// beside 1,000, on SQLite or, with the same ledgers moved over, on PostgreSQL.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchEvent } from '../events.ts';
import { startService, type ServiceChild } from '../kit/child.ts';
import { startDatabaseServer } from '../kit/database-server.ts';
import { copyHub } from '../kit/hub-copy.ts';
import { makeHub } from '../kit/hub.ts';
import { load } from '../kit/load.ts';
import { readEngine, wholeNumber } from '../kit/options.ts';
import { RECEIVED_LOT, giveWork, readGetPaths, readHashes, type Given } from './given.ts';
import { benchMiddle } from './middle.ts';
import { REQUESTS, WITH_PROOFS, assertEveryGet, headersFor, heightAt } from './paths.ts';
import { median, medianShare, printReport, type Figure } from '../kit/report.ts';
import { openScratch } from '../kit/scratch.ts';

const SMALL_BLOCKS = 1_000;
const LARGE_BLOCKS = 1_000_000;
const ROUNDS = 7;
const ROUND_SECONDS = 0.25;
/** One request at a time: the time of an answer, not of a queue. */
const CONNECTIONS = 1;
/** A million blocks take about a minute; progress is reported in this interval. */
const PROGRESS_EVERY = 100_000;
const GROWN_AT_MOST = 2;
const READY_MS_MAX = 1_100;
/** After this a service that was just started has nothing more to do. */
const SETTLE_MS = 3_000;
const IDLE_MB_MAX = 150;
const BYTES_OF_MB = 1_048_576;
/** Of a hub whose hashes are searched for. */
const HASHES = 150;
/** Longer numbers and hashes apart, answers of both hubs have as much in them. */
const ALIKE_AT_MOST = 1.3;
const PROOFS_ALIKE_AT_MOST = 2;

export const READ_USAGE =
  '[--engine sqlite|postgres] [--blocks 1000000] [--middle: only a lot in the middle of 3,000]';

export async function benchRead(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: 'string' },
      middle: { type: 'boolean', default: false },
      blocks: { type: 'string', default: String(LARGE_BLOCKS) },
    },
  });
  const engine = readEngine(values.engine);
  const largeBlocks = wholeNumber('--blocks', values.blocks, 10 * SMALL_BLOCKS);
  await using scratch = await openScratch();
  await using database = engine === 'postgres' ? await startDatabaseServer(scratch.dir) : undefined;
  const prepareStart = async (dataDir: string): Promise<() => Promise<ServiceChild>> => {
    if (database === undefined) return () => startService({ dataDir });
    const { url: databaseUrl } = await database.createDatabase();
    await copyHub({ dataDir, databaseUrl });
    return () => startService({ dataDir: `${dataDir}-files`, env: { DATABASE_URL: databaseUrl } });
  };
  const report = engine === 'postgres' ? 'read-postgres' : 'read';
  const ofMiddle = await benchMiddle(prepareStart, scratch.dir);
  if (values.middle) {
    printReport(`${report}-middle`, ofMiddle);
    return;
  }
  const smallDir = join(scratch.dir, 'small');
  const largeDir = join(scratch.dir, 'large');
  await makeHub({ dataDir: smallDir, events: SMALL_BLOCKS, series: 'hub' });
  await makeHub({
    dataDir: largeDir,
    events: largeBlocks,
    series: 'hub',
    onProgress: (done) => {
      if (done % PROGRESS_EVERY === 0) console.error(`made ${done} of ${largeBlocks} blocks`);
    },
  });
  const startSmall = await prepareStart(smallDir);
  const startLarge = await prepareStart(largeDir);
  const figures: Figure[] = [...ofMiddle];
  const add = (...more: readonly Figure[]): void => {
    for (const { name, value, unit } of more) {
      console.error(`  ${name}: ${value.toPrecision(4)} ${unit}`);
    }
    figures.push(...more);
  };
  add(await benchStart(startSmall, SMALL_BLOCKS), await benchStart(startLarge, largeBlocks));
  await using smallHub = await startSmall();
  await using largeHub = await startLarge();
  await setTimeout(SETTLE_MS);
  add(await idleMemory(smallHub, SMALL_BLOCKS), await idleMemory(largeHub, largeBlocks));
  assertEveryGet(await readGetPaths(smallHub));
  const small = await openMeasured(smallHub, SMALL_BLOCKS);
  const large = await openMeasured(largeHub, largeBlocks);
  // What follows from the work is written behind it.
  await setTimeout(SETTLE_MS);
  for (const [path, requests] of Object.entries(REQUESTS)) {
    for (const [asked, makePath] of Object.entries(requests)) {
      const name = `GET ${path}${asked === '' ? '' : `, ${asked}`}`;
      const headers = headersFor(path);
      const measure: Measure = ({ child, given }) =>
        load({
          url: child.address,
          connections: CONNECTIONS,
          seconds: ROUND_SECONDS,
          method: 'GET',
          headers,
          path: (n) => makePath(n, given),
        });
      await expectAlike(name, {
        ...{
          small,
          large,
          timesAtMost: WITH_PROOFS.has(path) ? PROOFS_ALIKE_AT_MOST : ALIKE_AT_MOST,
        },
        read: ({ child, given }) => readOnce(child.address + makePath(0, given), headers),
      });
      add(await compare(name, measure, { small, large }));
    }
  }
  const simulate: Measure = ({ child }) =>
    load({
      url: `${child.address}/v1/recall/simulate`,
      connections: CONNECTIONS,
      seconds: ROUND_SECONDS,
      method: 'POST',
      body: () => JSON.stringify({ lot_code: RECEIVED_LOT, include_disposed: true }),
    });
  add(await compare('simulation', simulate, { small, large }));
  let series = 0;
  const post: Measure = ({ child }) => {
    series += 1;
    const own = `post${series}`;
    return load({
      url: `${child.address}/v1/events`,
      connections: CONNECTIONS,
      seconds: ROUND_SECONDS,
      method: 'POST',
      body: (n) => JSON.stringify(benchEvent(n, own)),
    });
  };
  add(await compare('single POST', post, { small, large }));
  printReport(report, figures);
}

/** A hub that is measured, with what the paths of its reads name. */
interface MeasuredHub {
  readonly child: ServiceChild;
  readonly given: Given;
}

async function openMeasured(child: ServiceChild, blocks: number): Promise<MeasuredHub> {
  const heights = Array.from({ length: HASHES }, (_, n) => heightAt(n, { blocks }));
  const hashes = await readHashes(child, heights);
  return { child, given: await giveWork(child, { blocks, hashes }) };
}

async function benchStart(start: () => Promise<ServiceChild>, blocks: number): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await using service = await start();
    times.push(service.readyMs);
  }
  return {
    name: `start to ready at ${blocks} blocks`,
    value: median(times),
    unit: 'ms',
    target: { kind: 'at_most', value: READY_MS_MAX },
  };
}

/** @returns characters of the answer; a figure for an answer that is shorter in one of two hubs would say nothing */
async function readOnce(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`GET ${url}: ${answer.status} ${text}`);
  return text.length;
}

/** @throws Error when one of the answers has much more than the other */
async function expectAlike(
  name: string,
  by: {
    readonly small: MeasuredHub;
    readonly large: MeasuredHub;
    readonly timesAtMost: number;
    readonly read: (hub: MeasuredHub) => Promise<number>;
  },
): Promise<void> {
  const [atSmall, atLarge] = [await by.read(by.small), await by.read(by.large)];
  if (Math.max(atSmall, atLarge) <= by.timesAtMost * Math.min(atSmall, atLarge)) return;
  throw new Error(`${name}: ${atSmall} characters in the small hub, ${atLarge} in the large one`);
}

/** With all its threads, and without a collection that nobody asked for. */
async function idleMemory(child: ServiceChild, blocks: number): Promise<Figure> {
  return {
    name: `memory of the hub, idle, at ${blocks} blocks`,
    value: (await child.rssBytes()) / BYTES_OF_MB,
    unit: 'MB',
    target: { kind: 'at_most', value: IDLE_MB_MAX },
  };
}

type Measure = (hub: MeasuredHub) => Promise<{ readonly p50Ms: number; readonly failures: number }>;

/** By turns, each once before its time counts. */
async function compare(
  name: string,
  measure: Measure,
  { small, large }: { readonly small: MeasuredHub; readonly large: MeasuredHub },
): Promise<Figure> {
  const smalls: number[] = [];
  const larges: number[] = [];
  await measure(small);
  await measure(large);
  for (let round = 0; round < ROUNDS; round += 1) {
    const atSmall = await measure(small);
    const atLarge = await measure(large);
    if (atSmall.failures + atLarge.failures > 0) throw new Error(`${name} was refused`);
    smalls.push(atSmall.p50Ms);
    larges.push(atLarge.p50Ms);
  }
  console.error(`  ${name}: ${median(smalls).toPrecision(3)}, ${median(larges).toPrecision(3)} ms`);
  return {
    name: `${name}, ${large.given.blocks.toLocaleString('en')} blocks compared with 1,000`,
    value: medianShare(larges, smalls),
    unit: 'times',
    target: { kind: 'at_most', value: GROWN_AT_MOST },
  };
}
