// Whatever is changed, deleted or added by hand in the audit, in its chain, in its blocks, among the keys or the
// links of suppliers is noticed by a round of the verifier and by a full verification.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { issueKey, revokeKey, rotateKey } from '../../src/keys/key-store.ts';
import { openOperated } from '../../src/ledger/operate/open-operated.ts';
import { AUDIT_BLOCKS, AUDIT_CHAIN, AUDIT_ENTRIES } from '../../src/ledger/tables/audit.ts';
import { API_KEYS, SUPPLIERS } from '../../src/ledger/tables/off-chain.ts';
import { testEngine, type StoredRow } from '../engine.ts';
import { newTenant, type Booted } from '../boot.ts';
import { openTamperingWith, roundOver, type Tampering, type Value } from '../tampering/database.ts';
import { bootSealing, untilChained, untilSealed, work } from './chained.ts';
import { verifyFully } from '../verified.ts';

const TABLES = [AUDIT_ENTRIES, AUDIT_CHAIN, AUDIT_BLOCKS, API_KEYS, SUPPLIERS] as const;
type Table = (typeof TABLES)[number];

/** What is compared is the same above both engines; a server reads it in several times the time. */
const EVERY = testEngine === 'sqlite' ? 1 : chooseRounds({ usual: 6, long: 1 });

const NOTICED = /^(?:audit|key|supplier)_/;

let hub: Booted;
let tampering: Tampering;

before(async () => {
  hub = await bootSealing();
  await work(hub);
  await work(hub, 'bolt');
  await issueKeys(hub);
  await linkSuppliers(hub);
  await untilSealed(hub);
  await work(hub, newTenant());
  await untilSealed(hub);
  await untilChained(hub);
  await hub.service.close();
  tampering = await openTamperingWith(hub.database);
});

