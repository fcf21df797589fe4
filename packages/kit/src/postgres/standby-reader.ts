// Reads from a standby when the result is the same as on the primary, and from the primary otherwise.
//
// A state is never older than what anybody was acknowledged before the read began. A commit is
// acknowledged when its record is in the primary's log, so the primary's position in its log, asked
// after the read began, is behind every acknowledged commit; the standby answers only when it has
// replayed that far. Asking on the connection that reads makes this true even when the standby is
// restarted, after which it may be at an earlier position: its connections do not survive that.
//
// States do not go backwards from one read to the next either, whichever process and server answers
// them. A standby shows a commit as soon as it has replayed it, which may be a moment before the
// primary does, or long before while the primary waits for another standby's acknowledgement; a later
// read from the primary would then lack it. So what a standby showed is given out only when the primary
// shows it too: when no transaction that the standby may have shown is unfinished on the primary
// any more. From there on every read contains it: one from the primary because it is visible there, and
// one from a standby because its record is before the position that this read has to reach.
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { DatabaseError, type DatabaseReader, type TimeLimit } from '../database.ts';
import { within } from '../within.ts';
import type { PostgresConnection } from './connection.ts';
import { isSerializationFailure, readErrorCode } from './errors.ts';
import { SharedQuestion } from '../serving/shared-question.ts';

/** As long as a read waits for the standby before it turns to the primary. */
const WAIT_MS_MAX = 50;
const POLL_MS = 2;
/** A standby that does not report its position within this time counts as unreachable. */
const ANSWER_MS_MAX = 1_000;
/** A standby is not used for this time after a failure; the time doubles with each further failure. */
const REST_MS_MIN = 100;
const REST_MS_MAX = 10_000;
/** SQLSTATE of a statement that took too long; the primary would take as long again. */
const TOOK_TOO_LONG = '57014';

export interface StandbyReaderOptions {
  /** Read when the standby cannot be; it is not closed here. */
  readonly primary: PostgresConnection;
  /** With the option `pipeline`, and best by `openLater`; closed with the reader. */
  readonly standby: PostgresConnection;
  readonly waitMsMax?: number;
}

/** Positions are bytes of log since the beginning; transactions have 64-bit numbers in their order. */
interface PrimaryState {
  readonly position: number;
  readonly timeline: string;
  readonly system: string;
  /** Every transaction before this one has ended. */
  readonly unfinished: number;
}

interface StandbyState {
  readonly recovering: number;
  readonly position: number | null;
  readonly timeline: string;
  readonly system: string;
}

const PRIMARY_STATE = sql`
  select pg_current_wal_lsn() - '0/0'::pg_lsn as position,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
    (select system_identifier::text from pg_control_system()) as system,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as unfinished
`;

/**
 * The timeline is that of the stream, which only a role with pg_monitor sees, or else that of the last
 * restart point: after a promotion elsewhere it is right some minutes late, and nothing is read here
 * until then.
 */
const STANDBY_STATE = sql`
  select pg_is_in_recovery() as recovering,
    pg_last_wal_replay_lsn() - '0/0'::pg_lsn as position,
    lpad(
      upper(
        to_hex(
          coalesce(
            (select received_tli from pg_stat_wal_receiver),
            (select timeline_id from pg_control_checkpoint())
          )
        )
      ),
      8,
      '0'
    ) as timeline,
    (select system_identifier::text from pg_control_system()) as system
`;

/** Every transaction that a read before this one may have shown is before this number. */
const SHOWN_BEFORE = sql`
  select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as transaction
`;

/** Why the standby is not read this time. It never leaves this file. */
class StandbyUnusable extends Error {}

export class StandbyReader implements DatabaseReader {
  readonly #primary: PostgresConnection;
  readonly #standby: PostgresConnection;
  readonly #waitMsMax: number;
  readonly #primaryState: SharedQuestion<PrimaryState>;
  readonly #standbyState: SharedQuestion<StandbyState>;
  readonly #reads = { primary: 0, standby: 0 };
  #rests = 0;
  /** 0 while the standby is in use. */
  #restMs = 0;
  #restUntil = 0;

  constructor({ primary, standby, waitMsMax = WAIT_MS_MAX }: StandbyReaderOptions) {
    this.#primary = primary;
    this.#standby = standby;
    this.#waitMsMax = waitMsMax;
    this.#primaryState = new SharedQuestion(() => readState<PrimaryState>(primary, PRIMARY_STATE));
    this.#standbyState = new SharedQuestion(() => readState<StandbyState>(standby, STANDBY_STATE));
  }

