// Finds the recall cases that are confidential: until such a case moves to `notification`, it has
// no public effect.
import sql, { raw, type Sql } from 'sql-template-tag';
import { MANUAL_HOLD } from '../draft.ts';

/** Returns whether nothing of a case is public. */
export function isHidden(decision: {
  readonly confidential: 0 | 1;
  readonly notifiedAt: string | null;
}): boolean {
  return decision.confidential === 1 && decision.notifiedAt === null;
}

/**
 * Returns the same as a condition on rows of `recall_cases`. @param name of the table in the query
 */
export function isHiddenCase(name: string): Sql {
  return sql`(${raw(name)}.confidential = 1 and ${raw(name)}.notified_at is null)`;
}

/** Holds for a lot that is held by hand, or by a case that is not in confidence. */
export function isHeldPublicly(lotNo: Sql): Sql {
  return sql`
    exists (
      select 1
      from lot_holds h
      where h.lot_no = ${lotNo} and h.released_at is null
        and (
          h.source = ${raw(`'${MANUAL_HOLD}'`)}
          or not exists (
            select 1 from recall_cases c where c.case_no = h.source and ${isHiddenCase('c')}
          )
        )
    )`;
}
