// Makes a drill: traces a lot as a recall does, measures the time, adds up the mass balance of the
// lots, and stores the result as evidence. Nothing else changes
// (docs/interface/traceability.md#drills).
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { buildRecord } from '@lothub/kit/build-record';
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import { Refusal } from '../../errors.ts';
import { insertAuditEntry } from '../../ledger/audit.ts';
import { draftDecision, sealedHeight } from '../../ledger/decisions/draft.ts';
import { rowsOfDecision } from '../../ledger/decisions/kinds.ts';
import type { Caller } from '../../ledger/draft.ts';
import type { DrillDecision } from '../../ledger/record/decisions/contents.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { PARTS } from '../../ledger/record/event-types.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { noSuchLot } from '../../lots/similar-codes.ts';
import { findTenant } from '../../lots/queries.ts';
import type { WalkDirection } from '../../terms.ts';
import {
  findDrill,
  findLotCodeFrom,
  isNextDrill,
  lastDrillId,
  lotNumbersOfTenant,
  newestDrills,
} from './queries.ts';
import type { DrillRow } from './queries.ts';
import type { Drill, DrillResult } from './schema.ts';
import { findScope, findSeed, traceImpact } from '../trace/impact.ts';
import type { Impact, Scope, Seed } from '../trace/impact.ts';
import { MassBalanceTally, type MassBalance } from './mass-balance.ts';

/** SKUs and units that are stored of a drill; nobody reads a longer list. */
const BALANCES_MAX = 100;
/** Lots whose balances are added up between two turns: about a millisecond. */
const LOTS_PER_TURN = 100;
/** Others make drills as well; each time one gets the next number. */
const ATTEMPTS_MAX = 50;
/** Drills that are read at a time; each holds its balances. */
const DRILLS_PER_PAGE = 25;

export interface DrillDeps {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly clock: Clock;
  /** A whole number from `min` up to and without `end`, each as likely. */
  readonly randomInt: (min: number, end: number) => number;
}

/**
 * Drills a lot of the tenant, or a random one.
 * @throws Refusal `not_found` when the tenant has no lot of this code; `rule_broken` when there is
 * no lot to choose
 */
export async function makeDrill(
  deps: DrillDeps,
  asked: {
    readonly tenantId: string;
    readonly lotCode: string | undefined;
    readonly supplierName: string | undefined;
    readonly caller: Caller;
  },
): Promise<Drill> {
  const { store, reader, clock } = deps;
  const { tenantId, supplierName, caller } = asked;
  const lotCode = asked.lotCode ?? (await pickLot(deps, tenantId));
  const head = await reader.head();
  const drilledAt = instantText(clock.nowMs());
  const startedMs = performance.now();
  const seed = await findSeed(reader.database, { tenantId, lotCode, supplierName });
  if (seed === undefined) throw await noSuchLot(reader.database, { tenantId, lotCode });
  const scope = await findScope(reader.database, { seed, direction: 'both' });
  const impact = await traceImpact(reader, { tenantNo: seed.tenantNo, lots: scope.lots });
  const result = buildResult({ seed, scope, impact, balances: await computeBalances(impact) });
  const elapsedUs = Math.round((performance.now() - startedMs) * US_PER_MS);
  const traced = { drilledAt, lotCode, head, elapsedUs, result };
  const drillId = await sealDrill({ store, reader }, { tenantId, caller, ...traced });
  return await readDrill(reader.database, { tenantId, drillId });
}

const US_PER_MS = 1_000;

interface TracedDrill {
  readonly tenantId: string;
  readonly caller: Caller;
  readonly lotCode: string;
  readonly drilledAt: string;
  /** The newest block when the trace began. */
  readonly head: { readonly height: number; readonly hash: string };
  readonly elapsedUs: number;
  readonly result: DrillResult;
}

/** @returns the number of the drill, once it is on disk */
async function sealDrill(
  { store, reader }: Pick<DrillDeps, 'store' | 'reader'>,
  { tenantId: brand, caller, lotCode, drilledAt, head, elapsedUs, result }: TracedDrill,
): Promise<number> {
  const opened = { by: caller.actor, result: JSON.stringify(result) };
  const busy = 'others kept making drills';
  return await repeatWhileStale({ busy, attemptsMax: ATTEMPTS_MAX }, async () => {
    const drillId = (await lastDrillId(reader.database)) + 1;
    const decision: DrillDecision = {
      at: drilledAt,
      drill: drillId,
      elapsed_us: elapsedUs,
      lot: lotCode,
      tip: { hash: head.hash, height: head.height },
    };
    const outcome = await store.decide({
      guard: isNextDrill(drillId),
      decisions: [draftDecision({ brand, type: 'drill', content: decision }, opened)],
      statements: [
        ...rowsOfDecision('drill', { height: sealedHeight(0), brand, decision, opened }),
        insertAuditEntry({
          at: drilledAt,
          tenantId: brand,
          caller,
          action: 'drill_recall',
          entityType: 'drill',
          entityId: lotCode,
          blockHeight: sealedHeight(0),
          details: { lots: result.lots, elapsed_ms: elapsedUs / US_PER_MS },
        }),
      ],
    });
    return outcome.kind === 'stale' ? outcome.kind : drillId;
  });
}

