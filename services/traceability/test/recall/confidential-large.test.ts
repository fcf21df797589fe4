// A large case in confidence: one block with one commitment, disclosed in as many as its lots need.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot } from '../boot.ts';
import { RecallTenant, made, used } from './tenant.ts';
import { rebuildRows, verifiedCodes, verifyTraced } from '../verified.ts';

const LOTS = 10_000;
/** More than one block names. */
const EXCLUDED = Array.from({ length: 1_500 }, (_, index) => `BREAD-${index + 100}`);
/** Lines that an event may have, one of them for the flour. */
const LOTS_PER_EVENT = 500;
/** With the flour one more than ten blocks hold. */
const PARTS = 11;
/** Each lot leaves the scope and is excluded, so that it counts twice. */
const EDIT_PARTS = 3;

const hub = await openForFile(boot());

test('ten thousand lots are one confidential block, which the move discloses whole', async () => {
  const tenant = new RecallTenant(hub, 'mill');
  await tenant.receive('FLOUR');
  for (let from = 0; from < LOTS; from += LOTS_PER_EVENT) {
    const codes = Array.from({ length: LOTS_PER_EVENT }, (_, index) => `BREAD-${from + index}`);
    const lines = [used('FLOUR'), ...codes.map(made)];
    await tenant.post({ event_type: 'PRODUCE', reference: `WO-${from}`, lines });
  }

  for (const customer_ref of ['Customer A', 'Customer B']) {
    const line = aLine({ lot_code: 'BREAD-1', product_sku: 'SKU', quantity: 1, customer_ref });
    await tenant.post({ event_type: 'SELL', lines: [{ ...line, direction: 'out' }] });
  }

  const opened = await tenant.open('FLOUR', { confidential: true });
  const caseNo = String(opened['case_no']);
  const scope = { exclude: EXCLUDED, reason: 'baked on another line' };
  const edited = await tenant.edit(caseNo, { title: 'Glass', scope, changed_by: 'Ottoline' });
  const sealed = await readChanges(caseNo);
  await hub.post('/v1/privacy/erase', { customer_ref: 'Customer A' }, tenant.headers);
  await tenant.moveThrough(caseNo, 'notification');
  const disclosed = await readChanges(caseNo);
  const lots = await tenant.get(`/v1/recall/cases/${caseNo}/lots?limit=1`);
  const evidence = await hub.call(`/public/verify/BREAD-1/evidence?brand=${tenant.id}`);
  const report = await tenant.get(`/v1/recall/cases/${caseNo}/report`);
  await hub.service.close();
  const { mismatches } = await verifyTraced(hub.database);
  await rebuildRows(hub.database);

  assert.deepEqual(sealed, ['confidential', 'confidential']);
  assert.deepEqual(disclosed, [
    ...sealed,
    ...Array.from({ length: PARTS + EDIT_PARTS }, () => 'disclosed'),
    'moved',
  ]);
  assert.equal(edited['title'], 'Glass');
  assert.equal(lots.json['covered'], LOTS + 1 - EXCLUDED.length);
  assert.equal(evidence.status, 200);
  assert.match(report.text, /Disclosed from block/u);
  assert.deepEqual(mismatches, []);
  assert.deepEqual(await verifiedCodes(hub.database), []);
});

async function readChanges(caseNo: string): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select b.canonical
    from blocks b
    join decisions d on d.height = b.height
    where d.type = 'recall' and d.subject = ?
    order by d.height`,
    caseNo,
  );
  return rows.map(({ canonical }) => {
    const change = /"change":"([a-z]+)","contents"|"change":"([a-z]+)"/u.exec(String(canonical));
    return change?.[1] ?? change?.[2] ?? 'confidential';
  });
}
