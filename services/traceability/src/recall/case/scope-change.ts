// Computes how the lots and the recipients of a case change when its scope is computed again.
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesInTurns } from '@lothub/kit/in-turns';
import type { LedgerReader } from '../../ledger/read.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { AUDIENCES } from '../notification-status.ts';
import { traceImpact, type Scope } from '../trace/impact.ts';
import { everCoveredAmong, notifiedAmong, type LotOfCase } from './lot-queries.ts';
import { readLotsOfCase } from './lots.ts';
import { concernedBy } from './recipients.ts';
import type { RecallCase } from './rows.ts';
import type { NewNotification } from './scope-writes.ts';

export interface ScopeChange {
  /** Lots that it did not cover. */
  readonly entered: readonly RelatedLot[];
  /** Lots that it covers otherwise than it is noted. */
  readonly changed: readonly RelatedLot[];
  readonly left: readonly number[];
}

/**
 * Compares a scope with the lots that the case covers.
 * @param excluded lots that the case must not cover, even if the scope was not found to its end
 */
export async function compareScope(
  database: DatabaseReader,
  { caseId }: Pick<RecallCase, 'caseId'>,
  { lots, truncated }: Scope,
  excluded: ReadonlySet<number> = new Set(),
): Promise<ScopeChange> {
  const known = await readLotsOfCase(database, caseId);
  const entered: RelatedLot[] = [];
  const changed: RelatedLot[] = [];
  for (const lot of lots) {
    const row = known.get(lot.lotNo);
    known.delete(lot.lotNo);
    if (row === undefined) entered.push(lot);
    else if (isOtherwise(row, lot)) changed.push(lot);
  }
  // An incomplete scope does not show which lots are outside of it.
  const left = [...known.keys()].filter((lotNo) => !truncated || excluded.has(lotNo));
  return { entered, changed, left };
}

function isOtherwise(row: LotOfCase, lot: RelatedLot): boolean {
  return (
    row.relation !== lot.relation ||
    row.distance !== lot.distance ||
    (row.bothWays === 1) !== lot.bothWays
  );
}

/** Finds the lots among some that a case covers or has covered. */
export async function everCovered(
  database: DatabaseReader,
  caseId: number,
  lots: readonly Pick<RelatedLot, 'lotNo'>[],
): Promise<readonly number[]> {
  const covered: number[] = [];
  const lotNos = lots.map(({ lotNo }) => lotNo);
  for await (const slice of slicesInTurns(lotNos)) {
    covered.push(...(await everCoveredAmong(database, { caseId, lotNos: slice })));
  }
  return covered;
}

/** The recipients of lots that a case did not cover before. */
export async function concernedByLots(
  reader: LedgerReader,
  scope: { readonly tenantNo: number; readonly lots: readonly RelatedLot[] },
): Promise<readonly NewNotification[]> {
  if (scope.lots.length === 0) return [];
  const impact = await traceImpact(reader, scope);
  return concernedBy({
    customerRefs: impact.customers.map(({ customerRef }) => customerRef),
    channels: impact.channels,
    supplierNames: impact.suppliers.map((supplier) => supplier.supplier_name),
  });
}

/** Removes the recipients for which the case has a notification already; returns each once. */
export async function withoutNotified(
  database: DatabaseReader,
  caseId: number,
  concerned: readonly NewNotification[],
): Promise<readonly NewNotification[]> {
  const fresh: NewNotification[] = [];
  for (const audience of AUDIENCES) {
    const recipients = new Set(
      concerned.filter((one) => one.audience === audience).map(({ recipient }) => recipient),
    );
    for await (const slice of slicesInTurns([...recipients])) {
      const notified = await notifiedAmong(database, { caseId, audience, recipients: slice });
      for (const recipient of notified) recipients.delete(recipient);
    }
    for (const recipient of recipients) fresh.push({ audience, recipient });
  }
  return fresh;
}
