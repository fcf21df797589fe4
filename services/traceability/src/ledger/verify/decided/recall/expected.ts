// Derives the rows that the blocks of a recall case make, from its opening on. Pure.
import { ENDED_STATUSES, NOTIFIED } from '../../../../terms.ts';
import { NO_SNAPSHOT, changesCase } from '../../../decisions/recall.ts';
import type { StepOfBlock } from '../../../decisions/confidential.ts';
import type { RecallDecision, SealedCaseLot } from '../../../record/decisions/contents.ts';
import { wordingText } from '../../../record/decisions/wording.ts';
import { ExpectedEdits, type Changing, type Said } from './expected-edits.ts';
import { lotsNamedBy } from '../../../decisions/recall-parts.ts';
import type { CaseRow, HoldRow, LotRow, MoveRow, NamedLotRow, NotificationRow } from './read.ts';
import { textOrErased } from '../../../record/decisions/contents.ts';

type CaseBlock = StepOfBlock<number>;

type ExpectedCase = Omit<CaseRow, 'caseId' | 'tenantNo' | 'seedLotNo' | 'revision'>;
type ExpectedMove = Omit<MoveRow, 'caseId'>;
type ExpectedLot = Omit<LotRow, 'caseId' | 'lotNo' | 'lotTenantNo'>;
type ExpectedNamed = Pick<NamedLotRow, 'lotCode' | 'stepNo' | 'part'>;
type ExpectedHold = Pick<HoldRow, 'reason' | 'heldBy' | 'heldSince' | 'releasedAt' | 'releasedBy'>;
type ExpectedNotification = Pick<NotificationRow, 'id' | 'createdAt' | 'readyAt'> & {
  /** Undefined: nothing was committed to. */
  readonly commitment: string | undefined;
};

export class ExpectedRows {
  case: Said<ExpectedCase> | undefined;
  readonly moves: Said<ExpectedMove>[] = [];
  readonly lots = new Map<string, Said<Changing<ExpectedLot>>>();
  /** By lot, in the order in which the holds were set. */
  readonly holds = new Map<string, Said<Changing<ExpectedHold>>[]>();
  /** Parts that name lots again, by `keyOfNamed`. */
  readonly named = new Map<string, Said<ExpectedNamed>>();
  readonly notifications = new Map<number, Said<Changing<ExpectedNotification>>>();
  readonly #editing = new ExpectedEdits();
  /**
   * Heights of the blocks that ended holds of the case by hand, by lot, in the order of the holds;
   * null: never.
   */
  readonly #releasedByHand: ReadonlyMap<string, readonly (number | null)[]>;

