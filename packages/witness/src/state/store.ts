/** The state of a witness as the serving thread sees it: reads here, writes by the writer thread. */
import type { TreeHead } from '@lothub/chain/log';
import { pagesInTurns } from '@lothub/kit/in-turns';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { readMigrations } from '@lothub/kit/migrations';
import { at } from '@lothub/kit/present';
import { WriterThread } from '@lothub/kit/writer/thread';
import sql from 'sql-template-tag';
import type { ListedLog } from '../log-list.ts';
import { SERVICE_NAME, schemaFolder, stateFile } from './database.ts';
import type { NextCheckpoint, StateAnswer, StateJob, StateWriterData } from './jobs.ts';

/** What was cosigned last of a log. */
export interface CosignedLog extends TreeHead {
  /** The three lines and the log's signatures; null before the first cosignature. */
  readonly checkpoint: string | null;
  /** Seconds since 1970; null before the first cosignature. */
  readonly cosigned_at: number | null;
}

/** Rows that are read at once. */
const PAGE_ROWS = 500;

/** A checkpoint on its way to the writer. */
interface Waiting {
  readonly next: NextCheckpoint;
  readonly resolve: (isTaken: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export class StateStore implements AsyncDisposable {
  readonly #reader: SqliteConnection;
  readonly #writer: WriterThread<StateJob, StateAnswer>;
  /** What was cosigned last, as far as it was asked for: reading it was a tenth of a request. */
  readonly #cosigned = new Map<string, CosignedLog>();
  /** Checkpoints that were given to the writer and are not answered. */
  #pending = 0;
  #gathered: Waiting[] = [];

  private constructor(reader: SqliteConnection, writer: WriterThread<StateJob, StateAnswer>) {
    this.#reader = reader;
    this.#writer = writer;
  }

  /** @param options.onFatal called when nothing can be written any more */
  static async open(options: {
    readonly dataDir: string;
    readonly onFatal: (error: Error) => void;
  }): Promise<StateStore> {
    const file = stateFile(options.dataDir);
    await migrate(file);
    const workerData: StateWriterData = { file };
    const writer = await WriterThread.start<StateJob, StateAnswer>({
      module: new URL('./writer.ts', import.meta.url),
      workerData,
      onFatal: options.onFatal,
      onUpgrade: undefined,
      signal: undefined,
    });
    return new StateStore(new SqliteConnection(file, 'read'), writer);
  }

  /** @throws DatabaseError */
  async find(origin: string): Promise<CosignedLog | undefined> {
    const known = this.#cosigned.get(origin);
    if (known !== undefined) return known;
    const stored = await this.#reader.first<CosignedLog>(sql`
      select origin, size, root, checkpoint, cosigned_at
      from cosigned_logs
      where origin = ${origin}`);
    // Not while it may be changed: what was read may be older than what the writer answers meanwhile.
    if (stored !== undefined && this.#pending === 0) this.#cosigned.set(origin, stored);
    return stored;
  }

  /** Every key of every log. */
  async *keys(): AsyncGenerator<readonly ListedLog[]> {
    const read = (end: { readonly vkey: string }, limit: number): Promise<readonly ListedLog[]> =>
      this.#reader.all(sql`
        select vkey, origin, qpd, contact
        from log_keys
        where vkey > ${end.vkey}
        order by vkey
        limit ${limit}`);
    yield* pagesInTurns({ start: { vkey: '' }, limit: PAGE_ROWS, read });
  }

  /**
   * Takes a checkpoint as the last one of its log; on disk when it answers.
   * @returns false when another one is the last by now
   * @throws DatabaseError, `database_unsure` when nobody can say whether it was taken
   */
  async cosign(next: NextCheckpoint): Promise<boolean> {
    const { origin, after, checkpoint, time } = next;
    this.#pending += 1;
    // Until the writer has answered, only the database says what was cosigned last.
    this.#cosigned.delete(origin);
    try {
      const isTaken = await this.#gather(next);
      if (isTaken) this.#cosigned.set(origin, { origin, ...after, checkpoint, cosigned_at: time });
      return isTaken;
    } finally {
      this.#pending -= 1;
    }
  }

  #gather(next: NextCheckpoint): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#gathered.push({ next, resolve, reject });
    // Those of one turn of the event loop go to the writer in one message.
    if (this.#gathered.length === 1) setImmediate(() => void this.#send());
    return promise;
  }

  async #send(): Promise<void> {
    const waiting = this.#gathered;
    this.#gathered = [];
    try {
      const next = waiting.map((one) => one.next);
      const taken = await this.#writer.submit({ kind: 'cosign', next }, next.length);
      waiting.forEach(({ resolve }, place) => resolve(at(taken, place)));
    } catch (error) {
      waiting.forEach(({ reject }) => reject(error));
    }
  }

  /** Adds keys, all or none; those that are there already stay as they are. */
  async add(logs: readonly ListedLog[]): Promise<void> {
    await this.#writer.submit({ kind: 'add', logs }, logs.length);
  }

  abandon(): void {
    this.#writer.abandon();
  }

  /** Requests that were begun are answered before: the app is closed first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#reader.close();
  }
}

async function migrate(file: string): Promise<void> {
  await using connection = new SqliteConnection(file, 'write');
  migrateSqlite(connection, readMigrations(schemaFolder), SERVICE_NAME);
}
