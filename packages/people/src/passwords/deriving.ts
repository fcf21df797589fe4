// Keys derived from passwords (argon2id), in threads of which each makes one at a time, when nothing else has to be done.
import { Worker } from 'node:worker_threads';

/** As argon2 takes them. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface Derivation {
  readonly password: string;
  readonly cost: PasswordCost;
  readonly salt: Uint8Array;
  readonly keyBytes: number;
}

export type DerivedKey = Uint8Array;

/** An unused thread ends after this long; the next one takes some 40 ms to start. */
const IDLE_MS = 60_000;

/** One thread. It starts at its first use and never keeps the process running. */
export class DerivingThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** One at a time: the caller waits for the key before the next call. */
  async derive(derivation: Derivation): Promise<Buffer> {
    clearTimeout(this.#idle);
    this.#worker ??= startWorker();
    const worker = this.#worker;
    // While somebody waits the process has to stay; without work it may end.
    worker.ref();
    try {
      return Buffer.from(await keyFrom(worker, derivation));
    } catch (error) {
      // It is replaced by the next one: what failed may be the thread itself.
      this.#end();
      throw error;
    } finally {
      this.#worker?.unref();
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function startWorker(): Worker {
  return new Worker(new URL('./deriving-thread.ts', import.meta.url), { name: 'passwords' });
}

async function keyFrom(worker: Worker, derivation: Derivation): Promise<DerivedKey> {
  const { promise, resolve, reject } = Promise.withResolvers<DerivedKey>();
  const onExit = (code: number): void => {
    reject(new Error(`deriving the key of a password: the thread ended with code ${code}`));
  };
  worker.once('message', resolve).once('error', reject).once('exit', onExit);
  worker.postMessage(derivation);
  try {
    return await promise;
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', onExit);
  }
}
