// npm run bench -- console: each page of the console on a generated hub, on either engine: p95 on the server, beside
// an answer of the same run that does nothing, how large page and scripts are, and when something is seen.
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HEADERS } from '../kit/child.ts';
import type { ServiceChild } from '../kit/child.ts';
import { Figures } from '../kit/figures.ts';
import { TENANT } from '../kit/hub.ts';
import { listAt, textAt, valueAt } from '../kit/json-answer.ts';
import { load } from '../kit/load.ts';
import type { LoadResult } from '../kit/load.ts';
import { FULL_EVENTS, engineOf, seedOf, wholeNumber } from '../kit/options.ts';
import { Random } from '../kit/random.ts';
import { printReport } from '../kit/report.ts';
import { openScratch } from '../kit/scratch.ts';
import { ordinaryLots } from '../lots/reads.ts';
import { buildChainHub } from '../supply/chain-hub.ts';
import { SupplyChain } from '../supply/chain.ts';
import { serveChainHub } from '../supply/serve-hub.ts';
import { measureFirstPaint } from './first-paint.ts';
import { pagesOf } from './pages.ts';
import type { Given, MeasuredPage } from './pages.ts';

export const CONSOLE_USAGE =
  '[--engine sqlite|postgres] [--events 20000] [--large, for 1000000] [--seed 20260105]';

const SMALL_EVENTS = 20_000;
/** After this a service that was just started has nothing more to do. */
const SETTLE_MS = 3_000;
const WARMING_REQUESTS = 5;
const REQUESTS = { full: 200, small: 40 };
const SECONDS_MAX = 30;
/** Lots and events that are looked at in turn. */
const SAMPLE = 20;
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
  const engine = engineOf(values.engine);
  const eventCount =
    values.large === true
      ? FULL_EVENTS
      : wholeNumber('--events', values.events ?? String(SMALL_EVENTS), 1_000);
  const seed = seedOf(values.seed);
  await using scratch = await openScratch();
  const chain = new SupplyChain({ eventCount, seed, tenantId: TENANT, sold: 'added' });
  const size = eventCount >= FULL_EVENTS ? 'full' : 'small';
  const figures = new Figures(size);
  const dataDir = join(scratch.dir, 'hub');
  await buildChainHub(chain, dataDir, figures);
  const env = { RATE_LIMIT_PAGES: '0' };
  await using hub = await serveChainHub({ engine, dataDir, dir: scratch.dir, env });
  await setTimeout(SETTLE_MS);
  const given = await giveWork(hub.service, chain, seed);
  const cookie = await cookieOf(hub.service);
  const headers = { ...PERSON_HEADERS, cookie };
  const requests = REQUESTS[size];
  const bench = new ConsoleBench({ service: hub.service, figures, headers, requests });
  const pages = pagesOf(given);
  const missing = await bench.run(pages);
  await measureFirstPaint({ address: hub.service.address, cookie, pages, figures });
  printReport(engine === 'sqlite' ? 'console' : 'console-postgres', figures.list);
  if (missing.length > 0) throw new Error(`there are no such pages: ${missing.join(', ')}`);
}

async function cookieOf({ process: child }: ServiceChild): Promise<string> {
  const answered: Promise<readonly unknown[]> = once(child, 'message');
  child.send('visitor');
  return textAt((await answered)[0], 'cookie');
}

/** Something of what the pages are for: lots on hold, an open case with notifications, a drill. */
async function giveWork(
  service: ServiceChild,
  { model, sold }: SupplyChain,
  seed: number,
): Promise<Given> {
  const lots = ordinaryLots(model, new Random(seed)).slice(0, SAMPLE);
  const lotCodes = lots.map(({ lot }) => model.codeOf(lot));
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(service.address + path, {
      method,
      headers: { ...HEADERS, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  for (const code of lotCodes.slice(0, 5))
    await send('POST', `/v1/lots/${encodeURIComponent(code)}/hold`, { by: 'bench', reason: 'b' });
  const [lotCode = ''] = lotCodes;
  const opened = await send('POST', '/v1/recall/cases', {
    ...{ seed_lot_code: lotCode, opened_by: 'bench', title: 'Bench', reason: 'Bench' },
    auto_hold: true,
  });
  const caseNo = textAt(opened, 'case_no');
  const move = { status: 'notification', changed_by: 'bench' };
  await send('PATCH', `/v1/recall/cases/${caseNo}/status`, move);
  const drill = { lot_code: lotCode, drilled_by: 'bench' };
  const drillId = valueAt(await send('POST', '/v1/recall/drills', drill), 'id');
  const events = await send('GET', `/v1/events?limit=${SAMPLE}`);
  return {
    lotCodes,
    wideLotCode: model.codeOf(sold.lot),
    eventIds: eventIdsOf(events),
    caseNo,
    drillId: String(drillId),
  };
}

/** Numbers of events on a page of `/v1/events`. */
function eventIdsOf(page: unknown): readonly number[] {
  return listAt(page, 'events').map((event) => Number(valueAt(event, 'id')));
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

  async #measure({ name, paths }: MeasuredPage, noop: LoadResult): Promise<void> {
    const size = await this.#sizeOf(paths[0] ?? '');
    if (size === undefined) {
      this.#missing.push(`${name}: ${paths[0]}`);
      return;
    }
    const figures = this.#figures;
    const result = await this.#ask(paths, this.#headers);
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
  async #sizeOf(
    path: string,
  ): Promise<{ readonly page: number; readonly scripts: number } | undefined> {
    const page = await this.#read(path);
    if (page === undefined) return undefined;
    let scripts = 0;
    for (const [, script = ''] of page.matchAll(/<script type="module" src="([^"]+)"/g))
      scripts += Buffer.byteLength((await this.#read(script)) ?? '');
    return { page: Buffer.byteLength(page), scripts };
  }

  async #read(path: string): Promise<string | undefined> {
    const answer = await fetch(this.#service.address + path, { headers: this.#headers });
    const text = await answer.text();
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text;
  }
}
