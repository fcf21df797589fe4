// Lists of blocks narrowed by brand, type and day, walked from either end: by programs and on the pages.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { BLOCK_TYPES } from '../../src/explorer/filter.ts';
import { aLine, anEvent, boot } from '../boot.ts';
import { tamper } from '../ledger.ts';

interface Item {
  readonly height: number;
  readonly brand: string | null;
  readonly event_type: string;
  readonly recorded_at: string;
}

/** Blocks that are moved to these days, each with all that are older. */
const DAYS = [
  [5, '2026-03-01'],
  [9, '2026-03-02'],
  [14, '2026-03-04'],
] as const;

let all: readonly Item[];

const hub = await openForFile(boot());
before(async () => {
  const post = async (brand: string, path: string, body: unknown) => {
    const answer = await hub.post(path, body, { 'X-Tenant-Id': brand });
    assert.ok(answer.status < 300, answer.text);
  };
  for (let round = 0; round < 4; round += 1) {
    const reference = `R-${round}`;
    await post('bakery', '/v1/events', anEvent({ reference }));
    await post('mill', '/v1/events', anEvent({ reference, event_type: 'TRANSFER' }));
    const line = aLine({ direction: 'out', lot_code: `BREAD-${round}` });
    await post('bakery', '/v1/events', anEvent({ reference, event_type: 'SHIP', lines: [line] }));
    await post('bakery', '/v1/lots/FLOUR-1/hold', { reason: 'mould', by: 'Jane' });
    await post('bakery', '/v1/lots/FLOUR-1/release', { reason: 'mould', by: 'Jane' });
    // An event of the type of corrections, and a correction.
    await post('mill', '/v1/events', anEvent({ reference, event_type: 'CORRECTION' }));
    await post('bakery', '/v1/corrections', {
      corrects_event_id: 1,
      reason: 'wrong dock',
      requested_by: 'Ada',
      changes: [{ field: 'location', old_value: place(round), new_value: place(round + 1) }],
    });
  }
  await moveToDays();
  all = await walk('limit=200');
});

const place = (round: number): string => `BAKERY-${round + 1}`;

/** Puts blocks on days before that on which the test runs, as if they had been sealed then. */
async function moveToDays(): Promise<void> {
  let from = 0;
  for (const [through, day] of DAYS) {
    for (let height = from; height <= through; height += 1) {
      const [block] = await walk(`before=${height + 1}&limit=1`, 1);
      const now = block!.recorded_at;
      await tamper(
        hub.database,
        'update blocks set canonical = replace(canonical, ?, ?) where height = ?',
        `"recorded_at":"${now}"`,
        `"recorded_at":"${day}${now.slice(10)}"`,
        height,
      );
    }
    from = through + 1;
  }
}

/** Follows `next` to the end of a list, or for so many pages. */
async function walk(query: string, pagesMax = 100): Promise<readonly Item[]> {
  const items: Item[] = [];
  const asked = new URLSearchParams(query);
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const answer = await hub.call(`/public/explorer/blocks?${asked.toString()}`);
    assert.equal(answer.status, 200, answer.text);
    const { blocks, next } = answer.json as unknown as {
      readonly blocks: readonly Item[];
      readonly next: number | null;
    };
    items.push(...blocks);
    if (next === null) return items;
    asked.set(asked.has('after') ? 'after' : 'before', String(next));
  }
  return items;
}

const listHeights = (items: readonly Item[]): readonly number[] =>
  items.map(({ height }) => height);
/** As a model has it: what is left of all blocks. */
const left = (keep: (item: Item) => boolean): readonly number[] => listHeights(all.filter(keep));

test('the blocks of the test are of several brands, types and days', () => {
  assert.equal(all.length, 29);
  assert.deepEqual([...new Set(all.map(({ event_type: type }) => type))].sort(), [
    'CORRECTION',
    'GENESIS',
    'HOLD',
    'RECEIVE',
    'SHIP',
    'TRANSFER',
  ]);
  assert.equal(new Set(all.map((item) => item.recorded_at.slice(0, 10))).size, 4);
});

for (const brand of ['', 'bakery', 'mill', 'nobody']) {
  test(`each type of blocks of ${brand || 'the hub'} is listed whole, from either end`, async () => {
    for (const type of ['', ...BLOCK_TYPES]) {
      const query = new URLSearchParams({ limit: '2' });
      if (brand !== '') query.set('brand', brand);
      if (type !== '') query.set('event_type', type);
      const expected = left(
        (item) =>
          (brand === '' || item.brand === brand) && (type === '' || item.event_type === type),
      );

      const down = await walk(query.toString());
      query.set('after', '-1');
      const up = await walk(query.toString());

      assert.deepEqual(listHeights(down), expected, query.toString());
      assert.deepEqual(listHeights(up), expected.toReversed(), query.toString());
    }
  });
}

