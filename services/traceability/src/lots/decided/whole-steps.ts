// What a block of a recall case does not say alone: how many lots its whole step names, when the step has
// several parts, and what the brand is called.
import { askForEach } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { inList, slicesOf } from '@lothub/kit/in-list';
import { slicesInTurns } from '@lothub/kit/in-turns';
import sql from 'sql-template-tag';
import { BLOCKS_PER_TURN } from '../../ledger/read.ts';
import { publicStepOf } from '../../ledger/record/decisions/confidential.ts';
import type { RecallDecision } from '../../ledger/record/decisions/contents.ts';
import { summaryOf } from '../../ledger/record/payload.ts';
import type { Payload } from '../../ledger/record/payload.ts';
import { findPayload } from '../../ledger/record/payload-shape.ts';
import type { WholeStep } from '../../ledger/record/decisions/recall.ts';

export interface PayloadAt {
  readonly height: number;
  readonly payload: Payload;
}

/** By height; blocks that are no step of a recall case are not in the map. */
export type WholeSteps = ReadonlyMap<number, WholeStep>;

/** The summary of a block as the public reads it everywhere. */
export function summaryInWords({ height, payload }: PayloadAt, steps: WholeSteps): string {
  return summaryOf(payload, steps.get(height));
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
    return { height, brand, step: publicStepOf(decision) };
  });
  const brands = new Set(steps.map(({ brand }) => brand));
  const nameOf = await namesOfBrands(database, [...brands]);
  const parts = await readParts(database, steps);
  return new Map(
    steps.map(({ height, brand, step }) => {
      const brandName = nameOf.get(brand) ?? brand;
      if (step === undefined) return [height, { brandName }];
      const first = height - step.part + 1;
      const ofStep = heightsFrom(first, step.parts).flatMap((at) => {
        const part = parts.get(at);
        return part !== undefined && isOfStep(part, step) ? [part] : [];
      });
      // A part is gone or is not as it was sealed, which the verifier finds.
      if (ofStep.length < step.parts) return [height, { brandName }];
      const entered = ofStep.reduce((sum, part) => sum + part.entered, 0);
      const left = ofStep.reduce((sum, part) => sum + part.left, 0);
      return [height, { brandName, lots: { entered, left } }];
    }),
  );
}

interface CountedPart {
  readonly caseNo: string;
  readonly step: number;
  readonly entered: number;
  readonly left: number;
}

/** The parts of a step stand one behind the other, each sealed in the transaction of the others. */
async function readParts(
  database: DatabaseReader,
  steps: readonly { readonly height: number; readonly step: RecallDecision | undefined }[],
): Promise<ReadonlyMap<number, CountedPart>> {
  const parts = new Map<number, CountedPart>();
  const unread = new Set<number>();
  for (const { height, step } of steps) {
    if (step === undefined) continue;
    parts.set(height, countedPart(step));
    const { part, parts: count } = step;
    for (const other of heightsFrom(height - part + 1, count)) unread.add(other);
  }
  for (const height of parts.keys()) unread.delete(height);
  for await (const heights of slicesInTurns([...unread], BLOCKS_PER_TURN)) {
    const rows = await database.all<{ readonly height: number; readonly canonical: string }>(sql`
      select height, canonical
      from blocks
      where height in (${inList(heights)})`);
    for (const { height, canonical } of rows) {
      const payload = findPayload(canonical);
      const step = payload?.type === 'recall' ? publicStepOf(payload.decision) : undefined;
      if (step !== undefined) parts.set(height, countedPart(step));
    }
  }
  return parts;
}

function countedPart(decision: RecallDecision): CountedPart {
  const { case_no: caseNo, step, entered = [], left = [] } = decision;
  return { caseNo, step, entered: entered.length, left: left.length };
}

function isOfStep({ caseNo, step }: CountedPart, decision: RecallDecision): boolean {
  return caseNo === decision.case_no && step === decision.step;
}

function heightsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

async function namesOfBrands(
  database: DatabaseReader,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await askForEach(database, slicesOf(tenantIds), (one, slice) =>
    one.all<{ readonly tenantId: string; readonly name: string }>(sql`
      select tenant_id as "tenantId", name
      from brands
      where tenant_id in (${inList(slice)}) and name is not null`),
  );
  return new Map(rows.flat().map(({ tenantId, name }) => [tenantId, name]));
}
