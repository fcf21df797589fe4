/** The file with the list of logs: read at the start, and again while the witness runs when it changes. */
import { readFile, stat } from 'node:fs/promises';
import { LIST_BYTES_MAX, LogListError, parseLogList, type LogList } from './log-list.ts';
import { WitnessError } from './witness-error.ts';

/** How often it is looked whether the file changed. */
const LOOK_EVERY_MS = 5_000;

/**
 * @throws WitnessError `list_unusable`
 */
export async function readListFile(file: string): Promise<LogList> {
  try {
    const { size } = await stat(file);
    if (size > LIST_BYTES_MAX) throw new LogListError(`it has more than ${LIST_BYTES_MAX} bytes`);
    return await parseLogList(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WitnessError(
      'list_unusable',
      `reading the list of logs in ${file}: ${reason}; give WITNESS_LOGS a list of the form ` +
        'logs/v0 (docs/operating.md, “Witnesses”)',
      { cause: error },
    );
  }
}

/** Reads the list again whenever the file changes. Disposing ends it and waits for a reading under way. */
export class ListWatch implements AsyncDisposable {
  readonly #options: ListWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #seen: string | undefined;
  #looking: Promise<void> | undefined;

  private constructor(options: ListWatchOptions, seen: string | undefined) {
    this.#options = options;
    this.#seen = seen;
    this.#timer = setInterval(() => this.#begin(), options.everyMs ?? LOOK_EVERY_MS).unref();
  }

  /** Before the first reading, so that no change is missed. */
  static async start(options: ListWatchOptions): Promise<ListWatch> {
    return new ListWatch(options, await readState(options.file));
  }

  #begin(): void {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
  }

  async #look(): Promise<void> {
    const { file, onChange, onError } = this.#options;
    const state = await readState(file);
    if (state === this.#seen) return;
    this.#seen = state;
    try {
      await onChange(await readListFile(file));
    } catch (error) {
      onError(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }
}

export interface ListWatchOptions {
  readonly file: string;
  readonly onChange: (list: LogList) => Promise<void>;
  /** What is known stays as it was. */
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number | undefined;
}

/** Which file it is, and when it was written; undefined when there is none. */
async function readState(file: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    // Reading it says what is wrong.
    return undefined;
  }
}
