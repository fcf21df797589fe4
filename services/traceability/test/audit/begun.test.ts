// Where the chain of the audit begins on a hub from before, and continues after a process was killed: each entry gets
// one place, the older ones first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testAboveEngines } from '@lothub/kit/test/above-engines';
import { ADMIN_KEY, TENANT_KEY, boot, type Booted } from '../boot.ts';
import { serveCli } from '../cli/run.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { bootSealing, readAuditBlocks, until, untilChained, untilSealed, work } from './chained.ts';

/** So many that a kill comes before the last ones are chained, also on a busy machine. */
const MANY = 20_000;
const KEYS = { TENANT_API_KEY: TENANT_KEY, ADMIN_API_KEY: ADMIN_KEY };

/** Leaves the tables as the version before left them: nothing chained, holds that no block has, keys alone. */
async function asBefore({ database }: Booted): Promise<void> {
  for (const statement of [
    'delete from audit_chain',
    'delete from audit_progress',
    "delete from audit_entries where action in ('adopt_key', 'use_key', 'chain_audit')",
    "update audit_entries set block_height = null where action in ('hold_lot', 'release_lot')",
  ]) {
    await database.change(statement);
  }
}

async function countPlaces(database: TestDatabase): Promise<number> {
  const [row] = await database.rows('select count(*) as count from audit_chain');
  return Number(row?.['count']);
}

async function insertMany(database: TestDatabase): Promise<void> {
  await database.change(`
    insert into audit_entries (at, tenant_id, actor, action, entity_type, entity_id, details)
    with recursive numbers(n) as (
      select 1 union all select n + 1 from numbers where n < ${MANY}
    )
    select '2026-03-04T10:00:00.000Z', 'acme', 'test', 'simulate_recall', 'lot', 'LOT-1', '{}'
    from numbers`);
}

test('a hub of before is chained from its first entry on, and says where that began', async () => {
  await using former = await boot();
  await work(former);
  await former.service.close();
  await asBefore(former);

  const upgraded = await bootSealing({ database: former.database });
  const entries = await untilChained(upgraded);
  await untilSealed(upgraded);
  await work(upgraded, 'bolt');
  await untilSealed(upgraded);

  assert.deepEqual(
    entries.map(({ sequence }) => sequence),
    entries.map((_, index) => index + 1),
  );
  const begun = entries.findIndex(({ action }) => action === 'chain_audit');
  const actions = entries.slice(begun).map(({ action }) => action);
  assert.deepEqual(actions, ['chain_audit', 'adopt_key', 'adopt_key']);
  assert.equal(entries[begun]?.['block_height'], 5);
  await upgraded.service.verifier.nextRound();
  assert.equal(upgraded.service.state.valid, true, upgraded.log());
  await upgraded.service.close();
});

testAboveEngines(
  'a hub of before whose key was changed while nobody served it takes the key as it is',
  async () => {
    await using former = await boot();
    await former.service.close();
    await asBefore(former);
    await former.database.change("update api_keys set label = 'mine'");

    const upgraded = await boot({ database: former.database });
    await untilChained(upgraded);
    await upgraded.service.close();
    await former.database.change("update api_keys set label = 'yours'");
    const again = await boot({ database: former.database });
    await again.service.verifier.nextRound();

    assert.equal(again.service.state.valid, false);
    const begun = (await untilChained(again)).filter(({ action }) => action === 'chain_audit');
    assert.equal(begun.length, 1);
    await again.service.close();
  },
);

testAboveEngines(
  'a process that is killed while it chains leaves each entry in the chain once or not yet',
  async () => {
    await using database = await newTestDatabase();
    {
      await using served = await serveCli({ ...KEYS, ...database.env });
      await insertMany(database);
      await until(async () => ((await countPlaces(database)) > 1_000 ? true : undefined));
      served.child.kill('SIGKILL');
      await served.ended;
    }
    const placed = await countPlaces(database);

    const again = await boot({ database });
    await until(async () => ((await countPlaces(database)) > MANY ? true : undefined));
    await again.service.verifier.nextRound();

    assert.ok(placed < MANY, String(placed));
    const rows = await database.rows(
      'select max(sequence) as last, count(distinct entry_id) as entries from audit_chain',
    );
    const [{ count } = {}] = await database.rows('select count(*) as count from audit_entries');
    assert.deepEqual(
      [Number(rows[0]?.['last']), Number(rows[0]?.['entries'])],
      [Number(count), Number(count)],
    );
    assert.equal(again.service.state.valid, true, again.log());
    assert.deepEqual(await readAuditBlocks(again), []);
    await again.service.close();
  },
);