/**
 * Picks a random lot. All have about the same chance, but a lot that was recorded right after lots
 * of other tenants has a greater one, by the number of these.
 * @throws Refusal `rule_broken` when the tenant has no lots
 */
async function pickLot({ reader, randomInt }: DrillDeps, tenantId: string): Promise<string> {
  const { database } = reader;
  const tenant = await findTenant(database, tenantId);
  const { first, last } =
    tenant === undefined ? NO_LOTS : await lotNumbersOfTenant(database, tenant.tenantNo);
  if (tenant === undefined || first === null || last === null) throw noLots();
  const lotNo = randomInt(first, last + 1);
  const lotCode = await findLotCodeFrom(database, { tenantNo: tenant.tenantNo, lotNo });
  if (lotCode === undefined) throw noLots();
  return lotCode;
}

const NO_LOTS = { first: null, last: null };

function noLots(): Refusal {
  return new Refusal('rule_broken', 'There is no lot to drill: record an event first');
}

/** Computes in turns, because there may be very many lots. */
async function computeBalances(impact: Impact): Promise<readonly MassBalance[]> {
  const tally = new MassBalanceTally();
  for await (const lots of slicesInTurns(impact.lots, LOTS_PER_TURN)) {
    for (const lot of lots) for (const balance of lot.quantities) tally.add(balance);
  }
  return tally.balances();
}

function buildResult(trace: {
  readonly seed: Seed;
  readonly scope: Scope;
  readonly impact: Impact;
  readonly balances: readonly MassBalance[];
}): DrillResult {
  const { seed, scope, impact, balances } = trace;
  const count = (direction: WalkDirection): number =>
    impact.lots.filter(({ relation, bothWays }) => relation === direction || bothWays).length;
  return {
    seed: seed.kind,
    lots: impact.lots.length,
    upstream: count('upstream'),
    downstream: count('downstream'),
    products: impact.products.length,
    events: impact.eventCount,
    shipments: impact.shipmentsTotal,
    customers: impact.customers.length,
    suppliers: impact.suppliers.length,
    truncated: scope.truncated || impact.truncated,
    balance: balances.slice(0, BALANCES_MAX).map(massBalanceAnswer),
    balance_truncated: balances.length > BALANCES_MAX,
  };
}

function massBalanceAnswer(balance: MassBalance): DrillResult['balance'][number] {
  return {
    product_sku: balance.productSku,
    unit: balance.unit,
    ...buildRecord(PARTS, (part) => balance[part].toNumber()),
    remaining: balance.remaining.toNumber(),
    accounted_percent: balance.percent?.toNumber() ?? null,
  };
}

function drillAnswer<Result>(
  row: Omit<DrillRow, 'result'>,
  result: Result,
): Omit<Drill, 'result'> & { readonly result: Result } {
  return {
    id: row.drillId,
    lot_code: row.lotCode,
    drilled_at: row.drilledAt,
    drilled_by: row.actor,
    elapsed_ms: row.elapsedUs / US_PER_MS,
    chain: { height: row.height, tip_hash: row.tipHash },
    block_height: row.sealedHeight,
    block_hash: row.sealedHash,
    result,
  };
}

/** @throws Refusal `not_found` when the tenant has no such drill */
export async function readDrill(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly drillId: number },
): Promise<Drill> {
  const row = await findDrill(database, asked);
  if (row === undefined) throw new Refusal('not_found', 'No drill of this id is known');
  return drillAnswer(row, keptResult(row));
}

/** Parses the result, which only this file writes. */
function keptResult({ result }: DrillRow): DrillResult {
  return JSON.parse(result) as DrillResult;
}

export interface DrillList {
  readonly drills: readonly unknown[];
  readonly next: number | null;
}

/** Newest first, without their balances. */
export async function listDrills(
  database: DatabaseReader,
  page: DrillPage & { readonly limit: number },
): Promise<DrillList> {
  const drills: ReturnType<typeof drillAnswer>[] = [];
  for await (const drill of walkDrills(database, page)) {
    if (drills.length === page.limit) return { drills, next: drills.at(-1)?.id ?? null };
    const { balance: _balance, balance_truncated: _truncated, ...counts } = drill.result;
    drills.push({ ...drill, result: counts });
  }
  return { drills, next: null };
}

export interface DrillPage {
  readonly tenantId: string;
  /** Only drills with smaller numbers. */
  readonly before: number;
}

/** Newest first; as many are read as are taken, and a few more. */
export async function* walkDrills(
  database: DatabaseReader,
  { tenantId, before }: DrillPage,
): AsyncGenerator<Drill> {
  const pages = pagesInTurns({
    start: { drillId: before },
    limit: DRILLS_PER_PAGE,
    read: (end, limit) => newestDrills(database, { tenantId, before: end.drillId, limit }),
  });
  for await (const rows of pages) for (const row of rows) yield drillAnswer(row, keptResult(row));
}
