// Notices that a SQLite database has changed, whichever connection committed: the writer of this process, or
// another process such as the command line.
import type { SqliteConnection } from './connection.ts';

const LOOK_EVERY_MS = 500;

export class CommitWatch implements Disposable {
  readonly #reader: SqliteConnection;
  readonly #onCommit: () => void;
  readonly #looking: NodeJS.Timeout;
  #dataVersion: unknown;

  /** @param onCommit called soon after a commit, perhaps once for several, perhaps without reason */
  constructor(reader: SqliteConnection, onCommit: () => void) {
    this.#reader = reader;
    this.#onCommit = onCommit;
    this.#dataVersion = this.#readDataVersion();
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** To be called before the reader is closed. */
  [Symbol.dispose](): void {
    clearInterval(this.#looking);
  }

  #look(): void {
    const version = this.#readDataVersion();
    if (version === this.#dataVersion && version !== undefined) return;
    this.#dataVersion = version;
    this.#onCommit();
  }

  /**
   * Another number after each commit of another connection; undefined when it cannot be read just now, which
   * the next read reports.
   */
  #readDataVersion(): unknown {
    try {
      return this.#reader.statement('pragma data_version').get()?.['data_version'];
    } catch {
      return undefined;
    }
  }
}
