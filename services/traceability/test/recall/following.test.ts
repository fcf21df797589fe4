// A running hub follows the chain by itself, and continues where it was when it was killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TENANT_KEY, aLine, anEvent, boot, valueAt } from '../boot.ts';
import { startCrashChild } from '../crash/crash-hub.ts';
import { newTestDatabase } from '../engine.ts';
import { caughtUp, coveredLots, readNotifications } from './following.ts';

const CASE = {
  seed_lot_code: 'FLOUR-1',
  title: 'Metal in flour',
  reason: 'A sieve broke',
  opened_by: 'Ada',
};

function made(from: string, to: string): object {
  return anEvent({
    event_type: 'PRODUCE',
    lines: [aLine({ lot_code: from, direction: 'in' }), aLine({ lot_code: to, direction: 'out' })],
  });
}

test('a late event puts a lot on hold, into the notice and into the outbox', async () => {
  await using hub = await boot();
  await hub.post('/v1/events', anEvent());
  const opened = await hub.post('/v1/recall/cases', CASE);
  const caseNo = String(opened.json['case_no']);

  const sold = aLine({ lot_code: 'BREAD-1', direction: 'out', customer_ref: 'C-1' });
  await hub.post('/v1/events', made('FLOUR-1', 'BREAD-1'));
  await hub.post('/v1/events', anEvent({ event_type: 'SELL', lines: [sold] }));
  await caughtUp(hub);

  const lot = await hub.call('/v1/lots/BREAD-1');
  const verified = await hub.call('/public/verify/BREAD-1');
  assert.equal(lot.json['hold_status'], 'on_hold');
  assert.equal(valueAt(lot.json, 'holds', 0, 'case_no'), caseNo);
  assert.equal(valueAt(verified.json, 'notices', 0, 'case_no'), caseNo);
  assert.ok((await readNotifications(hub, caseNo)).includes('customer C-1 pending'));
});

test('a hub that is killed right after a late event catches up when it starts again', async () => {
  await using database = await newTestDatabase();
  const headers = {
    'X-Api-Key': TENANT_KEY,
    'X-Tenant-Id': 'acme',
    'Content-Type': 'application/json',
  };
  const post = async (base: string, path: string, body: object): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201);
    return await answer.json();
  };
  let child = await startCrashChild({ database });
  await post(child.base, '/v1/events', anEvent());
  const caseNo = String(valueAt(await post(child.base, '/v1/recall/cases', CASE), 'case_no'));
  await post(child.base, '/v1/events', made('FLOUR-1', 'BREAD-1'));
  await child.end();

  child = await startCrashChild({ database });
  await caughtUp({ database });
  await child.end();

  assert.deepEqual(await coveredLots({ database }, caseNo), [
    'BREAD-1 downstream 1 on_hold',
    'FLOUR-1 self 0 on_hold',
  ]);
});
