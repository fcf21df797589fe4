// The seam between the services and a database engine: what every engine must offer.
// A query is written once with sql-template-tag, in the words both engines share.
import type { Sql } from 'sql-template-tag';
import { cutSlices } from './in-list.ts';
import { nextTurn } from './in-turns.ts';

/** Codes of everything a database can refuse; the routes map them to statuses. */
export type DatabaseErrorCode =
  | 'database_too_new'
  | 'database_unsupported'
  | 'database_busy'
  | 'database_full'
  /** The clock of this machine is not believed: what is written would carry a wrong time. */
  | 'clock_untrusted'
  /** As `CommitUnknownError`. */
  | 'database_unsure'
  | 'database_failed';

export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseError';
    this.code = code;
  }
}

/**
 * The outcome of a commit is unknown: all of it is stored or nothing, and a restart of the database may
 * decide which. Before a retry, read whether the rows are there, or retry only what is stored once no
 * matter how often it is sent.
 */
export class CommitUnknownError extends DatabaseError {
  /** @param happened what kept the commit from being answered; it claims nothing of the outcome */
  constructor(happened: string, options: ErrorOptions) {
    super('database_unsure', happened, options);
    this.name = 'CommitUnknownError';
  }
}

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface TimeLimit {
  /**
   * For everything that is waited for, such as a free connection. Only a database to which a query is a
   * journey heeds it.
   */
  readonly timeoutMs: number;
}

/** Reads; each call sees the newest committed state. Rows are trusted to have the shape asked for. */
export interface DatabaseReader extends AsyncDisposable {
  /** @throws DatabaseError, `database_busy` when the time is over */
  all<Row>(query: Sql, limit?: TimeLimit): Promise<readonly Row[]>;
  first<Row>(query: Sql, limit?: TimeLimit): Promise<Row | undefined>;
  /**
   * Only of a database to which every query is a journey: those that `ask` starts side by side on the
   * reader it is given make it together. Each still sees the newest state by itself.
   */
  together?<Result>(ask: (reader: DatabaseReader) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Asks queries that need nothing of each other, with as few journeys to the database as it allows.
 * @param ask starts all of them at once on the reader it is given, and waits for them; `reader` itself
 * must not be asked meanwhile, as this may wait for a connection that `ask` holds
 */
export function askTogether<Result>(
  reader: DatabaseReader,
  ask: (reader: DatabaseReader) => Promise<Result>,
): Promise<Result> {
  return reader.together === undefined ? ask(reader) : reader.together(ask);
}

/**
 * Queries of one request that are under way at once where each is a journey: a standby answers each on a
 * connection of its own. SQLite answers one after the other in any case, so others have a turn in between.
 */
const TOGETHER_MAX = 4;

/**
 * Asks one query for each item, a few together; the answers come in the order of the items. Gives a turn
 * between the answers and none after the last one, because most requests have one item. Where each query is
 * a journey, the next few are under way while the caller works on the answers before them. A caller that
 * takes no more of the answers ends the asking.
 */
export async function* askInOrder<Item, Result>(
  reader: DatabaseReader,
  items: Iterable<Item>,
  ask: (reader: DatabaseReader, item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  if (reader.together === undefined) {
    let isFirst = true;
    for (const item of items) {
      if (!isFirst) await nextTurn();
      isFirst = false;
      yield await ask(reader, item);
    }
    return;
  }
  const groups = [...cutSlices([...items], TOGETHER_MAX)];
  let underWay = begin(groups[0]);
  for (const after of [...groups.slice(1), undefined]) {
    const answers = await underWay;
    underWay = begin(after);
    for (const [index, answer] of answers.entries()) {
      // The answers to one group come together, and a caller may work on each for milliseconds.
      if (index > 0) await nextTurn();
      yield answer;
    }
  }

  function begin(group: readonly Item[] = []): Promise<readonly Result[]> {
    const [item] = group;
    if (item === undefined) return Promise.resolve([]);
    const asking =
      group.length === 1
        ? ask(reader, item).then((result) => [result])
        : askTogether(reader, (one) => Promise.all(group.map((each) => ask(one, each))));
    // Thrown when its turn comes; a caller that has ended the asking does not read it.
    asking.catch(() => undefined);
    return asking;
  }
}

/** All answers of `askInOrder`. */
export function askForEach<Item, Result>(
  reader: DatabaseReader,
  items: Iterable<Item>,
  ask: (reader: DatabaseReader, item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  return Array.fromAsync(askInOrder(reader, items, ask));
}

/** One numbered schema file; applied once, in order, inside a transaction of its own. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}
