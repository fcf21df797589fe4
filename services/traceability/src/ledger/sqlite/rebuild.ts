// Rebuilding on SQLite: the statements of `rebuild.ts`, on one write connection.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { DerivedRows } from '../append/derived-rows.ts';
import { DELETE_DERIVED, STATE_AGAIN } from '../rebuild/rebuild.ts';
import type { RebuildLedger, RebuildRows } from '../rebuild/rebuild.ts';
import type { HeightRange } from '../verify/snapshot-reader.ts';
import { SqliteChainRows } from './chain-rows.ts';
import { HashSearchTable } from './hash-search.ts';
import { SqliteLotTables } from './lot-tables.ts';

export class SqliteRebuild implements RebuildLedger {
  readonly #connection: SqliteConnection;
  readonly #lots: SqliteLotTables;
  readonly #hashes: HashSearchTable;
  readonly #made: RebuildRows;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#lots = new SqliteLotTables(connection);
    this.#hashes = new HashSearchTable(connection);
    const rows = { chain: new SqliteChainRows(connection), lots: this.#lots };
    this.#made = { rows, derived: new DerivedRows(rows) };
  }

  async inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    const { database } = this.#connection;
    database.exec('begin immediate');
    try {
      // Rows of other tables may reference rows that are deleted and inserted again with the same
      // numbers.
      database.exec('pragma defer_foreign_keys = on');
      const result = await work();
      database.exec('commit');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  readonly all: RebuildLedger['all'] = (query) => this.#connection.all(query);

  deleteDerived(): Promise<void> {
    this.#lots.search.clear();
    this.#hashes.clear();
    this.#connection.database.exec(DELETE_DERIVED);
    return Promise.resolve();
  }

  load(): Promise<RebuildRows> {
    return Promise.resolve(this.#made);
  }

  takeImportKeys({ after, through }: HeightRange): Promise<ReadonlySet<number>> {
    const rows = this.#connection
      .statement('delete from import_keys where height > ? and height <= ? returning height')
      .all(after, through);
    return Promise.resolve(new Set(rows.map((row) => Number(row['height']))));
  }

  flush(): Promise<void> {
    this.#lots.search.takeInWhenDue(this.#lots.lastLotNo());
    return Promise.resolve();
  }

  finish(lastHeight: number): Promise<void> {
    this.#connection
      .statement('delete from import_keys where height < 0 or height > ?')
      .run(lastHeight);
    this.#connection.database.exec(STATE_AGAIN);
    return Promise.resolve();
  }
}
