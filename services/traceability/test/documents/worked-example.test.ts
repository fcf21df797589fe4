// docs/worked-example.md says what a hub answers: its events are sent in their order, and each table is
// compared with the answers at the place where it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot, TENANT_KEY, valueAt, type Answer } from '../boot.ts';
import { listAt } from '../model/compare.ts';
import { toDecimal, toNumber } from '../model/decimal.ts';
import { missingTools, readDocument, walkThrough } from '@lothub/kit/test/walkthrough';

const DOCUMENT = readDocument('docs/worked-example.md');
const PARTS = [
  'received',
  'returned',
  'produced',
  'consumed',
  'packed',
  'packed_from',
  'shipped',
  'sold',
  'disposed',
];

/** What the document sends, and the tables between, in their order. */
type Part =
  | { readonly kind: 'request'; readonly path: string; readonly body: unknown }
  | { readonly kind: 'table'; readonly columns: string; readonly rows: readonly Row[] };
type Row = readonly string[];

function listParts(markdown: string): readonly Part[] {
  const pattern = /^send (\S+) <<'END'\n([\s\S]*?)\nEND$|(?:^\|.*\|\n)+/gm;
  return [...markdown.matchAll(pattern)].map(([whole, path, body]): Part => {
    if (path !== undefined && body !== undefined) {
      return { kind: 'request', path, body: JSON.parse(body) as unknown };
    }
    const [header = [], , ...rows] = whole.trim().split('\n').map(splitCells);
    return { kind: 'table', columns: header.join(', '), rows };
  });
}

function splitCells(line: string): Row {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

const hub = await openForFile(boot());

async function get(path: string): Promise<Answer['json']> {
  const answer = await hub.call(path, { headers: { 'X-Tenant-Id': 'bakery' } });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json;
}

/** `lot, parts, remaining`, and the status if the table has it. */
async function assertBalance([lotCode = '', parts = '', sum = '', status]: Row): Promise<void> {
  const record = await get(`/v1/lots/${lotCode}`);
  const [balance, ...others] = listAt(record, 'quantities');
  const said = new Map(
    parts.split(', ').map((part): [string, number] => {
      const [name = '', amount = ''] = part.split(' ');
      return [name, Number(amount)];
    }),
  );
  const [expression = '', result = ''] = sum.split(' = ');
  const [remaining = '', unit = ''] = result.split(' ');

  assert.deepEqual(others, [], lotCode);
  for (const name of PARTS) {
    assert.equal(valueAt(balance, name), said.get(name) ?? 0, `${name} of ${lotCode}`);
    said.delete(name);
  }
  assert.deepEqual([...said], [], `parts of ${lotCode} that no balance has`);
  assert.equal(valueAt(balance, 'remaining'), Number(remaining), lotCode);
  assert.equal(valueAt(balance, 'unit'), unit, lotCode);
  assert.equal(evaluate(expression), Number(remaining), `the sum of ${lotCode}`);
  if (status !== undefined) assert.equal(record['status'], status, lotCode);
}

/** `250.5 − 100 − 50.5`, added up. */
function evaluate(expression: string): number {
  const [first = '', ...taken] = expression.split(' − ');
  const sum = taken.reduce(
    (left, amount) => left - toDecimal(Number(amount)),
    toDecimal(Number(first)),
  );
  return toNumber(sum);
}

async function assertCorrected(rows: readonly Row[]): Promise<void> {
  const events = listAt(await get('/v1/lots/FLOUR-32/chain'), 'events');
  const listed = events
    .filter((event) => listAt(event, 'corrections').length > 0)
    .map((event) =>
      [
        valueAt(event, 'id'),
        valueAt(event, 'status'),
        valueAt(event, 'original', 'lines', 0, 'quantity'),
        valueAt(event, 'effective', 'lines', 0, 'quantity'),
        valueAt(event, 'corrections', 0, 'block_height'),
      ].map(String),
    );

  assert.deepEqual(listed, rows);
}

async function assertNodes(rows: readonly Row[]): Promise<void> {
  const nodes = listAt(await get('/v1/lots/DOUGH-1/genealogy'), 'nodes');

  assert.deepEqual(cells(nodes, ['lot_code', 'relation', 'distance']), [...rows].sort());
}

async function assertEdges(rows: readonly Row[]): Promise<void> {
  const edges = listAt(await get('/v1/lots/DOUGH-1/genealogy'), 'edges');

  assert.deepEqual(cells(edges, ['from', 'to', 'basis', 'event_id']), [...rows].sort());
}

function cells(items: readonly unknown[], names: readonly string[]): readonly Row[] {
  return items.map((item) => names.map((name) => String(valueAt(item, name)))).sort();
}

async function assertTable(columns: string, rows: readonly Row[]): Promise<void> {
  switch (columns) {
    case 'lot, parts, remaining':
    case 'lot, parts, remaining, status':
      for (const row of rows) await assertBalance(row);
      return;
    case 'event, status, quantity as recorded, quantity that counts, corrected by block':
      return await assertCorrected(rows);
    case 'lot, relation, distance':
      return await assertNodes(rows);
    case 'from, to, basis, event':
      return await assertEdges(rows);
    default:
      assert.fail(`nothing is known of a table with the columns ${columns}`);
  }
}

test('each sum, node and edge of the worked example is what a hub answers there', async () => {
  const parts = listParts(DOCUMENT);
  assert.ok(parts.length > 12, `only ${parts.length} requests and tables were found`);

  for (const part of parts) {
    if (part.kind === 'table') {
      await assertTable(part.columns, part.rows);
    } else {
      const answer = await hub.post(part.path, part.body, { 'X-Tenant-Id': 'bakery' });
      assert.equal(answer.status, 201, `${JSON.stringify(part.body)}: ${answer.text}`);
    }
  }

  const [, named = ''] = /`frontier` names the lots at which more follows, (.*)\.$/m.exec(
    DOCUMENT,
  )!;
  const near = await get('/v1/lots/DOUGH-1/genealogy?depth=1');
  assert.deepEqual(listAt(near, 'frontier').toSorted(), named.split(/, | and /).sort());
  assert.equal(valueAt(near, 'truncated'), true);

  const [, title] = /`\/?GET \/public\/verify\/BREAD-1` reads, without a key, `([^`]*)`/.exec(
    DOCUMENT,
  )!;
  const verified = await get('/public/verify/BREAD-1?brand=bakery');
  assert.equal(verified['journey_title'], title);
  assert.ok(!JSON.stringify(verified).includes('Linde'));
});

test('the commands of the worked example work on a hub unchanged', async (t) => {
  if (missingTools().length > 0 && process.env['CI'] !== 'true') {
    t.diagnostic(`not walked through: ${missingTools().join(', ')} missing`);
    return;
  }
  await using fresh = await boot();

  const steps = await walkThrough(DOCUMENT, {
    'http://127.0.0.1:8000': fresh.base,
    'lh_tenant_put-in-your-own': TENANT_KEY,
  });

  const sent = steps.filter(({ script }) => script.startsWith('send '));
  const requests = listParts(DOCUMENT).filter((part) => part.kind === 'request');
  assert.equal(sent.length, requests.length);
  for (const { script, printed } of sent) {
    const answer = JSON.parse(printed) as unknown;
    assert.equal(valueAt(answer, 'status'), 'accepted', `${script}\n${printed}`);
  }
});
