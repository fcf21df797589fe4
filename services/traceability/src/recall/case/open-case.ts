// Opens a recall case: its lots and its recipients are written in one transaction, of which only the last part
// keeps others from appending.
import type { Clock } from '@lothub/kit/clock';
import { inTurns, nextTurn } from '@lothub/kit/in-turns';
import { at } from '@lothub/kit/present';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry } from '../../ledger/audit.ts';
import { sealedHeight, type DecidedChange } from '../../ledger/decisions/draft.ts';
import { insertCase, insertMove, scopeRows } from '../../ledger/decisions/recall.ts';
import { insertPart } from '../../ledger/decisions/recall-parts.ts';
import type { NamedCaller } from '../../ledger/draft.ts';
import { readWording, wordingText } from '../../ledger/record/decisions/wording.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { notifyWatchersOpened } from '../../ledger/watching/notify-watchers.ts';
import { notifyOpened } from '../../ledger/webhooks/notify.ts';
import { formatCaseNo } from '../../ledger/record/case-no.ts';
import { FIRST_CASE_STATUS, UNCLASSIFIED } from '../../terms.ts';
import { lastCaseId, lastErasure, openCasesOnSeed, type RecallCase } from './rows.ts';
import type { CaseRequest } from './schema.ts';
import { planCase, type PlannedCase } from './plan/plan-case.ts';
import { numberRecipients, sealStep } from './steps.ts';
import { recallDirection } from '../direction.ts';
import type { Impact, Scope } from '../trace/impact.ts';
import type { Reach } from '../trace/reach.ts';
import { wordingAfter } from './wording.ts';
import { customersAmong, isOpeningFit } from './erased-meanwhile.ts';
import { flagHeld, followFrom, type NewNotification } from './scope-writes.ts';

/** Number of the step that opens a case. */
const FIRST_STEP = 1;
/** Other open cases on the same lot that a warning names. */
const NAMED_CASES_MAX = 10;

export interface OpenedCase {
  readonly recallCase: RecallCase;
  /** Cases on the same lot that were open before it; the newest ten. */
  readonly alreadyOpen: readonly string[];
  readonly scope: Scope;
  /** The impact before the case changed its lots. */
  readonly impact: Impact;
  readonly reach: Reach;
}

export interface CaseOpening {
  readonly tenantId: string;
  /** The person or key that opens it. */
  readonly caller: NamedCaller;
  readonly request: Omit<CaseRequest, 'opened_by'>;
}

export class CaseOpener {
  readonly #store: Pick<LedgerStore, 'decide'>;
  readonly #reader: LedgerReader;
  readonly #clock: Clock;
  /** Numbers are taken one after the other, so that openings in this process never meet. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly store: Pick<LedgerStore, 'decide'>;
    readonly reader: LedgerReader;
    readonly clock: Clock;
  }) {
    this.#store = deps.store;
    this.#reader = deps.reader;
    this.#clock = deps.clock;
  }

  /**
   * Returns once the case is on disk.
   * @throws Refusal `not_found` when the tenant has no such lot; DatabaseError as the store's
   */
  async open(opening: CaseOpening): Promise<OpenedCase> {
    return await this.#writeInTurn(opening, await this.#plan(opening));
  }

  /**
   * Does the same as `open` if the case is still the one that the caller has seen.
   * @param isAsSeen judges which lots the case would cover and whom it would concern now
   * @returns undefined when it differs; then nothing is written
   */
  async openAsSeen(
    opening: CaseOpening,
    isAsSeen: (plan: PlannedCase) => Promise<boolean>,
  ): Promise<OpenedCase | undefined> {
    const plan = await this.#plan(opening);
    return (await isAsSeen(plan)) ? await this.#writeInTurn(opening, plan) : undefined;
  }

  #plan(opening: CaseOpening): Promise<PlannedCase> {
    return planCase({ reader: this.#reader, clock: this.#clock }, opening);
  }

  async #writeInTurn(opening: CaseOpening, found: PlannedCase): Promise<OpenedCase> {
    const written = this.#turn.then(() => this.#write(opening, found));
    this.#turn = written.catch(() => undefined);
    return await written;
  }

