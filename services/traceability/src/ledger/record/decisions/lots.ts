// Lists the lots that a decision names, in its order.
import { findPublicStep } from './confidential.ts';
import type { DecisionContents, DecisionType } from './contents.ts';

/** A type that is missing here names no lots. */
const LOTS: {
  readonly [Type in DecisionType]?: (content: DecisionContents[Type]) => readonly string[];
} = {
  hold: ({ lots }) => lots,
  recall: (content) => {
    const step = findPublicStep(content);
    if (step === undefined) return [];
    const {
      entered = [],
      changed = [],
      left = [],
      added = [],
      excluded = [],
      restored = [],
    } = step;
    const traced = [...entered, ...changed].map(({ lot }) => lot);
    return [...new Set([...traced, ...left, ...added, ...excluded, ...restored])];
  },
};

export function lotsOfDecision<Type extends DecisionType>(
  type: Type,
  decision: DecisionContents[Type],
): readonly string[] {
  return LOTS[type]?.(decision) ?? [];
}
