// A small ledger with a bit of everything that a verification checks (its corrections, holds and recalls are in
// tampering/corrections.ts), and the means to tamper with it behind the service's back.
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { prepareEvent } from '../../src/events/prepare.ts';
import type { EventInput } from '../../src/events/schema.ts';
import type { Draft } from '../../src/ledger/draft.ts';
import { SqliteLedgerStore, databaseFile } from '../../src/ledger/sqlite/store.ts';
import { LedgerVerification } from '../../src/ledger/verify/ledger.ts';
import { firstBadHeight, type LedgerMismatch } from '../../src/ledger/verify/mismatch.ts';
import type { SnapshotReader } from '../../src/ledger/verify/snapshot-reader.ts';
import { testEngine } from '../engine.ts';
import { TEST_CALLER } from '../ledger.ts';
import { correctSmallLedger, holdSmallLedger, recallSmallLedger } from './corrections.ts';

/** Height of the last block of the small ledger, an event of acme. */
export const TIP_HEIGHT = 33;
/** The last block that moves the lots which were held and recalled. */
export const PACKED_HEIGHT = 31;

const AT = '2026-03-02T07:15:00+01:00';
const kg = { unit: 'kg' } as const;

const ACME_EVENTS: readonly EventInput[] = [
  {
    external_id: 'wms-1',
    event_type: 'RECEIVE',
    occurred_at: AT,
    location: 'BAKERY-1',
    reference: 'PO-1',
    notes: 'dry, sealed',
    lines: [
      {
        lot_code: 'FLOUR-1',
        product_sku: 'FLOUR',
        direction: 'in',
        quantity: 250.5,
        ...kg,
        supplier_name: 'Mühle Brandt',
        origin_facility: 'MILL-3',
        supplier_lot_code: 'BR-118',
      },
      { lot_code: 'SUGAR-1', product_sku: 'SUGAR', direction: 'in', quantity: 40, ...kg },
    ],
  },
  {
    event_type: 'PRODUCE',
    occurred_at: AT,
    location: 'BAKERY-1',
    reference: 'WO-7',
    lines: [
      { lot_code: 'FLOUR-1', product_sku: 'FLOUR', direction: 'in', quantity: 10, ...kg },
      { lot_code: 'SUGAR-1', product_sku: 'SUGAR', direction: 'in', quantity: 2.25, ...kg },
      { lot_code: 'CAKE-9', product_sku: 'CAKE', direction: 'out', quantity: 12, unit: 'pcs' },
    ],
  },
  {
    external_id: 'pos-1',
    event_type: 'SELL',
    occurred_at: AT,
    location: 'SHOP-1',
    reference: 'INV-1',
    notes: 'asked for a receipt',
    lines: [
      {
        lot_code: 'CAKE-9',
        product_sku: 'CAKE',
        direction: 'out',
        quantity: 3,
        unit: 'pcs',
        customer_ref: 'CUST-4711',
        channel: 'webshop',
      },
      { lot_code: 'CAKE-9', product_sku: 'CAKE', direction: 'out', quantity: 1, unit: 'pcs' },
    ],
  },
];

const ACME_IMPORT: readonly EventInput[] = [
  {
    event_type: 'CONSUME',
    occurred_at: AT,
    location: 'BAKERY-2',
    reference: 'WO-8',
    notes: 'night shift',
    lines: [{ lot_code: 'FLOUR-1', product_sku: 'FLOUR', direction: 'in', quantity: 5, ...kg }],
  },
  {
    event_type: 'SELL',
    occurred_at: AT,
    location: 'SHOP-2',
    reference: 'INV-2',
    notes: 'by phone',
    lines: [
      {
        lot_code: 'CAKE-9',
        product_sku: 'CAKE',
        direction: 'out',
        quantity: 2,
        unit: 'pcs',
        customer_ref: 'CUST-1',
      },
    ],
  },
];

const BOLT_EVENTS: readonly EventInput[] = [
  {
    external_id: 'wms-1',
    event_type: 'RECEIVE',
    occurred_at: AT,
    location: 'YARD',
    reference: 'PO-1',
    lines: [
      { lot_code: 'FLOUR-1', product_sku: 'RYE', direction: 'in', quantity: 0, ...kg },
      { lot_code: 'NUTS-3', product_sku: 'NUTS', direction: 'in', quantity: 0.001, ...kg },
    ],
  },
  {
    event_type: 'SHIP',
    occurred_at: AT,
    location: 'YARD',
    reference: 'DN-5',
    lines: [
      {
        lot_code: 'NUTS-3',
        product_sku: 'NUTS',
        direction: 'out',
        quantity: 7,
        ...kg,
        consignee_ref: 'CUST-8',
      },
    ],
  },
];

/** After the corrections: every part of a balance that the events before leave out. */
const LAST_EVENTS: readonly EventInput[] = [
  {
    event_type: 'RECEIVE',
    occurred_at: AT,
    location: 'BAKERY-1',
    reference: 'RET-1',
    lines: [{ lot_code: 'SUGAR-1', product_sku: 'SUGAR', direction: 'out', quantity: 4, ...kg }],
  },
  {
    event_type: 'PACK',
    occurred_at: AT,
    location: 'BAKERY-1',
    reference: 'PACK-1',
    lines: [
      { lot_code: 'CAKE-9', product_sku: 'CAKE', direction: 'in', quantity: 6, unit: 'pcs' },
      {
        lot_code: 'BOX-1',
        product_sku: 'BOX',
        direction: 'out',
        quantity: 2,
        unit: 'boxes',
        origin_facility: 'BAKERY-1',
      },
    ],
  },
  {
    event_type: 'SHIP',
    occurred_at: AT,
    location: 'BAKERY-1',
    reference: 'SO-9',
    lines: [
      {
        lot_code: 'TART-1',
        product_sku: 'TART',
        direction: 'out',
        quantity: 4,
        unit: 'pcs',
        consignee_ref: 'CUST-9',
      },
    ],
  },
  {
    event_type: 'SELL',
    occurred_at: AT,
    location: 'BAKERY-1',
    reference: 'SO-9',
    lines: [
      { lot_code: 'TART-1', product_sku: 'TART', direction: 'out', quantity: 3, unit: 'pcs' },
    ],
  },
];

