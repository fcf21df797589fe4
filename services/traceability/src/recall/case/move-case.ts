// Moves a case to another state and changes its lots, holds and notifications accordingly. If
// another move was written while this one was planned, this one is judged again, against the new
// state.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns } from '@lothub/kit/in-turns';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { Refusal } from '../../errors.ts';
import { insertAuditEntry } from '../../ledger/audit.ts';
import { sealedHeight, type DecidedChange } from '../../ledger/decisions/draft.ts';
import { draftDisclosures } from '../../ledger/decisions/confidential.ts';
import type { ConfidentialOpening, Disclosure } from '../../ledger/decisions/confidential.ts';
import { isHidden } from '../../ledger/decisions/hidden-cases.ts';
import { rowsOfDecision } from '../../ledger/decisions/kinds.ts';
import { rowsOfPart } from '../../ledger/decisions/recall.ts';
import type { Caller } from '../../ledger/draft.ts';
import { CONFIDENTIAL_PARTS } from '../../ledger/record/decisions/confidential.ts';
import type { SealedNotice } from '../../ledger/record/decisions/contents.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { notifyWatchersMoved } from '../../ledger/watching/notify-watchers.ts';
import { notifyMoved } from '../../ledger/webhooks/notify.ts';
import { NOTIFIED, type CaseStatus } from '../../terms.ts';
import { refuseUnlessSeen } from '../seen.ts';
import { findCase, scopeRows, type RecallCase } from './rows.ts';
import { noticeAfter } from './sealed-notice.ts';
import { nextStep, sealStep } from './steps.ts';
import { judgeMove, refusalOfMove, type MoveEffects } from './status.ts';
import { caseAtRevision, flagReleased, freeLots, recallLots } from './scope-writes.ts';

/** Others change a case as well: people move it, the chain widens it. Each time one wins. */
const ATTEMPTS_MAX = 50;
/** Lots that are read in one query. */
const LOTS_PER_PAGE = 1_000;

export interface CaseMove {
  readonly tenantId: string;
  readonly caseNo: string;
  readonly to: CaseStatus;
  readonly note: string | null;
  readonly releaseHolds: boolean;
  /** Mark of the status that the caller saw before moving the case (`../seen.ts`). */
  readonly seen?: string | undefined;
  readonly caller: Caller;
}

/**
 * Returns once the move is on disk; a case that already has the state stays unchanged.
 * @throws Refusal `not_found`; `rule_broken` when the state does not allow the move, or when it is
 * not the state that the caller saw
 * @throws DatabaseError as the store's
 */
export async function moveCase(
  deps: { readonly store: Pick<LedgerStore, 'decide' | 'reader'>; readonly clock: Clock },
  move: CaseMove,
): Promise<RecallCase> {
  const { store, clock } = deps;
  const busy = `others kept changing ${move.caseNo}`;
  return await repeatWhileStale({ busy, attemptsMax: ATTEMPTS_MAX }, async () => {
    const recallCase = await getCase(store.reader, move);
    const { status } = recallCase;
    refuseUnlessSeen(move.seen, { values: [status], what: `The case is in ${status}: it` });
    const judged = judgeMove({ ...move, from: status });
    if (judged.kind === 'unchanged') return recallCase;
    if (judged.kind === 'refused') {
      throw new Refusal('rule_broken', refusalOfMove(recallCase.status, move.to, judged.allowed));
    }
    const at = instantText(clock.nowMs());
    const outcome = await store.decide({
      guard: caseAtRevision(recallCase),
      ...buildChange({
        ...{ recallCase, move, effects: judged.effects, at },
        disclosures: await readDisclosures(store.reader, recallCase, {
          brand: move.tenantId,
          to: move.to,
          at,
        }),
        scope: await readScope(store.reader, recallCase.caseId),
        notice: await findNotice(store.reader, move),
      }),
    });
    return outcome.kind === 'stale' ? outcome.kind : await getCase(store.reader, move);
  });
}

/** @throws Refusal `not_found` */
export async function getCase(
  database: LedgerStore['reader'],
  asked: { readonly tenantId: string; readonly caseNo: string },
): Promise<RecallCase> {
  const recallCase = await findCase(database, asked);
  if (recallCase === undefined) throw new Refusal('not_found', 'No case of this number is known');
  return recallCase;
}

/** Numbers of the lots of a case: those that it covers now, and those that it covered ever. */
interface ScopeLots {
  readonly current: readonly number[];
  readonly every: readonly number[];
}

