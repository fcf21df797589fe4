// Cases that were made before their steps were sealed: they go on working, and their next change seals what
// they have, with its old times.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { verifyDatabase } from '../../src/ledger/operate/verify-database.ts';
import { anEvent, boot } from '../boot.ts';
import type { Booted } from '../boot.ts';
import { caughtUp } from './following.ts';
import { RecallTenant, arrayOf } from './tenant.ts';

let hub: Booted;
before(async () => {
  hub = await boot();
});
after(async () => {
  await hub[Symbol.asyncDispose]();
});

/** Takes from a case what its blocks gave it: as the version before left it, but for the blocks. */
async function unseal(caseNo: string): Promise<void> {
  const { database } = hub;
  await database.change('delete from private_recipients');
  await database.change('update recall_moves set block_height = null');
  await database.change('update recall_cases set step_no = null where case_no = ?', caseNo);
  // Its own subject, so that its old blocks tell of another case.
  await database.change(
    "update decisions set subject = 'before' where type = 'recall' and subject = ?",
    caseNo,
  );
}

test('the next move of a case seals what it has before, and no answer changes', async () => {
  const tenant = new RecallTenant(hub, 'old-mill');
  await tenant.receive('FLOUR');
  await tenant.produce(['FLOUR'], ['DOUGH']);
  await tenant.post(soldTo('Anna', 'DOUGH'));
  const caseNo = String((await tenant.open('FLOUR'))['case_no']);
  await tenant.produce(['DOUGH'], ['BREAD']);
  await caughtUp(hub);
  await tenant.moveThrough(caseNo, 'notification');
  await tenant.post(soldTo('Bert', 'BREAD'));
  await hub.post('/v1/lots/DOUGH/release', { by: 'Ada', reason: 'tested' }, tenant.headers);
  await caughtUp(hub);
  const asked = ['', '/lots', '/notifications'].map((path) => `/v1/recall/cases/${caseNo}${path}`);
  const answersBefore = await bodiesOf(tenant, asked);
  await unseal(caseNo);

  const moved = await tenant.move(caseNo, 'containment');

  assert.equal(moved.status, 200, moved.text);
  const history = await hub.call(`/public/notices/${caseNo}/history?limit=50`);
  const steps = arrayOf(history.json['steps']);
  assert.deepEqual(
    steps.map((step) => [step['step'], step['change'], step['status'], step['migrated']]),
    [
      [1, 'opened', 'investigation', true],
      [2, 'widened', 'investigation', true],
      [3, 'moved', 'notification', true],
      [4, 'widened', 'notification', true],
      [5, 'moved', 'containment', false],
    ],
  );
  assert.deepEqual(await bodiesOf(tenant, asked), answersBefore);
  await hub.service.close();
  assert.deepEqual(await mismatchesOf(caseNo), []);
});

/** Without what the move and its blocks change by themselves. */
async function bodiesOf(
  tenant: RecallTenant,
  paths: readonly string[],
): Promise<readonly unknown[]> {
  const bodies: unknown[] = [];
  for (const path of paths) {
    const { json } = await tenant.get(path);
    const { timeline: _timeline, status: _status, next_statuses: _next, ...rest } = json;
    const { updated_at: _updated, ...body } = rest;
    bodies.push(body);
  }
  return bodies;
}

/** Not those of the blocks that this test has hidden. */
async function mismatchesOf(caseNo: string): Promise<readonly unknown[]> {
  const { dataDir, databaseUrl } = hub.database;
  const report = await verifyDatabase({ dataDir, databaseUrl, clock: systemClock, tip: 'compare' });
  return report.mismatches.filter(({ message }) => message.includes(caseNo));
}

function soldTo(customer: string, lot: string): Record<string, unknown> {
  const line = { lot_code: lot, product_sku: 'SKU', quantity: 1, unit: 'kg', direction: 'out' };
  return anEvent({ event_type: 'SELL', lines: [{ ...line, customer_ref: customer }] });
}
