// What was decided on a case, step by step, as its blocks say it: public, also of a case that has ended.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { findPayload } from '../../ledger/record/payload-shape.ts';
import type { NoticeHistory } from './schema.ts';

interface StepRow {
  readonly height: number;
  readonly hash: string;
  readonly canonical: string;
}

/** @returns undefined when there is no such case */
export async function readHistory(
  database: DatabaseReader,
  asked: {
    readonly caseNo: string;
    /** Only blocks above this height. */
    readonly after: number;
    readonly limit: number;
  },
): Promise<NoticeHistory | undefined> {
  const { caseNo, after, limit } = asked;
  const found = await database.first<{ readonly brand: string }>(sql`
    select t.tenant_id as brand
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    where c.case_no = ${caseNo}`);
  if (found === undefined) return undefined;
  const rows = await database.all<StepRow>(sql`
    select d.height, b.hash, b.canonical
    from decisions d
    join blocks b on b.height = d.height
    where d.tenant_id = ${found.brand} and d.type = 'recall' and d.subject = ${caseNo}
      and d.height > ${after}
    order by d.height
    limit ${limit + 1}`);
  const shown = rows.slice(0, limit);
  return {
    case_no: caseNo,
    brand: { id: found.brand },
    steps: shown.flatMap(stepOf),
    next: rows.length > limit ? (shown.at(-1)?.height ?? null) : null,
  };
}

/** None of a block that is not as it was sealed, which the verifier finds. */
function stepOf({ height, hash, canonical }: StepRow): NoticeHistory['steps'] {
  const payload = findPayload(canonical);
  if (payload?.type !== 'recall') return [];
  const { decision } = payload;
  return [
    {
      step: decision.step,
      part: decision.part,
      parts: decision.parts,
      change: decision.change,
      status: decision.state,
      title: decision.title,
      severity: decision.severity,
      lots_entered: decision.entered?.length ?? 0,
      lots_left: decision.left?.length ?? 0,
      migrated: decision.migrated === true,
      at: decision.at,
      recorded_at: payload.recorded_at,
      block_height: height,
      block_hash: hash,
    },
  ];
}
