// The end of the chain is lost while the audit names its blocks: that is noticed, an operator accepts it, and
// the audit says so; what somebody changes afterwards is noticed as ever.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boot, type Booted } from '../boot.ts';
import { runCli, type CliRun } from '../cli/run.ts';
import { caughtUp, coveredLots } from '../recall/following.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { codesAfter } from '../tampering/decided.ts';
import { verifiedCodes } from '../verified.ts';

const hold = (hub: Booted, lot: string, tenant: RecallTenant) =>
  hub.post(`/v1/lots/${lot}/hold`, { by: 'Ada', reason: 'a look' }, tenant.headers);

async function lothub(hub: Booted, ...args: readonly string[]): Promise<CliRun> {
  const { dataDir, databaseUrl } = hub.database;
  const place = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  return await runCli([...args, '--json'], { DATA_DIR: dataDir, ...place });
}

test('lost blocks that the audit names are accepted by an entry, and later changes are noticed', async () => {
  await using hub = await boot();
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR', 'OTHER');
  assert.equal((await hold(hub, 'FLOUR', tenant)).status, 200);
  const widened = String((await tenant.open('FLOUR'))['case_no']);
  const made = await tenant.produce(['FLOUR'], ['DOUGH']);
  const kept = Number(made.json['id']);
  await caughtUp(hub);
  const caseNo = String((await tenant.open('OTHER'))['case_no']);
  await tenant.moveThrough(caseNo, 'notification');
  assert.equal((await hold(hub, 'OTHER', tenant)).status, 200);
  await hub.service.close();
  await hub.database.change(`delete from blocks where height > ${kept}`);

  const noticed = await lothub(hub, 'verify');
  const rebuilt = await lothub(hub, 'rebuild', '--accept-tip');
  const accepted = await lothub(hub, 'verify', '--accept-tip');

  assert.equal(noticed.code, 1, noticed.stdout);
  assert.equal(rebuilt.code, 0, rebuilt.stderr);
  assert.equal(accepted.code, 0, accepted.stdout);
  const [entry] = await hub.database.rows(
    "select actor, block_height, details from audit_entries where action = 'accept_cut'",
  );
  assert.deepEqual(
    [entry?.['actor'], entry?.['block_height'], entry?.['details']],
    [
      'lothub rebuild --accept-tip',
      kept,
      JSON.stringify({ entries_of_lost_blocks: 4, last_lost_height_named: kept + 4 }),
    ],
  );

  // Blocks that are sealed now have the heights of the lost ones.
  const again = await hub.restart();
  await using _closing = { [Symbol.asyncDispose]: () => again.service.close() };
  assert.equal((await hold(again, 'OTHER', tenant)).status, 200);
  await caughtUp(again);
  const covered = await coveredLots(again, widened);
  assert.deepEqual(covered, ['DOUGH downstream 1 on_hold', 'FLOUR self 0 on_hold']);
  assert.deepEqual(await verifiedCodes(again.database), []);
  const open = await again.database.rows('select code from chain_alarms where cleared_at is null');
  assert.deepEqual(open, []);

  const ACCEPTED = "select id from audit_entries where action = 'accept_cut'";
  const newHold = `(select max(id) from audit_entries where action = 'hold_lot')`;
  const changes: readonly (readonly [string, string])[] = [
    [
      `update audit_entries set action = 'accept_clock' where id in (${ACCEPTED})`,
      'audit_block_unfit',
    ],
    [`delete from audit_entries where id in (${ACCEPTED})`, 'audit_block_unfit'],
    [`update audit_entries set entity_id = 'x' where id in (${ACCEPTED})`, 'audit_block_unfit'],
    // Nobody accepts blocks that are there.
    [
      `update audit_entries set block_height = 1, entity_id = (select hash from blocks where height = 1)
      where id in (${ACCEPTED})`,
      'audit_entry_of_block_missing',
    ],
    [`delete from audit_entries where id = ${newHold}`, 'audit_entry_of_block_missing'],
    [`update audit_entries set block_height = 1 where id = ${newHold}`, 'audit_block_unfit'],
  ];
  for (const [statement, code] of changes) {
    const codes = await codesAfter(again, statement);
    assert.ok(codes.includes(code), `${statement}: ${codes.join()}`);
  }
});
