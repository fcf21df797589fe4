// Reads everything that the report of a recall case contains: the case as it is stored, its impact
// as it is now, and the blocks that prove it. Large parts are read in slices, and shown up to a
// limit.
import { instantText, type Clock } from '@lothub/kit/clock';
import { slicesInTurns, sortInTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { channelClass } from '../../events/channel-class.ts';
import type { ChainState } from '../../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { readScopeRows, scopeOfCase } from '../case-answers/detail.ts';
import { lotsOfCase, type RecallCase, type ScopeRow } from '../case/rows.ts';
import { readTimeline } from '../case/timeline.ts';
import { readEffectiveness } from '../outbox/effectiveness.ts';
import { traceImpact, type ImpactLot } from '../trace/impact.ts';
import { notificationsOfCase, type NotificationRow } from '../outbox/queries.ts';
import { Reach } from '../trace/reach.ts';
import { seedOfCase } from '../trace/scope.ts';
import type { CaseReport, LeftLot, Listed, ReportLot, ReportNotification } from './case-report.ts';
import { cutListed, listed } from './listed.ts';
import { readCorrections, readEvidence } from './read-evidence.ts';
import { readGenealogy } from './read-genealogy.ts';
import { Movements } from './read-movements.ts';
import { readSteps } from './read-steps.ts';
import { Reconciliation } from './reconciliation.ts';
import { findReportBrand, scopeChanges } from './report-queries.ts';

/** Rows of each table of a report: about forty pages of the longest. */
const LOTS_SHOWN_MAX = 2_000;
const SHIPMENTS_SHOWN_MAX = 2_000;
const CUSTOMERS_SHOWN_MAX = 2_000;
const NOTIFICATIONS_SHOWN_MAX = 1_000;
const OTHERS_SHOWN_MAX = 500;
/** Within one row. */
const LOT_CODES_SHOWN_MAX = 10;

export interface ReportDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly clock: Clock;
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
}

export async function readCaseReport(
  deps: ReportDeps,
  key: { readonly tenantId: string; readonly recallCase: RecallCase },
): Promise<CaseReport> {
  const { reader, state, clock } = deps;
  const { database } = reader;
  const { tenantId, recallCase } = key;
  const { caseId, tenantNo, direction } = recallCase;
  // The head is read before everything else: the report contains at least the chain up to this
  // block.
  const head = await reader.head();
  const timeline = await readTimeline(database, caseId);
  const rows = await readScopeRows(database, caseId);
  const scope = await scopeOfCase(database, recallCase, rows);
  const reach = new Reach(scope.lots.map(({ lotNo }) => lotNo));
  const movements = await Movements.ofCase(reader, caseId);
  const impact = await traceImpact(reader, {
    tenantNo,
    lots: scope.lots,
    reach,
    listener: movements,
  });
  const lotNos = scope.lots.map((lot) => lot.lotNo);
  const heights = await movements.heights(reader, lotNos);
  const seed = await seedOfCase(database, recallCase);
  const genealogy = await readGenealogy(reader, { seed, direction, ...impact });
  const effectiveness = await readEffectiveness(database, { caseId, reach });
  const brand = await findReportBrand(database, tenantId);
  const ascending = await sortInTurns([...heights], (a, b) => a - b);
  const corrections = await readCorrections(reader, ascending);
  const evidence = await readEvidence(reader, ascending);
  const { notifications, notified, responded, silent } = effectiveness;
  return {
    hub: { name: deps.hubName, publicUrl: deps.publicUrl },
    madeAt: instantText(clock.nowMs()),
    brand: {
      id: tenantId,
      name: brand?.name ?? tenantId,
      website: brand?.website ?? null,
      recallContact: brand?.recallContact ?? null,
    },
    caseNo: recallCase.caseNo,
    title: recallCase.title,
    reason: recallCase.reason,
    severity: recallCase.severity,
    status: recallCase.status,
    direction,
    autoHold: recallCase.autoHold === 1,
    seed: { lotCode: seed.lotCode, kind: seed.kind },
    openedBy: recallCase.openedBy,
    openedAt: recallCase.openedAt,
    openedOn: { height: recallCase.openedHeight, hash: recallCase.openedHash },
    notifiedAt: recallCase.notifiedAt,
    endedAt: recallCase.endedAt,
    isComplete: !scope.truncated && !impact.truncated,
    chain: {
      chainId: await reader.chainId(),
      tip: { height: head.height, hash: head.hash },
      // The blocks were read before: reading reports one that differs from its sealed form.
      isValid: state.condition.valid,
      verifiedThrough: state.condition.verifiedThrough,
    },
    moves: timeline.steps,
    editsLeftOut:
      timeline.edits - timeline.steps.filter(({ edited }) => edited !== undefined).length,
    scopeChanges: cutListed(
      await scopeChanges(database, {
        caseId,
        openedAt: recallCase.openedAt,
        limit: OTHERS_SHOWN_MAX + 1,
      }),
      OTHERS_SHOWN_MAX,
    ),
    steps: await readSteps(database, { tenantId, caseNo: recallCase.caseNo }),
    products: listed(listProducts(impact.lots), OTHERS_SHOWN_MAX),
    lots: await listLots(impact.lots, rows),
    leftLots: await readLeftLots(deps, recallCase),
    lotsOnHold: impact.lots.filter((lot) => lot.holdStatus === 'on_hold').length,
    snapshotLots: rows.filter((row) => row.inSnapshot === 1).length,
    genealogy,
    shipments: {
      items: impact.shipments.slice(0, SHIPMENTS_SHOWN_MAX),
      total: impact.shipmentsTotal,
      isExact: true,
    },
    customerCount: new Set(
      impact.customers.flatMap(({ customerRef }) => (customerRef === null ? [] : [customerRef])),
    ).size,
    customers: listed(
      impact.customers.map(({ quantity, unit, ...customer }) => ({
        ...customer,
        amount: { quantity, unit },
      })),
      CUSTOMERS_SHOWN_MAX,
    ),
    channels: listed(
      impact.channels.map((channel) => ({ channel, channelClass: channelClass(channel) })),
      OTHERS_SHOWN_MAX,
    ),
    suppliers: listed(
      impact.suppliers.map(({ lotCodes, ...supplier }) => ({
        ...supplier,
        lotCodes: listed(lotCodes, LOT_CODES_SHOWN_MAX),
      })),
      OTHERS_SHOWN_MAX,
    ),
    reconciliation: listed(
      (await reconciled(impact.lots)).rows(movements.answered),
      OTHERS_SHOWN_MAX,
    ),
    notifications: await listNotifications(deps, { caseId, reach, total: notifications }),
    answers: { notifications, notified, responded, silent },
    corrections,
    evidence,
  };
}

