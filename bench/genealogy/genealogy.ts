// npm run bench -- genealogy: the drawing of a genealogy in a real Chromium, with 500 nodes: what its scripts take of a
// frame while somebody moves, zooms, opens and closes; and how long the hub takes for its pages and answers.
import { join } from 'node:path';
import { launchBrowser } from '@lothub/kit/test/browser';
import { newId } from '@lothub/kit/secrets/ids';
import { insertAccount } from '@lothub/people/accounts/queries';
import { newSession } from '@lothub/people/access/sessions';
import { giveRole } from '@lothub/people/brands/grants';
import { COMMAND_LINE } from '@lothub/people/brands/roles-of-place';
import { openService, type Service } from '@lothub/traceability/server';
import { readSettings } from '@lothub/traceability/settings';
import type { Browser, Page } from 'playwright-core';
import { Figures } from '../kit/figures.ts';
import { TENANT, fillHub, type HubEvent } from '../kit/hub.ts';
import { summarizeLatencies } from '../kit/load.ts';
import { printReport } from '../kit/report.ts';
import { openScratch } from '../kit/scratch.ts';
import { TRACE_CATEGORIES, scriptsByFrame } from './frames.ts';

/** Of the issue that asked for the drawing. */
const SCRIPT_MS = 8;
const PAGE_MS = 100;
/** Doughs of one flour, and breads of one dough. */
const DOUGHS = 20;
const BREADS = 500;
const PRODUCTS = 5;
const LAST_PRODUCT = `BREAD-${PRODUCTS - 1}`;
/** With what is opened besides the drawing has nearly the 500 boxes that it may have. */
const SHOWN_OF_LAST = 65;
const ROUNDS = 3;
const MOVES = 60;
const REQUESTS = 30;
const WARM_UP_REQUESTS = 5;
const SETTLE_MS = 400;
const WHEEL = 40;

export async function benchGenealogy(): Promise<void> {
  await using scratch = await openScratch();
  const dataDir = join(scratch.dir, 'hub');
  await fillHub({ dataDir, events: breads() });
  const service = await openService({
    settings: readSettings({
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PAGES: '0',
    }),
    onFatal: (error) => {
      throw error;
    },
  });
  const browser = await launchBrowser();
  try {
    const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const cookie = await logIn(service);
    const figures = new Figures('full');
    await measureHub(figures, { base, cookie });
    await measureFrames(figures, { browser, base, cookie });
    printReport('genealogy', figures.list);
  } finally {
    await browser.close();
    await service.close();
  }
}

function* breads(): Generator<HubEvent> {
  const line = (direction: 'in' | 'out', lot_code: string, product_sku: string) => {
    return { direction, lot_code, product_sku, quantity: 10, unit: 'kg' };
  };
  const event = (reference: string, lines: readonly ReturnType<typeof line>[]): HubEvent => ({
    tenantId: TENANT,
    event: {
      ...{ event_type: 'PRODUCE', location: 'BAKERY-1', reference },
      occurred_at: '2026-03-02T06:15:00Z',
      lines: [...lines],
    },
  });
  for (let dough = 1; dough <= DOUGHS; dough += 1) {
    const code = `DOUGH-${dough}`;
    const flour = line('in', 'FLOUR-1', 'FLOUR');
    yield event(`WO-${dough}`, [flour, line('out', code, 'DOUGH')]);
    for (let bread = 1; bread <= BREADS; bread += 1) {
      const out = line('out', `B-${dough}-${bread}`, `BREAD-${bread % PRODUCTS}`);
      yield event(`WO-${dough}-${bread}`, [line('in', code, 'DOUGH'), out]);
    }
  }
}

async function logIn({ people }: Service): Promise<string> {
  const accountId = newId('usr');
  const nowMs = Date.now();
  const session = newSession({ accountId, agent: 'bench', nowMs });
  const account = { email: 'bench@example.com', name: 'Bench', passwordHash: 'none' };
  await people.store.write([
    insertAccount({ id: accountId, ...account, createdAt: nowMs }),
    ...session.statements,
  ]);
  const place = { kind: 'brand', id: TENANT } as const;
  await giveRole(people, COMMAND_LINE, { place, accountId, role: 'viewer' });
  return session.secret;
}

interface At {
  readonly base: string;
  readonly cookie: string;
}

function buildPath(lot: string, query = ''): string {
  return `/console/b/${TENANT}/lots/${lot}/genealogy${query}`;
}