/**
 * Reads the lots at the revision that was read before; every change of the lots of a case raises
 * it.
 */
async function readScope(database: DatabaseReader, caseId: number): Promise<ScopeLots> {
  const [current, every]: [number[], number[]] = [[], []];
  const pages = pagesInTurns({
    start: { lotNo: 0 },
    limit: LOTS_PER_PAGE,
    read: ({ lotNo: above }, limit) => scopeRows(database, { caseId, above, limit }),
  });
  for await (const page of pages) {
    for (const { lotNo, leftAt } of page) {
      every.push(lotNo);
      if (leftAt === null) current.push(lotNo);
    }
  }
  return { current, every };
}

function buildChange(planned: {
  readonly recallCase: RecallCase;
  readonly move: CaseMove;
  readonly effects: MoveEffects;
  /** Sealed before the move. */
  readonly disclosures: readonly Disclosure[];
  readonly scope: ScopeLots;
  readonly notice: SealedNotice | undefined;
  readonly at: string;
}): Pick<DecidedChange, 'decisions' | 'statements'> {
  const { recallCase, move, effects, disclosures, scope, notice, at } = planned;
  const { caseNo, status: from } = recallCase;
  const by = move.caller.person ?? null;
  const step = sealStep(
    { brand: move.tenantId, header: recallCase, firstIndex: disclosures.length },
    {
      change: 'moved',
      step: nextStep(recallCase),
      state: move.to,
      at,
      ...(notice === undefined ? {} : { notice }),
      ...(effects.releasesHolds ? { ends_holds: true as const } : {}),
      opened: {
        changed_by: by,
        note: move.note,
        released_by: effects.releasesHolds ? (by ?? move.caller.actor) : null,
      },
    },
  );
  const statements = [
    ...disclosures.flatMap(({ block }) => rowsOfDecision('recall', block)),
    ...step.blocks.flatMap(rowsOfPart),
    ...(effects.notifies ? recallLots(scope.current) : []),
    ...endedFlags(scope.every, effects),
    insertAuditEntry({
      at,
      tenantId: move.tenantId,
      caller: move.caller,
      action: 'move_case',
      entityType: 'case',
      entityId: caseNo,
      blockHeight: sealedHeight(0),
      details: { from, to: move.to, release_holds: effects.releasesHolds ? 1 : 0 },
    }),
    notifyMoved(
      { brand: move.tenantId, recallCase, at, blockHeight: sealedHeight(disclosures.length) },
      { from, to: move.to, isDisclosed: move.to === NOTIFIED },
    ),
    ...notifyWatchersMoved(
      { brand: move.tenantId, recallCase, stepNo: nextStep(recallCase), at, status: move.to },
      { isDisclosed: move.to === NOTIFIED },
    ),
  ];
  return { decisions: [...disclosures.map(({ draft }) => draft), ...step.decisions], statements };
}

function endedFlags(
  lotNos: readonly number[],
  { releasesHolds, takesRecallBack }: MoveEffects,
): readonly Sql[] {
  // A recall is taken back by a cancellation alone, which releases the holds as well.
  if (!releasesHolds) return [];
  return takesRecallBack ? freeLots(lotNos) : flagReleased(lotNos);
}

/** Finds the notice that consumers read from the move to `notification` on. */
async function findNotice(
  database: DatabaseReader,
  { caseNo, to }: CaseMove,
): Promise<SealedNotice | undefined> {
  return to === NOTIFIED
    ? await noticeAfter(database, { caseNo, changed: { status: to } })
    : undefined;
}

/**
 * Reads the blocks that disclose everything that was sealed of a case in confidence, for the
 * transaction of its move; none when there is nothing to disclose. They are those at the revision
 * that was read before.
 */
async function readDisclosures(
  database: DatabaseReader,
  recallCase: RecallCase,
  move: { readonly brand: string; readonly to: CaseStatus; readonly at: string },
): Promise<readonly Disclosure[]> {
  if (move.to !== NOTIFIED || !isHidden(recallCase)) return [];
  const { brand, at } = move;
  const { caseNo } = recallCase;
  const openings = await database.all<ConfidentialOpening>(sql`
    select p.height, p.value, p.salt
    from decisions d
    join private_decisions p on p.height = d.height and p.name = ${CONFIDENTIAL_PARTS}
    where d.tenant_id = ${brand} and d.type = 'recall' and d.subject = ${caseNo}
    order by d.height`);
  return draftDisclosures({ brand, caseNo, at }, openings);
}
