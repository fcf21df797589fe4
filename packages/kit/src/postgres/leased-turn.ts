// Turns of processes over one PostgreSQL database: the process that holds the lease has the turn.
import { Lease } from './lease.ts';
import type { PostgresConnection } from './connection.ts';
import type { Turn } from '../turn.ts';

/** Lease duration. After a crash no process works for this long. */
export const TURN_LEASE_MS = 5_000;
/** How often the holder renews its lease, and the others try to take it. */
const RENEW_EVERY_MS = 1_000;

export interface LeasedTurnOptions {
  readonly connection: PostgresConnection;
  /** What the work is called; the holders of one name exclude each other. */
  readonly name: string;
}

export class LeasedTurn implements Turn {
  readonly #lease: Lease;
  #isOurs = false;
  #askAgainMs = 0;

  constructor({ connection, name }: LeasedTurnOptions) {
    this.#lease = new Lease({ connection, name, ttlMs: TURN_LEASE_MS });
  }

  async take(): Promise<boolean> {
    const nowMs = performance.now();
    if (nowMs >= this.#askAgainMs) {
      this.#isOurs = await this.#lease.takeOrRenew();
      this.#askAgainMs = nowMs + RENEW_EVERY_MS;
    }
    return this.#isOurs;
  }

  async release(): Promise<void> {
    this.#askAgainMs = 0;
    if (!this.#isOurs) return;
    this.#isOurs = false;
    await this.#lease.release();
  }
}
