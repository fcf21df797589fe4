// The search for suspects uses the bounds that it is given, not the usual ones.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import { lotLabels } from '../../lots/queries.ts';
import { STORED_LINKS, type LinkSource } from '../../lots/genealogy/link-reader.ts';
import { NOW } from '../trace/source.ts';
import { SUSPECT_BOUNDS, findSuspects } from './suspects.ts';

const ledger = await openForFile(openTestLedger());
before(async () => {
  await ledger.record([
    makeEvent('PRODUCE', [makeLine('in', 'WHEAT'), makeLine('out', 'FLOUR')]),
    makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'DOUGH')]),
    makeEvent('PRODUCE', [
      makeLine('in', 'DOUGH'),
      makeLine('out', 'BREAD'),
      makeLine('out', 'ROLL'),
    ]),
  ]);
});

/** Suspects for a recall of BREAD that goes downstream, so that its ancestors are not in its scope. */
async function suspectsOfBread(ancestorsMax: number) {
  const { reader: database } = ledger.store;
  const { lotNo, tenantNo } = await ledger.lot('BREAD');
  const read = new Set<number>();
  const links: LinkSource = {
    ...STORED_LINKS,
    linkEventsOfLots: (reader, query) => {
      for (const one of query.lotNos) read.add(one);
      return STORED_LINKS.linkEventsOfLots(reader, query);
    },
  };
  const suspects = await findSuspects(
    database,
    {
      seed: {
        tenantNo,
        lotCode: 'BREAD',
        kind: 'own',
        lotNos: [lotNo],
        isCut: false,
        supplierName: null,
      },
      direction: 'downstream',
      scope: [{ lotNo, relation: 'self', distance: 0, bothWays: false }],
    },
    { source: { ...NOW, links }, bounds: { ...SUSPECT_BOUNDS, ancestorsMax } },
  );
  const readCodes = async (lotNos: Iterable<number>) =>
    (await lotLabels(database, [...lotNos])).map(({ lotCode }) => lotCode).toSorted();
  return {
    suspects,
    judged: await readCodes(suspects.list.map((one) => one.lotNo)),
    read: await readCodes(read),
  };
}

test('every ancestor is judged when the bound has room for all', async () => {
  const { suspects, judged } = await suspectsOfBread(3);

  assert.deepEqual(judged, ['DOUGH', 'FLOUR', 'WHEAT']);
  assert.equal(suspects.truncated, false);
});

test('the search for ancestors ends at the bound that it is given, and says so', async () => {
  const { suspects, judged, read } = await suspectsOfBread(1);

  assert.deepEqual(judged, ['DOUGH']);
  assert.deepEqual(read, ['BREAD', 'DOUGH', 'ROLL'], 'lots whose links were read');
  assert.equal(suspects.truncated, true);
});
