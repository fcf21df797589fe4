// Plans a case as if it were opened now: its lots and recipients, for its opening and for people
// who check them first.
import { instantText, type Clock } from '@lothub/kit/clock';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { at } from '@lothub/kit/present';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { compareTexts } from '@lothub/kit/text-order';
import type { SealedCaseLot } from '../../../ledger/record/decisions/contents.ts';
import type { LedgerReader } from '../../../ledger/read.ts';
import { noSuchLot } from '../../../lots/similar-codes.ts';
import { recallDirection } from '../../direction.ts';
import { findScope, findSeed, traceImpact } from '../../trace/impact.ts';
import type { Impact, Scope, Seed } from '../../trace/impact.ts';
import { summarizeImpact } from '../../trace/impact-summary.ts';
import { Reach } from '../../trace/reach.ts';
import { alwaysConcerned, concernedBy } from '../recipients.ts';
import { lastErasure, type RecallCase } from '../rows.ts';
import type { CaseRequest } from '../schema.ts';
import type { NewNotification } from '../scope-writes.ts';
import { commitRecipient, sealedLot, type CommittedRecipient } from '../steps.ts';

/** The result of planning, before the case has a number. */
export interface PlannedCase {
  readonly tenantNo: number;
  readonly seed: Seed;
  readonly seedLotNo: number | null;
  readonly seedSupplierName: string | null;
  readonly scope: Scope;
  readonly impact: Impact;
  readonly reach: Reach;
  /** The lots of the scope, as the case's blocks say them. */
  readonly entered: readonly SealedCaseLot[];
  readonly concerned: readonly CommittedRecipient[];
  /** The newest one when the scope was looked for. */
  readonly erasure: { readonly tenantId: string; readonly entryId: number };
  readonly opened: Pick<RecallCase, 'openedAt' | 'openedHeight' | 'openedHash' | 'snapshot'>;
}

/** Where a case begins, and its direction. */
export type PlanRequest = Pick<CaseRequest, 'seed_lot_code' | 'supplier_name' | 'direction'>;

/** @throws Refusal `not_found` when the tenant has no such lot; `supplier_needed` */
export async function planCase(
  { reader, clock }: { readonly reader: LedgerReader; readonly clock: Clock },
  { tenantId, request }: { readonly tenantId: string; readonly request: PlanRequest },
): Promise<PlannedCase> {
  const { database } = reader;
  // These are read before anything else: later erasures of customers make the opening stale
  // (`isOpeningFit`), and later blocks are followed (`followFrom`).
  const erasure = { tenantId, entryId: await lastErasure(database, tenantId) };
  const head = await reader.head();
  const asked = { tenantId, lotCode: request.seed_lot_code };
  const supplierName = request.supplier_name ?? undefined;
  const seed = await findSeed(database, { ...asked, supplierName });
  if (seed === undefined) throw await noSuchLot(database, asked);
  const { tenantNo } = seed;
  const scope = await findScope(database, {
    seed,
    direction: recallDirection(request.direction),
  });
  const reach = new Reach(scope.lots.map(({ lotNo }) => lotNo));
  const impact = await traceImpact(reader, { tenantNo, lots: scope.lots, reach });
  const summary = summarizeImpact(impact);
  return {
    tenantNo,
    seed,
    seedLotNo: seed.kind === 'own' ? at(seed.lotNos, 0) : null,
    seedSupplierName: seed.supplierName,
    scope,
    impact,
    reach,
    entered: impact.lots.map(sealedLot),
    concerned: await commitRecipients(concernedByImpact(impact)),
    erasure,
    opened: {
      openedAt: instantText(clock.nowMs()),
      openedHeight: head.height,
      openedHash: head.hash,
      snapshot: JSON.stringify({ ...summary, truncated: summary.truncated || scope.truncated }),
    },
  };
}

/** Commits to recipients, with turns for others in between. */
async function commitRecipients(
  recipients: readonly NewNotification[],
): Promise<readonly CommittedRecipient[]> {
  const committed: CommittedRecipient[] = [];
  for await (const slice of slicesInTurns(recipients)) {
    for (const recipient of slice) committed.push(commitRecipient(recipient));
  }
  return committed;
}

/** The recipients of a case that covers the lots of an impact. */
export function concernedByImpact(impact: Impact): readonly NewNotification[] {
  return [
    ...concernedBy({
      customerRefs: impact.customers.map(({ customerRef }) => customerRef),
      channels: impact.channels,
      supplierNames: impact.suppliers.map((supplier) => supplier.supplier_name),
    }),
    ...alwaysConcerned(),
  ];
}

/** The same for two plans that begin at the same lot, cover the same lots and concern the same recipients. */
export function markOfPlan({
  seedLotNo,
  seedSupplierName,
  scope,
  concerned,
}: Pick<PlannedCase, 'seedLotNo' | 'seedSupplierName' | 'scope' | 'concerned'>): string {
  const lotNos = scope.lots.map(({ lotNo }) => lotNo).sort((a, b) => a - b);
  const recipients = concerned
    .map(({ audience, recipient }) => JSON.stringify([audience, recipient]))
    .sort(compareTexts);
  return sha256Hex(JSON.stringify([seedLotNo, seedSupplierName, lotNos, recipients]));
}