after(async () => {
  await tampering[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

async function issueKeys({ database }: Booted): Promise<void> {
  await using operated = await openOperated(database);
  const nowMs = Date.now();
  const issue = { role: 'tenant', tenantId: 'acme', nowMs } as const;
  const { record } = await issueKey(operated, { ...issue, label: 'ERP' });
  const { record: gone } = await issueKey(operated, { ...issue, label: 'gone' });
  await rotateKey(operated, { keyId: record.key_id, overlapMs: 1_000, nowMs });
  await revokeKey(operated, { keyId: gone.key_id, nowMs });
}

/** Links of two brands, one of which has ended. */
async function linkSuppliers(booted: Booted): Promise<void> {
  for (const [name, brand] of [
    ['Mill', 'bolt'],
    ['Mill & Sons', 'bolt'],
    ['Dairy', 'bolt'],
    ['Gone', 'bolt'],
    ['Dairy', 'acme'],
  ] as const) {
    const tenant = brand === 'acme' ? 'bolt' : 'acme';
    const answer = await booted.call(`/v1/suppliers/${encodeURIComponent(name)}`, {
      method: 'PUT',
      headers: { 'X-Tenant-Id': tenant, 'Content-Type': 'application/json' },
      body: JSON.stringify({ brand }),
    });
    assert.equal(answer.status, 201, answer.text);
  }
  const ended = await booted.call('/v1/suppliers/Gone', { method: 'DELETE' });
  assert.equal(ended.status, 200, ended.text);
}

/** What a round finds after something was done, which is undone behind it. */
function codesAfter(statement: string, ...values: readonly Value[]): Promise<readonly string[]> {
  return tampering.undone(async () => {
    assert.equal(await tampering.run(statement, ...values), 'done', statement);
    return (await roundOver(tampering)).codes;
  });
}

async function readSomeRows(table: Table): Promise<readonly StoredRow[]> {
  return (await readRows(table)).filter((_, index) => index % EVERY === 0);
}

async function readRows({ name, names }: Table): Promise<readonly StoredRow[]> {
  return await tampering.all(`select ${names.join(', ')} from ${name} order by ${names[0]}`);
}

function isRow({ key }: Table, row: StoredRow): string {
  return key
    .map((name) => {
      const value = row[name];
      return `${name} = ${typeof value === 'number' ? value : `'${String(value)}'`}`;
    })
    .join(' and ');
}

/** Another value of the same kind, and of none another row. */
function changed({ columns }: Table, name: string, value: unknown): Value {
  const described: Readonly<Record<string, { readonly kind: string }>> = columns;
  if (described[name]?.kind === 'integer') return value === null ? 1 : Number(value) + 1_000;
  return value === null ? '2026-01-01T00:00:00.000Z' : `${String(value)} `;
}

test('nothing is found in what nobody changed', async () => {
  assert.deepEqual((await roundOver(tampering)).mismatches, []);
});

for (const table of TABLES) {
  test(`another value in any column of any row of ${table.name} is noticed`, async () => {
    for (const row of await readSomeRows(table)) {
      for (const name of table.names) {
        const codes = await codesAfter(
          `update ${table.name} set ${name} = ? where ${isRow(table, row)}`,
          changed(table, name, row[name]),
        );

        assert.ok(
          codes.some((code) => NOTICED.test(code)),
          `${name} where ${isRow(table, row)}`,
        );
      }
    }
  });

  test(`any row of ${table.name} that is gone is noticed`, async () => {
    for (const row of await readSomeRows(table)) {
      const codes = await codesAfter(`delete from ${table.name} where ${isRow(table, row)}`);

      assert.ok(
        codes.some((code) => NOTICED.test(code)),
        isRow(table, row),
      );
    }
  });
}

const ENTRY =
  'insert into audit_entries (id, at, tenant_id, actor, action, entity_type, entity_id, block_height, details) ';

for (const { what, statement, code } of [
  {
    what: 'an entry between others',
    statement: `${ENTRY} select -7, at, tenant_id, actor, action, entity_type, entity_id, block_height, details
      from audit_entries where id = 3`,
    code: 'audit_entry_extra',
  },
  {
    what: 'a place of no entry at the end of the chain',
    statement: `insert into audit_chain (sequence, entry_id, hash)
      select max(sequence) + 1, 9999, max(hash) from audit_chain`,
    code: 'audit_entry_missing',
  },
  {
    what: 'a place behind a gap',
    statement: `insert into audit_chain (sequence, entry_id, hash)
      select max(sequence) + 2, 9999, max(hash) from audit_chain`,
    code: 'audit_chain_gap',
  },
  {
    what: 'an entry without a place that names a block of another kind',
    statement: `${ENTRY} select 9999, at, tenant_id, actor, 'release_lot', entity_type, entity_id, 1, details
      from audit_entries where id = 3`,
    code: 'audit_block_unfit',
  },
  {
    what: 'an entry without a place that names a block that is not there',
    statement: `${ENTRY} select 9999, at, tenant_id, actor, 'simulate_recall', entity_type, entity_id, 999, details
      from audit_entries where id = 3`,
    code: 'audit_block_unfit',
  },
  {
    what: 'an entry without a place that names no block',
    statement: `${ENTRY} select 9999, at, tenant_id, actor, 'hold_lot', 'lot', 'FLOUR', null, details
      from audit_entries where id = 3`,
    code: 'audit_block_unfit',
  },
  {
    what: 'a row of a block of the audit that is none',
    statement: `insert into audit_blocks (height, sequence, hash) select 1, 1, min(hash) from audit_chain`,
    code: 'audit_block_row_extra',
  },
  {
    what: 'a key',
    statement: `insert into api_keys (key_id, role, label, key_hash, origin, created_at)
      values ('mine', 'admin', 'mine', 'abc', 'issued', '2026-01-01T00:00:00.000Z')`,
    code: 'key_row_extra',
  },
  {
    what: 'a link of a supplier',
    statement: `insert into suppliers (tenant_id, name, brand, linked_at)
      values ('acme', 'mine', 'bolt', '2026-01-01T00:00:00.000Z')`,
    code: 'supplier_row_extra',
  },
  {
    what: 'a link of a supplier that had ended',
    statement: `insert into suppliers (tenant_id, name, brand, linked_at)
      select 'acme', 'Gone', 'bolt', at
      from audit_entries where action = 'link_supplier' and entity_id = 'Gone'`,
    code: 'supplier_row_extra',
  },
]) {
  test(`${what} that was added by hand is noticed`, async () => {
    assert.ok((await codesAfter(statement)).includes(code));
  });
}

test('the end of the audit that is gone with its places is noticed where a block sealed it', async () => {
  const found = await tampering.undone(async () => {
    await tampering.exec(`
      delete from audit_entries where id in (
        select entry_id from audit_chain where sequence > (select max(sequence) - 2 from audit_chain)
      );
      delete from audit_chain where entry_id not in (select id from audit_entries)`);
    return await roundOver(tampering);
  });

  assert.ok(found.codes.includes('audit_chain_differs'), found.codes.join());
  assert.ok(found.codes.includes('audit_entry_of_block_missing'), found.codes.join());
});

for (const { what, statement } of [
  { what: 'an entry', statement: "update audit_entries set actor = 'Eve' where id = 4" },
  { what: 'a key', statement: "update api_keys set revoked_at = null where label = 'gone'" },
  { what: 'a link', statement: "update suppliers set brand = 'else' where name = 'Mill'" },
]) {
  test(`${what} that was changed is named by a full verification`, async () => {
    const { dataDir, databaseUrl } = hub.database;
    const before = await readRows(AUDIT_ENTRIES);
    const keys = await readRows(API_KEYS);
    const links = await readRows(SUPPLIERS);
    await tampering.exec(statement);

    const report = await verifyFully({ dataDir, databaseUrl });

    assert.equal(report.ok, false);
    assert.ok(report.mismatches.every(({ code }) => NOTICED.test(code)));
    await restore(AUDIT_ENTRIES, before, 'actor');
    await restore(API_KEYS, keys, 'revoked_at');
    await restore(SUPPLIERS, links, 'brand');
    assert.deepEqual((await roundOver(tampering)).mismatches, []);
  });
}

async function restore(table: Table, rows: readonly StoredRow[], name: string): Promise<void> {
  for (const row of rows) {
    await tampering.run(
      `update ${table.name} set ${name} = ? where ${isRow(table, row)}`,
      row[name] as Value,
    );
  }
}
