// No query of a verification reads or sorts a whole table of PostgreSQL: a slice costs the same on
// a long chain. Damage to an index, which no row shows, is found.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { Sql } from 'sql-template-tag';
import { makeStoredLedger, type StoredLedger } from '../../../../test/tampering/database.ts';
import { LedgerVerification } from '../../verify/ledger.ts';
import type { SnapshotReader } from '../../verify/snapshot-reader.ts';
import { postgresSnapshots } from './snapshots.ts';
import { verifyFully } from '../../../../test/verified.ts';

/** Tables of which there are few rows, read whole. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  'head',
  'tenants',
  'log_epochs',
  'decision_sealing',
  'api_keys',
  'brands',
  'recall_cases',
]);
/** The last row of a table by its key is one step from its end. */
const LAST_ROW = /order by (?:height|lot_no|sequence) desc\s+limit 1$/;

/**
 * Queries once in a round, and not for each slice: they read the newest published checkpoints, up to
 * a limit, and find rows without a case or a block.
 */
const ONCE_A_ROUND =
  /from log_checkpoints c|distinct_values|from private_recipients p\s+where not exists|count\(\*\) as unsealed/;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

let ledger: StoredLedger;

before(async () => {
  ledger = await makeStoredLedger();
});

after(() => ledger[Symbol.asyncDispose]());

test('a verification reads through indexes alone', async () => {
  await using copy = await ledger.copy();
  await using connection = await PostgresConnection.open(copy.databaseUrl ?? '');
  const queries = await listQueries(postgresSnapshots(connection));
  await makeLarge(copy);
  const snapshots = postgresSnapshots(connection);

  const wide: string[] = [];
  for (const query of queries.filter(
    ({ text }) => !LAST_ROW.test(text) && !ONCE_A_ROUND.test(text),
  )) {
    const explain = new Sql(
      [`explain (format json) ${query.strings[0]}`, ...query.strings.slice(1)],
      query.values,
    );
    const [row] = await snapshots.inSnapshot(() =>
      snapshots.all<{ 'QUERY PLAN': string }>(explain),
    );
    wide.push(...wideSteps(readRoot(row?.['QUERY PLAN'])).map((step) => `${step}: ${query.text}`));
  }

  assert.ok(queries.length > 20, `${queries.length} queries`);
  assert.deepEqual(wide, []);
});

/** Lists the queries of a round, each text once. */
async function listQueries(snapshots: SnapshotReader): Promise<readonly Sql[]> {
  const queries = new Map<string, Sql>();
  const reader: SnapshotReader = {
    all: (query) => {
      queries.set(query.text, query);
      return snapshots.all(query);
    },
    inSnapshot: (work) => snapshots.inSnapshot(work),
  };
  const options = { reader, depth: 'links', scope: 'ledger', tipRecord: null } as const;
  const verification = new LedgerVerification(options);
  while ((await verification.advance(4)).status === 'more');
  return [...queries.values()];
}

/**
 * Makes the tables large: in a plan of a few rows a table is one page, and that page is read as a
 * whole.
 */
async function makeLarge(copy: StoredLedger): Promise<void> {
  await using tampering = await copy.tampering();
  for (const [table, values] of Object.entries(FILLING)) {
    await tampering.exec(
      `insert into ${table} (${Object.keys(values).join(', ')})
       select ${Object.values(values).join(', ')} from generate_series(1000, 21000) as n`,
    );
  }
  await tampering.exec('analyze');
}

