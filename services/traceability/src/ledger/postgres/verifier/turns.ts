// Turns of the background verifiers of all processes over one PostgreSQL database: a lease says
// whose turn it is, and one row how far that one has come.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import type { Turn } from '@lothub/kit/turn';
import type { VerifiedProgress, VerifierTurns } from '../../verify/background/turns.ts';

/** Intervals of writes of the row, while the chain grows and while it does not. */
const SHARE_GROWTH_EVERY_MS = 500;
const SHARE_TIME_EVERY_MS = 5_000;

export interface PostgresTurnsOptions {
  readonly connection: PostgresConnection;
  readonly turn: Turn;
  readonly clock: Clock;
}

export class PostgresTurns implements VerifierTurns {
  readonly #connection: PostgresConnection;
  readonly #turn: Turn;
  readonly #clock: Clock;
  #said: { readonly through: number; readonly atMs: number } | undefined;

  constructor(options: PostgresTurnsOptions) {
    this.#connection = options.connection;
    this.#turn = options.turn;
    this.#clock = options.clock;
  }

  take(): Promise<boolean> {
    return this.#turn.take();
  }

  release(): Promise<void> {
    return this.#turn.release();
  }

  async share(
    verifiedThrough: number,
    when: 'at_once' | 'in_time',
  ): Promise<VerifiedProgress | undefined> {
    if (when === 'in_time' && !this.#isTimeToSay(verifiedThrough)) return undefined;
    // A process that starts again does not reduce the number: what it finds wrong becomes an alarm.
    const rows = await this.#connection.all<ProgressRow>(sql`
      insert into verifier_progress (id, verified_through, verified_at)
      values (1, ${verifiedThrough}, ${instantText(this.#clock.nowMs())})
      on conflict (id) do update set
        verified_through = greatest(verifier_progress.verified_through, excluded.verified_through),
        verified_at = excluded.verified_at
      returning verified_through, verified_at`);
    this.#said = { through: verifiedThrough, atMs: performance.now() };
    return toProgress(rows[0]);
  }

  async shared(): Promise<VerifiedProgress | undefined> {
    return toProgress(
      await this.#connection.first<ProgressRow>(
        sql`select verified_through, verified_at from verifier_progress where id = 1`,
      ),
    );
  }

  #isTimeToSay(verifiedThrough: number): boolean {
    const said = this.#said;
    if (said === undefined) return true;
    const everyMs = verifiedThrough > said.through ? SHARE_GROWTH_EVERY_MS : SHARE_TIME_EVERY_MS;
    return performance.now() >= said.atMs + everyMs;
  }
}

interface ProgressRow {
  readonly verified_through: number;
  readonly verified_at: string | null;
}

function toProgress(row: ProgressRow | undefined): VerifiedProgress | undefined {
  if (row === undefined || row.verified_at === null) return undefined;
  return { verifiedThrough: row.verified_through, verifiedAt: row.verified_at };
}
