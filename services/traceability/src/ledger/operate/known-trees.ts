// Finds the trees that a log is known to have signed, and those of them that the stored chain still
// contains.
import { EMPTY_MARK, parseEpochStatement, sameBytes } from '@lothub/chain/log';
import type { TreeHead, TreeMark } from '@lothub/chain/log';
import type { DatabaseReader } from '@lothub/kit/database';
import { at } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { LogEpochRow } from '../tables/log.ts';
import type { LogRecordReading } from '../log/log-record.ts';
import { TreeReader } from '../log/tree-reader.ts';

export interface KnownTrees {
  /** The largest signed tree; empty if none is known. */
  readonly last: TreeMark;
  /** The largest signed tree that the stored chain begins with. */
  readonly common: TreeMark;
}

/**
 * Reads the signed trees from the records beside the database and from the database itself.
 *
 * @param known `size`: number of stored blocks; `records`: those of this machine, and of others
 */
export async function findKnownTrees(
  database: DatabaseReader,
  known: {
    /** The log, after all logs that it continues. */
    readonly logs: readonly LogEpochRow[];
    readonly records: readonly LogRecordReading[];
    readonly size: number;
  },
): Promise<KnownTrees> {
  const { size } = known;
  const marks = [...(await listMarks(database, known))].sort((a, b) => a.size - b.size);
  // The chain may be of any size, and any number of its tiles may be missing.
  const tree = new TreeReader({ database, computedMax: Number.POSITIVE_INFINITY });
  const isStored = async (mark: TreeMark): Promise<boolean> =>
    mark.size <= size && sameBytes(await tree.rootAt(mark.size), mark.root);
  return {
    last: marks.at(-1) ?? EMPTY_MARK,
    common: await findLastStored(marks, isStored),
  };
}

/** Lists the trees of the log itself, and those of earlier logs as far as it shares them. */
async function listMarks(
  database: DatabaseReader,
  known: { readonly logs: readonly LogEpochRow[]; readonly records: readonly LogRecordReading[] },
): Promise<readonly TreeMark[]> {
  let marks: readonly TreeMark[] = [];
  for (const log of known.logs) {
    const shared = log.statement === null ? EMPTY_MARK : parseEpochStatement(log.statement).common;
    marks = [
      ...marks.filter(({ size }) => size <= shared.size),
      shared,
      ...known.records.flatMap((record) => recordedAs(record, log.origin)),
      ...listNoted(log),
      ...(await readPublished(database, log.epoch)),
    ];
  }
  return marks;
}

/**
 * Searches by halves: each tree is the beginning of the next one, so stored trees come before those that are
 * not stored.
 */
async function findLastStored(
  marks: readonly TreeMark[],
  isStored: (mark: TreeMark) => Promise<boolean>,
): Promise<TreeMark> {
  let from = 0;
  let below = marks.length;
  while (from < below) {
    const middle = Math.floor((from + below) / 2);
    if (await isStored(at(marks, middle))) from = middle + 1;
    else below = middle;
  }
  return from === 0 ? EMPTY_MARK : at(marks, from - 1);
}

function recordedAs(record: LogRecordReading, origin: string): readonly TreeHead[] {
  return record.kind === 'read' && record.value.origin === origin ? [record.value] : [];
}

function listNoted({ signed_size: size, signed_root: root }: LogEpochRow): readonly TreeMark[] {
  return size === null || root === null ? [] : [{ size, root }];
}

function readPublished(database: DatabaseReader, epoch: number): Promise<readonly TreeMark[]> {
  return database.all(sql`
    select size, root
    from log_checkpoints
    where epoch = ${epoch}
    order by size`);
}
