// Reads what a block of a recall case does not contain: the number of lots in its whole step, when
// the step has several parts, and the name of the brand.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import sql from 'sql-template-tag';
import { parseCaseId } from '../../ledger/record/case-no.ts';
import { findPublicStep } from '../../ledger/record/decisions/confidential.ts';
import type { RecallDecision } from '../../ledger/record/decisions/contents.ts';
import { summarizePayload, type Payload } from '../../ledger/record/payload.ts';
import type { WholeStep } from '../../ledger/record/decisions/recall.ts';

export interface PayloadAt {
  readonly height: number;
  readonly payload: Payload;
}

/** By height; blocks that are no step of a recall case are not in the map. */
export type WholeSteps = ReadonlyMap<number, WholeStep>;

/** The summary of a block as the public reads it everywhere. */
export function summaryInWords({ height, payload }: PayloadAt, steps: WholeSteps): string {
  return summarizePayload(payload, steps.get(height));
}

export async function readWholeSteps(
  database: DatabaseReader,
  blocks: readonly PayloadAt[],
): Promise<WholeSteps> {
  const recalls = blocks.flatMap(({ height, payload }) =>
    payload.type === 'recall' ? [{ height, ...payload }] : [],
  );
  if (recalls.length === 0) return new Map();
  const steps = recalls.map(({ height, brand, decision }) => {
    return { height, brand, step: findPublicStep(decision) };
  });
  const brands = new Set(steps.map(({ brand }) => brand));
  const nameOf = await namesOfBrands(database, [...brands]);
  const countsOf = await countLots(database, steps);
  return new Map(
    steps.map(({ height, brand, step }) => {
      const brandName = nameOf.get(brand) ?? brand;
      const lots = step === undefined ? undefined : countsOf.get(buildKey(step));
      return [height, lots === undefined ? { brandName } : { brandName, lots }];
    }),
  );
}

type LotCounts = Required<WholeStep>['lots'];

/**
 * Counts the lots of steps by `buildKey`. A step without all of its parts, which the verifier reports,
 * has no count.
 */
async function countLots(
  database: DatabaseReader,
  blocks: readonly { readonly step: RecallDecision | undefined }[],
): Promise<ReadonlyMap<string, LotCounts>> {
  const steps = new Map(
    blocks.flatMap(({ step }) => (step === undefined ? [] : [[buildKey(step), step] as const])),
  );
  const counts = new Map<string, LotCounts>();
  const inParts: (readonly [caseId: number, step: number])[] = [];
  for (const [key, { case_no: caseNo, step, parts, entered = [], left = [] }] of steps) {
    if (parts === 1) counts.set(key, { entered: entered.length, left: left.length });
    else inParts.push([parseCaseId(caseNo), step]);
  }
  for (const slice of cutRowSlices(inParts)) {
    for (const { caseId, step, parts, ...lots } of await countParts(database, slice)) {
      const key = `${caseId} ${step}`;
      if (parts === steps.get(key)?.parts) counts.set(key, lots);
    }
  }
  return counts;
}

interface CountedStep extends LotCounts {
  readonly caseId: number;
  readonly step: number;
  readonly parts: number;
}

/** A block in confidence says nothing of its step; those that disclose it have rows of their own. */
function countParts(
  database: DatabaseReader,
  steps: readonly (readonly [caseId: number, step: number])[],
): Promise<readonly CountedStep[]> {
  return database.all<CountedStep>(sql`
    select p.case_id as "caseId", p.step_no as step, count(*) as parts,
      cast(sum(p.lots_entered) as bigint) as entered, cast(sum(p.lots_left) as bigint) as "left"
    from (${valueRows(steps)}) v
    join recall_parts p on p.case_id = cast(v.column1 as bigint)
      and p.step_no = cast(v.column2 as bigint)
    where p.confidential = 0
    group by p.case_id, p.step_no`);
}

function buildKey({ case_no: caseNo, step }: Pick<RecallDecision, 'case_no' | 'step'>): string {
  return `${parseCaseId(caseNo)} ${step}`;
}

/** Reads the public names of brands, by their ids; a brand without a name is not in the map. */
export async function namesOfBrands(
  database: DatabaseReader,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await askForEach(database, cutSlices(tenantIds), (one, slice) =>
    one.all<{ readonly tenantId: string; readonly name: string }>(sql`
      select tenant_id as "tenantId", name
      from brands
      where tenant_id in (${inList(slice)}) and name is not null`),
  );
  return new Map(rows.flat().map(({ tenantId, name }) => [tenantId, name]));
}
