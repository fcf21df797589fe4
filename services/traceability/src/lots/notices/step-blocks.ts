// Reads the blocks of the steps of a recall case in their order, each with a sentence.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import { cutPage } from '@lothub/kit/rows/cut-page';
import sql from 'sql-template-tag';
import {
  CONFIDENTIAL_PARTS,
  findParts,
  findPublicStep,
  isConfidential,
  isDisclosure,
  summaryOfSealedRecall,
} from '../../ledger/record/decisions/confidential.ts';
import type { RecallDecision } from '../../ledger/record/decisions/contents.ts';
import { findPayload } from '../../ledger/record/payload-shape.ts';
import type { DecisionPayload } from '../../ledger/record/payload.ts';
import { readWholeSteps, summaryInWords, type WholeSteps } from '../decided/whole-steps.ts';

export interface StepBlock {
  readonly height: number;
  readonly hash: string;
  readonly recordedAt: string;
  readonly decision: RecallDecision;
  /** The height of the confidential block, for a block that discloses it. */
  readonly sealedHeight: number | undefined;
  /** The summary that the explorer shows; that of a part of a step contains its number. */
  readonly summary: string;
  /** The same of the whole step. */
  readonly stepSummary: string;
}

export interface StepBlockPage {
  readonly steps: readonly StepBlock[];
  /** Height after which the next page begins; null at the end. */
  readonly next: number | null;
  /** The contents of each block, for callers that write their own sentences. */
  readonly said: SaidSteps;
}

export interface SaidSteps {
  readonly payloads: ReadonlyMap<number, DecisionPayload>;
  readonly wholeSteps: WholeSteps;
}

/** Leaves out a block that differs from its sealed form, which the verifier reports. */
export async function readStepBlocks(
  database: DatabaseReader,
  page: {
    readonly tenantId: string;
    readonly caseNo: string;
    /** Only blocks above this height. */
    readonly after: number;
    readonly limit: number;
    /** The audience: the public reads nothing in a confidential block, its brand reads what it committed to. */
    readonly reader: 'public' | 'brand';
  },
): Promise<StepBlockPage> {
  const { tenantId, caseNo, after, limit } = page;
  const rows = await database.all<{
    readonly height: number;
    readonly hash: string;
    readonly canonical: string;
  }>(sql`
    select d.height, b.hash, b.canonical
    from decisions d
    join blocks b on b.height = d.height
    where d.tenant_id = ${tenantId} and d.type = 'recall' and d.subject = ${caseNo}
      and d.height > ${after}
    order by d.height
    limit ${limit + 1}`);
  const { rows: shown, last } = cutPage(rows, limit);
  const blocks = shown.flatMap(({ height, hash, canonical }) => {
    const payload = findPayload(canonical);
    return payload?.type === 'recall' ? [{ height, hash, payload }] : [];
  });
  const confidential = blocks.flatMap(({ height, payload }) =>
    isConfidential(payload.decision) ? [height] : [],
  );
  const opened = page.reader === 'brand' ? await readConfidential(database, confidential) : NONE;
  const wholeSteps = await readWholeSteps(database, blocks);
  const steps = blocks.flatMap((block): readonly StepBlock[] => {
    const { height, hash, payload } = block;
    const decision = findPublicStep(payload.decision) ?? opened.get(height);
    if (decision === undefined) return [];
    const { decision: sealed } = payload;
    const step = { ...decision, part: 1, parts: 1 };
    const said = isDisclosure(sealed) ? { ...sealed, part: 1, parts: 1, contents: step } : step;
    return [
      {
        ...{ height, hash, decision },
        recordedAt: payload.recorded_at,
        sealedHeight: isDisclosure(sealed) ? sealed.of : undefined,
        summary: summaryInWords(block, wholeSteps),
        stepSummary: summaryOfSealedRecall(said, payload.brand, wholeSteps.get(height)),
      },
    ];
  });
  const payloads = new Map(blocks.map(({ height, payload }) => [height, payload]));
  return { steps, next: last?.height ?? null, said: { payloads, wholeSteps } };
}

const NONE: ReadonlyMap<number, RecallDecision> = new Map();

/** Reads the values that confidential blocks committed to, with all parts of a step as one. */
async function readConfidential(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<ReadonlyMap<number, RecallDecision>> {
  const rows = await askForEach(database, cutSlices(heights), (one, slice) =>
    one.all<{ readonly height: number; readonly value: string }>(sql`
      select height, value
      from private_decisions
      where height in (${inList(slice)}) and name = ${CONFIDENTIAL_PARTS}`),
  );
  return new Map(
    rows.flat().flatMap(({ height, value }) => {
      const parts = findParts(value) ?? [];
      const [first] = parts;
      if (first === undefined) return [];
      const entered = parts.flatMap((part) => part.entered ?? []);
      const left = parts.flatMap((part) => part.left ?? []);
      return [[height, { ...first, part: 1, parts: 1, entered, left }] as const];
    }),
  );
}
