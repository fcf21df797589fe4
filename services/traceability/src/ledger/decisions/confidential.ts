// Recall cases in confidence: how their steps are sealed and disclosed, and which steps their blocks contain.
import { present } from '@lothub/kit/present';
import type { DisclosureDecision, Openings, RecallDecision } from '../record/decisions/contents.ts';
import { DISCLOSED } from '../record/decisions/contents.ts';
import {
  CONFIDENTIAL_PARTS,
  findParts,
  isConfidential,
  isDisclosure,
} from '../record/decisions/confidential.ts';
import { draftDecision, sealedHeight, type DecisionDraft } from './draft.ts';
import type { DecidedBlock } from './kind.ts';

/** One part of a step of a case. */
export interface StepOfBlock<Height> {
  readonly height: Height;
  readonly decision: RecallDecision;
  /** Private values of the part that are kept. */
  readonly opened: Openings;
  /** True if the block contains only a commitment to it. */
  readonly isConfidential: boolean;
}

/** A block in the form from which its rows are made. */
export type RecallBlock = StepOfBlock<DecidedBlock<'recall'>['height']> &
  Pick<DecidedBlock<'recall'>, 'brand'>;

/**
 * Returns the parts of steps that a block contains. A block that discloses contains no new ones;
 * the parts of a confidential block cannot be read once its private value is erased.
 */
export function stepsOfBlock<Height extends RecallBlock['height']>({
  height,
  decision,
  opened,
}: Pick<DecidedBlock<'recall'>, 'decision' | 'opened'> & {
  readonly height: Height;
}): readonly StepOfBlock<Height>[] {
  if (isDisclosure(decision)) return [];
  if (!isConfidential(decision)) return [{ height, decision, opened, isConfidential: false }];
  const text = opened[CONFIDENTIAL_PARTS];
  const parts = text === undefined ? undefined : findParts(text);
  return (parts ?? []).map((part) => ({
    height,
    decision: part,
    // The first part of a step commits to all of its persons, and this block contains all parts.
    opened,
    isConfidential: true,
  }));
}

/**
 * Makes one block for all parts of a step.
 * @param parts as they would be sealed if the case were public
 */
export function draftConfidential(
  step: { readonly brand: string; readonly caseNo: string; readonly at: string },
  parts: readonly DecisionDraft[],
): DecisionDraft {
  const content = { at: step.at, case_no: step.caseNo, confidential: true as const };
  const text = `[${parts.map(({ decisionText }) => decisionText).join(',')}]`;
  const draft = draftDecision(
    { brand: step.brand, type: 'recall', content },
    { [CONFIDENTIAL_PARTS]: text },
  );
  // The openings of the persons inside are kept beside the text that commits to them.
  return {
    ...draft,
    committed: [...draft.committed, ...parts.flatMap(({ committed }) => committed)],
  };
}

/** The values that open a confidential block. */
export interface ConfidentialOpening {
  readonly height: number;
  readonly value: string;
  readonly salt: string;
}

export interface Disclosure {
  readonly draft: DecisionDraft;
  /** The same block in the form from which its rows are made. */
  readonly block: DecidedBlock<'recall'>;
}

/** The blocks that disclose confidential ones, in the order of these; the first ones of their change. */
export function draftDisclosures(
  { brand, at, caseNo }: { readonly brand: string; readonly caseNo: string; readonly at: string },
  openings: readonly ConfidentialOpening[],
): readonly Disclosure[] {
  const contents = openings.flatMap(({ height, value, salt }) =>
    present(findParts(value), `the parts of the confidential block ${height}`).map(
      (part): DisclosureDecision => ({
        ...{ at, case_no: caseNo, change: DISCLOSED, of: height, salt },
        ...{ part: part.part, parts: part.parts, contents: part },
      }),
    ),
  );
  return contents.map((content, index) => ({
    draft: draftDecision({ brand, type: 'recall', content }),
    block: { height: sealedHeight(index), brand, decision: content, opened: {} },
  }));
}