/** An address with so many lots of each product of a dough, of the last one fewer. */
function openedPath(shown: number, ofLast = shown): string {
  const steps = Array.from({ length: PRODUCTS }, (_, product) => {
    const group = encodeURIComponent(`lot%3ABREAD-${product}`);
    return `open=down/DOUGH-1/${group}/${product === PRODUCTS - 1 ? ofLast : shown}`;
  });
  return buildPath('DOUGH-1', `?${steps.join('&')}`);
}

async function measureHub(figures: Figures, { base, cookie }: At): Promise<void> {
  const asked: Readonly<Record<string, string>> = {
    'page of a lot with 500 children': buildPath('DOUGH-1'),
    'page of a lot with 10,000 descendants': buildPath('FLOUR-1'),
    'page with 500 nodes opened': openedPath(100),
    'neighbours of a lot with 500 children': buildPath('DOUGH-1', '/neighbours?step=down/DOUGH-1'),
    'search in 10,000 descendants': buildPath('FLOUR-1', '/search?q=B-7-77'),
  };
  for (const [name, path] of Object.entries(asked)) {
    const times: number[] = [];
    for (let n = -WARM_UP_REQUESTS; n < REQUESTS; n += 1) {
      const begun = performance.now();
      const answer = await fetch(base + path, { headers: { Cookie: `lothub_session=${cookie}` } });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
      if (n >= 0) times.push(performance.now() - begun);
    }
    const isPage = name.startsWith('page of');
    figures.addLatencies(name, summarizeLatencies(times), isPage ? { p95: PAGE_MS } : {});
  }
}

async function measureFrames(
  figures: Figures,
  { browser, base, cookie }: At & { readonly browser: Browser },
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  await context.addCookies([{ name: 'lothub_session', value: cookie, url: base }]);
  const page = await context.newPage();
  await page.goto(base + openedPath(100, SHOWN_OF_LAST));
  await page.waitForTimeout(SETTLE_MS);
  figures.add({ name: 'nodes drawn', value: await page.locator('[data-node]').count(), unit: '' });
  const view = await page.locator('.genealogy-view').boundingBox();
  if (view === null) throw new Error('the page has no drawing');
  const [x, y] = [view.x + view.width / 2, view.y + view.height / 2];
  const doings: Readonly<Record<string, () => Promise<void>>> = {
    'moving by drag': async () => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let n = 1; n <= MOVES; n += 1) await page.mouse.move(x + n * 2, y + n);
      await page.mouse.up();
    },
    'moving by wheel': async () => {
      for (let n = 0; n < MOVES; n += 1) await page.mouse.wheel(0, n % 2 === 0 ? WHEEL : -WHEEL);
    },
    zooming: async () => {
      await page.keyboard.down('Control');
      for (let n = 0; n < MOVES; n += 1) await page.mouse.wheel(0, n < MOVES / 2 ? WHEEL : -WHEEL);
      await page.keyboard.up('Control');
    },
    'going by keyboard': async () => {
      await page.locator('.seed .box').focus();
      await page.keyboard.press('ArrowRight');
      for (let n = 0; n < MOVES / 2; n += 1) await page.keyboard.press('ArrowDown');
    },
    'opening 25 lots, closing 90': async () => {
      for (const does of ['Show', 'Hide', 'Show', 'Show']) {
        await useOpener(page, `${does} .*lots of ${LAST_PRODUCT}`);
      }
    },
  };
  for (const [name, run] of Object.entries(doings)) {
    const frames: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await browser.startTracing(page, { categories: TRACE_CATEGORIES });
      await run();
      await page.waitForTimeout(SETTLE_MS);
      const trace = await browser.stopTracing();
      frames.push(...scriptsByFrame(trace.toString()));
    }
    const { p95Ms } = summarizeLatencies(frames);
    const target = { kind: 'at_most', value: SCRIPT_MS } as const;
    figures.add({ name: `scripts in a frame, ${name}, p95`, value: p95Ms, unit: 'ms', target });
    figures.add({
      name: `scripts in a frame, ${name}, most`,
      value: Math.max(...frames),
      unit: 'ms',
      target,
    });
  }
}

/** Without the pointer: it works wherever the drawing was moved to. */
async function useOpener(page: Page, name: string): Promise<void> {
  const title = page.locator('title', { hasText: new RegExp(`^${name}`) });
  await page.locator('.opener').filter({ has: title }).dispatchEvent('click');
  await page.waitForTimeout(SETTLE_MS);
}
