// Pages in a browser as one person has them, and what they complained about.
import assert from 'node:assert/strict';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Booted } from '../boot.ts';
import type { TestPerson } from '../people/person.ts';

/** How long anything may take until a page shows it. */
export const SHOWN_MAX_MS = PATIENCE_MS;

/** A page that cannot reach its server says so, whatever it does about it. */
const NETWORK_COMPLAINT = /net::ERR_|Failed to load resource/;

export interface Browsing extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, of the policy and of the console, but for a network that is away. */
  readonly complaints: readonly string[];
}

export interface BrowsingOptions extends BrowserContextOptions {
  /** Where the pages are. */
  readonly base: string;
  /** Logged in already; nobody when not given. */
  readonly person?: TestPerson | undefined;
}

export async function browse(browser: Browser, options: BrowsingOptions): Promise<Browsing> {
  const { base, person, ...contextOptions } = options;
  const context = await browser.newContext({ baseURL: base, ...contextOptions });
  context.setDefaultTimeout(SHOWN_MAX_MS);
  if (person !== undefined) {
    const [name = '', value = ''] = (person.headers['Cookie'] ?? '').split('=');
    await context.addCookies([{ name, value, url: base }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isNote = message.type() === 'info' || message.type() === 'log';
    if (!isNote && !NETWORK_COMPLAINT.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => void dialog.accept());
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** The chip that says whether the page is live. */
export async function untilChip(page: Page, words: RegExp): Promise<void> {
  await page.locator('#chip', { hasText: words }).waitFor();
}

/** Waits until what a question about the page answers is as wanted. */
export async function untilEqual<Value>(
  ask: () => Promise<Value>,
  wanted: Value,
  maxMs = SHOWN_MAX_MS,
): Promise<void> {
  const endMs = performance.now() + maxMs;
  let last = await ask();
  while (!isSame(last, wanted) && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    last = await ask();
  }
  assert.deepEqual(last, wanted);
}

const ASK_EVERY_MS = 25;

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Titles of the list as it is shown, from the top. */
export async function readTitles(page: Page): Promise<readonly string[]> {
  return await page.locator('.item h3').allInnerTexts();
}

/** Posts with a key, and answers the status. */
export async function postWith(
  base: string,
  key: string,
  body: Readonly<Record<string, unknown>>,
): Promise<number> {
  const response = await fetch(`${base}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: JSON.stringify({ command: 'notify', ...body }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** A key of a group that this person owns. */
export async function issueKey(person: TestPerson, groupId: string): Promise<string> {
  const issued = await person.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Oven 3' });
  return String(issued.json['key']);
}

export function readPath(booted: Booted, page: Page): string {
  return page.url().slice(booted.base.length);
}
