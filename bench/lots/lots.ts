// npm run bench -- lots: genealogy, search, lot records, verification and corrections on a generated
// hub of a million events and half a million lots, and single posts on it beside an empty hub; or the
// reads on both engines.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildChainHub } from '../supply/chain-hub.ts';
import { startService, type ServiceChild } from '../kit/child.ts';
import { startDatabaseServer } from '../kit/database-server.ts';
import { benchEvent } from '../events.ts';
import { Figures } from '../kit/figures.ts';
import { copyHub } from '../kit/hub-copy.ts';
import { TENANT } from '../kit/hub.ts';
import { measureOthers, type OthersOptions, type OthersWaits } from './waits-of-others.ts';
import { correctBulk } from './corrections.ts';
import { compareEngines } from './engines.ts';
import { comparePosts } from './posts.ts';
import {
  LotTexts,
  chainRead,
  checkedOnce,
  genealogyRead,
  ordinaryLots,
  readInTurn,
  recordRead,
  searchKinds,
  searchReads,
  verifyReads,
} from './reads.ts';
import type { OrdinaryLot, Read } from './reads.ts';
import { load, type Latencies } from '../kit/load.ts';
import { FULL_EVENTS, readChainOptions } from '../kit/options.ts';
import { Random } from '../kit/random.ts';
import { median, printReport, type Figure } from '../kit/report.ts';
import { flushesPerSecond, openScratch } from '../kit/scratch.ts';
import { SupplyChain } from '../supply/chain.ts';

interface WidestResult {
  readonly nodeCount: number;
  readonly alone: Latencies;
  readonly meanwhile: Latencies;
  readonly others: readonly OthersWaits[];
}

/** What is measured on a small hub is measured shortly: it is a trial of the benchmark. */
const FULL = { readSeconds: 10, kindSeconds: 2, wideSeconds: 30, postRounds: 5, postSeconds: 4 };
const TRIAL = { readSeconds: 1, kindSeconds: 0.3, wideSeconds: 2, postRounds: 1, postSeconds: 1 };
/** After this a service that was just started has nothing more to do. */
const SETTLE_MS = 3_000;
const BYTES_OF_MEGABYTE = 1_000_000;

const ORDINARY_P95_MS = 20;
const WIDEST_P95_MS = 500;
const OTHERS_P99_MS = 50;
const SEARCH_P95_MS = 50;
const RECORD_P95_MS = 50;
const VERIFY_P95_MS = 50;
const POST_SHARE = 0.8;

export async function benchLots(args: readonly string[]): Promise<void> {
  const { engine, eventCount, seed } = readChainOptions(args);
  await using scratch = await openScratch();
  const chain = new SupplyChain({ eventCount, seed, tenantId: TENANT });
  const bench = new LotsBench({ chain, seed, dir: scratch.dir });
  if (engine === 'sqlite') printReport('lots', await bench.run());
  else printReport('lots-postgres', await bench.runOnBoth());
}

class LotsBench {
  readonly #chain: SupplyChain;
  readonly #seed: number;
  readonly #dir: string;
  readonly #random: Random;
  readonly #pace: typeof FULL;
  readonly #figures: Figures;

  constructor(parts: { readonly chain: SupplyChain; readonly seed: number; readonly dir: string }) {
    this.#chain = parts.chain;
    this.#seed = parts.seed;
    this.#dir = parts.dir;
    this.#random = new Random(parts.seed);
    const isFull = parts.chain.eventCount >= FULL_EVENTS;
    this.#pace = isFull ? FULL : TRIAL;
    this.#figures = new Figures(isFull ? 'full' : 'small');
  }