  /** The time limit is that of the primary; the standby is never waited for as long. */
  async all<Row>(query: Sql, limit?: TimeLimit): Promise<readonly Row[]> {
    if (this.#mayTryStandby()) {
      const rest = this.#rests;
      try {
        const rows = await this.#fromStandby<Row>(query);
        this.#restMs = 0;
        this.#reads.standby += 1;
        return rows;
      } catch (error) {
        // Whatever is wrong, the primary decides: a defect of the query shows there too.
        if (rest === this.#rests) this.#restAfter(error);
        if (tookTooLong(error)) throw error;
      }
    }
    this.#reads.primary += 1;
    return this.#primary.all<Row>(query, limit);
  }

  async first<Row>(query: Sql, limit?: TimeLimit): Promise<Row | undefined> {
    return (await this.all<Row>(query, limit))[0];
  }

  /** Ends what waits for the standby; the primary is its owner's. */
  abandon(): void {
    this.#standby.abandon();
  }

  /** Reads answered by each side so far. */
  get reads(): { readonly primary: number; readonly standby: number } {
    return { ...this.#reads };
  }

  close(): Promise<void> {
    return this.#standby.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #fromStandby<Row>(query: Sql): Promise<readonly Row[]> {
    const deadline = performance.now() + this.#waitMsMax;
    const primary = await this.#untilReplayed(deadline);
    const [state, rows, shownBefore] = await this.#standby.session(({ first, all }) =>
      Promise.all([
        first<StandbyState>(STANDBY_STATE),
        all<Row>(query),
        first<{ transaction: number }>(SHOWN_BEFORE),
      ]),
    );
    if (!hasReached(state, primary)) throw new StandbyUnusable('it was restarted meanwhile');
    await this.#untilVisible(shownBefore?.transaction ?? Infinity, primary, deadline);
    return rows;
  }

  /** @returns the state of the primary that the standby has reached */
  async #untilReplayed(deadline: number): Promise<PrimaryState> {
    // Both at once: a standby that follows closely is there when the primary answers.
    const asked = await Promise.all([this.#primaryState.ask(), this.#askStandby()]);
    const [primary] = asked;
    let [, standby] = asked;
    while (!hasReached(standby, primary)) {
      await pollAgain(deadline);
      standby = await this.#askStandby();
    }
    return primary;
  }

  async #untilVisible(transaction: number, before: PrimaryState, deadline: number): Promise<void> {
    let primary = before;
    while (primary.unfinished < transaction) {
      if (primary !== before) await pollAgain(deadline);
      primary = await this.#primaryState.ask();
      // Another server took over, and may not have what the standby showed.
      if (!isSameHistory(primary, before)) throw new StandbyUnusable('the primary is another one');
    }
  }

  async #askStandby(): Promise<StandbyState> {
    return await within(this.#standbyState.ask(), {
      ms: ANSWER_MS_MAX,
      late: () => new StandbyUnusable('it does not answer'),
    });
  }

  /** After a pause one read tries the standby again; meanwhile the others still use the primary. */
  #mayTryStandby(): boolean {
    if (this.#restMs === 0) return true;
    const now = performance.now();
    if (now < this.#restUntil) return false;
    this.#restUntil = now + REST_MS_MAX;
    return true;
  }

  /** Not to be called for reads that were under way together, of which one has had it called. */
  #restAfter(error: unknown): void {
    // A read that was cancelled for the replay, or that took too long, does not predict the next one.
    const standbyIsUsable = isSerializationFailure(error) || tookTooLong(error);
    this.#rests += 1;
    this.#restMs = standbyIsUsable
      ? 0
      : Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, this.#restMs * 2));
    this.#restUntil = performance.now() + this.#restMs;
  }
}

async function readState<State>(connection: PostgresConnection, query: Sql): Promise<State> {
  const state = await connection.first<State>(query);
  if (state === undefined) throw new StandbyUnusable('no row');
  return state;
}

function isSameHistory(
  one: Pick<PrimaryState, 'timeline' | 'system'>,
  other: Pick<PrimaryState, 'timeline' | 'system'>,
): boolean {
  return one.timeline === other.timeline && one.system === other.system;
}

/** @throws StandbyUnusable when waiting would not help */
function hasReached(standby: StandbyState | undefined, primary: PrimaryState): boolean {
  if (standby?.recovering !== 1) throw new StandbyUnusable('it is no standby');
  if (!isSameHistory(standby, primary)) throw new StandbyUnusable('it follows another primary');
  return standby.position !== null && standby.position >= primary.position;
}

async function pollAgain(deadline: number): Promise<void> {
  if (performance.now() >= deadline) throw new StandbyUnusable('it is behind');
  await sleep(POLL_MS);
}

function tookTooLong(error: unknown): boolean {
  return readErrorCode(error instanceof DatabaseError ? error.cause : error) === TOOK_TOO_LONG;
}
