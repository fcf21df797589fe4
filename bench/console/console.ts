// npm run bench -- console: each page of the console on a generated hub, on either engine: p95 on the server, beside
// an answer of the same run that does nothing, how large page and scripts are, and when something is seen.
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HEADERS, type ServiceChild } from '../kit/child.ts';
import { Figures } from '../kit/figures.ts';
import { TENANT } from '../kit/hub.ts';
import { textAt } from '../kit/json-answer.ts';
import { load, type LoadResult } from '../kit/load.ts';
import { FULL_EVENTS, readEngine, readSeed, wholeNumber } from '../kit/options.ts';
import { printReport } from '../kit/report.ts';
import { openScratch } from '../kit/scratch.ts';
import { buildChainHub } from '../supply/chain-hub.ts';
import { SupplyChain } from '../supply/chain.ts';
import { serveChainHub } from '../supply/serve-hub.ts';
import { measureFirstPaint } from './first-paint.ts';
import { giveWork } from './given.ts';
import { listPages, type MeasuredPage } from './pages.ts';

export const CONSOLE_USAGE =
  '[--engine sqlite|postgres] [--events 20000] [--large, for 1000000] [--seed 20260105]';

const SMALL_EVENTS = 20_000;
/** After this a service that was just started has nothing more to do. */
const SETTLE_MS = 3_000;
const WARMING_REQUESTS = 5;
const REQUESTS = { full: 200, small: 40 };
const SECONDS_MAX = 30;
const P95_MS = 100;
const SCRIPT_KB = 60;
const BYTES_OF_KB = 1_000;
const PERSON_HEADERS = { accept: 'text/html', 'accept-language': 'de', 'sec-fetch-site': 'none' };

export async function benchConsole(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: 'string' },
      events: { type: 'string' },
      large: { type: 'boolean' },
      seed: { type: 'string' },
    },
  });
  const engine = readEngine(values.engine);
  const eventCount =
    values.large === true
      ? FULL_EVENTS
      : wholeNumber('--events', values.events ?? String(SMALL_EVENTS), 1_000);
  const seed = readSeed(values.seed);
  await using scratch = await openScratch();
  const chain = new SupplyChain({ eventCount, seed, tenantId: TENANT, sold: 'added' });
  const size = eventCount >= FULL_EVENTS ? 'full' : 'small';
  const figures = new Figures(size);
  const dataDir = join(scratch.dir, 'hub');
  await buildChainHub(chain, dataDir, figures);
  const env = { RATE_LIMIT_PAGES: '0' };
  await using hub = await serveChainHub({ engine, dataDir, dir: scratch.dir, env });
  await setTimeout(SETTLE_MS);
  const cookie = await readCookie(hub.service);
  const given = await giveWork({ address: hub.service.address, cookie, chain, seed });
  const headers = { ...PERSON_HEADERS, cookie };
  const requests = REQUESTS[size];
  const bench = new ConsoleBench({ service: hub.service, figures, headers, requests });
  const pages = listPages(given);
  const missing = await bench.run(pages);
  await measureFirstPaint({ address: hub.service.address, cookie, pages, figures });
  printReport(engine === 'sqlite' ? 'console' : 'console-postgres', figures.list);
  if (missing.length > 0) throw new Error(`there are no such pages: ${missing.join(', ')}`);
}

async function readCookie({ process: child }: ServiceChild): Promise<string> {
  const answered: Promise<readonly unknown[]> = once(child, 'message');
  child.send('visitor');
  return textAt((await answered)[0], 'cookie');
}

class ConsoleBench {
  readonly #service: ServiceChild;
  readonly #figures: Figures;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #requests: number;
  /** Pages that were not there. */
  readonly #missing: string[] = [];

  constructor(options: {
    readonly service: ServiceChild;
    readonly figures: Figures;
    readonly headers: Readonly<Record<string, string>>;
    readonly requests: number;
  }) {
    this.#service = options.service;
    this.#figures = options.figures;
    this.#headers = options.headers;
    this.#requests = options.requests;
  }

  /** @returns what each page that was not there answered */
  async run(pages: readonly MeasuredPage[]): Promise<readonly string[]> {
    const noop = await this.#ask(['/v1/noop'], HEADERS);
    this.#figures.addLatencies('an answer that does nothing', noop);
    for (const page of pages) await this.#measure(page, noop);
    return this.#missing;
  }

  async #measure(page: MeasuredPage, noop: LoadResult): Promise<void> {
    const { name, paths } = page;
    const headers = page.isOfStrangers === true ? PERSON_HEADERS : this.#headers;
    const size = await this.#measureSize(paths[0] ?? '', headers);
    if (size === undefined) {
      this.#missing.push(`${name}: ${paths[0]}`);
      return;
    }
    const figures = this.#figures;
    const result = await this.#ask(paths, headers);
    if (result.failures > 0) throw new Error(`${name}: ${result.failures} answers were no page`);
    const { p95Ms } = result;
    const fast = { kind: 'at_most', value: P95_MS } as const;
    figures.add({ name: `${name}, p95`, value: p95Ms, unit: 'ms', target: fast });
    figures.add({
      name: `${name}, times an answer of nothing`,
      value: p95Ms / noop.p95Ms,
      unit: '',
    });
    figures.add({ name: `${name}, page`, value: size.page / BYTES_OF_KB, unit: 'kB' });
    const small = { kind: 'at_most', value: SCRIPT_KB } as const;
    const scripts = size.scripts / BYTES_OF_KB;
    figures.add({ name: `${name}, scripts`, value: scripts, unit: 'kB', target: small });
  }

  /** One request at a time, the addresses in turn; the first few are not counted. */
  async #ask(
    paths: readonly string[],
    headers: Readonly<Record<string, string>>,
  ): Promise<LoadResult> {
    const options = {
      url: this.#service.address,
      connections: 1,
      seconds: SECONDS_MAX,
      method: 'GET',
      headers,
      path: (n: number) => paths[n % paths.length] ?? '',
    } as const;
    await load({ ...options, requestsMax: WARMING_REQUESTS });
    return await load({ ...options, requestsMax: this.#requests });
  }

  /**
   * Bytes of a page and of the scripts that it loads, as they are sent without compression.
   * @returns undefined when there is no such page
   */
  async #measureSize(
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly page: number; readonly scripts: number } | undefined> {
    const page = await this.#read(path, headers);
    if (page === undefined) return undefined;
    let scripts = 0;
    for (const [, script = ''] of page.matchAll(/<script type="module" src="([^"]+)"/g))
      scripts += Buffer.byteLength((await this.#read(script, headers)) ?? '');
    return { page: Buffer.byteLength(page), scripts };
  }

  async #read(
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const answer = await fetch(this.#service.address + path, { headers, redirect: 'manual' });
    const text = await answer.text();
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text;
  }
}
