// Reads the steps of a case for its report, with the blocks that they are sealed in.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import { readStepBlocks, type StepBlock } from '../../lots/notices/step-blocks.ts';
import type { Listed, ReportStep } from './case-report.ts';

/** Blocks of one case that are read: of a case of 100,000 lots more than all. */
const BLOCKS_MAX = 500;
/** A part of 1,000 lots and recipients has about 150 kB. */
const BLOCKS_PER_QUERY = 20;

/** The first ones, oldest first. */
export async function readSteps(
  database: DatabaseReader,
  recallCase: { readonly tenantId: string; readonly caseNo: string },
): Promise<Listed<ReportStep>> {
  const steps: ReportStep[] = [];
  let ofLast: number | undefined;
  let after: number | null = 0;
  for (let read = 0; after !== null && read < BLOCKS_MAX; read += BLOCKS_PER_QUERY) {
    const page: Awaited<ReturnType<typeof readStepBlocks>> = await readStepBlocks(database, {
      ...recallCase,
      after,
      limit: BLOCKS_PER_QUERY,
      reader: 'brand',
    });
    for (const block of page.steps) {
      const last = steps.at(-1);
      const { step } = block.decision;
      if (last !== undefined && step === ofLast) {
        steps[steps.length - 1] = { ...last, blocks: [...last.blocks, pickPlace(block)] };
      } else steps.push(buildStep(block));
      ofLast = step;
    }
    after = page.next;
    await nextTurn();
  }
  return { items: steps, total: steps.length, isExact: after === null };
}

function buildStep(block: StepBlock): ReportStep {
  return {
    at: block.decision.at,
    summary: block.stepSummary,
    blocks: [pickPlace(block)],
  };
}

function pickPlace({ height, hash }: StepBlock): {
  readonly height: number;
  readonly hash: string;
} {
  return { height, hash };
}
