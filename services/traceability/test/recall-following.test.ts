// Following the chain: what late events and corrections change of open cases is seen within a second.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aLine, anEvent, boot, newTenant } from './boot.ts';
import type { Booted } from './boot.ts';
import { caughtUp, coveredLots } from './following.ts';

let hub: Booted;
before(async () => {
  hub = await boot();
});
after(async () => {
  await hub[Symbol.asyncDispose]();
});

const line = (direction: string, lotCode: string, changes: object = {}): object =>
  aLine({ lot_code: lotCode, direction, ...changes });

async function post(
  tenantId: string,
  eventType: string,
  lines: readonly object[],
  changes: object = {},
): Promise<number> {
  const event = anEvent({ event_type: eventType, lines, ...changes });
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenantId });
  assert.equal(answer.status, 201, answer.text);
  return Number(answer.json['id']);
}

async function openCase(tenantId: string, changes: object = {}): Promise<string> {
  const answer = await hub.post(
    '/v1/recall/cases',
    {
      seed_lot_code: 'FLOUR-1',
      title: 'Metal in flour',
      reason: 'A sieve broke',
      opened_by: 'Ada',
      ...changes,
    },
    { 'X-Tenant-Id': tenantId },
  );
  assert.equal(answer.status, 201, answer.text);
  return String(answer.json['case_no']);
}

test('a lot that is made of a lot of an open case is held and listed', async () => {
  const tenantId = newTenant();
  await post(tenantId, 'RECEIVE', [line('in', 'FLOUR-1')]);
  const caseNo = await openCase(tenantId);

  await post(tenantId, 'PRODUCE', [line('in', 'FLOUR-1'), line('out', 'DOUGH-1')]);
  await post(tenantId, 'PRODUCE', [line('in', 'DOUGH-1'), line('out', 'BREAD-1')]);
  await caughtUp(hub);

  assert.deepEqual(await coveredLots(hub, caseNo), [
    'BREAD-1 downstream 2 on_hold',
    'DOUGH-1 downstream 1 on_hold',
    'FLOUR-1 self 0 on_hold',
  ]);
});
