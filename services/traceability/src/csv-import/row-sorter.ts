// Brings the rows of each group together when they are scattered over the file. SQLite sorts them,
// in a file of its own that is neither durable nor kept: its sorter works in bounded memory.
import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { closeSync, openSync } from 'node:fs';
import type { Cell } from './form/cell.ts';
import { PRIVATE_FILE_MODE } from './spool.ts';

/** Page cache of the sorting database, in KiB (negative in the pragma means KiB). */
const CACHE_KIB = 16_384;
/** Half of a SHA-256 suffices to distinguish groups. */
const DIGEST_BYTES = 16;
/** Rows inserted in one transaction. */
const ROWS_PER_TRANSACTION = 10_000;

export class RowSorter implements Disposable {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  #count = 0;

  constructor(file: string) {
    closeSync(openSync(file, 'w', PRIVATE_FILE_MODE));
    this.#database = new DatabaseSync(file);
    this.#database.exec('pragma journal_mode = off');
    this.#database.exec('pragma synchronous = off');
    this.#database.exec(`pragma cache_size = -${CACHE_KIB}`);
    this.#database.exec(
      'create table file_rows (row integer primary key, digest blob not null, cells text not null)' +
        ' strict',
    );
    this.#insert = this.#database.prepare(
      'insert into file_rows (row, digest, cells) values (?, ?, ?)',
    );
    this.#database.exec('begin');
  }

  add(row: number, key: string, cells: readonly Cell[]): void {
    this.#insert.run(
      row,
      hash('sha256', key, 'buffer').subarray(0, DIGEST_BYTES),
      JSON.stringify(cells),
    );
    this.#count += 1;
    if (this.#count % ROWS_PER_TRANSACTION === 0) this.#database.exec('commit; begin');
  }

  /**
   * Yields all rows: groups in the order of their first rows, rows of a group in the order of the
   * file.
   */
  *sorted(): Generator<{ readonly row: number; readonly cells: readonly Cell[] }> {
    this.#database.exec('commit');
    this.#database.exec('create index file_rows_by_digest on file_rows (digest, row)');
    const statement = this.#database.prepare(
      'with group_starts as (select digest, min(row) as first_row from file_rows group by digest) ' +
        'select file_rows.row as row, file_rows.cells as cells from group_starts ' +
        'join file_rows on file_rows.digest = group_starts.digest ' +
        'order by group_starts.first_row, file_rows.row',
    );
    for (const found of statement.iterate()) {
      const cells: unknown = JSON.parse(String(found['cells']));
      yield { row: Number(found['row']), cells: cells as readonly Cell[] };
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