  constructor(holds: readonly Pick<HoldRow, 'lotCode' | 'releasedHeight'>[]) {
    const byLot = Map.groupBy(holds, ({ lotCode }) => lotCode ?? '');
    this.#releasedByHand = new Map(
      [...byLot].map(([code, rows]) => [code, rows.map((row) => row.releasedHeight)]),
    );
  }

  get edits(): ExpectedEdits['edits'] {
    return this.#editing.edits;
  }

  /** Lots added and excluded by hand, by code. */
  get byHand(): ExpectedEdits['byHand'] {
    return this.#editing.byHand;
  }

  take(brand: string, block: CaseBlock): void {
    const { decision } = block;
    if (decision.part === 1) {
      if (decision.change === 'opened') this.#open(brand, block);
      else this.#step(block);
    }
    for (const lot of decision.entered ?? []) this.#enter(lot, block);
    for (const lot of decision.changed ?? []) this.#enter(lot, block, 'known');
    for (const code of decision.left ?? []) this.#leave(code, block);
    this.#name(block);
    this.#editing.take(block);
    if (decision.excluded !== undefined) this.#endHolds(block, decision.excluded);
    this.#notify(block);
  }

  #open(brand: string, block: CaseBlock): void {
    const { height, decision, opened } = block;
    const { at, as_of: asOf, seed } = decision;
    this.case = {
      saidAt: height,
      caseNo: decision.case_no,
      tenantId: brand,
      seedLotCode: seed.lot_code,
      seedCode: seed.type === 'lot' ? seed.lot_code : null,
      seedSupplierName: seed.supplier_name ?? null,
      ...buildHeader(decision),
      direction: decision.direction,
      openedBy: textOrErased(opened, 'opened_by'),
      openedAt: at,
      openedHeight: asOf?.height ?? -1,
      openedHash: asOf?.hash ?? '',
      updatedAt: at,
      notifiedAt: null,
      endedAt: null,
      snapshot: opened.snapshot ?? NO_SNAPSHOT,
      stepNo: decision.step,
      confidential: block.isConfidential ? 1 : 0,
      wording: wordingText(decision.wording),
    };
    this.#move(block, null, opened.opened_by ?? null);
  }

  #step(block: CaseBlock): void {
    const { height, decision, opened } = block;
    const { at, state } = decision;
    const before = this.case;
    if (before === undefined) return;
    if (decision.change === 'moved') {
      this.#move(block, before.status, opened.changed_by ?? null);
    }
    this.case = {
      ...before,
      saidAt: height,
      ...buildHeader(decision),
      updatedAt: changesCase(decision) ? at : before.updatedAt,
      notifiedAt: before.notifiedAt ?? (state === NOTIFIED ? at : null),
      endedAt: before.endedAt ?? (ENDED_STATUSES.includes(state) ? at : null),
      stepNo: decision.step,
      wording: decision.was?.wording === undefined ? before.wording : wordingText(decision.wording),
    };
    if (decision.change !== 'moved') return;
    if (state === NOTIFIED) {
      for (const one of this.notifications.values()) one.readyAt ??= at;
    }
    if (decision.ends_holds === true) this.#endHolds(block, this.holds.keys());
  }

  #move({ height, decision, opened }: CaseBlock, from: string | null, by: string | null): void {
    this.moves.push({
      saidAt: height,
      moveNo: this.moves.length + 1,
      fromStatus: from,
      toStatus: decision.state,
      movedAt: decision.at,
      movedBy: by,
      note: opened.note ?? null,
      blockHeight: height,
    });
  }

  #enter(
    { lot, relation, distance, both_ways: bothWays }: SealedCaseLot,
    { height, decision }: CaseBlock,
    kind: 'entering' | 'known' = 'entering',
  ): void {
    const known = this.lots.get(lot);
    const isCovered = known !== undefined && known.leftAt === null;
    this.lots.set(lot, {
      saidAt: height,
      lotCode: lot,
      relation,
      distance,
      bothWays: bothWays === true ? 1 : 0,
      inSnapshot: known?.inSnapshot ?? (decision.change === 'opened' ? 1 : 0),
      enteredAt: isCovered ? known.enteredAt : decision.at,
      enteredHeight: isCovered ? known.enteredHeight : (decision.as_of?.height ?? -1),
      leftAt: null,
      leftHeight: null,
      namedStep: known?.namedStep ?? decision.step,
      namedPart: known?.namedPart ?? decision.part,
    });
    if (decision.auto_hold && kind === 'entering') this.#hold(lot, { height, decision });
  }

  #hold(code: string, { height, decision }: Pick<CaseBlock, 'height' | 'decision'>): void {
    const holds = this.holds.get(code) ?? [];
    this.holds.set(code, holds);
    if (this.#isOpen(code, holds.length - 1, height)) return;
    holds.push({
      saidAt: height,
      reason: decision.title,
      heldBy: this.case?.openedBy ?? '',
      heldSince: decision.at,
      releasedAt: null,
      releasedBy: null,
    });
  }

  /** Returns whether the hold of a lot with this index is open when a block is sealed. */
  #isOpen(code: string, index: number, height: number): boolean {
    const hold = this.holds.get(code)?.[index];
    if (hold === undefined || hold.releasedAt !== null) return false;
    const byHand = this.#releasedByHand.get(code)?.[index] ?? null;
    return byHand === null || byHand > height;
  }

  #endHolds({ height, decision, opened }: CaseBlock, codes: Iterable<string>): void {
    for (const code of codes) {
      for (const [index, hold] of (this.holds.get(code) ?? []).entries()) {
        if (!this.#isOpen(code, index, height)) continue;
        hold.releasedAt = decision.at;
        hold.releasedBy = textOrErased(opened, 'released_by');
      }
    }
  }

  /** The row of a lot names the part with which the lot entered first. */
  #name({ height, decision }: CaseBlock): void {
    const { step: stepNo, part } = decision;
    for (const lotCode of lotsNamedBy(decision)) {
      const lot = this.lots.get(lotCode);
      if (lot?.namedStep === stepNo && lot.namedPart === part) continue;
      const named = { saidAt: height, lotCode, stepNo, part };
      this.named.set(keyOfNamed(named), named);
    }
  }

  #leave(code: string, { height, decision }: CaseBlock): void {
    const known = this.lots.get(code);
    if (known === undefined || known.leftAt !== null) return;
    const { at, as_of: asOf } = decision;
    const left = { leftAt: at, leftHeight: asOf?.height ?? null };
    this.lots.set(code, { ...known, saidAt: height, ...left });
  }

  #notify({ height, decision }: CaseBlock): void {
    const notifiedAt = this.case?.notifiedAt ?? null;
    const readyAt = notifiedAt === null ? null : decision.at;
    for (const { id, commitment } of decision.concerned ?? []) {
      const one = { saidAt: height, id, createdAt: decision.at, readyAt, commitment };
      this.notifications.set(id, one);
    }
  }
}

export function keyOfNamed({ lotCode, stepNo, part }: ExpectedNamed): string {
  return `${stepNo} ${part} ${lotCode ?? ''}`;
}

function buildHeader(decision: RecallDecision) {
  return {
    title: decision.title,
    reason: decision.reason,
    severity: decision.severity,
    autoHold: decision.auto_hold ? (1 as const) : (0 as const),
    status: decision.state,
  };
}
