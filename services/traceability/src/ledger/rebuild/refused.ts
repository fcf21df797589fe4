// The reasons for which the derived rows are not rebuilt: a chain that is not whole, or decisions
// of people about lots that no block names.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { TipRecordReading } from '../tip-record.ts';
import type { LedgerMismatch } from '../verify/mismatch.ts';
import type { VerificationQueries } from '../verify/queries.ts';
import { readStable } from '@lothub/kit/record-file';
import { findCutTail, findTipMismatch } from '../verify/tip.ts';

/** The chain is not whole, so nothing may be made from it; nothing was changed. */
export class RebuildRefused extends Error {
  readonly code = 'rebuild_refused';
  readonly mismatch: LedgerMismatch;

  constructor(mismatch: LedgerMismatch) {
    const { code, height, message } = mismatch;
    super(
      `rebuilding needs a whole chain that verifies, and this one does not (${code} at block ` +
        `${height}): ${message.replace(/\.$/, '')}; restore a backup, then run \`lothub verify\`. ` +
        'docs/operating.md, "When the chain does not verify", says what else to do about each code',
    );
    this.name = 'RebuildRefused';
    this.mismatch = mismatch;
  }
}

/** Nobody appends meanwhile, so a record that is read now is of a block that must be there. */
export async function refuseCutTail(
  queries: VerificationQueries,
  tipRecord: () => TipRecordReading,
): Promise<void> {
  const reading = readStable(tipRecord);
  if (reading?.kind === 'read') {
    const { hash, lastHeight } = await queries.blockHashAt(reading.value.height);
    const mismatch = findTipMismatch(reading, { lastHeight, recordedHash: hash });
    if (mismatch !== undefined) throw new RebuildRefused(mismatch);
    return;
  }
  const head = await queries.head();
  if (head === undefined) return;
  const { hash, lastHeight } = await queries.blockHashAt(head.height);
  const mismatch = hash === undefined ? findCutTail(head, { height: lastHeight }) : undefined;
  if (mismatch !== undefined) throw new RebuildRefused(mismatch);
}

/**
 * Holds and cases name lots by their numbers. A number that no block leads to any more is given to the
 * next lot that is made, which would then be held or recalled in place of the other.
 */
export async function refuseStrayLots(
  { all }: Pick<DatabaseReader, 'all'>,
  tipHeight: number,
): Promise<void> {
  for (const [what, stray] of Object.entries(STRAY_LOTS)) {
    const rows = await all<{ readonly lotNo: number }>(stray);
    if (rows.length === 0) continue;
    throw new RebuildRefused({
      height: tipHeight + 1,
      code: 'lot_row_missing',
      message: `${what} names a lot that no block up to ${tipHeight} names`,
    });
  }
}

const STRAY_LOTS = {
  'a hold': sql`
    select h.lot_no as "lotNo"
    from lot_holds h
    where not exists (select 1 from lots l where l.lot_no = h.lot_no)
    limit 1`,
  'a recall case': sql`
    select r.lot_no as "lotNo"
    from recall_lots r
    where not exists (select 1 from lots l where l.lot_no = r.lot_no)
    limit 1`,
} as const;
