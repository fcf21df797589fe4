// Several processes over one database: each entry of the audit gets one place, whoever chains, also one that
// becomes visible behind entries with greater ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { chainStep } from '../../src/ledger/audit-chain/chain-step.ts';
import { Coverage } from '../../src/ledger/audit-chain/coverage.ts';
import { chainedThrough } from '../../src/ledger/audit-chain/queries.ts';
import { WrittenIds } from '../../src/ledger/audit-chain/written-ids.ts';
import { insertAuditEntry } from '../../src/ledger/audit.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { newTestDatabase, openSecondDatabase } from '../engine.ts';
import { openTestStore } from '../ledger.ts';
import { bootSecond } from '../boot.ts';
import { bootSealing, readAuditBlocks, untilChained, untilSealed, work } from './chained.ts';

const ENTRIES = 2_000;

function entry(entityId: string): Sql {
  return insertAuditEntry({
    at: '2026-03-04T10:00:00.000Z',
    tenantId: 'acme',
    caller: { actor: 'test', requestId: null },
    action: 'update_brand',
    entityType: 'brand',
    entityId,
    blockHeight: null,
    details: {},
  });
}

async function placesIn(store: LedgerStore): Promise<readonly (readonly [number, string])[]> {
  const rows = await store.reader.all<{
    readonly sequence: number;
    readonly entity_id: string;
  }>(sql`
    select c.sequence, e.entity_id
    from audit_chain c
    left join audit_entries e on e.id = c.entry_id
    order by c.sequence`);
  return rows.map(({ sequence, entity_id: entityId }) => [sequence, entityId]);
}

async function chain(store: LedgerStore, ids: WrittenIds): Promise<void> {
  while ((await chainStep(store, { ids, nowMs: systemClock.nowMs() })).hasMore);
}

test('an entry that is committed behind one with a greater id gets the next place, once', async () => {
  await using database = await newTestDatabase();
  await using store = await openTestStore(database);
  await using late = await PostgresConnection.open(database.databaseUrl!, { connectionsMax: 1 });
  const ids = new WrittenIds(0);
  await store.write([entry('first')]);

  await late.transaction(async (transaction) => {
    await transaction.all(entry('late'));
    await store.write([entry('second')]);
    await chain(store, ids);
  });
  await store.write([entry('third')]);
  await chain(store, ids);
  await chain(store, new WrittenIds(await chainedThrough(store.reader)));

  assert.deepEqual(await placesIn(store), [
    [1, 'first'],
    [2, 'second'],
    [3, 'late'],
    [4, 'third'],
  ]);
});

test('a holder that takes over looks for what the one before had not seen', async () => {
  await using database = await newTestDatabase();
  await using store = await openTestStore(database);
  await using late = await PostgresConnection.open(database.databaseUrl!, { connectionsMax: 1 });

  await late.transaction(async (transaction) => {
    await transaction.all(entry('late'));
    await store.write([entry('second')]);
    await chain(store, new WrittenIds(0));
  });
  await chain(store, new WrittenIds(await chainedThrough(store.reader)));

  assert.deepEqual(await placesIn(store), [
    [1, 'second'],
    [2, 'late'],
  ]);
});

test('two that chain at the same moment give each entry one place', async () => {
  await using database = await newTestDatabase();
  await using beside = await openSecondDatabase(database.databaseUrl!);
  await using one = await openTestStore(database);
  await using other = await openTestStore(beside);
  await one.write(Array.from({ length: ENTRIES }, (_, index) => entry(String(index))));

  const chainAll = async (store: LedgerStore): Promise<number> => {
    let refused = 0;
    for (;;) {
      try {
        await chain(store, new WrittenIds(await chainedThrough(store.reader)));
        return refused;
      } catch {
        refused += 1;
      }
    }
  };
  await Promise.all([chainAll(one), chainAll(other)]);

  assert.deepEqual(
    await placesIn(one),
    Array.from({ length: ENTRIES }, (_, index) => [index + 1, String(index)]),
  );
});

test('two that seal at the same moment seal one block', async () => {
  await using database = await newTestDatabase();
  await using beside = await openSecondDatabase(database.databaseUrl!);
  await using one = await openTestStore(database);
  await using other = await openTestStore(beside);
  await one.write([entry('changed')]);
  await chain(one, new WrittenIds(0));
  const coverages = await Promise.all(
    [one, other].map((store) => Coverage.read({ store, clock: systemClock, sealAfterMs: 0 })),
  );

  const sealed = await Promise.all(coverages.map((coverage) => coverage.sealWhenDue()));

  assert.deepEqual(sealed.toSorted(), [false, true]);
  assert.equal((await readAuditBlocks({ database })).length, 1);
});

test('another process goes on when the one that chains has ended', async () => {
  await using first = await bootSealing();
  await using second = await bootSecond(first, {}, { auditSealAfterMs: 300 });
  await work(first);
  await untilSealed(second);
  await first.service.close();

  await work(second, 'bolt');
  await untilSealed(second);

  const entries = await untilChained(second);
  assert.deepEqual(
    entries.map(({ sequence }) => sequence).toSorted((a, b) => Number(a) - Number(b)),
    entries.map((_, index) => index + 1),
  );
  await second.service.verifier.nextRound();
  assert.equal(second.service.state.valid, true, second.log());
});
