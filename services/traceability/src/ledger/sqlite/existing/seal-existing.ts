// Seals older decisions on SQLite: on the write connection, before any other write.
import { systemClock } from '@lothub/kit/clock';
import type { SqlValue } from '@lothub/kit/database';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { Appender } from '../../append/appender.ts';
import { readTrusted } from '../../append/trusted-time.ts';
import type { ClockTrust } from '../../clock-trust.ts';
import { withHeights } from '../../decisions/draft.ts';
import type { SealingLedger, SealingTransaction } from '../../decisions/existing/seal-existing.ts';
import { readHead } from '../block-rows.ts';
import { SqliteChainRows } from '../chain-rows.ts';
import { SqliteLotTables } from '../lot-tables.ts';

export class SqliteSealing implements SealingLedger {
  readonly reader: SqliteConnection;
  readonly #clockTrust: ClockTrust;
  readonly #appender: Appender;

  constructor(connection: SqliteConnection, clockTrust: ClockTrust) {
    this.reader = connection;
    this.#clockTrust = clockTrust;
    const rows = { chain: new SqliteChainRows(connection), lots: new SqliteLotTables(connection) };
    this.#appender = new Appender({ rows });
  }

  async inTransaction<Result>(
    work: (open: SealingTransaction) => Promise<Result>,
  ): Promise<Result> {
    const { database } = this.reader;
    database.exec('begin immediate');
    try {
      const result = await work({
        all: (query) => this.reader.all(query),
        first: (query) => this.reader.first(query),
        seal: (batch) => {
          this.#seal(batch);
          return Promise.resolve();
        },
      });
      database.exec('commit');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  #seal({ decisions, statements }: Parameters<SealingTransaction['seal']>[0]): void {
    const head = readHead(this.reader);
    const clock = { trust: this.#clockTrust, head, databaseMs: undefined };
    this.#appender.begin(head, readTrusted(systemClock, clock));
    const blocks = this.#appender.decide(decisions);
    this.#appender.end();
    for (const { sql: text, values } of statements) {
      this.reader.statement(text).all(...(withHeights(values, blocks) as SqlValue[]));
    }
  }
}
