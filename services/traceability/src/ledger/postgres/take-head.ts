// Takes the head of the chain for one transaction: the transaction that locks its row is the only
// one, among all processes, that can append until it ends.
import { DatabaseError } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import type { PostgresTransaction } from '@lothub/kit/postgres/connection';
import { allOrFirstFailure } from '@lothub/kit/postgres/transaction';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { Head } from '../append/group-rows.ts';
import { readRecordedAt } from '../append/recorded-at.ts';
import type { Tip } from '../draft.ts';
import { toLeaf } from '../log/leaf.ts';
import { storedFrontier } from '../log/stored-frontier.ts';
import { DERIVED_VERSION } from '../rows-of-blocks.ts';
import { TIP_MISMATCH_CODES } from '../verify/mismatch.ts';

export interface TakenHead {
  /** The last block as stored. */
  readonly head: Head;
  /**
   * True if the block that this process sealed last is in its place, or an operator has accepted
   * that it is not.
   */
  readonly holdsKnown: boolean;
  /**
   * True if the last block of an attempt with an unknown outcome is stored: the attempt was
   * committed.
   */
  readonly holdsAttempted: boolean;
  /** Lines and changes on the chain so far. */
  readonly transactions: number;
  /** The time of the server's clock. */
  readonly databaseMs: number;
  /** Leaves of the blocks after the last tree that this process signed, in order. */
  readonly leavesSince: readonly Uint8Array[];
}

/** Waits for the head. Returns no row when it waited for a rebuild, which has replaced the row. */
export const LOCK_HEAD = sql`select id from head where id = 1 for update`;

/**
 * Keeps all other transactions from appending, and from changing planned rows, until the
 * transaction ends.
 * @returns `late` when statements sent after it were executed before the head was locked
 */
export async function lockHead({
  all,
}: Pick<PostgresTransaction, 'all'>): Promise<'in_time' | 'late'> {
  const locked = await all(LOCK_HEAD);
  if (locked.length > 0) return 'in_time';
  // The statement waited for a rebuild, which has replaced the row. It does not see the new row; the next
  // statement does.
  await all(LOCK_HEAD);
  return 'late';
}

/**
 * Sends two statements at once: the first waits for the row, and the second sees the state after
 * the wait.
 * @throws DatabaseError `database_too_new` when a newer program now derives the rows,
 * `database_busy` when a rebuild replaced them during the wait: another attempt has to read them
 */
export async function takeHead(
  { all, first }: Pick<PostgresTransaction, 'all' | 'first'>,
  expected: {
    readonly known: Head | undefined;
    readonly attempted: Tip | undefined;
    /** Size of the tree that this process has signed last; undefined: it signs nothing. */
    readonly signedSize: number | undefined;
  },
): Promise<TakenHead> {
  const { known, attempted, signedSize } = expected;
  const [locked, since, row] = await allOrFirstFailure([
    all(LOCK_HEAD),
    signedSize === undefined
      ? Promise.resolve([])
      : all<{ readonly hash: string }>(sql`
          select hash
          from blocks
          where height >= ${signedSize}
          order by height`),
    first<{
      readonly height: number;
      readonly hash: string;
      readonly recorded_at: string | null;
      readonly canonical: string | null;
      readonly known_hash: string | null;
      readonly attempted_hash: string | null;
      readonly frontier: Uint8Array | null;
      readonly derived_version: number | null;
      readonly transactions: number | null;
      readonly database_ms: number;
    }>(sql`
      select
        b.height, b.hash,
        case when b.hash = h.hash then h.recorded_at end as recorded_at,
        case when b.hash = h.hash then null else b.canonical end as canonical,
        (select hash from blocks where height = ${known?.height ?? null}) as known_hash,
        (select hash from blocks where height = ${attempted?.height ?? null}) as attempted_hash,
        case when b.hash = h.hash and b.height = h.height then h.frontier end as frontier,
        h.derived_version, h.transactions,
        cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as database_ms
      from (select height, hash, canonical from blocks order by height desc limit 1) b
      left join head h on h.id = 1`),
  ]);
  // As in `lockHead`; other processes may by now have appended to the blocks that were read here
  // and in the other statements.
  if (locked.length === 0 && (await all(LOCK_HEAD)).length > 0) {
    throw new DatabaseError('database_busy', 'appending: the rows were made anew meanwhile');
  }
  if (row === undefined) throw new Error('there is a hub without any block: restore a backup');
  if ((row.derived_version ?? 0) > DERIVED_VERSION) {
    throw new DatabaseError(
      'database_too_new',
      'appending: another process has brought the database to a newer version: end this one and ' +
        'start the newer program',
    );
  }
  return {
    head: {
      height: row.height,
      hash: row.hash,
      frontier: storedFrontier(row.height, row.frontier),
      recordedAt: row.recorded_at ?? readRecordedAt(present(row.canonical, 'the last block')),
    },
    holdsKnown:
      known === undefined ||
      row.known_hash === known.hash ||
      (await isLossAccepted({ first }, known)),
    holdsAttempted: attempted !== undefined && row.attempted_hash === attempted.hash,
    transactions: row.transactions ?? 0,
    databaseMs: row.database_ms,
    leavesSince: since.map(({ hash }) => toLeaf(hash)),
  };
}

/**
 * Returns whether an operator has accepted the chain after a restore, which clears the alarms about
 * its tip.
 */
async function isLossAccepted(
  { first }: Pick<PostgresTransaction, 'first'>,
  lost: Head,
): Promise<boolean> {
  const accepted = await first(sql`
    select id
    from chain_alarms
    where cleared_at > ${lost.recordedAt} and code in (${inList(TIP_MISMATCH_CODES)})
    limit 1`);
  return accepted !== undefined;
}
