// Which lots a decision names, in the order in which it names them.
import type { DecisionContents, DecisionType } from './contents.ts';

/** Of a type that is not here no decision names a lot. */
const LOTS: {
  readonly [Type in DecisionType]?: (content: DecisionContents[Type]) => readonly string[];
} = { hold: ({ lots }) => lots };

export function lotsOfDecision<Type extends DecisionType>(
  type: Type,
  decision: DecisionContents[Type],
): readonly string[] {
  return LOTS[type]?.(decision) ?? [];
}
