// Recall cases that are sealed step by step, with lots that a test chooses.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry } from '../src/ledger/audit.ts';
import { sealedHeight, type DecisionDraft } from '../src/ledger/decisions/draft.ts';
import { rowsOfPart } from '../src/ledger/decisions/recall.ts';
import type { LedgerStore } from '../src/ledger/store.ts';
import { sealStep, type CaseHeader, type CaseStep } from '../src/recall/case/steps.ts';
import { TEST_CALLER } from './ledger.ts';

const ACTIONS = {
  opened: 'open_case',
  moved: 'move_case',
  widened: 'widen_case',
  edited: 'edit_case',
} as const;

/** Seals the steps of a new case, in one transaction. */
export async function sealCase(
  store: LedgerStore,
  recallCase: {
    readonly brand: string;
    readonly header: CaseHeader;
    readonly steps: readonly Omit<CaseStep, 'step'>[];
    /** Before their rows: what opens commitments to recipients. */
    readonly recipients?: readonly Sql[];
    /** What else follows from them. */
    readonly statements: readonly Sql[];
  },
): Promise<void> {
  const { brand, header } = recallCase;
  const decisions: DecisionDraft[] = [];
  const statements: Sql[] = [...(recallCase.recipients ?? [])];
  for (const [index, step] of recallCase.steps.entries()) {
    const sealed = sealStep(
      { brand, header, firstIndex: decisions.length },
      { ...step, step: index + 1 },
    );
    statements.push(
      insertAuditEntry({
        ...{ at: step.at, tenantId: brand, caller: TEST_CALLER, action: ACTIONS[step.change] },
        ...{ entityType: 'case', entityId: header.caseNo, details: {} },
        blockHeight: sealedHeight(decisions.length),
      }),
    );
    decisions.push(...sealed.decisions);
    statements.push(...sealed.blocks.flatMap(rowsOfPart));
  }
  const guard = sql`select id from head where id = 1`;
  await store.decide({ guard, decisions, statements: [...statements, ...recallCase.statements] });
}
