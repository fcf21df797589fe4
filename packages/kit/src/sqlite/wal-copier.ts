// Has the write-ahead log copied into the database file by another thread while the writer goes on. A log that
// is full is copied again and again, each time what came during the copying before, until the writer has so
// little left to copy that nobody waits long for it; the next commit then begins the log anew.
import { Worker } from 'node:worker_threads';
import { present } from '../present.ts';
import type { SqliteConnection } from './connection.ts';

/** What the thread is started with. */
export interface CopierData {
  readonly file: string;
  /** One number: 1 from asking the thread to copy until it has, otherwise 0. */
  readonly copying: Int32Array<SharedArrayBuffer>;
}

/** Pages that wait in the log before they are copied, a quarter of what it may hold. */
export const PAGES_PER_COPY = 4_000;
/** Pages in the log before it is to begin anew: 64 MiB. Copied more often, more pages are copied twice. */
export const LOG_PAGES = 16_000;
/** Pages that the writer copies itself, in up to 9 ms at full load; a page written often is copied once. */
export const PAGES_OF_WRITER = 300;
/** Pages written between two attempts with a full log, which somebody may still read. */
const PAGES_BETWEEN_ATTEMPTS = 100;
/** Pages in the log before a commit copies it, when copying beside it does not keep up: 256 MiB. */
const LOG_PAGES_MAX = 64_000;
/** How long the writer waits for a copying that is under way. */
const SETTLE_MS = 5_000;

const LOOK = 'pragma wal_checkpoint(noop)';
const COPY = 'pragma wal_checkpoint(passive)';

export class WalCopier implements AsyncDisposable {
  readonly #connection: SqliteConnection;
  readonly #data: CopierData;
  readonly #onFailure: (error: unknown) => void;
  /** Pages in the log at the last attempt. */
  #attemptedAt = 0;
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
    this.#copyAtCommit(LOG_PAGES_MAX);
    this.#data = {
      file: present(options.connection.database.location() ?? undefined, 'the file of a database'),
      copying: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    };
  }

  /**
   * To be called after each commit. The commit is kept whatever fails here. A service that writes little never
   * starts the thread.
   */
  copyWhenDue(): void {
    if (this.#isBroken || Atomics.load(this.#data.copying, 0) !== 0) return;
    try {
      this.#copyIfDue();
    } catch {
      // What is wrong with the disk the next commit finds as well; it copies a log that has grown too long.
    }
  }

  #copyIfDue(): void {
    const row = this.#connection.statement(LOOK).get();
    const log = Number(row?.['log']);
    const waiting = log - Number(row?.['checkpointed']);
    // A log that began anew is shorter than it was.
    if (log < this.#attemptedAt) this.#attemptedAt = 0;
    if (waiting < PAGES_PER_COPY && log < LOG_PAGES) return;
    if (log < this.#attemptedAt + PAGES_BETWEEN_ATTEMPTS) return;
    this.#attemptedAt = log;
    if (waiting <= PAGES_OF_WRITER) {
      this.#connection.statement(COPY).get();
      return;
    }
    Atomics.store(this.#data.copying, 0, 1);
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

  /** @param pages in the log from which on a commit copies it */
  #copyAtCommit(pages: number): void {
    this.#connection.database.exec(`pragma wal_autocheckpoint = ${pages}`);
  }

  #start(): Worker {
    const thread = new Worker(new URL('./wal-copier-thread.ts', import.meta.url), {
      workerData: this.#data,
    });
    thread.on('error', (error) => {
      this.#isBroken = true;
      this.#copyAtCommit(LOG_PAGES);
      Atomics.store(this.#data.copying, 0, 0);
      this.#onFailure(error);
    });
    thread.unref();
    return thread;
  }
}
