// Lets few imports run at a time and few more wait, and of one tenant only its share: each takes a
// thread, a file and its share of the disk.

export interface ImportLimits {
  /** Imports that run at once. */
  readonly runningMax: number;
  /** Imports that run, wait or are being uploaded, of all tenants. */
  readonly admittedMax: number;
  /** Imports that run, wait or are being uploaded, of one tenant. */
  readonly tenantMax: number;
}

/**
 * The limits of one process: each running import may keep a processor busy, and each admitted one
 * may fill a gigabyte of disk, and twice that. The limit of one tenant leaves places for two
 * others.
 */
export const IMPORT_LIMITS: ImportLimits = { runningMax: 2, admittedMax: 6, tenantMax: 2 };

/** The limit that is reached. */
export type FullLimit = 'tenant_full' | 'hub_full';

export class Turns {
  readonly #limits: ImportLimits;
  readonly #waiting: (() => void)[] = [];
  readonly #admittedOf = new Map<string, number>();
  #running = 0;
  #admitted = 0;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }

  /** Returns a place in the queue, which disposing of it frees; or the limit that is reached. */
  admit(tenantId: string): Disposable | FullLimit {
    const { admittedMax, tenantMax } = this.#limits;
    const ofTenant = this.#admittedOf.get(tenantId) ?? 0;
    if (ofTenant >= tenantMax) return 'tenant_full';
    if (this.#admitted >= admittedMax) return 'hub_full';
    this.#admitted += 1;
    this.#admittedOf.set(tenantId, ofTenant + 1);
    return { [Symbol.dispose]: () => this.#leave(tenantId) };
  }

  /**
   * Waits for a turn, first come first served; disposing of it lets the next one run.
   * @throws the signal's reason when it is given before the turn
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    // An import that ends passes its turn on, so that no other one can take it in between.
    if (this.#running >= this.#limits.runningMax) await this.#wait(signal);
    else this.#running += 1;
    return {
      [Symbol.dispose]: () => {
        const next = this.#waiting.shift();
        if (next === undefined) this.#running -= 1;
        else next();
      },
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<'turn' | 'aborted'>();
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(run), 1);
      resolve('aborted');
    };
    const run = (): void => {
      signal.removeEventListener('abort', leave);
      resolve('turn');
    };
    this.#waiting.push(run);
    signal.addEventListener('abort', leave, { once: true });
    if ((await promise) === 'aborted') signal.throwIfAborted();
  }

  #leave(tenantId: string): void {
    const ofTenant = this.#admittedOf.get(tenantId);
    if (ofTenant === undefined) throw new Error('a place was given back twice');
    this.#admitted -= 1;
    if (ofTenant > 1) this.#admittedOf.set(tenantId, ofTenant - 1);
    else this.#admittedOf.delete(tenantId);
  }
}