const RANGES = [
  ['recorded_from=2026-03-02', (day: string) => day >= '2026-03-02'],
  ['recorded_to=2026-03-02', (day: string) => day <= '2026-03-02'],
  ['recorded_from=2026-03-03&recorded_to=2026-03-03', () => false],
  [
    'recorded_from=2026-03-02&recorded_to=2026-03-04',
    (day: string) => day >= '2026-03-02' && day <= '2026-03-04',
  ],
  ['recorded_from=2026-03-04&recorded_to=2026-03-02', () => false],
  ['recorded_from=0000-01-01&recorded_to=9999-12-31', () => true],
] as const;

for (const [range, holds] of RANGES) {
  test(`the list of ${range} has the blocks of these days, with and without other filters`, async () => {
    const isInside = (item: Item) => holds(item.recorded_at.slice(0, 10));

    assert.deepEqual(listHeights(await walk(`${range}&limit=3`)), left(isInside));
    assert.deepEqual(
      listHeights(await walk(`${range}&brand=bakery&event_type=HOLD&after=-1&limit=3`)),
      left((item) => isInside(item) && item.event_type === 'HOLD').toReversed(),
    );
  });
}

interface Line extends Item {
  readonly index: number;
}

/** All transactions of a list, page by page. */
async function walkLines(query: string): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const asked = new URLSearchParams(query);
  for (;;) {
    const answer = await hub.call(`/public/explorer/transactions?${asked.toString()}`);
    assert.equal(answer.status, 200, answer.text);
    const { transactions, next } = answer.json as unknown as {
      readonly transactions: readonly Line[];
      readonly next: string | null;
    };
    lines.push(...transactions);
    if (next === null) return lines;
    asked.set('before', next);
  }
}

for (const [range, holds] of [['', () => true], ...RANGES] as const) {
  test(`transactions of ${range || 'all days'} are narrowed by brand and type, too`, async () => {
    const whole = await walkLines('limit=200');
    for (const brand of ['', 'bakery', 'mill', 'nobody']) {
      for (const type of ['', 'RECEIVE', 'TRANSFER', 'CORRECTION', 'SELL']) {
        const query = new URLSearchParams(`${range}&limit=2`);
        if (brand !== '') query.set('brand', brand);
        if (type !== '') query.set('event_type', type);

        const found = await walkLines(query.toString());

        const expected = whole.filter(
          (line) =>
            holds(line.recorded_at.slice(0, 10)) &&
            (brand === '' || line.brand === brand) &&
            (type === '' || line.event_type === type),
        );
        assert.deepEqual(found, expected, query.toString());
      }
    }
  });
}

test('types of blocks that have no transactions are refused of a list of them', async () => {
  for (const query of ['event_type=HOLD', 'event_type=GENESIS', 'recorded_from=2026-02-30']) {
    assert.equal((await hub.call(`/public/explorer/transactions?${query}`)).status, 422, query);
  }
});

for (const [query, field, type] of [
  ['before=3&after=1', 'after', 'value_error'],
  ['recorded_from=2026-02-30', 'recorded_from', 'date_parsing'],
  ['recorded_to=2026-13-01', 'recorded_to', 'date_parsing'],
] as const) {
  test(`a list with ${query} is refused, and the parameter named`, async () => {
    const { status, json } = await hub.call(`/public/explorer/blocks?${query}`);

    assert.equal(status, 422);
    assert.deepEqual(json['detail']?.['0']?.['loc'], ['query', field]);
    assert.equal(json['detail']?.['0']?.['type'], type);
  });
}

for (const query of ['event_type=hold', 'recorded_from=yesterday', 'after=-2']) {
  test(`a list with ${query} is refused`, async () => {
    assert.equal((await hub.call(`/public/explorer/blocks?${query}`)).status, 422);
  });
}

test('an offset skips blocks of a filtered list, too', async () => {
  const holds = left((item) => item.event_type === 'HOLD');

  assert.deepEqual(
    listHeights(await walk('event_type=HOLD&offset=3&limit=2', 1)),
    holds.slice(3, 5),
  );
});

interface Shown {
  readonly heights: readonly number[];
  readonly text: string;
  /** Addresses of the links to other pages of the list, by their words. */
  readonly links: ReadonlyMap<string, string>;
}