async function reconciled(lots: readonly ImpactLot[]): Promise<Reconciliation> {
  const reconciliation = new Reconciliation();
  for await (const slice of slicesInTurns(lots)) {
    for (const lot of slice) for (const balance of lot.quantities) reconciliation.add(balance);
  }
  return reconciliation;
}

function listProducts(
  lots: readonly ImpactLot[],
): readonly { readonly productSku: string; readonly lots: number }[] {
  return [...Map.groupBy(lots, (lot) => lot.productSku)]
    .map(([productSku, group]) => ({ productSku, lots: group.length }))
    .sort((a, b) => compareTexts(a.productSku, b.productSku));
}

/** Lists by product, then by code, as people search on paper. */
async function listLots(
  lots: readonly ImpactLot[],
  rows: readonly ScopeRow[],
): Promise<Listed<ReportLot>> {
  const sorted = await sortInTurns(
    lots,
    (a, b) => compareTexts(a.productSku, b.productSku) || compareTexts(a.lotCode, b.lotCode),
  );
  const rowOf = new Map(rows.map((row) => [row.lotNo, row]));
  return {
    items: sorted.slice(0, LOTS_SHOWN_MAX).map((lot): ReportLot => {
      const row = rowOf.get(lot.lotNo);
      return {
        lotCode: lot.lotCode,
        productSku: lot.productSku,
        relation: lot.relation,
        bothWays: lot.bothWays,
        distance: lot.distance,
        status: lot.status,
        holdStatus: lot.holdStatus,
        remaining: lot.quantities.map(({ productSku, unit, remaining }) => ({
          productSku,
          unit,
          quantity: remaining,
        })),
        inSnapshot: row?.inSnapshot === 1,
        enteredAt: row?.enteredAt ?? null,
      };
    }),
    total: lots.length,
    isExact: true,
  };
}

async function readLeftLots(
  { reader }: ReportDeps,
  { caseId }: RecallCase,
): Promise<Listed<LeftLot>> {
  const rows = await lotsOfCase(reader.database, {
    caseId,
    which: 'left',
    above: 0,
    limit: OTHERS_SHOWN_MAX + 1,
  });
  const left = rows.flatMap(({ lotCode, productSku, leftAt }) =>
    leftAt === null ? [] : [{ lotCode, productSku, leftAt }],
  );
  return cutListed(left, OTHERS_SHOWN_MAX);
}

async function listNotifications(
  { reader }: ReportDeps,
  recallCase: { readonly caseId: number; readonly reach: Reach; readonly total: number },
): Promise<Listed<ReportNotification>> {
  const rows = await notificationsOfCase(reader.database, {
    caseId: recallCase.caseId,
    above: 0,
    limit: NOTIFICATIONS_SHOWN_MAX,
  });
  return {
    items: rows.map((row) => buildNotification(row, recallCase.reach)),
    total: Math.max(recallCase.total, rows.length),
    isExact: true,
  };
}

function buildNotification(row: NotificationRow, reach: Reach): ReportNotification {
  const { lots, quantities } = reach.of(row.audience, row.recipient);
  return {
    id: row.notificationId,
    audience: row.audience,
    recipient: row.recipient,
    status: row.status,
    lots,
    amounts: quantities,
    readyAt: row.readyAt,
    sentAt: row.sentAt,
    answeredAt: row.acknowledgedAt ?? row.resolvedAt,
    response: row.response,
  };
}
