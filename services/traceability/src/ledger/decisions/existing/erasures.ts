// Seals erasures that were made before erasures were sealed: names each block whose values are
// erased.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import { ERASING } from '../../audit.ts';
import { findPayload } from '../../record/payload-shape.ts';
import { Findings } from '../../verify/mismatch.ts';
import { VerificationQueries } from '../../verify/queries.ts';
import { PrivateComparison } from '../../verify/rows/private.ts';
import { eraseHeights } from '../erasure.ts';
import type { ExistingBatch } from './planner.ts';

/** Blocks in memory at once. */
const BLOCKS_PER_SLICE = 200;

type Reader = Pick<DatabaseReader, 'all' | 'first'>;

/**
 * Walks the whole chain once.
 * @returns undefined when nothing was erased
 */
export async function planErasures(reader: Reader): Promise<ExistingBatch | undefined> {
  const gone = await findGone(reader);
  const decisions: ExistingBatch['decisions'][number][] = [];
  const statements: ExistingBatch['statements'][number][] = [];
  for (const [brand, heights] of gone) {
    const at = await lastErasure(reader, brand);
    const planned = eraseHeights({ brand, at, heights, migrated: true }, decisions.length);
    decisions.push(...planned.decisions);
    statements.push(...planned.statements);
  }
  return decisions.length === 0 ? undefined : { decisions, statements };
}

/** Heights of blocks by brand. */
async function findGone(reader: Reader): Promise<ReadonlyMap<string, readonly number[]>> {
  const queries = new VerificationQueries({ all: reader.all.bind(reader), inSnapshot });
  const gone = new Map<string, number[]>();
  const { lastHeight } = await queries.blockHashAt(0);
  for (let after = -1; after < lastHeight; after += BLOCKS_PER_SLICE) {
    const range = { after, through: after + BLOCKS_PER_SLICE };
    const blocks = await queries.blocks(range);
    const comparison = new PrivateComparison(await queries.privateRows(range), new Findings());
    const { heights: named } = await queries.erased(range);
    for (const { height, canonical } of blocks) {
      const payload = findPayload(canonical);
      if (payload === undefined || !('brand' in payload)) continue;
      if (!comparison.compare(height, payload) || named.has(height)) continue;
      gone.getOrInsertComputed(payload.brand, () => []).push(height);
    }
    await nextTurn();
  }
  return gone;
}

function inSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}

/**
 * Returns the time of the brand's last erasure in the audit; without one, the time of the last
 * block.
 */
async function lastErasure(reader: Reader, brand: string): Promise<string> {
  const row = await reader.first<{ readonly at: string | null }>(sql`
    select coalesce(
      (
        select a.at
        from audit_entries a
        where a.tenant_id = ${brand} and a.action = ${ERASING}
        order by -a.id
        limit 1
      ),
      (select recorded_at from head where id = 1)
    ) as at`);
  return present(row?.at, 'the time of the last block');
}
