// The chain of the audit, from outside: each entry gets its place and hash, and blocks seal what changed something.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { testAboveEngines } from '@lothub/kit/test/above-engines';
import { boot, newTenant, valueAt } from '../boot.ts';
import {
  SEAL_AFTER_MS,
  bootSealing,
  hashOfEntry,
  readAuditBlocks,
  until,
  untilChained,
  untilSealed,
  work,
} from './chained.ts';
import { verifiedCodes } from '../verified.ts';

const hub = await openForFile(bootSealing());

test('each entry gets the next place and a hash that anybody can compute', async () => {
  await work(hub, newTenant());

  const entries = await untilChained(hub);

  assert.ok(entries.length >= 5);
  const places = entries.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
  let before = '0'.repeat(64);
  for (const [index, entry] of places.entries()) {
    assert.equal(entry.sequence, index + 1);
    assert.equal(entry.prev_hash, before);
    assert.equal(entry.hash, hashOfEntry(entry), entry.action);
    before = String(entry.hash);
  }
});

test('a block seals the newest place after a change, and covers what was before it', async () => {
  await work(hub, newTenant());
  await untilSealed(hub);

  const { height, sequence, hash } = (await readAuditBlocks(hub)).at(-1)!;

  const { json } = await hub.call(`/public/explorer/block/${height}`);
  const { payload } = JSON.parse(String(valueAt(json, 'canonical'))) as {
    readonly payload: Readonly<Record<string, unknown>>;
  };
  const { recorded_at: recordedAt, ...others } = payload;
  assert.match(String(recordedAt), /Z$/);
  assert.deepEqual(others, { audit: { hash, sequence }, type: 'audit', v: 2 });
  assert.equal(valueAt(json, 'event_type'), 'AUDIT');
  assert.equal(valueAt(json, 'brand'), null);
  assert.equal(valueAt(json, 'summary'), `Audit sealed through entry ${sequence}`);
  const entry = (await untilChained(hub)).find((one) => one.sequence === sequence);
  assert.equal(entry?.hash, hash);
});

testAboveEngines(
  'neither the start of a hub nor reads, breaches and disclosures cause a block',
  async () => {
    await using quiet = await bootSealing();
    await untilChained(quiet);
    await sleep(SEAL_AFTER_MS);
    await quiet.post('/v1/events', {
      event_type: 'RECEIVE',
      occurred_at: '2026-03-02T07:15:00+01:00',
      location: 'BAKERY-1',
      reference: 'PO-1',
      lines: [{ lot_code: 'FLOUR', product_sku: 'F', direction: 'in', quantity: 1, unit: 'kg' }],
    });
    await quiet.post('/v1/recall/simulate', { lot_code: 'FLOUR' });

    const entries = await untilChained(quiet);
    await sleep(2 * SEAL_AFTER_MS + 1_100);

    assert.ok(entries.some(({ action }) => action === 'simulate_recall'));
    assert.deepEqual(await readAuditBlocks(quiet), []);
    const { json } = await quiet.call('/health');
    assert.equal(valueAt(json, 'chain', 'height') ?? valueAt(json, 'height'), 1);
  },
);

testAboveEngines('many changes within the time of one block are sealed by one', async () => {
  const many = 20;
  await using busy = await boot({ auditSealAfterMs: 2_000 });
  for (let count = 0; count < many; count += 1) {
    const name = `Mill ${count}`;
    await busy.call('/v1/brand', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
  }

  await untilSealed(busy);

  assert.equal((await readAuditBlocks(busy)).length, 1);
});

test('a hub that was worked on verifies, and goes on behind the places that were given', async () => {
  await using first = await bootSealing();
  await work(first);
  await untilSealed(first);
  const before = await untilChained(first);
  const again = await first.restart();

  await work(again, 'bolt');
  const entries = await untilChained(again);
  await untilSealed(again);

  assert.deepEqual(entries.slice(0, before.length), before);
  const places = entries.map(({ sequence }) => sequence).toSorted((a, b) => Number(a) - Number(b));
  assert.deepEqual(
    places,
    entries.map((_, index) => index + 1),
  );
  await again.service.verifier.nextRound();
  assert.equal(again.service.state.valid, true, again.log());
  await again.service.close();
  assert.deepEqual(await verifiedCodes(again.database), []);
});

test('a change of an entry in a hub that runs is noticed within a round', async () => {
  await using running = await bootSealing();
  await work(running);
  await untilChained(running);
  await running.database.change("update audit_entries set actor = 'Eve' where action = 'hold_lot'");

  await running.service.verifier.nextRound();

  assert.equal(running.service.state.valid, false);
  const [alarm] = await until(async () => {
    const rows = await running.database.rows('select code from chain_alarms');
    return rows.length > 0 ? rows : undefined;
  });
  assert.equal(alarm?.['code'], 'audit_entry_differs');
});