async function show(path: string): Promise<Shown> {
  const { status, text } = await hub.call(path);
  assert.equal(status, 200, text);
  const heights = [...text.matchAll(/<p class="number">\s*<a[^>]*>Block (\d+)/g)];
  const pager = /<nav class="pager"[^]*?<\/nav>/.exec(text)?.[0] ?? '';
  const links = [...pager.matchAll(/href="([^"#]*)#blocks"[^>]*>(?:<svg[^]*?<\/svg>)?\s*(\w+)/g)];
  return {
    heights: heights.map(([, height]) => Number(height)),
    text,
    links: new Map(
      links.map(([, href = '', words = '']) => [words, href.replaceAll('&amp;', '&')]),
    ),
  };
}

for (const path of [
  '/explorer?',
  '/explorer?brand=bakery&event_type=&recorded_from=2026-03-01',
  '/explorer/lot/FLOUR-1?brand=bakery',
]) {
  test(`the pages of ${path} lead from the newest to the oldest block and back`, async () => {
    const first = await show(path);
    const down = [first];
    for (let one = first; one.links.has('Older'); down.push(one))
      one = await show(one.links.get('Older')!);
    const up = [await show(down[0]!.links.get('Oldest') ?? path)];
    for (let one = up[0]!; one.links.has('Newer'); up.push(one))
      one = await show(one.links.get('Newer')!);

    const walked = down.flatMap(({ heights }) => heights);
    assert.deepEqual(
      walked,
      [...new Set(walked)].sort((a, b) => b - a),
    );
    assert.deepEqual(
      [...new Set(up.flatMap(({ heights }) => heights))].sort((a, b) => b - a),
      walked,
    );
    assert.deepEqual(up[0]!.heights.at(-1), walked.at(-1));
    assert.deepEqual([...up.at(-1)!.links.keys()], [...first.links.keys()]);
    assert.equal(up.at(-1)!.heights[0], walked[0]);
  });
}

test('a page of a narrowed list says what it is narrowed to, keeps it in its links and offers all blocks', async () => {
  const { text, heights, links } = await show(
    '/explorer?brand=bakery&event_type=HOLD&recorded_from=&recorded_to=2026-03-04',
  );

  const chips = /<ul class="chips">[^]*?<\/ul>/.exec(text)?.[0].replace(/<[^>]+>|\s+/g, ' ') ?? '';
  assert.match(chips, /bakery .* Decision: hold or release .* 4 March 2026/);
  assert.match(text, /<option value="HOLD" selected>/);
  assert.match(text, /href="\/explorer#blocks"/);
  assert.match(
    text,
    /href="\/public\/explorer\/blocks\?brand=bakery&amp;event_type=HOLD&amp;recorded_to=2026-03-04"/,
  );
  assert.deepEqual(
    heights,
    left((item) => item.event_type === 'HOLD' && item.recorded_at < '2026-03-05'),
  );
  assert.equal(links.size, 0);
});

test('the chain of a lot has all blocks that name it, correct one that does, or decide about it', async () => {
  const { heights, text } = await show('/explorer/lot/FLOUR-1?brand=bakery');
  const canonicals = await walk('limit=200');

  const concerned = canonicals.filter(
    (item) =>
      item.brand === 'bakery' && ['RECEIVE', 'HOLD', 'CORRECTION'].includes(item.event_type),
  );
  assert.deepEqual(heights, listHeights(concerned));
  for (const height of heights) assert.ok(text.includes(`href="/log/1/proof/${height}"`));
});

test('a lot code that several brands use leads to the chain of each', async () => {
  const { text, heights } = await show('/explorer/lot/FLOUR-1');

  assert.deepEqual(heights, []);
  for (const brand of ['bakery', 'mill']) {
    assert.ok(text.includes(`href="/explorer/lot/FLOUR-1?brand=${brand}"`));
  }
});

test('the chain of a lot that nobody has is a 404, also of a code that browsers take for a step', async () => {
  for (const path of ['/explorer/lot/NO-SUCH-LOT', '/explorer/lot?lot_code=..&brand=bakery']) {
    assert.equal((await hub.call(path)).status, 404, path);
  }
});

test('a code in the query leads to the address that has it in its path', async () => {
  const answer = await fetch(`${hub.base}/explorer/lot?lot_code=FLOUR-1&brand=bakery`, {
    redirect: 'manual',
  });

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), '/explorer/lot/FLOUR-1?brand=bakery');
});
