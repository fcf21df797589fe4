// The functions that each type of decision provides to every reader of payloads. A type without its
// facts does not compile.
import { isBrandDecision, subjectOfBrand, summaryOfBrand } from './brand.ts';
import { isDrillDecision, subjectOfDrill, summaryOfDrill } from './drill.ts';
import { isErasureDecision, summaryOfErasure } from './erasure.ts';
import { isHoldDecision, summaryOfHold } from './hold.ts';
import { isSealedRecall, summaryOfSealedRecall } from './confidential.ts';
import type { WholeStep } from './recall.ts';
import { isResponseDecision, subjectOfResponse, summaryOfResponse } from './response.ts';
import type { DecisionContents, DecisionType } from './contents.ts';

export interface DecisionFacts<Content> {
  /** Returns whether a parsed content has the shape that is sealed. */
  readonly isContent: (content: Readonly<Record<string, unknown>>) => boolean;
  /** One stable English line, without private values. */
  readonly summaryOf: (content: Content, brand: string, whole?: WholeStep) => string;
  /**
   * Returns the subject of the block, such as the number of a case; it is unique for a brand and a
   * type.
   */
  readonly subjectOf: (content: Content) => string;
}

export const DECISION_FACTS: {
  readonly [Type in DecisionType]: DecisionFacts<DecisionContents[Type]>;
} = {
  brand: { isContent: isBrandDecision, summaryOf: summaryOfBrand, subjectOf: subjectOfBrand },
  drill: { isContent: isDrillDecision, summaryOf: summaryOfDrill, subjectOf: subjectOfDrill },
  erasure: { isContent: isErasureDecision, summaryOf: summaryOfErasure, subjectOf: () => '' },
  hold: {
    isContent: isHoldDecision,
    summaryOf: summaryOfHold,
    // The subject of a hold is its source.
    subjectOf: ({ case_no: caseNo }) => caseNo ?? 'manual',
  },
  recall: {
    isContent: isSealedRecall,
    summaryOf: summaryOfSealedRecall,
    subjectOf: (content) => content.case_no,
  },
  response: {
    isContent: isResponseDecision,
    summaryOf: summaryOfResponse,
    subjectOf: subjectOfResponse,
  },
};

export const DECISION_TYPES: readonly DecisionType[] =
  Object.keys(DECISION_FACTS).filter(isDecisionType);

export function isDecisionType(type: string): type is DecisionType {
  return Object.hasOwn(DECISION_FACTS, type);
}

/** @param whole of a step of a recall case: what its block does not say alone */
export function summaryOfDecision<Type extends DecisionType>(
  sealed: SealedDecision<Type>,
  whole?: WholeStep,
): string {
  return DECISION_FACTS[sealed.type].summaryOf(sealed.decision, sealed.brand, whole);
}

export function subjectOfDecision<Type extends DecisionType>(
  sealed: Pick<SealedDecision<Type>, 'type' | 'decision'>,
): string {
  return DECISION_FACTS[sealed.type].subjectOf(sealed.decision);
}

/** A decision as the payload of its block contains it. */
interface SealedDecision<Type extends DecisionType> {
  readonly brand: string;
  readonly type: Type;
  readonly decision: DecisionContents[Type];
}
