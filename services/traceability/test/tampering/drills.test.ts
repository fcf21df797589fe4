// Changed, deleted and added rows of drills are noticed, and made anew from the blocks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { boot, type Booted } from '../boot.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { assertRebuilt, codesAfter } from './decided.ts';
import { verifiedCodes } from '../verified.ts';

let hub: Booted;

before(async () => {
  hub = await boot();
  for (const tenant of [new RecallTenant(hub), new RecallTenant(hub)]) {
    await tenant.receive('FLOUR-1');
    for (const person of ['Ada', 'Bo']) {
      const body = { lot_code: 'FLOUR-1', drilled_by: person };
      const made = await hub.post('/v1/recall/drills', body, tenant.headers);
      assert.equal(made.status, 201, made.text);
    }
  }
});

after(async () => {
  await hub[Symbol.asyncDispose]();
});

test('drills are as their blocks say them', async () => {
  assert.deepEqual(await verifiedCodes(hub.database), []);
});

const CHANGES: Readonly<Record<string, string>> = {
  tenant_no: 'tenant_no = tenant_no + 1',
  lot_code: `lot_code = 'FLOUR-2'`,
  drilled_at: `drilled_at = '2026-01-01T00:00:00.000Z'`,
  actor: `actor = 'Eve'`,
  height: 'height = height - 1',
  tip_hash: `tip_hash = '${'ab'.repeat(32)}'`,
  elapsed_us: 'elapsed_us = 1',
  result: `result = '{"lots":1000}'`,
};

for (const [column, change] of Object.entries(CHANGES)) {
  test(`a changed ${column} is noticed`, async () => {
    const codes = await codesAfter(hub, `update recall_drills set ${change} where drill_id = 1`);

    assert.deepEqual(codes, ['drill_row_differs']);
  });
}

test('a changed number is noticed', async () => {
  const codes = await codesAfter(hub, 'update recall_drills set drill_id = 99 where drill_id = 1');

  assert.deepEqual(codes.toSorted(), ['drill_row_extra', 'drill_row_missing']);
});

test('a row that bears no block is noticed', async () => {
  const codes = await codesAfter(
    hub,
    'update recall_drills set sealed_height = null where drill_id = 1',
  );

  assert.deepEqual(codes.toSorted(), ['decision_not_sealed', 'drill_row_missing']);
});

test('a deleted row is noticed', async () => {
  const codes = await codesAfter(hub, 'delete from recall_drills where drill_id = 1');

  assert.deepEqual(codes, ['drill_row_missing']);
});

test('an added row is noticed', async () => {
  const added = (height: string): string => `
    insert into recall_drills (
      drill_id, tenant_no, lot_code, drilled_at, actor, height, tip_hash, elapsed_us, result,
      sealed_height
    )
    select 77, tenant_no, lot_code, drilled_at, actor, height, tip_hash, elapsed_us, result,
      ${height}
    from recall_drills
    where drill_id = 1`;

  assert.deepEqual(await codesAfter(hub, added('sealed_height')), ['drill_row_extra']);
  assert.deepEqual(await codesAfter(hub, added('1000000')), ['drill_row_extra']);
  assert.deepEqual(await codesAfter(hub, added('-1')), ['drill_row_extra']);
  assert.deepEqual(await codesAfter(hub, added('null')), ['decision_not_sealed']);
});

test('drills are made anew from the blocks', async () => {
  await hub.service.close();

  await assertRebuilt(hub, 'select * from recall_drills order by drill_id');
  hub = await hub.restart();

  assert.deepEqual(await verifiedCodes(hub.database), []);
});
