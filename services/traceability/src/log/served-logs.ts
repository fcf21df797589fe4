// The logs that the hub serves: the current one with its signed state, and each ended one with its
// last checkpoint and everything that the next one shares with it, for ever.
import { parseCheckpoint } from '@lothub/chain/log';
import type { DatabaseReader } from '@lothub/kit/database';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { Refusal } from '../errors.ts';
import { parseVkeys } from '../ledger/log/epochs/epochs.ts';
import type { LogIdentity, SignedCheckpoint } from '../ledger/log/signed-log.ts';
import { LOG_CHECKPOINTS, LOG_EPOCHS } from '../ledger/tables/log.ts';
import type { LogCheckpointRow, LogEpochRow } from '../ledger/tables/log.ts';
import { newestPublished } from '../witnessing/published.ts';
import { wholeNumber } from './paths.ts';
import { LOG_IS_OFF, NOT_PUBLISHED, type PublicLog } from './public-log.ts';

/** One log, as its paths serve it. */
export interface ServedLog {
  readonly identity: LogIdentity;
  /** Blocks whose tiles, entries, texts and proofs are served. @throws Refusal `log_unavailable` */
  size(): Promise<number>;
  /** The newest checkpoint that satisfies the hub's policy. @throws Refusal `log_unavailable` */
  checkpoint(): Promise<string>;
  /** The newest one that the hub has signed. @throws Refusal `log_unavailable` */
  latest(): Promise<string>;
  /**
   * The checkpoint to which a proof leads; smaller than requested when none that large is served.
   */
  covering(size: number): Promise<SignedCheckpoint>;
}

export interface ServedLogs {
  readonly log: PublicLog;
  readonly database: DatabaseReader;
}

/**
 * The log that a path names.
 * @throws Refusal `not_found`
 */
export async function findServedLog(
  { log, database }: ServedLogs,
  epoch: string,
): Promise<ServedLog> {
  const { identity } = log;
  if (identity === undefined) throw new Refusal('not_found', LOG_IS_OFF);
  const number = wholeNumber(epoch);
  if (number === identity.epoch) return currentLog(log, identity);
  const ended =
    number !== undefined && number < identity.epoch ? await findEnded(database, number) : undefined;
  if (ended !== undefined) return endedLog(database, ended);
  throw new Refusal(
    'not_found',
    `This hub has no such log; the one that goes on is /log/${identity.epoch}/`,
  );
}

function currentLog(log: PublicLog, identity: LogIdentity): ServedLog {
  return {
    identity,
    size: async () => (await log.head()).size,
    checkpoint: async () => {
      const published = await log.published();
      if (published === undefined) throw new Refusal('log_unavailable', NOT_PUBLISHED);
      return published.note;
    },
    latest: async () => (await log.head()).note,
    covering: async (size) => (await log.covering(size)).checkpoint,
  };
}

function endedLog(database: DatabaseReader, row: LogEpochRow): ServedLog {
  const { epoch, origin, last_note: last, common_size: common, common_note: commonNote } = row;
  const published = async (): Promise<string | undefined> =>
    (await newestPublished(database, epoch))?.note;
  const orRefuse = (note: string | null | undefined): string => {
    if (note !== null && note !== undefined) return note;
    throw new Refusal('log_unavailable', NO_CHECKPOINT);
  };
  return {
    identity: { epoch, origin, vkeys: parseVkeys(row.vkeys) },
    size: () => Promise.resolve(common ?? 0),
    checkpoint: async () => orRefuse((await published()) ?? last),
    latest: async () => orRefuse(last ?? (await published())),
    covering: async (size) => {
      const shared = await findShared(database, { epoch, from: size, through: common ?? 0 });
      return shared ?? readHead(orRefuse(commonNote));
    },
  };
}

/** The largest published checkpoint of an ended log whose tree the next one shares. */
function findShared(
  database: Pick<DatabaseReader, 'first'>,
  sizes: { readonly epoch: number; readonly from: number; readonly through: number },
): Promise<LogCheckpointRow | undefined> {
  return database.first(sql`
    select ${selectList(LOG_CHECKPOINTS)}
    from log_checkpoints
    where epoch = ${sizes.epoch} and size >= ${sizes.from} and size <= ${sizes.through}
    order by size desc
    limit 1`);
}

function findEnded(
  database: Pick<DatabaseReader, 'first'>,
  epoch: number,
): Promise<LogEpochRow | undefined> {
  return database.first(sql`
    select ${selectList(LOG_EPOCHS)}
    from log_epochs
    where epoch = ${epoch} and ended_at is not null`);
}

function readHead(note: string): SignedCheckpoint {
  const { size, root } = parseCheckpoint(note);
  return { size, root, note };
}

const NO_CHECKPOINT =
  'This log has ended, and no checkpoint of it can be signed any more: see /log/epochs';
