// Lists the decisions on a case, step by step, as its blocks contain them: public, also for a case
// that has ended.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { listTextChanges } from '../../ledger/decisions/recall-edit.ts';
import { EDITED, type RecallDecision } from '../../ledger/record/decisions/contents.ts';
import { IS_PUBLIC_CASE } from './queries.ts';
import { readStepBlocks, type SaidSteps, type StepBlock } from './step-blocks.ts';
import type { NoticeHistory } from './schema.ts';

/** Makes the address of the proof that a block is in the public log; null when the log is off. */
export type ProofUrlOf = (height: number) => string | null;

/** The history of a case, and the contents of its blocks for pages in other languages. */
export interface SaidHistory {
  readonly history: NoticeHistory;
  readonly said: SaidSteps;
}

/** @returns undefined when there is no such case, or none that is public */
export async function readHistory(
  database: DatabaseReader,
  asked: {
    readonly caseNo: string;
    /** Only blocks above this height. */
    readonly after: number;
    readonly limit: number;
    readonly buildProofUrl: ProofUrlOf;
  },
): Promise<SaidHistory | undefined> {
  const { caseNo, after, limit, buildProofUrl } = asked;
  const found = await database.first<{ readonly brand: string }>(sql`
    select t.tenant_id as brand
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    where c.case_no = ${caseNo} and ${IS_PUBLIC_CASE}`);
  if (found === undefined) return undefined;
  const tenantId = found.brand;
  const { steps, next, said } = await readStepBlocks(database, {
    ...{ tenantId, caseNo, after, limit },
    reader: 'public',
  });
  const history = {
    case_no: caseNo,
    brand: { id: found.brand },
    steps: steps.map((step) => buildStep(step, buildProofUrl)),
    next,
  };
  return { history, said };
}

function buildStep(
  { height, hash, recordedAt, decision, sealedHeight, summary }: StepBlock,
  buildProofUrl: ProofUrlOf,
): NoticeHistory['steps'][number] {
  return {
    summary,
    step: decision.step,
    part: decision.part,
    parts: decision.parts,
    change: decision.change,
    status: decision.state,
    title: decision.title,
    severity: decision.severity,
    lots_entered: decision.entered?.length ?? 0,
    lots_left: decision.left?.length ?? 0,
    ...(decision.change === EDITED ? { edited: editedBy(decision) } : {}),
    migrated: decision.migrated === true,
    at: decision.at,
    recorded_at: recordedAt,
    ...(sealedHeight === undefined ? {} : { sealed_height: sealedHeight }),
    block_height: height,
    block_hash: hash,
    proof_url: buildProofUrl(height),
  };
}

function editedBy(decision: RecallDecision): NoticeHistory['steps'][number]['edited'] & object {
  const { added = [], excluded = [], restored = [] } = decision;
  return {
    changes: [...listTextChanges(decision)],
    lots_added: added.length,
    lots_excluded: excluded.length,
    lots_restored: restored.length,
  };
}
