// Work that one process does at a time: the process that holds the lease, which it renews meanwhile. A
// process that crashes, or cannot reach the database, stops renewing; then another one takes the lease.
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { PostgresConnection } from './connection.ts';

export interface LeaseOptions {
  readonly connection: PostgresConnection;
  /** What the work is called; the holders of one name exclude each other. */
  readonly name: string;
  /**
   * How long the lease is valid without a renewal, by the database's clock. After its holder crashes,
   * nobody does the work for this long.
   */
  readonly ttlMs: number;
}

/**
 * A lease does not exclude that two processes work: a holder that was paused for longer than `ttlMs`
 * continues until it renews again. The work must be safe to do twice.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #holder = randomUUID();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * Runs one statement: of several processes that try at once, one gets the lease.
   * @returns whether this holder has it, for `ttlMs` from now; false when another has
   * @throws DatabaseError when the database cannot be reached: then the lease counts as lost
   */
  async takeOrRenew(): Promise<boolean> {
    const { connection, name, ttlMs } = this.#options;
    const held = await connection.first(sql`
      insert into leases (name, holder, expires_at)
      values (
        ${name},
        ${this.#holder},
        now() + ${ttlMs}::bigint * interval '1 millisecond'
      )
      on conflict (name) do update
      set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at <= now()
      returning holder
    `);
    return held !== undefined;
  }

  /** Frees the lease for another process; does nothing when this holder does not have it. */
  async release(): Promise<void> {
    const { connection, name } = this.#options;
    await connection.all(sql`
      delete from leases
      where name = ${name} and holder = ${this.#holder}
    `);
  }
}
