// All types of decisions with their effects on rows: a missing type does not compile.
import type { Sql } from 'sql-template-tag';
import type { DecisionType } from '../record/decisions/contents.ts';
import type { DecidedBlock, DecisionKind } from './kind.ts';
import { BRAND_KIND } from './brand.ts';
import { DRILL_KIND } from './drill.ts';
import { ERASURE_KIND } from './erasure.ts';
import { HOLD_KIND } from './hold.ts';
import { RECALL_KIND } from './recall.ts';
import { RESPONSE_KIND } from './response.ts';

const KINDS: { readonly [Type in DecisionType]: DecisionKind<Type> } = {
  brand: BRAND_KIND,
  drill: DRILL_KIND,
  erasure: ERASURE_KIND,
  hold: HOLD_KIND,
  recall: RECALL_KIND,
  response: RESPONSE_KIND,
};

/** Statements behind the block of a decision, in the same transaction. */
export function rowsOfDecision<Type extends DecisionType>(
  type: Type,
  block: DecidedBlock<Type>,
): readonly Sql[] {
  return KINDS[type].rowsOf(block);
}

/** Returns the statements for a rebuild that delete all rows of decisions. */
export function clearDecided(): readonly Sql[] {
  return Object.values(KINDS).flatMap(({ clear }) => clear);
}
