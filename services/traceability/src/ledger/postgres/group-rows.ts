// The rows of one group commit on PostgreSQL: those that it has read and those that it writes.
import type { Sql } from 'sql-template-tag';
import type { GroupRows } from '../append/group-rows.ts';
import { PostgresChainRows } from './chain-rows.ts';
import { GroupView } from './group-view.ts';
import { PostgresLotTables } from './lot-tables.ts';

export class PostgresGroupRows implements GroupRows {
  readonly view = new GroupView();
  readonly chain = new PostgresChainRows(this.view);
  readonly lots = new PostgresLotTables(this.view);

  /** Returns the statements that write the rows; the lots to recount come after them. */
  statements(): readonly Sql[] {
    return [...this.chain.statements(), ...this.lots.statements()];
  }
}
