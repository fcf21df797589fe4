// A ledger with its own database, without HTTP, for tests of what reads it.
import type { SQLInputValue } from 'node:sqlite';
import { systemClock } from '@lothub/kit/clock';
import type { SqlValue } from '@lothub/kit/database';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { pino } from 'pino';
import { prepareEvent } from '../src/events/prepare.ts';
import type { EventInput, LineInput } from '../src/events/schema.ts';
import { ChainState } from '../src/ledger/verify/chain-state.ts';
import type { Caller, Draft } from '../src/ledger/draft.ts';
import { openStore } from '../src/ledger/open-store.ts';
import { LedgerReader } from '../src/ledger/read.ts';
import type { LedgerStore } from '../src/ledger/store.ts';
import { findLot, type LotRow } from '../src/lots/queries.ts';
import { newTestDatabase, type TestDatabase } from './engine.ts';
import { notingReader } from './noting-reader.ts';

/** Who asks for the writes of tests. */
export const TEST_CALLER: Caller = { actor: 'test', requestId: null };

export interface TestLedger extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  /** Appends events of a tenant, one block each; answers their heights. */
  record(events: readonly EventInput[], tenantId?: string): Promise<readonly number[]>;
  /** The lot of a code; fails when there is none. */
  lot(lotCode: string, tenantId?: string): Promise<LotRow>;
}

/** What a service keeps its ledger in; whoever opens it closes it. */
export function openTestStore({
  dataDir,
  databaseUrl,
}: {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}): Promise<LedgerStore> {
  return openStore({
    ...{ dataDir, databaseUrl },
    hubName: 'Lothub',
    onFatal: (error) => {
      throw error;
    },
  });
}

/** Stores events as an earlier version may have: with codes and ids that none is refused for. */
export async function storeFormerEvents(
  database: TestDatabase,
  tenantId: string,
  events: readonly EventInput[],
): Promise<void> {
  const store = await openTestStore(database);
  const drafts = events.map(makeDraft);
  await store.append({ tenantId, caller: TEST_CALLER, drafts, unit: 'all' });
  await store.close();
}

export async function openTestLedger(): Promise<TestLedger> {
  const database = await newTestDatabase();
  const store = await openTestStore(database);
  const state = new ChainState({ store, clock: systemClock, log: pino({ level: 'silent' }) });
  const reader = new LedgerReader({ database: store.reader, state });
  return {
    database,
    dataDir: database.dataDir,
    store,
    reader,
    state,
    record: async (events, tenantId = 'bakery') => {
      const drafts = events.map(makeDraft);
      const { outcomes } = await store.append({
        tenantId,
        caller: TEST_CALLER,
        drafts,
        unit: 'all',
      });
      return outcomes.map((outcome) => {
        if (outcome.kind !== 'appended') throw new Error(`an event was ${outcome.kind}`);
        return outcome.height;
      });
    },
    lot: async (lotCode, tenantId) => {
      const lot = await findLot(store.reader, { lotCode, tenantId });
      if (lot === undefined) throw new Error(`no lot ${lotCode}`);
      return lot;
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** An event as the routes hand it to the store; fails when it is none. */
export function makeDraft(event: EventInput): Draft {
  const prepared = prepareEvent(event, {
    root: [],
    nowMs: systemClock.nowMs(),
    newSalt,
    identity: 'external_id',
  });
  if (prepared.kind === 'invalid') throw new Error(JSON.stringify(prepared.errors));
  return prepared.draft;
}

/** Changes stored rows behind the service's back; fails when there was nothing to change. */
export async function tamper(
  database: TestDatabase,
  statement: string,
  ...values: readonly SqlValue[]
): Promise<void> {
  const changed = await database.change(statement, ...values);
  if (changed === 0) throw new Error(`nothing was changed by: ${statement}`);
}

/** Shorthand for a line: `makeLine('in', 'FLOUR-1', { quantity: 3 })`. */
export function makeLine(
  direction: 'in' | 'out',
  lotCode: string,
  changes: Partial<LineInput> = {},
): LineInput {
  return {
    lot_code: lotCode,
    product_sku: lotCode.replace(/-.*$/, ''),
    direction,
    quantity: 10,
    unit: 'kg',
    ...changes,
  };
}

/** An event of this type; every other field has a value that a test may replace. */
export function makeEvent(
  eventType: EventInput['event_type'],
  lines: readonly LineInput[],
  changes: Partial<EventInput> = {},
): EventInput {
  return {
    event_type: eventType,
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY-1',
    reference: 'WO-1',
    lines: [...lines],
    ...changes,
  };
}

/** What SQLite says of every query that `run` asks: one line for each step of each plan. */
export async function notePlans(
  ledger: TestLedger,
  run: (reader: LedgerReader) => Promise<unknown>,
): Promise<readonly string[]> {
  const connection = ledger.store.reader;
  if (!(connection instanceof SqliteConnection)) throw new Error('only SQLite gives its plans so');
  const noting = notingReader(connection);
  await run(new LedgerReader({ database: noting, state: ledger.state }));
  return noting.queries.flatMap((query) =>
    connection.database
      .prepare(`explain query plan ${query.sql}`)
      .all(...(query.values as SQLInputValue[]))
      .map((row) => String(row['detail'])),
  );
}
