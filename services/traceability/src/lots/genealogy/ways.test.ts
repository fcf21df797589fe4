// Which lots a genealogy reaches is read once for many searches, and again as soon as events or corrections change it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import { notingReader } from '../../../test/noting-reader.ts';
import { correct } from '../../../test/recall/case-ledger.ts';
import { WALK_DIRECTIONS } from '../../terms.ts';
import { LotWays } from './ways.ts';

const ledger = await openForFile(openTestLedger());

let tenantCount = 0;

/** A bakery of its own with flour in a dough, and searches in the genealogy of the dough. */
async function bake() {
  const tenantId = `bakery-${(tenantCount += 1)}`;
  const record = (...events: Parameters<typeof ledger.record>[0]) =>
    ledger.record(events, tenantId);
  await record(makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'DOUGH')]));
  const { tenantNo, lotNo } = await ledger.lot('DOUGH', tenantId);
  const database = notingReader(ledger.store.reader);
  const ways = new LotWays({ database, state: ledger.state });
  const from = { tenantNo, lotNos: [lotNo], directions: WALK_DIRECTIONS };
  const find = async (text: string): Promise<readonly number[][]> => {
    const wanted = { text, limit: 20, skipped: new Set([lotNo]) };
    return (await ways.findByText(from, wanted)).ways.map((way) => [...way]);
  };
  /** Queries that read links of lots. */
  const countWalks = (): number =>
    database.queries.filter(({ sql }) => sql.includes('link_basis')).length;
  const findNumbers = (...codes: readonly string[]) =>
    Promise.all(codes.map(async (code) => (await ledger.lot(code, tenantId)).lotNo));
  return { ...{ tenantId, record, ways, from, find, countWalks, findNumbers } };
}

test('a genealogy is walked once for any number of searches and ways', async () => {
  const { ways, from, find, countWalks, findNumbers } = await bake();
  const [flour = 0, dough = 0] = await findNumbers('FLOUR', 'DOUGH');

  const first = await find('flour');
  const walked = countWalks();
  const others = [await find('fl'), await find('salt'), await ways.find(from, flour)];

  assert.ok(walked > 0);
  assert.deepEqual([first, ...others], [[[dough, flour]], [[dough, flour]], [], [dough, flour]]);
  assert.equal(countWalks(), walked);
});

test('events that lead nowhere from the genealogy leave what was walked', async () => {
  const { record, find, countWalks } = await bake();
  await find('flour');
  const walked = countWalks();

  await record(
    makeEvent('SELL', [makeLine('out', 'DOUGH')]),
    makeEvent('PRODUCE', [makeLine('in', 'SALT'), makeLine('out', 'BRINE')]),
    makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'SIBLING')]),
  );
  await find('flour');

  // What was recorded since is read of the lines, which name their basis as well.
  assert.equal(countWalks() - walked, 1);
});

test('a new descendant, a new ancestor and one behind a reference are found', async () => {
  const { record, find, findNumbers } = await bake();
  const searches = () => Promise.all(['bread', 'grain', 'rusk'].map(find));
  const before = await searches();

  await record(makeEvent('PRODUCE', [makeLine('in', 'DOUGH'), makeLine('out', 'BREAD')]));
  const withBread = await searches();
  await record(makeEvent('PRODUCE', [makeLine('in', 'GRAIN'), makeLine('out', 'FLOUR')]));
  const withGrain = await searches();
  await record(makeEvent('CONSUME', [makeLine('in', 'BREAD')], { reference: 'WO-9' }));
  const open = await searches();
  await record(makeEvent('PRODUCE', [makeLine('out', 'RUSK')], { reference: 'WO-9' }));
  const withRusk = await searches();

  const [dough = 0, bread = 0, flour = 0, grain = 0, rusk = 0] = await findNumbers(
    ...['DOUGH', 'BREAD', 'FLOUR', 'GRAIN', 'RUSK'],
  );
  const toBread = [[dough, bread]];
  const toGrain = [[dough, flour, grain]];
  assert.deepEqual(before, [[], [], []]);
  assert.deepEqual(withBread, [toBread, [], []]);
  assert.deepEqual(withGrain, [toBread, toGrain, []]);
  assert.deepEqual(open, [toBread, toGrain, []]);
  assert.deepEqual(withRusk, [toBread, toGrain, [[dough, bread, rusk]]]);
});

test('what a correction takes out of a genealogy is not found any more', async () => {
  const { tenantId, record, find } = await bake();
  const [height = 0] = await record(
    makeEvent('PRODUCE', [makeLine('in', 'DOUGH'), makeLine('out', 'BREAD')]),
  );
  const before = await find('bread');

  await correct(ledger, { tenantId, height }, [
    { field: 'status', old_value: 'accepted', new_value: 'voided' },
  ]);
  const after = await find('bread');

  assert.equal(before.length, 1);
  assert.deepEqual(after, []);
});
