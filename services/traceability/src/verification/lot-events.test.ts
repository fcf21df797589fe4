// Pages through the events of many lots: each lot whole, but for one that fills a page alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseReader } from '@lothub/kit/database';
import { readLotEvents } from './lot-events.ts';
import type { LotEventRow, LotEvents } from './queries.ts';

/** Nothing is asked of it: the query below answers out of memory. */
const NO_DATABASE: DatabaseReader = {
  all: () => Promise.reject(new Error('no query is expected')),
  first: () => Promise.reject(new Error('no query is expected')),
  close: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Lots with so many events of one line each, and every page that was requested. */
function lotsWith(counts: ReadonlyMap<number, number>) {
  const pages: (readonly number[])[] = [];
  const query = (
    _database: DatabaseReader,
    page: { readonly lotNos: readonly number[]; readonly linesMax: number },
  ): Promise<LotEvents> => {
    pages.push(page.lotNos);
    const lines = page.lotNos.flatMap((lotNo) =>
      Array.from({ length: counts.get(lotNo) ?? 0 }, (_, height): LotEventRow => {
        return { lotNo, height, eventType: 'SELL', occurredAt: '2026-03-02T06:15:00Z' };
      }),
    );
    const events = lines.slice(0, page.linesMax);
    return Promise.resolve({ events, end: events[page.linesMax - 1] });
  };
  const read = () => readLotEvents(NO_DATABASE, [...counts.keys()], query);
  return { read, pages };
}

function mapCounts(events: readonly LotEventRow[]): ReadonlyMap<number, number> {
  return new Map(
    [...Map.groupBy(events, (event) => event.lotNo)].map(([n, own]) => [n, own.length]),
  );
}

test('every event of lots with few lines comes once, in whatever order the lots are given', async () => {
  const counts = new Map([
    [9, 600],
    [3, 600],
    [5, 0],
    [7, 2],
  ]);
  const { read, pages } = lotsWith(counts);

  const { events, isCut } = await read();

  assert.deepEqual(
    mapCounts(events),
    new Map([
      [3, 600],
      [7, 2],
      [9, 600],
    ]),
  );
  assert.equal(isCut, false);
  assert.deepEqual(pages, [[3, 5, 7, 9], [9]]);
});

test('of a lot that fills a page alone its first lines are read, and it is said that more follow', async () => {
  const { read } = lotsWith(
    new Map([
      [1, 3],
      [2, 5_000],
      [4, 3],
    ]),
  );

  const { events, isCut } = await read();

  assert.deepEqual(
    mapCounts(events),
    new Map([
      [1, 3],
      [2, 1_000],
      [4, 3],
    ]),
  );
  assert.equal(isCut, true);
});

test('the reading ends after so many lines of all lots', async () => {
  const many = new Map(Array.from({ length: 200 }, (_, n) => [n + 1, 2_000] as const));
  const { read, pages } = lotsWith(many);

  const { events, isCut } = await read();

  assert.equal(events.length, 50_000);
  assert.equal(isCut, true);
  assert.ok(pages.length <= 50, String(pages.length));
});
