// Stores the end of one log and the beginning of the next one, in one transaction.
import type { EpochStatement, TreeMark } from '@lothub/chain/log';
import { inList } from '@lothub/kit/in-list';
import type { NoteKey } from '@lothub/note-key';
import sql from 'sql-template-tag';
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

/** How the old log is served from now on. */
export type EpochEnd = Pick<
  LogEpochRow,
  'epoch' | 'vkeys' | 'ended_at' | 'last_note' | 'common_size' | 'common_note'
>;

export function endOf(
  { epoch, origin, vkeys }: LogEpochRow,
  by: { readonly statement: EpochStatement; readonly oldKeys: readonly NoteKey[] },
): EpochEnd {
  const { statement, oldKeys } = by;
  const noteOf = (mark: TreeMark): string | null =>
    oldKeys.length === 0 || mark.size === 0 ? null : signedNote({ ...mark, origin }, oldKeys);
  return {
    epoch,
    vkeys,
    ended_at: statement.at,
    last_note: noteOf(statement.last),
    common_size: statement.common.size,
    common_note: noteOf(statement.common),
  };
}

/**
 * All or nothing, and nothing when a block was appended since the chain was verified. Alarms that held the
 * old log are cleared with it: they say nothing of the new one.
 * @returns how many alarms were cleared
 * @throws LogRefused `hub_changed`
 */
export async function storeEpoch(
  { database, tip, nowText }: StoreEpochOptions,
  change: {
    readonly end: EpochEnd;
    readonly begin: Pick<LogEpochRow, 'epoch' | 'origin' | 'vkeys'> & {
      readonly statement: string;
    };
  },
): Promise<number> {
  const { end, begin } = change;
  const [ended, , cleared = []] = await database.write([
    sql`
      update log_epochs
      set
        ended_at = ${end.ended_at}, last_note = ${end.last_note},
        common_size = ${end.common_size}, common_note = ${end.common_note}
      where epoch = ${end.epoch} and vkeys = ${end.vkeys} and ended_at is null
        and exists (select 1 from head where height = ${tip.height} and hash = ${tip.hash})
      returning epoch`,
    sql`
      insert into log_epochs (epoch, origin, vkeys, begun_at, statement)
      select
        cast(${begin.epoch} as bigint), cast(${begin.origin} as text), cast(${begin.vkeys} as text),
        cast(${nowText} as text), cast(${begin.statement} as text)
      where not exists (select 1 from log_epochs where ended_at is null)`,
    sql`
      update chain_alarms
      set cleared_at = ${nowText}
      where cleared_at is null and code in (${inList(HOLDING_CODES)})
        and exists (select 1 from log_epochs where epoch = ${begin.epoch})
      returning id`,
  ]);
  if (ended?.length === 1) return cleared.length;
  throw new LogRefused(
    'hub_changed',
    'ending the log: a block was written, or the keys were changed, after the chain was verified; stop ' +
      'every process of the hub and run the command again',
  );
}
