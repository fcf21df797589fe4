// npm run bench -- pages: the page of a lot behind the cache of deploy/nginx.conf, beside a file of the same
// size that the same nginx serves by itself. On SQLite; it needs nginx.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from './kit/child.ts';
import { Figures } from './kit/figures.ts';
import { makeHub } from './kit/hub.ts';
import { load, type LoadResult } from './kit/load.ts';
import { startProxy } from './kit/proxy.ts';
import { median, medianShare, printReport } from './kit/report.ts';
import { openScratch } from './kit/scratch.ts';

const BLOCKS = 10_000;
const CONNECTIONS = 64;
const ROUNDS = 7;
const ROUND_SECONDS = 2;
const LOT = '/lot/LOT-hub-1000-5';
const FILE = 'page.html';
const SHARE = 0.5;

/** Browsers of several readers; the first comes by default. */
const READERS = ['de-DE,de;q=0.9,en;q=0.8', 'fr,en-US;q=0.7', 'it-IT', 'en-GB,en'] as const;

const LANGUAGE_LETTERS = 2;

type Way = 'page' | 'file';

export async function benchPages(): Promise<void> {
  await using scratch = await openScratch();
  const dataDir = join(scratch.dir, 'hub');
  await makeHub({ dataDir, events: BLOCKS, series: 'hub' });
  await using service = await startService({ dataDir });
  await using proxy = await startProxy({ dir: join(scratch.dir, 'nginx'), service });
  const figures = new Figures('full');
  // Each twice: what one reader has left in the cache is nothing for another one.
  for (const reader of [...READERS, ...READERS]) await readPage(proxy.address + LOT, reader);
  const [reader] = READERS;
  const content = await readPage(proxy.address + LOT, reader);
  figures.add({ name: 'page of a lot', value: content.length / 1_000, unit: 'kB' });
  writeFileSync(join(proxy.filesDir, FILE), content);

  const paths: Readonly<Record<Way, string>> = { page: LOT, file: `/files/${FILE}` };
  const measured: Readonly<Record<Way, LoadResult[]>> = { page: [], file: [] };
  const before = proxy.asked().length;
  for (let round = 0; round < ROUNDS; round += 1) {
    console.error(`round ${round + 1} of ${ROUNDS}`);
    const ways: readonly Way[] = ['page', 'file'];
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const language = READERS[round % READERS.length] ?? reader;
      measured[way].push(await get(proxy.address + paths[way], language));
    }
  }
  const asked = proxy.asked().slice(before);
  const rates = (way: Way): readonly number[] => measured[way].map(({ perSecond }) => perSecond);
  const p99 = (way: Way): number => median(measured[way].map(({ p99Ms }) => p99Ms));
  figures.add({ name: 'page of a lot, kept by nginx', value: median(rates('page')), unit: '/s' });
  figures.add({ name: 'file of the same size', value: median(rates('file')), unit: '/s' });
  figures.add({
    name: 'page of a lot as a share of a file',
    value: medianShare(rates('page'), rates('file')),
    unit: '',
    target: { kind: 'at_least', value: SHARE },
  });
  figures.add({ name: 'page of a lot, p99', value: p99('page'), unit: 'ms' });
  figures.add({
    name: 'pages that the hub was asked for',
    value: asked.filter((line) => line.endsWith(LOT) && !line.startsWith('HIT ')).length,
    unit: '',
  });
  printReport('pages', figures.list);
}

/** @throws Error when it is in another language than the reader's */
async function readPage(url: string, reader: string): Promise<string> {
  const answer = await fetch(url, { headers: { 'Accept-Language': reader } });
  const page = await answer.text();
  const language = reader.slice(0, LANGUAGE_LETTERS);
  if (!page.includes(`<html lang="${language}"`)) {
    throw new Error(
      `${url}, asked for in ${language}, answered ${answer.status}: ${page.slice(0, 200)}`,
    );
  }
  return page;
}

async function get(url: string, language: string): Promise<LoadResult> {
  const result = await load({
    url,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
    method: 'GET',
    headers: { 'Accept-Language': language },
  });
  if (result.failures > 0) throw new Error(`${url}: ${result.failures} answers were no page`);
  return result;
}
