// A lot that is recalled is shown as such wherever its status is given; lists of lots have tests of their
// own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { findGenealogy } from '../../src/lots/genealogy/genealogy.ts';
import { Notices } from '../../src/lots/notices/notices.ts';
import { lotRecord } from '../../src/lots/record.ts';
import { Surroundings } from '../../src/verification/surroundings.ts';
import { verifyLot } from '../../src/verification/verify-lot.ts';
import { makeEvent, makeLine, openTestLedger } from '../ledger.ts';

test('the record, the genealogy and the public say that a lot is recalled', async () => {
  const tenantId = 'bakery';
  await using ledger = await openTestLedger();
  const lines = [makeLine('in', 'FLOUR-1'), makeLine('out', 'BREAD-1')];
  await ledger.record([makeEvent('PRODUCE', lines)], tenantId);
  const { lotNo } = await ledger.lot('BREAD-1', tenantId);
  await ledger.store.write([sql`update lots set recalled = 1 where lot_no = ${lotNo}`]);
  const { reader, state } = ledger;

  const record = await lotRecord(reader, { tenantId, lotCode: 'BREAD-1' });
  const genealogy = await findGenealogy({
    database: reader.database,
    tenantId,
    lotCode: 'FLOUR-1',
    depth: 10,
  });
  const verification = await verifyLot(
    {
      reader,
      state,
      hubName: 'Lothub',
      publicUrl: 'http://hub',
      notices: new Notices({ database: reader.database, publicUrl: 'http://hub' }),
      surroundings: new Surroundings({ reader, state }),
    },
    { lotCode: 'BREAD-1', brand: tenantId },
  );

  assert.equal(record.status, 'recalled');
  assert.deepEqual(
    genealogy?.nodes.map((node) => [node.lotCode, 'status' in node && node.status]),
    [
      ['FLOUR-1', 'depleted'],
      ['BREAD-1', 'recalled'],
    ],
  );
  assert.equal(verification.answer.lot.status, 'recalled');
});
