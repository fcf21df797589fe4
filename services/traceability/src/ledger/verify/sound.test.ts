// A ledger without tampering has no mismatch, whatever its events and corrections are: the sums of
// the verification are those that the writer derived, and those of a rebuild.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRounds } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { newTestDatabase, testEngine, type TestDatabase } from '../../../test/engine.ts';
import { TEST_CALLER } from '../../../test/ledger.ts';
import { requestCommitment } from '../record/commitment.ts';
import type { Tip } from '../draft.ts';
import { EVENT_TYPES } from '../record/event-types.ts';
import type { ChainChange, ChainEvent, ChainLine } from '../record/payload.ts';
import { openOperated } from '../operate/open-operated.ts';
import { openStore } from '../open-store.ts';
import type { LedgerStore } from '../store.ts';
import { LedgerVerification } from './ledger.ts';
import type { LedgerMismatch } from './mismatch.ts';
import { rebuildRows } from '../../../test/verified.ts';

interface EventStep {
  readonly kind: 'event';
  readonly tenantId: string;
  readonly event: ChainEvent;
}

interface CorrectionStep {
  readonly kind: 'correction';
  /** Index of one of the events so far, modulo their number. */
  readonly target: number;
  readonly changes: readonly {
    /** Index of one of the event's lines, modulo their number; null for a field of the event. */
    readonly lineNo: number | null;
    readonly field: string;
    readonly to: string | undefined;
  }[];
}

/** Few of each, so that events meet in lots, and lots are corrected away and back. */
const LOTS = ['A', 'B', 'C'];
const SKUS = ['P', 'Q'];
const TIMES = ['2026-03-01T06:15:00Z', '2026-03-02T06:15:00Z', '2026-03-02T06:15:00.5Z'];

const REQUEST = { requested_by: 'Jane Miller', salt: 'a'.repeat(64) };

const line = fc.record<ChainLine, keyof ChainLine>(
  {
    direction: fc.constantFrom('in', 'out'),
    lot_code: fc.constantFrom(...LOTS),
    origin_facility: fc.constant('F'),
    product_sku: fc.constantFrom(...SKUS),
    quantity: fc.constantFrom('0', '0.5', '1', '3'),
    supplier_lot_code: fc.constantFrom('S-1', 'a'),
    supplier_name: fc.constantFrom('Farm', 'Mill'),
    unit: fc.constantFrom('g', 'kg'),
  },
  { requiredKeys: ['direction', 'lot_code', 'product_sku', 'quantity', 'unit'] },
);

const eventStep: fc.Arbitrary<EventStep> = fc.record({
  kind: fc.constant('event' as const),
  tenantId: fc.constantFrom('acme', 'acme', 'bolt'),
  event: fc.record({
    event_type: fc.constantFrom(...EVENT_TYPES),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    location: fc.constant('YARD'),
    occurred_at: fc.constantFrom(...TIMES),
    reference: fc.constantFrom('R-1', 'R-2'),
  }),
});

function makeChange(
  where: 'event' | 'line',
  field: string,
  values: readonly (string | undefined)[],
) {
  return fc.record({
    lineNo: where === 'line' ? fc.nat({ max: 2 }) : fc.constant(null),
    field: fc.constant(field),
    to: fc.constantFrom(...values),
  });
}

const correctionStep: fc.Arbitrary<CorrectionStep> = fc.record({
  kind: fc.constant('correction' as const),
  target: fc.nat({ max: 100 }),
  changes: fc.uniqueArray(
    fc.oneof(
      makeChange('line', 'lot_code', [...LOTS, 'D', 'E']),
      makeChange('line', 'lot_code', LOTS),
      makeChange('line', 'product_sku', SKUS),
      makeChange('line', 'quantity', ['0', '2']),
      makeChange('line', 'direction', ['in', 'out']),
      makeChange('line', 'unit', ['g', 'kg']),
      makeChange('line', 'supplier_name', ['Mill', 'Port', undefined]),
      makeChange('line', 'supplier_lot_code', ['S-2', undefined]),
      makeChange('event', 'occurred_at', TIMES),
      makeChange('event', 'reference', ['R-1', 'R-3']),
      makeChange('event', 'notes', ['x', undefined]),
      makeChange('event', 'status', ['voided']),
    ),
    { minLength: 1, maxLength: 3, selector: ({ field }) => field },
  ),
});

const steps = fc.array(fc.oneof(eventStep, correctionStep), { minLength: 2, maxLength: 30 });

/** A database on a server takes longer to make. */
const RUNS = chooseRounds({ usual: 15, long: { sqlite: 40, postgres: 15 }[testEngine] });

