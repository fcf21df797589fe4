// The functions that each type of decision provides to every reader of payloads. A type without its
// facts does not compile.
import { isBrandDecision, subjectOfBrand, summaryOfBrand } from './brand.ts';
import { isSealedRecall, summaryOfSealedRecall } from './confidential.ts';
import { hasDecisionMembers, hasOnly, isCount, isLotList, isText, isTip } from './members.ts';
import type { Fields } from './members.ts';
import type { WholeStep } from './recall.ts';
import { isResponseDecision, subjectOfResponse, summaryOfResponse } from './response.ts';
import { HEIGHTS_PER_BLOCK_MAX } from './contents.ts';
import type {
  DecisionContents,
  DecisionType,
  DrillDecision,
  ErasureDecision,
  HoldDecision,
} from './contents.ts';

const HOLD_MEMBERS = ['at', 'case_no', 'committed', 'lots', 'migrated', 'state'] as const;
const ERASURE_MEMBERS = ['at', 'committed', 'heights', 'migrated'] as const;
const DRILL_MEMBERS = ['at', 'committed', 'drill', 'elapsed_us', 'lot', 'migrated', 'tip'] as const;

const US_PER_SECOND = 1_000_000;

export interface DecisionFacts<Content> {
  /** Returns whether a parsed content has the shape that is sealed. */
  readonly isContent: (content: Readonly<Record<string, unknown>>) => boolean;
  /** One stable English line, without private values. */
  readonly summarize: (content: Content, brand: string, whole?: WholeStep) => string;
  /**
   * Returns the subject of the block, such as the number of a case; it is unique for a brand and a
   * type.
   */
  readonly getSubject: (content: Content) => string;
}

export const DECISION_FACTS: {
  readonly [Type in DecisionType]: DecisionFacts<DecisionContents[Type]>;
} = {
  brand: { isContent: isBrandDecision, summarize: summaryOfBrand, getSubject: subjectOfBrand },
  drill: { isContent: isDrillDecision, summarize: summaryOfDrill, getSubject: subjectOfDrill },
  erasure: { isContent: isErasureDecision, summarize: summaryOfErasure, getSubject: () => '' },
  hold: {
    isContent: isHoldDecision,
    summarize: summaryOfHold,
    // The subject of a hold is its source.
    getSubject: ({ case_no: caseNo }) => caseNo ?? 'manual',
  },
  recall: {
    isContent: isSealedRecall,
    summarize: summaryOfSealedRecall,
    getSubject: (content) => content.case_no,
  },
  response: {
    isContent: isResponseDecision,
    summarize: summaryOfResponse,
    getSubject: subjectOfResponse,
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
  return DECISION_FACTS[sealed.type].summarize(sealed.decision, sealed.brand, whole);
}

export function subjectOfDecision<Type extends DecisionType>(
  sealed: Pick<SealedDecision<Type>, 'type' | 'decision'>,
): string {
  return DECISION_FACTS[sealed.type].getSubject(sealed.decision);
}

/** A decision as the payload of its block contains it. */
interface SealedDecision<Type extends DecisionType> {
  readonly brand: string;
  readonly type: Type;
  readonly decision: DecisionContents[Type];
}

function isDrillDecision(content: Fields): boolean {
  const { drill, elapsed_us: elapsed, lot, tip } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, DRILL_MEMBERS) &&
    isCount(drill) &&
    isCount(elapsed) &&
    isText(lot) &&
    isTip(tip)
  );
}

function summaryOfDrill({ elapsed_us: elapsed, lot }: DrillDecision, brand: string): string {
  return `Recall drill of ${brand}: lot ${lot} traced in ${elapsed / US_PER_SECOND} s`;
}

function subjectOfDrill({ drill }: Pick<DrillDecision, 'drill'>): string {
  return String(drill);
}

function isErasureDecision(content: Fields): boolean {
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, ERASURE_MEMBERS) &&
    isHeights(content['heights'])
  );
}

/** Returns whether a value is a list of at least one height, ascending. */
function isHeights(heights: unknown): boolean {
  return (
    Array.isArray(heights) &&
    heights.length > 0 &&
    heights.length <= HEIGHTS_PER_BLOCK_MAX &&
    heights.every(
      (height: unknown, index) =>
        isCount(height) && (index === 0 || height > Number(heights[index - 1])),
    )
  );
}

function summaryOfErasure({ heights }: ErasureDecision, brand: string): string {
  const [first] = heights;
  const named = heights.length === 1 ? `block ${first}` : `${heights.length} blocks`;
  return `Private values of ${named} of ${brand} erased`;
}

function isHoldDecision(content: Fields): boolean {
  const { case_no: caseNo, lots, state } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, HOLD_MEMBERS) &&
    isLotList(lots) &&
    (state === 'held' ? caseNo === undefined : state === 'released') &&
    (caseNo === undefined || isText(caseNo))
  );
}

function summaryOfHold({ lots, state, case_no: caseNo }: HoldDecision, brand: string): string {
  const [first = ''] = lots;
  const named = lots.length === 1 ? `Lot ${first}` : `${lots.length} lots`;
  const origin = caseNo === undefined ? '' : ` from the hold of ${caseNo}`;
  return `${named} of ${brand} ${state}${origin}`;
}
