// npm run bench -- recall: simulations, cases, late events, notices and posts on the generated hub of a
// million events, on either engine, each beside a baseline of the same run.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { measureOthers, type OthersWaits } from '../lots/waits-of-others.ts';
import { buildChainHub } from '../supply/chain-hub.ts';
import { serveChainHub } from '../supply/serve-hub.ts';
import type { ServiceChild } from '../kit/child.ts';
import { benchEvent } from '../events.ts';
import { Figures } from '../kit/figures.ts';
import { TENANT } from '../kit/hub.ts';
import { expectEqual, listAt, readJson, valueAt } from '../kit/json-answer.ts';
import { load } from '../kit/load.ts';
import { genealogyRead, readInTurn, type OrdinaryLot, type Read } from '../lots/reads.ts';
import { FULL_EVENTS, readChainOptions } from '../kit/options.ts';
import { Random } from '../kit/random.ts';
import { cancelCase, cancelCases, openCase, openCases } from './cases.ts';
import { measureLateEvent, measureLateEvents } from './late.ts';
import { MIXES, measurePosts, type MixResult } from './posts.ts';
import { coveredBy, lotsToRecall, simulateInTurn, widenedBy } from './simulation.ts';
import { median, printReport } from '../kit/report.ts';
import { flushesPerSecond, openScratch } from '../kit/scratch.ts';
import { SupplyChain } from '../supply/chain.ts';

const FULL = {
  readSeconds: 10,
  wideSeconds: 30,
  openings: 5,
  lateRounds: 100,
  cases: 1_000,
  postRounds: 5,
  postSeconds: 4,
};
/** What is measured on a small hub is measured shortly: it is a trial of the benchmark. */
const TRIAL = {
  readSeconds: 1,
  wideSeconds: 2,
  openings: 2,
  lateRounds: 10,
  cases: 20,
  postRounds: 1,
  postSeconds: 1,
};
/** After this a service that was just started has nothing more to do. */
const SETTLE_MS = 3_000;
/** Openings are paused for so long: who follows has seen the one before to its end. */
const BETWEEN_OPENINGS_MS = 2_000;
/** Nobody opens and cancels a few cases for longer. */
const OPENINGS_SECONDS_MAX = 120;
/** Notices of a page, as the interface has it. */
const NOTICES_PAGE = 50;
/** Lots that late events make others of, and lots that are verified. */
const LOTS_SAMPLE = 300;
const BYTES_OF_MEGABYTE = 1_000_000;

const ORDINARY_P95_MS = 30;
const SOLD_P95_MS = 1_000;
const OTHERS_P99_MS = 50;
const OPENING_MAX_MS = 2_000;
/** An opening finds what a simulation finds, and writes it: 1.2 times what version 0.5 took. */
const OPENING_OF_SIMULATION_MAX = 2.2;
/** Of posts while others open and cancel cases on 10,000 lots. */
const DURING_OPENINGS_P99_MS = 150;
const LATE_MAX_MS = 1_000;
const PUBLIC_P95_MS = 50;

export async function benchRecall(args: readonly string[]): Promise<void> {
  const { engine, eventCount, seed } = readChainOptions(args);
  await using scratch = await openScratch();
  const chain = new SupplyChain({ eventCount, seed, tenantId: TENANT, sold: 'added' });
  const figures = new Figures(eventCount >= FULL_EVENTS ? 'full' : 'small');
  figures.add({ name: 'seed', value: seed, unit: '' });
  figures.add({ name: 'disk flushes', value: flushesPerSecond(scratch.dir), unit: '/s' });
  const dataDir = join(scratch.dir, 'hub');
  await buildChainHub(chain, dataDir, figures);
  await using hub = await serveChainHub({ engine, dataDir, dir: scratch.dir });
  await setTimeout(SETTLE_MS);
  const random = new Random(seed);
  await new RecallBench({ chain, random, service: hub.service, figures }).run();
  printReport(engine === 'sqlite' ? 'recall' : 'recall-postgres', figures.list);
}