  async run(): Promise<readonly Figure[]> {
    const dataDir = join(this.#dir, 'hub');
    this.#add('seed', this.#seed, '');
    this.#add('disk flushes', flushesPerSecond(this.#dir), '/s');
    await buildChainHub(this.#chain, dataDir, this.#figures);
    await using service = await startService({ dataDir });
    await setTimeout(SETTLE_MS);
    this.#add('memory of the service, idle', await megabytes(service), 'MB');
    await this.#measureNoop(service);
    const ordinary = ordinaryLots(this.#chain.model, this.#random);
    await this.#measureReads(service, ordinary);
    await this.#measureSearch(service);
    await this.#measureWidest(service, ordinary);
    await this.#measureCorrections(service);
    await this.#measurePosts(service);
    this.#add('memory of the service, at the end', await megabytes(service), 'MB');
    return this.#figures.list;
  }

  /** What is read, on both engines; posts and corrections belong to `run` and to bench/append/append.ts. */
  async runOnBoth(): Promise<readonly Figure[]> {
    const dataDir = join(this.#dir, 'hub');
    this.#add('seed', this.#seed, '');
    await using server = await startDatabaseServer(this.#dir);
    await buildChainHub(this.#chain, dataDir, this.#figures);
    const { url: databaseUrl } = await server.createDatabase();
    const startedAt = performance.now();
    await copyHub({ dataDir, databaseUrl });
    const seconds = (performance.now() - startedAt) / 1_000;
    this.#add('moving the hub to PostgreSQL', this.#chain.eventCount / seconds, 'events/s');
    await using sqlite = await startService({ dataDir });
    await using postgres = await startService({
      dataDir: join(this.#dir, 'hub-on-postgres'),
      env: { DATABASE_URL: databaseUrl },
    });
    await setTimeout(SETTLE_MS);
    await compareEngines(
      {
        chain: this.#chain,
        random: this.#random,
        services: { sqlite, postgres },
        ...this.#pace,
      },
      ({ name, value, unit, target }) => this.#add(name, value, unit, target),
    );
    this.#add('memory of the service on SQLite, at the end', await megabytes(sqlite), 'MB');
    this.#add('memory of the service on PostgreSQL, at the end', await megabytes(postgres), 'MB');
    return this.#figures.list;
  }

  /** The same key check and schema as a post, an answer of the same shape, and nothing done. */
  async #measureNoop(service: ServiceChild): Promise<void> {
    const body = JSON.stringify(benchEvent(0, 'noop'));
    const result = await load({
      url: `${service.address}/v1/noop`,
      connections: 1,
      seconds: this.#pace.readSeconds,
      method: 'POST',
      body: () => body,
    });
    this.#addLatencies('no-op POST', result);
  }

  async #measureReads(service: ServiceChild, ordinary: readonly OrdinaryLot[]): Promise<void> {
    const { model, bulk } = this.#chain;
    const { readSeconds } = this.#pace;
    const nodes = ordinary.map(({ related }) => related.nodeCount);
    this.#add('ordinary lots that are asked for', ordinary.length, '');
    this.#add('nodes of an ordinary lot, median', median(nodes), '');
    this.#addLatencies(
      'genealogy of an ordinary lot, depth 10',
      await readInTurn(
        service,
        ordinary.map((one) => genealogyRead(model, one)),
        readSeconds,
      ),
      { p95: ORDINARY_P95_MS },
    );
    this.#addLatencies(
      'chain of an ordinary lot, 100 events',
      await readInTurn(
        service,
        ordinary.map((one) => chainRead(model, one)),
        readSeconds,
      ),
    );
    this.#addLatencies(
      `record of a lot with ${bulk.lineCount} lines`,
      await readInTurn(service, [recordRead(model, bulk.lot)], readSeconds),
      { p95: RECORD_P95_MS },
    );
    this.#addLatencies(
      'public verification of a deepest lot',
      await readInTurn(service, verifyReads(model, this.#random), readSeconds),
      { p95: VERIFY_P95_MS },
    );
  }

  async #measureSearch(service: ServiceChild): Promise<void> {
    const texts = new LotTexts(this.#chain.model);
    const all: Read[] = [];
    for (const kind of searchKinds(this.#chain, this.#random)) {
      const reads = searchReads(texts, kind);
      all.push(...reads);
      const { p95Ms } = await readInTurn(service, reads, this.#pace.kindSeconds);
      this.#add(`lot search, ${kind.name}, p95`, p95Ms, 'ms');
    }
    const mixed = this.#random.pickSome(all, all.length);
    const result = await readInTurn(service, mixed, this.#pace.readSeconds);
    this.#addLatencies('lot search, all kinds of text in turn', result, { p95: SEARCH_P95_MS });
  }

  async #measureWidest(service: ServiceChild, ordinary: readonly OrdinaryLot[]): Promise<void> {
    const { nodeCount, alone, meanwhile, others } = await measureWidest({
      service,
      chain: this.#chain,
      ordinary,
      random: this.#random,
      seconds: this.#pace.wideSeconds,
    });
    const name = `genealogy of a lot with ${nodeCount} nodes`;
    this.#addLatencies(`${name}, alone`, alone, { p95: WIDEST_P95_MS });
    this.#addLatencies(`${name}, among others`, meanwhile, { p95: WIDEST_P95_MS });
    for (const { kind, before, during } of others) {
      this.#addLatencies(`${kind} at a steady rate`, before);
      this.#addLatencies(`${kind} meanwhile`, during, { p99: OTHERS_P99_MS });
    }
  }

  async #measureCorrections(service: ServiceChild): Promise<void> {
    const { lineCount } = this.#chain.bulk;
    const result = await correctBulk(service, this.#chain);
    this.#addLatencies(`correction of an event of a lot with ${lineCount} lines`, result);
  }

  async #measurePosts(service: ServiceChild): Promise<void> {
    const rates = await comparePosts({
      chain: this.#chain,
      hub: service,
      dir: this.#dir,
      seed: this.#seed,
      rounds: this.#pace.postRounds,
      seconds: this.#pace.postSeconds,
    });
    this.#add('no-op POST, 64 connections', rates.noop, '/s');
    this.#add('single POST on the hub, 64 connections', rates.hub, '/s');
    this.#add('single POST as a share of the no-op', rates.hubOfNoop, '');
    this.#add('the same posts on an empty hub', rates.empty, '/s');
    this.#add('posts of the same kinds on a small hub', rates.small, '/s');
    this.#add('single POST on the hub, lots from anywhere in it', rates.anywhere, '/s');
    const target = { kind: 'at_least', value: POST_SHARE } as const;
    this.#add('single POST compared with an empty hub', rates.hubOfEmpty, '', target);
    this.#add('single POST compared with a small hub', rates.hubOfSmall, '');
    this.#add(
      'single POST with lots from anywhere, compared with an empty hub',
      rates.anywhereOfEmpty,
      '',
    );
  }

  #addLatencies(
    name: string,
    latencies: Latencies,
    atMost: { readonly p95?: number; readonly p99?: number } = {},
  ): void {
    this.#figures.addLatencies(name, latencies, atMost);
  }

  #add(name: string, value: number, unit: string, target?: Figure['target']): void {
    this.#figures.add({ name, value, unit, ...(target === undefined ? {} : { target }) });
  }
}

async function megabytes(service: ServiceChild): Promise<number> {
  return (await service.rssBytes()) / BYTES_OF_MEGABYTE;
}

/**
 * Asks for the genealogy of the widest lot over and over, alone and while others post and read at a steady rate, and
 * measures what the others wait with it and without it.
 *
 * @param options.seconds of each of the three parts
 */
async function measureWidest(options: OthersOptions): Promise<WidestResult> {
  const { service, chain, seconds } = options;
  const { lot } = chain.widest;
  const related = chain.model.related(lot);
  const widest = checkedOnce(genealogyRead(chain.model, { lot, related }));
  const alone = await readInTurn(service, [widest], seconds);
  const { result, others } = await measureOthers(options, () =>
    readInTurn(service, [widest], seconds),
  );
  return { nodeCount: related.nodeCount, alone, meanwhile: result, others };
}
