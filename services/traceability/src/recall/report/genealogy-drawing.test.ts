// Tests the drawing of a genealogy: its marks, the distance of its boxes, and its cuts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleReport } from '../../../test/recall/report-sample.ts';
import type { DrawnGenealogy, DrawnNode } from './case-report.ts';
import { drawGenealogy } from './genealogy-drawing.ts';

const PLAIN: DrawnNode = {
  kind: 'lot',
  label: 'BREAD-1',
  detail: 'RYE-750',
  lots: 1,
  isSeed: false,
  held: 0,
  recalled: 0,
};

/** A page between its margins, on the smaller of both papers in each direction. */
const PAGE_WIDTH = 680;
const PAGE_HEIGHT = 900;

function drawn(nodes: readonly Partial<DrawnNode>[], links: DrawnGenealogy['links'] = []): string {
  const genealogy: DrawnGenealogy = {
    by: 'lot',
    nodes: nodes.map((node) => ({ ...PLAIN, ...node })),
    links,
    nodesLeftOut: 0,
    linksLeftOut: 0,
  };
  return drawGenealogy(genealogy)
    .map(({ svg }) => svg.text)
    .join('\n')
    .replace(/\s+/g, ' ');
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The frames of the lots of one sheet, without the inner frame of a seed and the marks. */
function listBoxes(svg: string): readonly Box[] {
  return [
    ...svg.matchAll(
      /<\/title>\s*<rect\s+x="([^"]+)"\s+y="([^"]+)"\s+width="([^"]+)"\s+height="([^"]+)"/g,
    ),
  ].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }));
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

test('seed, recall, hold and foreign lots are marked by frames and letters', () => {
  const seed = drawn([{ isSeed: true, recalled: 1, held: 1 }]);
  const foreign = drawn([{ kind: 'supplier_lot' }]);
  const plain = drawn([{}]);

  assert.match(seed, /<title>BREAD-1, RYE-750, seed, recalled, on hold<\/title>/);
  assert.match(seed, />\s*R\s*<\/text>.*>\s*H\s*<\/text>/);
  assert.equal(seed.match(/<rect/g)?.length, 4);
  assert.match(foreign, /class="box foreign"/);
  assert.equal(plain.match(/<rect/g)?.length, 1);
});

test('a long code is cut in the middle, where codes seldom differ, and whole in the title', () => {
  const code = 'BAKERY-NORTH-2026-03-02-LINE-4-0017';

  const svg = drawn([{ label: code }]);

  assert.ok(svg.includes(`<title>${code}, `));
  assert.match(svg, />BAKERY-[^<]*…[^<]*0017</);
});

test('a label cannot become markup', () => {
  const svg = drawn([{ label: '<b>&"', detail: '</svg>' }]);

  assert.doesNotMatch(svg, /<b>|<\/svg>.*<\/svg>/);
  assert.match(svg, />&lt;b&gt;&amp;&quot;</);
});

for (const lots of [3, 60, 200]) {
  test(`${lots} lots are drawn once each, apart from each other, on sheets that fit a page`, () => {
    const sheets = drawGenealogy(sampleReport(lots).genealogy);

    let count = 0;
    for (const { svg } of sheets) {
      const [, width, height] = /width="([^"]+)"\s+height="([^"]+)"/.exec(svg.text) ?? [];
      assert.ok(Number(width) <= PAGE_WIDTH && Number(height) <= PAGE_HEIGHT, `${width} ${height}`);
      const boxes = listBoxes(svg.text);
      count += boxes.length;
      for (const [index, box] of boxes.entries()) {
        assert.ok(boxes.slice(index + 1).every((other) => !overlap(box, other)));
      }
    }
    assert.equal(count, lots + 1);
  });
}

test('lots in a cycle are drawn with a dashed line back', () => {
  const round = drawn(
    [{ label: 'A' }, { label: 'B' }],
    [
      { ins: [0], outs: [1] },
      { ins: [1], outs: [0] },
    ],
  );
  const straight = drawn([{ label: 'A' }, { label: 'B' }], [{ ins: [0], outs: [1] }]);

  assert.match(round, /class="line back" d="M/);
  assert.match(straight, /class="line back" d=""/);
});

test('nothing is drawn of nothing', () => {
  assert.equal(drawn([]), '');
});