class RecallBench {
  readonly #chain: SupplyChain;
  readonly #random: Random;
  readonly #service: ServiceChild;
  readonly #figures: Figures;
  readonly #pace: typeof FULL;
  readonly #sold: OrdinaryLot;
  /** Lots that cases are opened for: a recall of each covers about a hundred. */
  readonly #seeds: readonly OrdinaryLot[];
  /** What these cases cover. */
  readonly #covered: readonly number[];
  /** Of these, the ones of which nothing can be made that is not covered. */
  readonly #widened: readonly number[];
  /** Of the recall of the lot that concerns the most, p95, once it was measured. */
  #simulationMs = Number.NaN;

  constructor(parts: {
    readonly chain: SupplyChain;
    readonly random: Random;
    readonly service: ServiceChild;
    readonly figures: Figures;
  }) {
    const { model, sold, eventCount } = parts.chain;
    this.#chain = parts.chain;
    this.#random = parts.random;
    this.#service = parts.service;
    this.#figures = parts.figures;
    this.#pace = eventCount >= FULL_EVENTS ? FULL : TRIAL;
    this.#sold = { lot: sold.lot, related: model.related(sold.lot) };
    this.#seeds = lotsToRecall(model, parts.random, this.#pace.cases - 1);
    this.#covered = [...new Set(this.#seeds.flatMap(coveredBy))];
    this.#widened = [...new Set(this.#seeds.flatMap(widenedBy))];
  }

  async run(): Promise<void> {
    await this.#addMemory('idle');
    await this.#measureNoop();
    await this.#measureOrdinary();
    await this.#measureSold();
    await this.#measurePublic('without cases', 0);
    await this.#measureOpenings();
    await this.#measureLateWithOneCase();
    const before = await this.#measurePosts(nothingToFollow);
    const caseNos = await this.#openAll();
    await this.#measureLate(`${caseNos.length} open cases`, this.#some(this.#widened));
    await this.#measurePublic(`with ${caseNos.length} open cases`, caseNos.length);
    const during = await this.#measurePosts(() => this.#behindMs());
    await cancelCases(this.#service, caseNos);
    const after = await this.#measurePosts(nothingToFollow);
    this.#comparePosts({ before, during, after });
    await this.#addMemory('at the end');
  }

  /** The same key check and schema as a post, an answer of the same shape, and nothing done. */
  async #measureNoop(): Promise<void> {
    const body = JSON.stringify(benchEvent(0, 'noop'));
    const result = await load({
      url: `${this.#service.address}/v1/noop`,
      connections: 1,
      seconds: this.#pace.readSeconds,
      method: 'POST',
      body: () => body,
    });
    this.#figures.addLatencies('no-op POST', result);
  }

