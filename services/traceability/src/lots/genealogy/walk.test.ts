// The walk itself: from several lots, level by level, to a depth, and one hop beyond it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import { lotLabels } from '../queries.ts';
import { LotWalk, type LotWalkOptions } from './walk.ts';

const ledger = await openForFile(openTestLedger());
before(async () => {
  await ledger.record([
    makeEvent('PRODUCE', [
      makeLine('in', 'FLOUR'),
      makeLine('in', 'SALT'),
      makeLine('out', 'DOUGH'),
    ]),
    makeEvent('PRODUCE', [makeLine('in', 'SALT'), makeLine('out', 'BRINE')]),
    makeEvent('PRODUCE', [
      makeLine('in', 'DOUGH'),
      makeLine('out', 'BREAD'),
      makeLine('out', 'ROLL'),
    ]),
    makeEvent('CONSUME', [makeLine('in', 'BREAD')], { reference: 'WO-2' }),
    makeEvent('PACK', [makeLine('out', 'CRATE')], { reference: 'WO-2' }),
    makeEvent('CONSUME', [makeLine('in', 'ROLL')], { reference: 'WO-2' }),
  ]);
});

async function walkFrom(
  codes: readonly string[],
  options: Partial<LotWalkOptions> = {},
): Promise<LotWalk> {
  const lots = await Promise.all(codes.map((code) => ledger.lot(code)));
  return new LotWalk({
    database: ledger.store.reader,
    tenantNo: lots[0]!.tenantNo,
    seeds: lots.map((lot) => lot.lotNo),
    direction: 'downstream',
    depthMax: Infinity,
    lotsMax: 100,
    eventsMax: 100,
    linesMax: 1_000,
    links: 'kept',
    ...options,
  });
}

async function readCodes(lotNos: Iterable<number>): Promise<readonly string[]> {
  const labels = await lotLabels(ledger.store.reader, [...lotNos]);
  return labels.map((label) => label.lotCode).toSorted();
}

test('levels come one after the other, each lot in the first that it is in', async () => {
  const walk = await walkFrom(['SALT']);
  const levels: (readonly string[])[] = [];

  for await (const level of walk.levels()) levels.push(await readCodes(level));

  assert.deepEqual(levels, [['BRINE', 'DOUGH'], ['BREAD', 'ROLL'], ['CRATE']]);
});

test('a walk from several lots finds what follows from any of them', async () => {
  const walk = await walkFrom(['BRINE', 'BREAD', 'DOUGH']);

  await walk.run();

  assert.deepEqual(
    await readCodes([...walk.distances].filter(([, hops]) => hops === 0).map(([lotNo]) => lotNo)),
    ['BREAD', 'BRINE', 'DOUGH'],
  );
  assert.deepEqual(
    await readCodes([...walk.distances].filter(([, hops]) => hops === 1).map(([lotNo]) => lotNo)),
    ['CRATE', 'ROLL'],
  );
  assert.equal(walk.isCut, false);
});

test('a depth ends the walk without a bound being met', async () => {
  const walk = await walkFrom(['SALT'], { depthMax: 2 });

  await walk.run();

  assert.deepEqual(await readCodes(walk.distances.keys()), [
    'BREAD',
    'BRINE',
    'DOUGH',
    'ROLL',
    'SALT',
  ]);
  assert.equal(walk.isCut, false);
});

test('beyond the depth the links are read, and only lots that are shown are gone through', async () => {
  const walk = await walkFrom(['SALT'], { depthMax: 0 });
  await walk.run();
  const shown = new Set([(await ledger.lot('DOUGH')).lotNo]);

  await walk.lookBeyond((lotNo) => shown.has(lotNo));

  const reached = new Map(walk.reached());
  assert.deepEqual(await readCodes(reached.keys()), ['DOUGH', 'SALT']);
  assert.deepEqual([...reached.values()], [0, 1]);
  const far = await Promise.all([...walk.links()].map((link) => readCodes(link.far)));
  assert.deepEqual(far, [['DOUGH'], ['BRINE'], ['BREAD', 'ROLL']]);
});

test('a shared reference is one link, whatever number of events is behind it', async () => {
  const walk = await walkFrom(['BREAD', 'ROLL']);

  await walk.run();

  const links = await Promise.all(
    [...walk.links()].map(async ({ basis, near, far, nearHeights, farHeights }) => ({
      basis,
      near: await readCodes(near),
      far: await readCodes(far),
      heights: [nearHeights, farHeights],
    })),
  );
  assert.deepEqual(links, [
    { basis: 'reference', near: ['BREAD', 'ROLL'], far: ['CRATE'], heights: [[4, 6], [5]] },
  ]);
});

test('lots that somebody walked from before are not found, nor what lies behind them alone', async () => {
  const dough = (await ledger.lot('DOUGH')).lotNo;
  const asked: number[] = [];
  const walk = await walkFrom(['SALT'], {
    findWalked: (lotNos) => {
      asked.push(...lotNos);
      return Promise.resolve(new Set([dough]));
    },
  });

  await walk.run();

  assert.deepEqual(await readCodes(walk.distances.keys()), ['BRINE', 'SALT']);
  assert.deepEqual(await readCodes(asked), ['BRINE', 'DOUGH']);
});

test('who needs no links does not keep them', async () => {
  const walk = await walkFrom(['SALT'], { links: 'dropped' });

  await walk.run();

  assert.equal(walk.distances.size, 6);
  assert.deepEqual([...walk.links()], []);
});
