// Computes how an edit changes the lots of a case. An added lot is a further seed: the lots that it
// leads to in the direction of the case are in the case as well. An excluded lot is not in the
// case, even if a trace finds it; the lots beyond it are.
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { RecallDecision, SealedCaseLot } from '../../ledger/record/decisions/contents.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { readLotCodes } from '../../lots/queries.ts';
import type { RecallCase } from '../case/rows.ts';
import {
  compareScope,
  concernedByLots,
  everCovered,
  withoutNotified,
} from '../case/scope-change.ts';
import { commitRecipient, readLastNotificationId, sealedLot } from '../case/steps.ts';
import type { CommittedRecipient } from '../case/steps.ts';
import { findScope, seedOfCase } from '../trace/scope.ts';
import { readLotsByHand, type LotsByHand } from './by-hand.ts';

/** The revision of the case as it was read; every change raises it. */
export interface PlannedScope {
  /** The lots as the blocks of the step contain them. */
  readonly said: Required<Pick<RecallDecision, 'as_of' | 'left' | LotsSaid>> & {
    readonly entered: readonly SealedCaseLot[];
    readonly changed: readonly SealedCaseLot[];
  };
  /** Numbers of lots. */
  readonly entered: readonly number[];
  /** Codes of those of them that the case covered before. */
  readonly again: ReadonlySet<string>;
  readonly left: readonly number[];
  readonly excluded: readonly number[];
  readonly recipients: readonly CommittedRecipient[];
  /** Id of the newest notification of the case; 0: none. */
  readonly lastNotification: number;
}

type LotsSaid = 'added' | 'excluded' | 'restored';

interface ScopeEdit {
  readonly recallCase: RecallCase;
  /** Codes of lots. */
  readonly add: readonly string[];
  readonly exclude: readonly string[];
  /** Their numbers. */
  readonly lots: ReadonlyMap<string, number>;
}

/** Returns undefined when the case covers and excludes all of it already. */
export async function planScopeEdit(
  reader: LedgerReader,
  edit: ScopeEdit,
): Promise<PlannedScope | undefined> {
  const { recallCase, lots } = edit;
  const { caseId, tenantNo, direction } = recallCase;
  if (lots.size === 0) return undefined;
  const { database } = reader;
  // The head is read before anything else: later blocks are followed again (`followAgainFrom`).
  const { height, hash } = await reader.head();
  const byHand = await readLotsByHand(database, caseId);
  const seed = await seedOfCase(database, recallCase);
  const before = withoutAdding(byHand, edit);
  const traced = await findScope(database, { seed, direction, byHand: before });
  const judged = judge(byHand, edit, new Set(traced.lots.map(({ lotNo }) => lotNo)));
  const { added, excluded, restored } = judged;
  if (added.length + excluded.length + restored.length === 0) return undefined;
  const after = { ...before, added: new Set([...before.added, ...listNumbers(edit, added)]) };
  const scope =
    added.length === 0 ? traced : await findScope(database, { seed, direction, byHand: after });
  const change = await compareScope(database, recallCase, scope, after.excluded);
  const concerned = await concernedByLots(reader, { tenantNo, lots: change.entered });
  const fresh = await withoutNotified(database, caseId, concerned);
  const { entered, changed, left } = change;
  const lotNos = [...[...entered, ...changed].map(({ lotNo }) => lotNo), ...left];
  const codes = await readLotCodes(database, lotNos);
  const getCode = (lotNo: number) => present(codes.get(lotNo), 'the code of a lot');
  const sealed = (lot: RelatedLot) => sealedLot({ ...lot, lotCode: getCode(lot.lotNo) });
  return {
    said: {
      as_of: { height, hash },
      entered: entered.map(sealed),
      changed: changed.map(sealed),
      left: left.map(getCode),
      ...judged,
    },
    entered: entered.map(({ lotNo }) => lotNo),
    again: new Set((await everCovered(database, caseId, entered)).map(getCode)),
    left,
    excluded: listNumbers(edit, excluded),
    recipients: fresh.map(commitRecipient),
    lastNotification: await readLastNotificationId(database, caseId),
  };
}

/**
 * The lots that are added and excluded by hand after the edit, except those that become further
 * seeds.
 */
function withoutAdding(byHand: LotsByHand, edit: ScopeEdit): LotsByHand {
  const excluding = listNumbers(edit, edit.exclude);
  return {
    added: byHand.added.difference(new Set(excluding)),
    excluded: byHand.excluded
      .difference(new Set(listNumbers(edit, edit.add)))
      .union(new Set(excluding)),
  };
}

/**
 * Judges each lot of the edit. A lot that a trace finds is no further seed: the case covers it
 * already, or covers it again once it is no longer excluded.
 */
function judge(
  byHand: LotsByHand,
  edit: ScopeEdit,
  traced: ReadonlySet<number>,
): Readonly<Record<LotsSaid, readonly string[]>> {
  const getNumber = (code: string) => present(edit.lots.get(code), 'the number of a lot');
  const isTraced = (code: string) => traced.has(getNumber(code));
  const isExcluded = (code: string) => byHand.excluded.has(getNumber(code));
  return {
    added: edit.add.filter((code) => !isTraced(code)),
    excluded: edit.exclude.filter((code) => !isExcluded(code)),
    restored: edit.add.filter((code) => isTraced(code) && isExcluded(code)),
  };
}

function listNumbers({ lots }: ScopeEdit, codes: readonly string[]): readonly number[] {
  return codes.map((code) => present(lots.get(code), 'the number of a lot'));
}

/**
 * Follows the chain again from this height, because the scope does not have blocks that were
 * appended while it was searched. A process that follows now has planned with the old case, and
 * begins again.
 */
export function followAgainFrom(height: number): Sql {
  return sql`
    update recall_progress
    set widenings = widenings + 1,
      followed_height = case when followed_height > ${height} then ${height} else followed_height end
    where id = 1`;
}