  async #write(opening: CaseOpening, found: PlannedCase): Promise<OpenedCase> {
    const { database } = this.#reader;
    const { request } = opening;
    let current = found;
    const busy = 'others kept opening cases or erasing customers';
    return await repeatWhileStale({ busy }, async () => {
      const caseId = (await lastCaseId(database)) + 1;
      const alreadyOpen = await openCasesOnSeed(database, {
        tenantNo: found.tenantNo,
        seedLotCode: request.seed_lot_code,
        limit: NAMED_CASES_MAX,
      });
      const recallCase = buildCase(caseId, opening, current);
      const change = await buildChange(recallCase, opening, current);
      const outcome = await this.#store.decide(change);
      if (outcome.kind === 'done') {
        const { scope, impact, reach } = found;
        return { recallCase, alreadyOpen, scope, impact, reach };
      }
      current = await this.#withoutErased(current);
      return outcome.kind;
    });
  }

  /** Removes the customers who were erased since the recipients were searched. */
  async #withoutErased(found: PlannedCase): Promise<PlannedCase> {
    const { database } = this.#reader;
    const { tenantNo, concerned, erasure } = found;
    const entryId = await lastErasure(database, erasure.tenantId);
    if (entryId === erasure.entryId) return found;
    const customerRefs = concerned.filter(isCustomer).map(({ recipient }) => recipient);
    const customers = await customersAmong(database, { tenantNo, customerRefs });
    return {
      ...found,
      concerned: concerned.filter((one) => !isCustomer(one) || customers.has(one.recipient)),
      erasure: { ...erasure, entryId },
    };
  }
}

function isCustomer({ audience }: NewNotification): boolean {
  return audience === 'customer';
}

function buildCase(
  caseId: number,
  { caller, request }: CaseOpening,
  found: PlannedCase,
): RecallCase {
  const { openedAt } = found.opened;
  return {
    caseId,
    caseNo: formatCaseNo({ caseId, year: Number(openedAt.slice(0, 4)) }),
    tenantNo: found.tenantNo,
    seedLotCode: request.seed_lot_code,
    seedLotNo: found.seedLotNo,
    seedSupplierName: found.seedSupplierName,
    title: request.title,
    reason: request.reason,
    severity: request.severity ?? UNCLASSIFIED,
    direction: recallDirection(request.direction),
    autoHold: (request.auto_hold ?? true) ? 1 : 0,
    openedBy: caller.person,
    ...found.opened,
    status: FIRST_CASE_STATUS,
    updatedAt: openedAt,
    notifiedAt: null,
    endedAt: null,
    revision: 1,
    stepNo: FIRST_STEP,
    confidential: request.confidential === true ? 1 : 0,
    wording: wordingText(wordingAfter({}, request)),
  };
}

/**
 * Returns everything that an opening writes. The prepared rows are invisible without their case,
 * and a crash at any moment leaves none of them. Some statements wait until the head is locked:
 * those that name the height of a block, and those on rows that others write as well, namely the
 * flags of lots, which each event updates, and how far the cases have been followed. An erasure
 * since then makes the change stale. Others have turns in between: of 10,000 lots it takes 30 ms.
 */
async function buildChange(
  recallCase: RecallCase,
  opening: CaseOpening,
  found: PlannedCase,
): Promise<DecidedChange> {
  const { caseId, caseNo, openedAt, openedHeight: height } = recallCase;
  const brand = opening.tenantId;
  const recipients = numberRecipients(found.concerned, { caseId, lastId: 0 });
  await nextTurn();
  const { decisions, blocks } = sealStep(
    { brand, header: recallCase, firstIndex: 0 },
    {
      change: 'opened',
      step: FIRST_STEP,
      state: FIRST_CASE_STATUS,
      at: openedAt,
      as_of: { height, hash: recallCase.openedHash },
      entered: found.entered,
      concerned: recipients.concerned,
      ...(recallCase.wording === null ? {} : { wording: readWording(recallCase.wording) }),
      opened: { opened_by: recallCase.openedBy, snapshot: recallCase.snapshot },
    },
  );
  const rows: Sql[] = [];
  for await (const block of inTurns(blocks)) rows.push(...scopeRows(block));
  const first = at(blocks, 0);
  const lotNos = found.scope.lots.map(({ lotNo }) => lotNo);
  return {
    decisions,
    prepared: {
      claim: insertCase(first),
      statements: [...recipients.statements, ...rows],
    },
    guard: isOpeningFit({ caseId, erasure: found.erasure }),
    statements: [
      insertMove(first),
      ...blocks.map(insertPart),
      ...(recallCase.autoHold === 1 ? flagHeld(lotNos) : []),
      followFrom({ caseId, height }),
      insertAuditEntry({
        at: openedAt,
        tenantId: opening.tenantId,
        caller: opening.caller,
        action: 'open_case',
        entityType: 'case',
        entityId: caseNo,
        blockHeight: sealedHeight(0),
        details: {
          seed_lot_code: recallCase.seedLotCode,
          severity: recallCase.severity,
          direction: recallCase.direction,
          auto_hold: recallCase.autoHold,
          ...(recallCase.confidential === 1 ? { confidential: 1 } : {}),
          lots: found.scope.lots.length,
        },
      }),
      ...notifyOpened(
        { brand, recallCase, at: openedAt, blockHeight: sealedHeight(0) },
        found.entered.map(({ lot }) => lot),
      ),
      ...notifyWatchersOpened({
        ...{ brand, recallCase, stepNo: FIRST_STEP, at: openedAt, status: FIRST_CASE_STATUS },
      }),
    ],
  };
}
