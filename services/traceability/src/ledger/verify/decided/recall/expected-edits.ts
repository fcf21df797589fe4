// Derives the rows that the edits of a recall case make. Pure.
import { listTextChanges } from '../../../decisions/recall-edit.ts';
import { EDITED } from '../../../record/decisions/contents.ts';
import type { StepOfBlock } from '../../../decisions/confidential.ts';
import type { ByHandRow, EditRow } from './read.ts';

/** Values of a row, and the block that said them last. */
export type Said<Row> = Row & { readonly saidAt: number };
export type Changing<Row> = { -readonly [Name in keyof Row]: Row[Name] };

type ExpectedEdit = Omit<EditRow, 'caseId'>;
interface ExpectedByHand {
  /** Height of the block. */
  readonly height: number;
  readonly row: Pick<ByHandRow, 'said' | 'saidAt' | 'stepNo' | 'part'>;
}

export class ExpectedEdits {
  /** By the number of the step. */
  readonly edits = new Map<number, Changing<ExpectedEdit>>();
  /** By the code of the lot. */
  readonly byHand = new Map<string, ExpectedByHand>();

  take({ height, decision, opened }: StepOfBlock<number>): void {
    if (decision.change !== EDITED) return;
    const { added = [], excluded = [], restored = [] } = decision;
    if (decision.part === 1) {
      this.edits.set(decision.step, {
        stepNo: decision.step,
        status: decision.state,
        editedAt: decision.at,
        editedBy: opened.changed_by ?? null,
        note: opened.note ?? null,
        scopeReason: opened.scope_reason ?? null,
        changes: JSON.stringify(listTextChanges(decision)),
        lotsAdded: 0,
        lotsExcluded: 0,
        lotsRestored: 0,
        blockHeight: height,
      });
    }
    const edit = this.edits.get(decision.step);
    if (edit !== undefined) {
      edit.lotsAdded += added.length;
      edit.lotsExcluded += excluded.length;
      edit.lotsRestored += restored.length;
    }
    const by = { saidAt: decision.at, stepNo: decision.step, part: decision.part };
    for (const code of added) this.byHand.set(code, { height, row: { ...by, said: 'added' } });
    for (const code of excluded) {
      this.byHand.set(code, { height, row: { ...by, said: 'excluded' } });
    }
    for (const code of restored) this.byHand.delete(code);
  }
}
