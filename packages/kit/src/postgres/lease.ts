// Work that one process does at a time: whoever has the lease does it, and renews it meanwhile. Who
// dies, or cannot reach the database, stops renewing; then another takes over.
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { PostgresConnection } from './connection.ts';

export interface LeaseOptions {
  readonly connection: PostgresConnection;
  /** What the work is called; the holders of one name exclude each other. */
  readonly name: string;
  /**
   * How long the lease is good for without being renewed, by the database's clock: so long nobody
   * does the work when its holder dies.
   */
  readonly ttlMs: number;
}

/**
 * A lease orders work, it does not guard it: a holder that was stopped for longer than `ttlMs` goes on
 * until it asks again. The work itself must bear being done twice.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #holder = randomUUID();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * In one statement: of several who ask at once, one gets it.
   * @returns whether this holder has it, for `ttlMs` from now; false when another has
   * @throws DatabaseError when the database cannot be asked: then it has to be taken for lost
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

  /** Lets another take it at once; does nothing when this holder does not have it. */
  async release(): Promise<void> {
    const { connection, name } = this.#options;
    await connection.all(sql`
      delete from leases
      where name = ${name} and holder = ${this.#holder}
    `);
  }
}