test('a ledger of any events and corrections verifies as written and as rebuilt', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (recorded, rowsMax) => {
      await using database = await newTestDatabase();
      await record(database, recorded);

      const written = await verify(database, rowsMax);
      await rebuildRows(database);
      const rebuilt = await verify(database, rowsMax);

      assert.deepEqual(written, []);
      assert.deepEqual(rebuilt, []);
    }),
    { numRuns: RUNS },
  );
});

test('a lot of which nothing counts any more takes the SKU of the next line that counts', async () => {
  await using database = await newTestDatabase();
  const receive = (sku: string): EventStep => ({
    kind: 'event',
    tenantId: 'acme',
    event: {
      event_type: 'RECEIVE',
      lines: [{ direction: 'in', lot_code: 'A', product_sku: sku, quantity: '1', unit: 'kg' }],
      location: 'YARD',
      occurred_at: '2026-03-01T06:15:00Z',
      reference: 'R-1',
    },
  });
  const voided = { lineNo: null, field: 'status', to: 'voided' };

  await record(database, [
    receive('P'),
    { kind: 'correction', target: 0, changes: [voided] },
    receive('Q'),
  ]);

  const [row] = await database.rows(
    'select o.product_sku, t.text from lots o cross join lot_texts t',
  );
  const found = await verify(database, 9);
  assert.deepEqual({ ...row }, { product_sku: 'Q', text: 'a\nq' });
  assert.deepEqual(found, []);
});

interface StoredEvent {
  readonly tenantId: string;
  readonly event: ChainEvent;
  readonly block: Tip;
  corrections: number;
}

/** Events that follow each other are appended at once. */
async function record(
  database: TestDatabase,
  recorded: readonly (EventStep | CorrectionStep)[],
): Promise<void> {
  const onFatal = (error: Error): never => {
    throw error;
  };
  const { dataDir, databaseUrl } = database;
  await using store = await openStore({ dataDir, databaseUrl, hubName: 'Testhub', onFatal });
  const events: StoredEvent[] = [];
  let waiting: Promise<StoredEvent>[] = [];
  for (const step of recorded) {
    if (step.kind === 'event') {
      waiting.push(appendEvent(store, step));
      continue;
    }
    events.push(...(await Promise.all(waiting)));
    waiting = [];
    const target = events[step.target % Math.max(1, events.length)];
    if (target !== undefined) await correct(store, target, step.changes);
  }
  await Promise.all(waiting);
}

async function correct(
  store: LedgerStore,
  target: StoredEvent,
  changes: CorrectionStep['changes'],
): Promise<void> {
  const { block, tenantId, event, corrections } = target;
  const draft = {
    externalId: null,
    correctsHeight: block.height,
    afterCount: corrections,
    correctionText: JSON.stringify({
      changes: changes.map((change) => chainChange(change, event)),
      corrects_block_hash: block.hash,
      corrects_block_height: block.height,
      corrects_event_id: block.height,
      private: requestCommitment(REQUEST),
      reason: 'typing error',
    }),
    privateRequest: REQUEST,
    privateChanges: [],
  };
  const { outcomes } = await store.correct({
    tenantId,
    corrections: [{ ...draft, caller: TEST_CALLER }],
    unit: 'all',
  });
  assert.equal(outcomes[0]?.kind, 'appended');
  target.corrections += 1;
}

function chainChange(
  { lineNo, field, to }: CorrectionStep['changes'][number],
  { lines }: ChainEvent,
): ChainChange {
  const path = lineNo === null ? field : `lines[${lineNo % lines.length}].${field}`;
  return { field: path, from: 'before', ...(to === undefined ? {} : { to }) };
}

async function appendEvent(store: LedgerStore, step: EventStep): Promise<StoredEvent> {
  const { outcomes } = await store.append({
    tenantId: step.tenantId,
    caller: TEST_CALLER,
    drafts: [
      {
        eventText: JSON.stringify(step.event),
        externalId: null,
        groupKey: null,
        privateLines: [],
        privateNotes: null,
        warnings: [],
      },
    ],
    unit: 'all',
  });
  const [outcome] = outcomes;
  assert.ok(outcome?.kind === 'appended');
  const { height, hash } = outcome;
  return { ...step, block: { height, hash }, corrections: 0 };
}

async function verify(database: TestDatabase, rowsMax: number): Promise<readonly LedgerMismatch[]> {
  await using operated = await openOperated(database);
  const { snapshots: reader } = operated;
  const options = { reader, depth: 'links', scope: 'ledger', tipRecord: null } as const;
  const verification = new LedgerVerification(options);
  const found: LedgerMismatch[] = [];
  for (;;) {
    const slice = await verification.advance(rowsMax);
    found.push(...slice.mismatches);
    if (slice.status !== 'more') return found;
  }
}
