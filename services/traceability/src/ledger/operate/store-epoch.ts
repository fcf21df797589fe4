// Stores the end of one log and the beginning of the next one, in one transaction.
import type { EpochStatement, TreeMark } from '@lothub/chain/log';
import { inList } from '@lothub/kit/in-list';
import type { NoteKey } from '@lothub/note-key';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Tip } from '../draft.ts';
import { signedNote } from '../log/signed-note.ts';
import type { OperatedDatabase } from '../operated-database.ts';
import type { LogEpochRow } from '../tables/log.ts';
import { HOLDING_CODES } from '../verify/mismatch.ts';
import { LogRefused } from './log-refused.ts';

interface StoreEpochOptions {
  readonly database: OperatedDatabase;
  /** The last block of a chain that was verified. */
  readonly tip: Tip;
  readonly nowText: string;
}

/** The row of a log that ends: how it is served from now on. */
export function endedBy(
  log: LogEpochRow,
  by: { readonly statement: EpochStatement; readonly oldKeys: readonly NoteKey[] },
): LogEpochRow {
  const { statement, oldKeys } = by;
  const { origin } = log;
  const buildNote = (mark: TreeMark): string | null =>
    oldKeys.length === 0 || mark.size === 0 ? null : signedNote({ ...mark, origin }, oldKeys);
  return {
    ...log,
    ended_at: statement.at,
    last_note: buildNote(statement.last),
    common_size: statement.common.size,
    common_note: buildNote(statement.common),
  };
}

/**
 * Writes everything or nothing, and nothing if a block was appended since the chain was verified.
 * Alarms that held the old log are cleared as well: they do not concern the new one.
 * @returns the number of cleared alarms
 * @throws LogRefused `hub_changed`
 */
export async function storeEpoch(
  { database, tip, nowText }: StoreEpochOptions,
  change: {
    /** The log that the database takes for the current one. */
    readonly ended: LogEpochRow;
    /** Later logs that have ended as well, and are not in the database. */
    readonly missed: readonly LogEpochRow[];
    readonly begun: LogEpochRow;
  },
): Promise<number> {
  const { ended, missed, begun } = change;
  const [changed, cleared = []] = await database.write([
    sql`
      update log_epochs
      set
        ended_at = ${ended.ended_at}, last_note = ${ended.last_note},
        common_size = ${ended.common_size}, common_note = ${ended.common_note}
      where epoch = ${ended.epoch} and vkeys = ${ended.vkeys} and ended_at is null
        and exists (select 1 from head where height = ${tip.height} and hash = ${tip.hash})
      returning epoch`,
    sql`
      update chain_alarms
      set cleared_at = ${nowText}
      where cleared_at is null and code in (${inList(HOLDING_CODES)})
        and not exists (select 1 from log_epochs where ended_at is null)
      returning id`,
    ...[...missed, begun].map(insertEpoch),
  ]);
  if (changed?.length === 1) return cleared.length;
  throw new LogRefused(
    'hub_changed',
    'ending the log: a block was written, or the keys were changed, after the chain was verified; stop ' +
      'every process of the hub and run the command again',
  );
}

/**
 * Inserts a log only if the one before it has ended: if the first statement changes nothing, no
 * statement does.
 */
function insertEpoch(row: LogEpochRow): Sql {
  return sql`
    insert into log_epochs (
      epoch, origin, vkeys, begun_at, retired_vkeys, statement, ended_at, last_note, common_size,
      common_note
    )
    select
      cast(${row.epoch} as bigint), cast(${row.origin} as text), cast(${row.vkeys} as text),
      cast(${row.begun_at} as text), cast(${row.retired_vkeys} as text), cast(${row.statement} as text),
      cast(${row.ended_at} as text), cast(${row.last_note} as text), cast(${row.common_size} as bigint),
      cast(${row.common_note} as text)
    where not exists (select 1 from log_epochs where ended_at is null)`;
}
