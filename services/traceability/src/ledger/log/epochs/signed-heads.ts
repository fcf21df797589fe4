// Reads the signed trees that the database itself keeps: published checkpoints, and the one that
// each log notes at intervals. The blocks are compared with them, because the record beside the
// database may be missing.
import type { TreeHead } from '@lothub/chain/log';
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { LogEpochRow } from '../../tables/log.ts';
import { readEpochs } from './epochs.ts';

/** The newest ones. A thousand are kept, and one for each day before them: of more than eight years. */
const PUBLISHED_MAX = 4_096;

/**
 * Reads the signed heads, in no order. They include heads of blocks that were given up when a log
 * ended (`readSharedSizes`).
 */
export async function readSignedHeads(
  database: Pick<DatabaseReader, 'all'>,
): Promise<readonly TreeHead[]> {
  const epochs = await readEpochs(database);
  const published = await database.all<TreeHead>(sql`
    select e.origin, c.size, c.root
    from log_checkpoints c
    join log_epochs e on e.epoch = c.epoch
    order by c.epoch desc, c.size desc
    limit ${PUBLISHED_MAX}`);
  return [...published, ...epochs.flatMap(notedHead)];
}

function notedHead({
  origin,
  signed_size: size,
  signed_root: root,
}: LogEpochRow): readonly TreeHead[] {
  return size === null || root === null ? [] : [{ origin, size, root }];
}

/**
 * Reads for each log that has ended, by its origin, the number of its blocks that the current log
 * contains.
 */
export async function readSharedSizes(
  database: Pick<DatabaseReader, 'all'>,
): Promise<ReadonlyMap<string, number>> {
  const shared = new Map<string, number>();
  let through = Number.POSITIVE_INFINITY;
  // Blocks that a later log has lost are lost for the logs before it, too.
  for (const { origin, ended_at: endedAt, common_size: common } of (
    await readEpochs(database)
  ).toReversed()) {
    if (endedAt === null) continue;
    through = Math.min(through, common ?? 0);
    shared.set(origin, through);
  }
  return shared;
}
