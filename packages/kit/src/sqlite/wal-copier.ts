// Has the write-ahead log copied into the database file by another thread while the writer goes on. The
// commit that finds the log full copies what has come since, and nobody waits long for it.
import { Worker } from 'node:worker_threads';
import { present } from '../present.ts';
import type { SqliteConnection } from './connection.ts';

/** What the thread is started with. */
export interface CopierData {
  readonly file: string;
  /** One number: 1 from asking the thread to copy until it has, otherwise 0. */
  readonly copying: Int32Array<SharedArrayBuffer>;
}

/**
 * Rows written, those of indexes for full text among them, between one copying and the next: some
 * thousand pages, a quarter of what the log may hold.
 */
export const ROWS_PER_COPY = 10_000;
/** How long the writer waits for a copying that is under way. */
const SETTLE_MS = 5_000;

const ROWS_WRITTEN = 'select total_changes() as rows';

export class WalCopier implements AsyncDisposable {
  readonly #connection: SqliteConnection;
  readonly #data: CopierData;
  readonly #onFailure: (error: unknown) => void;
  #rowsCopied = 0;
  #thread: Worker | undefined;
  #isBroken = false;

  /**
   * @param options `connection`: of the calling thread; it writes the file.
   * `onFailure`: the thread has ended, and the writer copies alone from then on
   */
  constructor(options: {
    readonly connection: SqliteConnection;
    readonly onFailure: (error: unknown) => void;
  }) {
    this.#connection = options.connection;
    this.#onFailure = options.onFailure;
    this.#data = {
      file: present(options.connection.database.location() ?? undefined, 'the file of a database'),
      copying: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    };
  }

  /** To be called after each commit. A service that writes little never starts the thread. */
  copyWhenDue(): void {
    const rows = Number(this.#connection.statement(ROWS_WRITTEN).get()?.['rows']);
    if (rows - this.#rowsCopied < ROWS_PER_COPY || this.#isBroken) return;
    const { copying } = this.#data;
    if (Atomics.load(copying, 0) !== 0) return;
    this.#rowsCopied = rows;
    Atomics.store(copying, 0, 1);
    this.#thread ??= this.#start();
    this.#thread.postMessage('copy');
  }

  /** Waits until nothing is copied in the background; the calling thread does nothing else meanwhile. */
  settle(): void {
    Atomics.wait(this.#data.copying, 0, 1, SETTLE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isBroken = true;
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./wal-copier-thread.ts', import.meta.url), {
      workerData: this.#data,
    });
    thread.on('error', (error) => {
      this.#isBroken = true;
      Atomics.store(this.#data.copying, 0, 0);
      this.#onFailure(error);
    });
    thread.unref();
    return thread;
  }
}
