// Answers of the hub to the module of the drawing. Only their outline is checked, because the hub has the
// same version.
import type { DrawingWords } from '../../genealogy/drawing.ts';
import type { Answer, LotNode } from '../../genealogy/graph.ts';
import type { RowWords } from '../../genealogy/rows.ts';
import type { Asked, Step } from '../../genealogy/steps.ts';

/** The data in the page itself. */
export interface Start {
  readonly seedId: string;
  readonly asked: Asked;
  readonly steps: readonly Step[];
  readonly answers: readonly Answer[];
  readonly lots: readonly LotNode[];
}

export interface Found {
  readonly hits: readonly (Pick<LotNode, 'code' | 'spoken'> & {
    /**
     * Address of the drawing of a supplier's lot; null for an own lot, to which this drawing draws the way.
     */
    readonly drawing: string | null;
  })[];
  readonly isCut: boolean;
}

export interface Words extends DrawingWords, RowWords {
  readonly full: string;
  readonly opened: string;
  readonly reading: string;
  readonly failed: string;
  readonly loggedOut: string;
  readonly nothingFound: string;
  readonly searchCut: string;
  readonly found: string;
  readonly openLot: string;
  readonly openGenealogy: string;
}

/** Whether a value has the members of an answer of the hub. */
type Check<Shape> = (value: unknown) => value is Shape;

function checkFor<Shape>(members: readonly (keyof Shape & string)[]): Check<Shape> {
  return (value): value is Shape =>
    typeof value === 'object' && value !== null && members.every((name) => name in value);
}

export const isStart = checkFor<Start>(['seedId', 'asked', 'steps', 'answers', 'lots']);
export const isWords = checkFor<Words>(['columns', 'relations', 'full', 'failed']);
export const isAnswer = checkFor<Answer>(['step', 'groups', 'ids', 'lots']);
export const isFound = checkFor<Found>(['hits', 'isCut']);

/** @throws Error when the text is something else */
export function parsed<Shape>(text: string, isShape: Check<Shape>): Shape {
  const value: unknown = JSON.parse(text);
  if (!isShape(value)) throw new Error('the hub sent something else than was asked for');
  return value;
}
