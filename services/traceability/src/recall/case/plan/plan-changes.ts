// Finds the changes of a planned case since somebody saw it: lots and recipients that were added or
// removed.
import type { LedgerReader } from '../../../ledger/read.ts';
import { recallDirection } from '../../direction.ts';
import { pastSource } from '../../past/source.ts';
import { findScope, findSeed, traceImpact } from '../../trace/impact.ts';
import { concernedByImpact, type PlannedCase, type PlanRequest } from './plan-case.ts';
import type { NewNotification } from '../scope-writes.ts';

export interface PlanChanges {
  /** Codes of lots that it would cover by now. */
  readonly lotsCome: readonly string[];
  readonly lotsGone: readonly string[];
  readonly recipientsCome: readonly NewNotification[];
  readonly recipientsGone: readonly NewNotification[];
}

/**
 * @param seen the plan that the person saw, with the newest block of that time
 * @throws Refusal `rule_broken` when too much was corrected since
 */
export async function findPlanChanges(
  reader: LedgerReader,
  seen: { readonly tenantId: string; readonly request: PlanRequest; readonly height: number },
  now: PlannedCase,
): Promise<PlanChanges> {
  const then = await planAt(reader, seen, now.tenantNo);
  const [lotsThen, lotsNow] = [codesByNo(then.lots), codesByNo(now.impact.lots)];
  const [concernedThen, concernedNow] = [byKey(then.concerned), byKey(now.concerned)];
  return {
    lotsCome: missingIn(lotsNow, lotsThen),
    lotsGone: missingIn(lotsThen, lotsNow),
    recipientsCome: missingIn(concernedNow, concernedThen),
    recipientsGone: missingIn(concernedThen, concernedNow),
  };
}

async function planAt(
  reader: LedgerReader,
  {
    tenantId,
    request,
    height,
  }: { readonly tenantId: string; readonly request: PlanRequest; readonly height: number },
  tenantNo: number,
): Promise<{
  readonly lots: PlannedCase['impact']['lots'];
  readonly concerned: readonly NewNotification[];
}> {
  const block = await reader.findBlock(height);
  if (block === undefined) return { lots: [], concerned: [] };
  const moment = block.payload.recorded_at;
  const source = await pastSource(reader, { tenantNo, height, moment });
  const asked = {
    tenantId,
    lotCode: request.seed_lot_code,
    supplierName: request.supplier_name ?? undefined,
  };
  const seed = await findSeed(reader.database, asked, source);
  if (seed === undefined) return { lots: [], concerned: [] };
  const direction = recallDirection(request.direction);
  const scope = await findScope(reader.database, { seed, direction }, source);
  const impact = await traceImpact(reader, { tenantNo, lots: scope.lots }, source);
  return { lots: impact.lots, concerned: concernedByImpact(impact) };
}

function codesByNo(lots: PlannedCase['impact']['lots']): ReadonlyMap<number, string> {
  return new Map(lots.map(({ lotNo, lotCode }) => [lotNo, lotCode]));
}

function byKey(all: readonly NewNotification[]): ReadonlyMap<string, NewNotification> {
  return new Map(
    all.map(({ audience, recipient }) => [
      JSON.stringify([audience, recipient]),
      { audience, recipient },
    ]),
  );
}

function missingIn<Key, Value>(
  all: ReadonlyMap<Key, Value>,
  others: ReadonlyMap<Key, Value>,
): readonly Value[] {
  return [...all].filter(([key]) => !others.has(key)).map(([, value]) => value);
}
