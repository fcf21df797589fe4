// The baseline of batches on PostgreSQL: the rows that appending left, inserted as arrays by one
// connection and nothing else, a transaction for every batch, as the service does it.
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { migrateLedger } from '@lothub/traceability/ledger/postgres/migrate-ledger';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { BATCH_EVENTS } from '../batches.ts';

interface WrittenTable {
  readonly table: string;
  /** The height of the block that a row came with. */
  readonly height: string;
  /** The place of that, if not in the row. */
  readonly besides: string;
}

const OF_BLOCK = { height: 't.height', besides: '' } as const;
const OF_FIRST_BLOCK = { height: 't.first_height', besides: '' } as const;
const OF_LOT = {
  height: 'lots.first_height',
  besides: 'join lots on lots.lot_no = t.lot_no',
} as const;

/** Every table that appending events adds rows to; most runs leave some of them empty. */
const WRITTEN_TABLES: readonly WrittenTable[] = [
  { table: 'blocks', ...OF_BLOCK },
  { table: 'tenants', ...OF_FIRST_BLOCK },
  { table: 'events', ...OF_BLOCK },
  { table: 'lots', ...OF_FIRST_BLOCK },
  { table: 'lines', ...OF_BLOCK },
  { table: 'lot_texts', ...OF_LOT },
  { table: 'lot_quantities', ...OF_LOT },
  { table: 'provenances', ...OF_BLOCK },
  { table: 'private_lines', ...OF_BLOCK },
  { table: 'private_notes', ...OF_BLOCK },
  { table: 'import_keys', ...OF_BLOCK },
];

type Cell = string | number | null;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Rows of one table of one group, a list for each column. */
interface Part {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly values: readonly (readonly Cell[])[];
}

/** What each transaction inserts. */
export type BareGroups = readonly (readonly Part[])[];

export class BareArrays implements AsyncDisposable {
  readonly #source: PostgresConnection;
  readonly #target: PostgresConnection;
  readonly #columns: readonly Column[];

  private constructor(parts: {
    readonly source: PostgresConnection;
    readonly target: PostgresConnection;
    readonly columns: readonly Column[];
  }) {
    this.#source = parts.source;
    this.#target = parts.target;
    this.#columns = parts.columns;
  }

  /** @param urls the hub's database, and an empty one that gets the same schema */
  static async open(urls: {
    readonly source: string;
    readonly target: string;
  }): Promise<BareArrays> {
    const source = await PostgresConnection.open(urls.source);
    const target = await PostgresConnection.open(urls.target, { connectionsMax: 1 });
    await migrateLedger(target);
    const columns = await source.all<Column>(sql`
      select table_name as table, column_name as name, data_type as type
      from information_schema.columns
      where table_schema = current_schema()
      order by table_name, ordinal_position
    `);
    return new BareArrays({ source, target, columns });
  }

  /** The rows of the blocks behind one height up to another, as they are in the end. */
  async read(heights: { readonly after: number; readonly through: number }): Promise<BareGroups> {
    const { after, through } = heights;
    const starts = Array.from(
      { length: Math.ceil((through - after) / BATCH_EVENTS) },
      (_, n) => after + n * BATCH_EVENTS,
    );
    const groups: (readonly Part[])[] = [];
    for (const start of starts) {
      const end = Math.min(start + BATCH_EVENTS, through);
      const parts: Part[] = [];
      for (const written of WRITTEN_TABLES) {
        const part = await this.#readPart(written, { after: start, through: end });
        if (part !== undefined) parts.push(part);
      }
      groups.push(parts);
    }
    return groups;
  }

  async #readPart(
    { table, height, besides }: WrittenTable,
    { after, through }: { readonly after: number; readonly through: number },
  ): Promise<Part | undefined> {
    const columns = this.#columns.filter((column) => column.table === table);
    const rows = await this.#source.all<Readonly<Record<string, Cell>>>(sql`
      select ${join(columns.map(({ name }) => raw(`t.${name}`)))}
      from ${raw(table)} t ${raw(besides)}
      where ${raw(height)} > ${after}
        and ${raw(height)} <= ${through}
      order by ${raw(height)}, 1, 2
    `);
    if (rows.length === 0) return undefined;
    const values = columns.map(({ name }) => rows.map((row) => row[name] ?? null));
    return { table, columns, values };
  }

  /**
   * Inserts the rows, a transaction and a round trip for each group; the arrays of the next group are
   * written while the server is at the one before.
   * @returns seconds
   */
  async insert(groups: BareGroups): Promise<number> {
    const startedAt = performance.now();
    let underway: Promise<unknown> = Promise.resolve();
    for (const group of groups) {
      const statement = insertGroup(group);
      await underway;
      underway = this.#target.all(statement);
    }
    await underway;
    return (performance.now() - startedAt) / 1_000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.close();
    await this.#target.close();
  }
}

/** All tables of a group in one statement, which is a transaction of its own. */
function insertGroup(group: readonly Part[]): Sql {
  const inserts = group.map(({ table, columns, values }) => {
    const names = join(columns.map(({ name }) => raw(name)));
    const arrays = columns.map(({ type }, n) => toArray(type, values[n] ?? []));
    return sql`${raw(`new_${table}`)} as (
      insert into ${raw(table)} (${names})
      select ${names}
      from unnest(${join(arrays)}) as given (${names})
    )`;
  });
  return sql`with ${join(inserts)} select 1`;
}

function toArray(type: string, values: readonly Cell[]): Sql {
  if (type === 'bigint') return sql`cast(${bigintArray(values.map(toInteger))} as bigint[])`;
  if (type === 'text') return sql`cast(${textArray(values.map(toText))} as text[])`;
  throw new Error(`no array is known of columns of type ${type}`);
}

function toInteger(value: Cell): number | null {
  return value === null ? null : Number(value);
}

function toText(value: Cell): string | null {
  return value === null ? null : String(value);
}
