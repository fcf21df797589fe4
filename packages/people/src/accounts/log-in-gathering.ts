// Writes the sessions of simultaneous log-ins in one commit. Each commit waits for the disk and delays other writers
// of the same disk: one commit for ten sessions delays them a tenth as long.
import { setTimeout as sleep } from 'node:timers/promises';

/** So many log-ins within `BUSY_WITHIN_MS` are gathered; fewer are not kept waiting. */
const BUSY_LOG_INS = 8;
const BUSY_WITHIN_MS = 1_000;
/** Nobody notices it beside the time that a password takes on a machine that is this busy. */
const GATHER_MS = 200;

export class LogInGathering {
  readonly #nowMs: () => number;
  /** When the latest log-ins came, oldest first; never more than `BUSY_LOG_INS`. */
  readonly #latestMs: number[] = [];
  #gathering: Promise<void> | undefined;

  /** @param nowMs of a clock that never goes back */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Resolves when the session may be written: at once, or together with those of others. */
  async join(): Promise<void> {
    const nowMs = this.#nowMs();
    this.#latestMs.push(nowMs);
    const before = this.#latestMs.length > BUSY_LOG_INS ? this.#latestMs.shift() : undefined;
    if (before === undefined || nowMs - before > BUSY_WITHIN_MS) return;
    this.#gathering ??= sleep(GATHER_MS).then(() => {
      this.#gathering = undefined;
    });
    await this.#gathering;
  }
}
