// Finds out whether signed blocks are lost, from the records of this machine and of others, and
// from open alarms.
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import { readEpochs } from '../log/epochs/epochs.ts';
import { readLogRecord, type LogRecordReading } from '../log/log-record.ts';
import type { OperatedDatabase } from '../operated-database.ts';
import type { LogEpochRow } from '../tables/log.ts';
import { LOSS_CODES } from '../verify/mismatch.ts';
import { isDatabaseOlder } from './ending-log.ts';
import { findKnownTrees, type KnownTrees } from './known-trees.ts';

/**
 * Returns whether signed blocks are lost, by the records of this machine and by open alarms of any
 * process.
 */
export async function findLoss(options: {
  readonly database: OperatedDatabase;
  readonly dataDir: string;
}): Promise<boolean> {
  const { reader } = options.database;
  const epochs = await readEpochs(reader);
  const current = epochs.at(-1);
  if (current === undefined) return false;
  if (isDatabaseOlder(options.dataDir, current)) return true;
  const tip = await reader.first<{ readonly height: number }>(sql`
    select height
    from blocks
    order by height desc
    limit 1`);
  const size = (tip?.height ?? -1) + 1;
  return (await findTrees({ ...options, tip: { height: size - 1 } }, epochs)).isLost;
}

/** Returns the known trees of the last of the logs, and whether some of them are lost. */
export async function findTrees(
  options: {
    readonly database: OperatedDatabase;
    readonly dataDir: string;
    readonly tip: { readonly height: number };
    readonly records?: readonly LogRecordReading[];
  },
  logs: readonly LogEpochRow[],
): Promise<KnownTrees & { readonly isLost: boolean }> {
  const { database, dataDir, tip, records = [] } = options;
  const own = readLogRecord(dataDir) ?? { kind: 'absent' };
  const trees = await findKnownTrees(database.reader, {
    logs,
    records: [own, ...records],
    size: tip.height + 1,
  });
  const alarm = await database.reader.first(sql`
    select id
    from chain_alarms
    where cleared_at is null and code in (${inList(LOSS_CODES)})
    limit 1`);
  const isLost =
    alarm !== undefined || own.kind === 'unreadable' || trees.common.size < trees.last.size;
  return { ...trees, isLost };
}