const EVENT_COLUMNS = { height: 'n', tenant_no: '1' } as const;
const PRIVATE_COLUMNS = { height: 'n', salt: "'s'" } as const;
const FILLING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  blocks: {
    height: 'n',
    hash: 'n::text',
    canonical: "'{}'",
  },
  events: {
    ...EVENT_COLUMNS,
    event_type: "'SHIP'",
    occurred_at: "'x'",
    reference: 'n::text',
    line_count: '1',
    link_basis: '0',
  },
  lots: {
    lot_no: 'n',
    tenant_no: '1',
    lot_code: 'n::text',
    product_sku: "'x'",
    first_height: 'n',
  },
  lines: {
    height: 'n',
    line_no: '0',
    lot_no: 'n',
    product_sku: "'x'",
    direction: "'in'",
    quantity: "'1'",
    unit: "'kg'",
    link_basis: '0',
  },
  audit_entries: {
    id: 'n',
    at: "'x'",
    tenant_id: "'acme'",
    actor: "'x'",
    action: "'simulate_recall'",
    entity_type: "'lot'",
    entity_id: "'x'",
    details: "'{}'",
  },
  audit_chain: { sequence: 'n', entry_id: 'n', hash: "'x'" },
  audit_blocks: { height: 'n', sequence: 'n', hash: "'x'" },
  provenances: { ...EVENT_COLUMNS, line_no: '0', lot_no: 'n', is_leaf: '1' },
  corrections: { ...EVENT_COLUMNS, corrects_height: 'n - 1', change_count: '1' },
  lot_mentions: { height: 'n', lot_no: 'n' },
  lot_quantities: { lot_no: 'n', product_sku: "'x'", unit: "'kg'" },
  lot_texts: { tenant_no: '1', lot_no: 'n', text: "'x'" },
  lot_holds: {
    lot_no: 'n',
    source: "'manual'",
    reason: "'x'",
    held_by: "'x'",
    held_since: "'x'",
    tenant_no: '1',
  },
  recall_cases: {
    case_id: 'n',
    case_no: 'n::text',
    tenant_no: '1',
    seed_lot_code: "'x'",
    title: "'x'",
    reason: "'x'",
    severity: "'x'",
    direction: "'x'",
    auto_hold: '0',
    opened_by: "'x'",
    opened_at: "'x'",
    opened_height: 'n',
    opened_hash: "'x'",
    status: "'x'",
    updated_at: "'x'",
    snapshot: "'x'",
  },
  recall_lots: {
    case_id: 'n',
    lot_no: 'n',
    relation: "'x'",
    distance: '1',
    in_snapshot: '0',
    entered_at: "'x'",
    entered_height: 'n',
  },
  private_lines: { ...PRIVATE_COLUMNS, line_no: '0' },
  private_notes: { ...PRIVATE_COLUMNS, notes: "'x'" },
  private_requests: { ...PRIVATE_COLUMNS, requested_by: "'x'" },
  private_changes: { ...PRIVATE_COLUMNS, change_no: '0' },
  import_keys: { ...EVENT_COLUMNS, group_key: 'n::text' },
};

function readRoot(answer: unknown): PlanNode {
  const [{ Plan }] = (typeof answer === 'string' ? JSON.parse(answer) : answer) as [
    { readonly Plan: PlanNode },
  ];
  return Plan;
}

/** Steps that grow with a table: its rows one after the other, all entries of an index, a sort. */
function wideSteps(node: PlanNode): readonly string[] {
  const { 'Node Type': kind, 'Relation Name': table = '' } = node;
  const isWide =
    !SMALL_TABLES.has(table) &&
    (kind === 'Seq Scan' ||
      kind === 'Sort' ||
      kind.startsWith('Hash') ||
      (kind.startsWith('Index') && node['Index Cond'] === undefined));
  return [...(isWide ? [`${kind} ${table}`] : []), ...(node.Plans ?? []).flatMap(wideSteps)];
}

test('an index that lacks an entry fails a full verification, and nothing else does', async () => {
  await using copy = await ledger.copy();
  await using tampering = await copy.tampering();
  // A crash of a disk that reported a write too early can leave this behind.
  const setReady = (isReady: boolean): Promise<void> =>
    tampering.exec(`
      set local allow_system_table_mods = on;
      update pg_index set indisready = ${isReady}, indisvalid = ${isReady}
      where indexrelid = 'events_by_external_id'::regclass`);
  await setReady(false);
  await tampering.exec(`
    create temporary table moved on commit drop as select * from events where height = 1;
    delete from events where height = 1;
    insert into events select * from moved`);
  await setReady(true);

  const report = await verifyFully(copy);

  assert.deepEqual(
    report.mismatches.map(({ code }) => code),
    ['storage_damaged'],
  );
  assert.match(report.mismatches[0]!.message, /events_by_external_id leads to \d+ rows/);
});

test('an index that was never made to its end fails a full verification', async () => {
  await using copy = await ledger.copy();
  await using tampering = await copy.tampering();
  await tampering.exec(`
    set local allow_system_table_mods = on;
    update pg_index set indisvalid = false where indexrelid = 'lots_by_code'::regclass`);

  const report = await verifyFully(copy);

  await tampering.exec(`
    set local allow_system_table_mods = on;
    update pg_index set indisvalid = true`);
  assert.match(report.mismatches[0]!.message, /lots_by_code was not made to its end/);
});
