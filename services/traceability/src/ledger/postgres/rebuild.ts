// Rebuilds on PostgreSQL: the head is locked, so that no process appends meanwhile, and readers
// continue to see the old rows until all are made again.
import type { PostgresConnection, PostgresTransaction } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import { DerivedRows } from '../append/derived-rows.ts';
import { DELETE_DERIVED, DerivedAlready, STATE_AGAIN } from '../rebuild/rebuild.ts';
import type { ReadBlock, RebuildLedger, RebuildRows } from '../rebuild/rebuild.ts';
import { DERIVED_VERSION } from '../rows-of-blocks.ts';
import type { HeightRange } from '../verify/snapshot-reader.ts';
import { GroupNeeds } from './group-needs.ts';
import { PostgresGroupRows } from './group-rows.ts';
import { addCorrectedLots, loadGroup, loadTargets } from './load-group.ts';
import { recountLots } from './recount-lots.ts';

/** Time limit for the wait until another process has finished, and for deleting whole tables. */
const LONG_MS = 3_600_000;

export interface PostgresRebuildOptions {
  /** `older_rows`: refuses with DerivedAlready when the rows are of this version. */
  readonly scope: 'older_rows' | 'all_rows';
}

export class PostgresRebuild implements RebuildLedger {
  readonly #connection: PostgresConnection;
  readonly #scope: PostgresRebuildOptions['scope'];
  #transaction: PostgresTransaction | undefined;
  #rows = new PostgresGroupRows();

  constructor(connection: PostgresConnection, options: PostgresRebuildOptions) {
    this.#connection = connection;
    this.#scope = options.scope;
  }

  inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#connection.transaction(async (transaction) => {
      this.#transaction = transaction;
      await transaction.execute(
        `set local lock_timeout = ${LONG_MS}; set local statement_timeout = ${LONG_MS}`,
      );
      await transaction.execute('lock table head in share row exclusive mode', LONG_MS);
      const head = await transaction.first<{ readonly derived_version: number }>(
        sql`select derived_version from head where id = 1`,
      );
      if (this.#scope === 'older_rows' && head?.derived_version === DERIVED_VERSION) {
        throw new DerivedAlready();
      }
      return await work();
    });
  }

  readonly all: RebuildLedger['all'] = (query) => this.#open.all(query);

  deleteDerived(): Promise<void> {
    return this.#open.execute(DELETE_DERIVED, LONG_MS);
  }

  async load(blocks: readonly ReadBlock[]): Promise<RebuildRows> {
    const rows = new PostgresGroupRows();
    this.#rows = rows;
    const needs = new GroupNeeds();
    const targets = new Set<number>();
    for (const { payload } of blocks) {
      if (payload.type === 'event') needs.addEvent(payload.brand, payload.event);
      if (payload.type === 'correction') targets.add(payload.correction.corrects_block_height);
    }
    if (targets.size > 0) await loadTargets(this.#open, [...targets], rows.view);
    for (const { height, blockHash: hash, canonical } of blocks) {
      rows.view.addBlock({ height, hash, canonical });
    }
    for (const { payload } of blocks) {
      if (payload.type !== 'correction') continue;
      const { brand: tenantId, correction } = payload;
      const correctsHeight = correction.corrects_block_height;
      needs.tenantIds.add(tenantId);
      addCorrectedLots(needs, rows.chain, { tenantId, correctsHeight, correction });
    }
    await loadGroup(this.#open, needs, rows.view);
    return { rows, derived: new DerivedRows(rows) };
  }

  async takeImportKeys({ after, through }: HeightRange): Promise<ReadonlySet<number>> {
    const rows = await this.#open.all<{ readonly height: number }>(sql`
      delete from import_keys
      where height > ${after} and height <= ${through}
      returning height`);
    return new Set(rows.map(({ height }) => height));
  }

  async flush(): Promise<void> {
    for (const statement of this.#rows.statements()) await this.#open.all(statement);
    const { recounts } = this.#rows.lots;
    if (recounts.length === 0) return;
    for (const statement of await recountLots(this.#open, recounts)) {
      await this.#open.all(statement);
    }
  }

  async finish(lastHeight: number): Promise<void> {
    await this.#open.all(sql`
      delete from import_keys
      where height < 0 or height > ${lastHeight}`);
    await this.#open.execute(STATE_AGAIN);
  }

  get #open(): PostgresTransaction {
    if (this.#transaction === undefined) throw new Error('rebuilding outside of a transaction');
    return this.#transaction;
  }
}