  async #measureOrdinary(): Promise<void> {
    const { model } = this.#chain;
    const seconds = this.#pace.readSeconds;
    const lots = this.#seeds.map((seed) => coveredBy(seed).length);
    this.#add('ordinary lots that are asked for', this.#seeds.length, '');
    this.#add('lots that a recall of an ordinary lot covers, median', median(lots), '');
    this.#figures.addLatencies(
      'genealogy of an ordinary lot, depth 10',
      await readInTurn(
        this.#service,
        this.#seeds.map((seed) => genealogyRead(model, seed)),
        seconds,
      ),
    );
    this.#figures.addLatencies(
      'simulation of an ordinary lot',
      await simulateInTurn(this.#service, model, { lots: this.#seeds, seconds }),
      { p95: ORDINARY_P95_MS },
    );
  }

  async #measureSold(): Promise<void> {
    const { model, sold } = this.#chain;
    const seconds = this.#pace.wideSeconds;
    const covered = coveredBy(this.#sold).length;
    const name = `lot with ${covered} affected and ${sold.lineCount} SELL lines`;
    const simulate = () => simulateInTurn(this.#service, model, { lots: [this.#sold], seconds });
    this.#figures.addLatencies(
      `genealogy of the ${name}`,
      await readInTurn(this.#service, [genealogyRead(model, this.#sold)], seconds),
    );
    const alone = await simulate();
    this.#figures.addLatencies(`simulation of the ${name}, alone`, alone, { p95: SOLD_P95_MS });
    this.#simulationMs = alone.p95Ms;
    const { result, others } = await this.#besideOthers(seconds, simulate);
    this.#figures.addLatencies(`simulation of the ${name}, among others`, result, {
      p95: SOLD_P95_MS,
    });
    this.#addOthers('its recall is simulated', others);
  }

  /** Opened and cancelled again, beside others who post and read. */
  async #measureOpenings(): Promise<void> {
    const seedLotCode = this.#chain.model.getCode(this.#sold.lot);
    const open = async (): Promise<number> => {
      const { caseNo, elapsedMs } = await openCase(this.#service, seedLotCode);
      await setTimeout(BETWEEN_OPENINGS_MS);
      await cancelCase(this.#service, caseNo);
      await setTimeout(BETWEEN_OPENINGS_MS);
      return elapsedMs;
    };
    const openAll = async (): Promise<readonly number[]> => {
      const elapsed: number[] = [];
      for (let n = 0; n < this.#pace.openings; n += 1) elapsed.push(await open());
      return elapsed;
    };
    const alone = await openAll();
    this.#addOpenings('alone', alone);
    this.#figures.add({
      name: 'opening a case on that lot, alone, median, compared with its simulation, p95',
      value: median(alone) / this.#simulationMs,
      unit: 'times',
      target: { kind: 'at_most', value: OPENING_OF_SIMULATION_MAX },
    });
    const { result, others } = await this.#besideOthers(OPENINGS_SECONDS_MAX, openAll);
    this.#addOpenings('among others', result);
    this.#addOthers('cases on it are opened', others, { 'single POST': DURING_OPENINGS_P99_MS });
  }

  #addOpenings(when: string, elapsed: readonly number[]): void {
    const name = `opening a case on that lot, all held, ${when}`;
    this.#add(`${name}, median`, median(elapsed), 'ms');
    const target = { kind: 'at_most', value: OPENING_MAX_MS } as const;
    this.#figures.add({
      name: `${name}, longest`,
      value: Math.max(...elapsed),
      unit: 'ms',
      target,
    });
  }

  async #measureLateWithOneCase(): Promise<void> {
    const [seed] = this.#seeds;
    if (seed === undefined) throw new Error('the hub has no ordinary lot to recall');
    const { caseNo, elapsedMs } = await openCase(
      this.#service,
      this.#chain.model.getCode(seed.lot),
    );
    this.#add('opening a case on an ordinary lot', elapsedMs, 'ms');
    await this.#measureLate('one open case', widenedBy(seed));
    await cancelCase(this.#service, caseNo);
  }

  async #measureLate(when: string, lots: readonly number[]): Promise<void> {
    const { post, held, noticed } = await measureLateEvents({
      service: this.#service,
      model: this.#chain.model,
      lots,
      rounds: this.#pace.lateRounds,
    });
    const target = { kind: 'at_most', value: LATE_MAX_MS } as const;
    this.#figures.addLatencies(`late event, ${when}, its POST`, post);
    for (const [what, wait] of [
      ['hold', held],
      ['notice', noticed],
    ] as const) {
      const name = `late event, ${when}, 201 to ${what}`;
      this.#figures.addLatencies(name, wait, { p95: LATE_MAX_MS });
      this.#figures.add({ name: `${name}, longest`, value: wait.maxMs, unit: 'ms', target });
    }
  }

  /** Notices and verifications; without cases they are the baseline. */
  async #measurePublic(when: string, openCount: number): Promise<void> {
    const seconds = this.#pace.readSeconds;
    const targets = openCount > 0 ? { p95: PUBLIC_P95_MS } : {};
    const reads = this.#some(this.#covered).map((lot) => this.#verifyRead(lot, openCount > 0));
    const list = noticesRead(Math.min(openCount, NOTICES_PAGE));
    this.#figures.addLatencies(
      `notices, ${when}`,
      await readInTurn(this.#service, [list], seconds),
      targets,
    );
    this.#figures.addLatencies(
      `public verification, ${when}`,
      await readInTurn(this.#service, reads, seconds),
      targets,
    );
  }

  #verifyRead(lot: number, isCovered: boolean): Read {
    const lotCode = this.#chain.model.getCode(lot);
    return {
      path: `/public/verify/${encodeURIComponent(lotCode)}?brand=${TENANT}`,
      check: (answer) => {
        const json = readJson(answer);
        expectEqual(`verification of ${lotCode}`, valueAt(json, 'verified'), true);
        const { length } = listAt(json, 'notices');
        expectEqual(`notices of ${lotCode}`, length > 0, isCovered);
      },
    };
  }

  /** Cases on all seeds, and one on the lot that concerns the most. */
  async #openAll(): Promise<readonly string[]> {
    const { model } = this.#chain;
    const seeds = [...this.#seeds, this.#sold].map(({ lot }) => model.getCode(lot));
    const opened = await openCases(this.#service, seeds);
    this.#add('cases that are open together', opened.caseNos.length, '');
    this.#add('different lots that they cover', this.#covered.length, '');
    this.#figures.addLatencies('opening each of these cases, two at once', opened);
    return opened.caseNos;
  }

  async #measurePosts(catchUp: () => Promise<number>): Promise<readonly MixResult[]> {
    return await measurePosts({
      service: this.#service,
      chain: this.#chain,
      covered: this.#covered,
      widened: this.#widened,
      rounds: this.#pace.postRounds,
      seconds: this.#pace.postSeconds,
      catchUp,
    });
  }

  /** How long an event that is posted now waits until the cases have followed it. */
  async #behindMs(): Promise<number> {
    const [lot] = this.#some(this.#widened);
    if (lot === undefined) throw new Error('no case covers a lot');
    return (await measureLateEvent(this.#service, this.#chain.model, lot)).held;
  }

  /** Without cases is the mean of before and after: the hub grows while it is measured. */
  #comparePosts(results: {
    readonly before: readonly MixResult[];
    readonly during: readonly MixResult[];
    readonly after: readonly MixResult[];
  }): void {
    for (const [index, { name, shareLeast }] of MIXES.entries()) {
      const before = results.before[index]?.perSecond ?? 0;
      const after = results.after[index]?.perSecond ?? 0;
      const { perSecond: during = 0, behindMs = 0 } = results.during[index] ?? {};
      this.#add(`${name}, before there are any`, before, '/s');
      this.#add(`${name}, with the cases open`, during, '/s');
      this.#add(`${name}, after all were cancelled`, after, '/s');
      this.#figures.add({
        name: `${name}, with cases compared with none`,
        value: (2 * during) / (before + after),
        unit: '',
        target: { kind: 'at_least', value: shareLeast },
      });
      this.#add(`${name}: then a late event is held after`, behindMs, 'ms');
    }
  }

  #besideOthers<Result>(
    workSecondsMax: number,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly others: readonly OthersWaits[] }> {
    const options = {
      service: this.#service,
      chain: this.#chain,
      ordinary: this.#seeds,
      random: this.#random,
      seconds: this.#pace.wideSeconds,
      workSecondsMax,
    };
    return measureOthers(options, work);
  }

  /** @param work what others have beside them */
  #addOthers(
    work: string,
    others: readonly OthersWaits[],
    p99Ms: Readonly<Partial<Record<OthersWaits['kind'], number>>> = {},
  ): void {
    for (const { kind, before, during } of others) {
      this.#figures.addLatencies(`${kind} before ${work}`, before);
      this.#figures.addLatencies(`${kind} while ${work}`, during, {
        p99: p99Ms[kind] ?? OTHERS_P99_MS,
      });
    }
  }

  #some(lots: readonly number[]): readonly number[] {
    return this.#random.pickSome(lots, LOTS_SAMPLE);
  }

  async #addMemory(when: string): Promise<void> {
    const megabytes = (await this.#service.rssBytes()) / BYTES_OF_MEGABYTE;
    this.#add(`memory of the service, ${when}`, megabytes, 'MB');
  }

  #add(name: string, value: number, unit: string): void {
    this.#figures.add({ name, value, unit });
  }
}

function nothingToFollow(): Promise<number> {
  return Promise.resolve(0);
}

function noticesRead(shown: number): Read {
  return {
    path: '/public/notices',
    check: (answer) => {
      expectEqual('notices', listAt(readJson(answer), 'notices').length, shown);
    },
  };
}
