// npm run bench -- append --engine postgres: single posts on PostgreSQL beside SQLite, by one process
// of the service and by several over one database, and batches beside the bare insert rate of arrays.
import { join } from 'node:path';
import { benchBatches } from './batches.ts';
import { checkOrder } from '../kit/chain-order.ts';
import { startService, startServices, type ServiceChild } from '../kit/child.ts';
import { startDatabaseServer, type DatabaseServer } from '../kit/database-server.ts';
import { benchEvent } from '../events.ts';
import { load, type LoadResult } from '../kit/load.ts';
import { processorFigures, type ProcessorUse, type ProcessorWatch } from '../kit/processor-time.ts';
import { median, medianShare, printReport, type Figure } from '../kit/report.ts';
import { flushesPerSecond, openScratch } from '../kit/scratch.ts';
import { watchServices } from '../kit/service-watch.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
/** Rounds that are not counted: until compiled code and caches are those of a service at work. */
const WARM_UP_ROUNDS = 1;
const ROUND_SECONDS = 4;

const SHARE_OF_SQLITE = 0.5;
const SHARE_OF_ONE_PROCESS = 0.9;
/** The promise about several processes is about two: more of them share the same processors. */
const PROMISED_PROCESSES = 2;

export async function benchAppendEngines(processes: number): Promise<void> {
  await using scratch = await openScratch();
  await using server = await startDatabaseServer(scratch.dir);
  const flushes = flushesPerSecond(scratch.dir);
  const singles = await benchSingles({ dir: join(scratch.dir, 'single'), server, processes });
  const batches = await benchBatches({ dir: join(scratch.dir, 'batch'), server });
  printReport('append-postgres', [
    { name: 'disk flushes', value: flushes, unit: '/s' },
    ...singles,
    ...batches,
  ]);
}

/** What serves the posts of one row of the report. */
class Candidate {
  readonly name: string;
  readonly services: readonly [ServiceChild, ...ServiceChild[]];
  readonly results: LoadResult[] = [];
  readonly uses: (readonly ProcessorUse[])[] = [];
  /** Events acknowledged, those of the warm-up included. */
  accepted = 0;
  readonly #watch: ProcessorWatch;

  constructor(
    name: string,
    services: readonly [ServiceChild, ...ServiceChild[]],
    database: DatabaseServer | undefined,
  ) {
    this.name = name;
    this.services = services;
    this.#watch = watchServices(services, database);
  }

  async measure(path: string, series: string): Promise<LoadResult> {
    const urls = this.services.map(({ address }) => `${address}${path}`);
    const result = await load({
      url: urls[0] ?? '',
      otherUrls: urls.slice(1),
      connections: CONNECTIONS,
      seconds: ROUND_SECONDS,
      method: 'POST',
      body: (n) => JSON.stringify(benchEvent(n, series)),
    });
    if (result.failures > 0) {
      throw new Error(`${this.name}: ${result.failures} posts to ${path} were refused`);
    }
    return result;
  }

  async measureEvents(round: number): Promise<void> {
    this.#watch.start();
    const result = await this.measure('/v1/events', `round${round}`);
    const use = this.#watch.stop();
    this.accepted += result.requests;
    if (round < WARM_UP_ROUNDS) return;
    this.results.push(result);
    this.uses.push(use);
  }

  async checkOrder(databaseUrl: string): Promise<void> {
    await checkOrder({ databaseUrl, services: this.services, accepted: this.accepted });
  }

  get perSecond(): readonly number[] {
    return this.results.map(({ perSecond }) => perSecond);
  }

  figures(): readonly Figure[] {
    const name = `single-event POST, ${this.name}`;
    const latency = (read: (result: LoadResult) => number): number =>
      median(this.results.map(read));
    return [
      { name, value: median(this.perSecond), unit: '/s' },
      { name: `${name}, p50`, value: latency(({ p50Ms }) => p50Ms), unit: 'ms' },
      { name: `${name}, p95`, value: latency(({ p95Ms }) => p95Ms), unit: 'ms' },
      { name: `${name}, p99`, value: latency(({ p99Ms }) => p99Ms), unit: 'ms' },
      ...processorFigures(this.name, this.uses),
    ];
  }
}

/** All in turn, round after round, so that whatever else the machine does meets them all. */
async function benchSingles(options: {
  readonly dir: string;
  readonly server: DatabaseServer;
  readonly processes: number;
}): Promise<readonly Figure[]> {
  const { dir, server, processes } = options;
  const { url: urlOfOne } = await server.createDatabase();
  const { url: urlOfSeveral } = await server.createDatabase();
  await using sqliteService = await startService({ dataDir: join(dir, 'sqlite') });
  await using oneService = await startServices({
    processes: 1,
    dataDir: join(dir, 'one'),
    databaseUrl: urlOfOne,
  });
  await using severalServices =
    processes === 1
      ? undefined
      : await startServices({
          processes,
          dataDir: join(dir, 'several'),
          databaseUrl: urlOfSeveral,
        });
  const sqlite = new Candidate('SQLite', [sqliteService], undefined);
  const one = new Candidate('PostgreSQL, one process', oneService.services, server);
  const several =
    severalServices === undefined
      ? undefined
      : new Candidate(`PostgreSQL, ${processes} processes`, severalServices.services, server);
  const candidates = [sqlite, one, ...(several === undefined ? [] : [several])];
  const noops: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    console.error(`single posts: round ${round + 1} of ${WARM_UP_ROUNDS + ROUNDS}`);
    for (const candidate of candidates) {
      verifyOnlyAt(candidate, candidates);
      await candidate.measureEvents(round);
    }
    verifyOnlyAt(sqlite, candidates);
    const noop = await sqlite.measure('/v1/noop', `noop${round}`);
    if (round >= WARM_UP_ROUNDS) noops.push(noop.perSecond);
  }
  await one.checkOrder(urlOfOne);
  await several?.checkOrder(urlOfSeveral);
  return [
    { name: `no-op POST, ${CONNECTIONS} connections`, value: median(noops), unit: '/s' },
    ...candidates.flatMap((candidate) => candidate.figures()),
    {
      name: 'single-event POST, SQLite, as a share of the no-op',
      value: medianShare(sqlite.perSecond, noops),
      unit: '',
    },
    {
      name: 'single-event POST, PostgreSQL compared with SQLite',
      value: medianShare(one.perSecond, sqlite.perSecond),
      unit: '',
      target: { kind: 'at_least', value: SHARE_OF_SQLITE },
    },
    ...(several === undefined ? [] : [compareProcesses(several, one)]),
  ];
}

/** Each has a verifier of its own; while another is measured it waits. */
function verifyOnlyAt(measured: Candidate, candidates: readonly Candidate[]): void {
  for (const candidate of candidates) {
    const order = candidate === measured ? 'verifier-resume' : 'verifier-pause';
    for (const service of candidate.services) service.process.send(order);
  }
}

function compareProcesses(several: Candidate, one: Candidate): Figure {
  const count = several.services.length;
  const figure = {
    name: `single-event POST, ${count} processes compared with one`,
    value: medianShare(several.perSecond, one.perSecond),
    unit: '',
  };
  if (count !== PROMISED_PROCESSES) return figure;
  return { ...figure, target: { kind: 'at_least', value: SHARE_OF_ONE_PROCESS } };
}
