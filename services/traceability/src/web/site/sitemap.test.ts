// Sitemaps as sitemaps.org describes them: which recalls are in which file, and what an index lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CASES_PER_FILE,
  countSitemapFiles,
  sitemapFile,
  sitemapIndex,
  toCaseRange,
} from './sitemap.ts';

/** The limit of the protocol. */
const URLS_MAX = 50_000;

test('a file never has more addresses than the protocol allows', () => {
  const { above, upTo } = toCaseRange(0);
  const cases = Array.from({ length: upTo - above }, (_, at) => ({
    caseNo: `RC-2026-${at + 1}`,
    updatedAt: '2026-03-02T06:15:00.000Z',
  }));

  const text = sitemapFile('https://hub.example', { file: 0, cases });

  const count = text.match(/<url>/g)?.length ?? 0;
  assert.ok(count > CASES_PER_FILE && count <= URLS_MAX, String(count));
});

test('every recall is in exactly one of the files', () => {
  const newest = 3 * CASES_PER_FILE + 1;
  const ids = [1, CASES_PER_FILE, CASES_PER_FILE + 1, newest];

  const ranges = Array.from({ length: countSitemapFiles(newest) }, (_, file) => toCaseRange(file));

  assert.equal(ranges.length, 4);
  for (const id of ids) {
    assert.equal(
      ranges.filter(({ above, upTo }) => id > above && id <= upTo).length,
      1,
      String(id),
    );
  }
});

test('without a recall there is one file, of the pages that stay', () => {
  assert.equal(countSitemapFiles(0), 1);
  assert.match(
    sitemapFile('https://hub.example', { file: 0, cases: [] }),
    /<loc>https:\/\/hub\.example\/recalls<\/loc>/,
  );
});

test('addresses are escaped, and an index names each file', () => {
  const cases = [{ caseNo: 'RC-2026-0001&<', updatedAt: '2026-03-02T06:15:00.000Z' }];

  const file = sitemapFile('https://hub.example/a&b', { file: 1, cases });
  const index = sitemapIndex('https://hub.example/a&b', 2);

  assert.match(file, /<loc>https:\/\/hub\.example\/a&amp;b\/recalls\/RC-2026-0001%26%3C<\/loc>/);
  assert.doesNotMatch(file, /\/api-docs/);
  assert.deepEqual(
    [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address),
    ['https://hub.example/a&amp;b/sitemap/0.xml', 'https://hub.example/a&amp;b/sitemap/1.xml'],
  );
});