/** A draft of an event, as a route would hand it to the ledger. */
export function makeDraft(
  input: EventInput,
  identity: 'external_id' | 'group' = 'external_id',
): Draft {
  const prepared = prepareEvent(input, { root: [], nowMs: systemClock.nowMs(), newSalt, identity });
  if (prepared.kind === 'invalid') throw new Error(JSON.stringify(prepared.errors));
  return prepared.draft;
}

/** One more event of a tenant, for a ledger that continues. */
export function oneMore(externalId: string, lotCode = `LOT-${externalId}`): Draft {
  return makeDraft({
    external_id: externalId,
    event_type: 'DISPOSE',
    occurred_at: AT,
    location: 'BAKERY-1',
    reference: 'DISP-1',
    lines: [{ lot_code: lotCode, product_sku: 'X', direction: 'out', quantity: 1, ...kg }],
  });
}

export function openStore(dataDir: string): Promise<SqliteLedgerStore> {
  return SqliteLedgerStore.open({
    dataDir,
    hubName: 'Testhub',
    onFatal: (error) => {
      throw error;
    },
  });
}

export interface SmallLedger extends AsyncDisposable {
  readonly dataDir: string;
  /** A copy in a folder of its own. */
  copy(): Promise<SmallLedger>;
}

/** Contents of the files of a small ledger, by name. */
type LedgerFiles = ReadonlyMap<string, Buffer>;

/** Those of the first one: each that this process makes is the same ledger, in a folder of its own. */
let firstFiles: Promise<LedgerFiles> | undefined;

/** A small ledger that is open nowhere: `TIP_HEIGHT` blocks after genesis, of two tenants. */
export async function makeSmallLedger(): Promise<SmallLedger> {
  firstFiles ??= firstLedger();
  const dataDir = await newFolder();
  for (const [name, content] of await firstFiles)
    await writeFile(join(dataDir, name), content, { mode: 0o600 });
  return smallLedger(dataDir);
}

async function firstLedger(): Promise<LedgerFiles> {
  const dataDir = await newFolder();
  try {
    await fillSmallLedger(dataDir);
    const names = await readdir(dataDir);
    return new Map(
      await Promise.all(
        names.map(async (name) => [name, await readFile(join(dataDir, name))] as const),
      ),
    );
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

async function fillSmallLedger(dataDir: string): Promise<void> {
  await using store = await openStore(dataDir);
  const append = (tenantId: string, drafts: readonly Draft[]) =>
    store.append({ tenantId, caller: TEST_CALLER, drafts, unit: 'all' });
  await append(
    'acme',
    ACME_EVENTS.map((event) => makeDraft(event)),
  );
  await append(
    'bolt',
    BOLT_EVENTS.map((event) => makeDraft(event)),
  );
  await append(
    'acme',
    ACME_IMPORT.map((event) => makeDraft(event, 'group')),
  );
  await append('bolt', ACME_IMPORT.map((event) => makeDraft(event, 'group')).slice(0, 1));
  await append('acme', [oneMore('a'), oneMore('b')]);
  await correctSmallLedger(store);
  await holdSmallLedger(store);
  await recallSmallLedger(store);
  await append(
    'acme',
    LAST_EVENTS.map((event) => makeDraft(event)),
  );
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'lothub-tampering-'));
}

function smallLedger(dataDir: string): SmallLedger {
  return {
    dataDir,
    copy: async () => {
      const copied = await newFolder();
      await cp(dataDir, copied, { recursive: true });
      return smallLedger(copied);
    },
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** Of `blocks` (schema 0040). */
export const GUARDS = ['blocks_link', 'blocks_stay', 'blocks_hold'] as const;

/** A connection that the database's own rules do not hold back. */
export function openTampering(dataDir: string): SqliteConnection {
  const connection = new SqliteConnection(databaseFile(dataDir), 'write');
  connection.database.enableDefensive(false);
  connection.database.exec('pragma foreign_keys = off');
  connection.database.exec('pragma ignore_check_constraints = on');
  for (const trigger of GUARDS) connection.database.exec(`drop trigger if exists ${trigger}`);
  return connection;
}

export interface Findings {
  readonly firstBad: number | null;
  readonly mismatches: readonly LedgerMismatch[];
  readonly codes: readonly string[];
}

/**
 * Blocks and lines of a slice: small, so that a round over the small ledger takes several. Over the
 * network each takes a dozen round trips.
 */
const ROWS_PER_SLICE = { sqlite: 4, postgres: 64 };

/** One round of the background verifier's own verification, of what a connection sees. */
export async function verifyRound(
  reader: SnapshotReader,
  { rowsPerSlice = ROWS_PER_SLICE[testEngine] }: { readonly rowsPerSlice?: number } = {},
): Promise<Findings> {
  const verification = new LedgerVerification({
    reader,
    depth: 'links',
    scope: 'ledger',
    tipRecord: null,
  });
  const mismatches: LedgerMismatch[] = [];
  for (;;) {
    const slice = await verification.advance(rowsPerSlice);
    mismatches.push(...slice.mismatches);
    if (slice.status !== 'more') break;
  }
  const codes = [...new Set(mismatches.map(({ code }) => code))];
  return { firstBad: firstBadHeight(mismatches), mismatches, codes };
}
