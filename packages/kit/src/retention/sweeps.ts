// What deletes rows that were kept for a time and have outlived it. Each sweep deletes some of the oldest and is
// asked again.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { DatabaseReader } from '../database.ts';
import { inList } from '../in-list.ts';

export const MS_PER_DAY = 24 * 60 * 60 * 1_000;

export interface Sweep {
  readonly name: string;
  /** Those that look without an index have time. */
  readonly isRare: boolean;
  /**
   * What deletes some rows that have outlived their time, at least one.
   * @returns undefined when there is none
   */
  readonly next: (
    reader: DatabaseReader,
    limits: { readonly nowMs: number; readonly rows: number },
  ) => Promise<Sql | undefined>;
}

/** Makes the sweep of a table that has an index of the time that counts. */
export function sweepByTime({
  name,
  isRare,
  table,
  time,
  keptMs,
}: {
  readonly name: string;
  readonly isRare: boolean;
  readonly table: Sql;
  readonly time: Sql;
  readonly keptMs: number;
}): Sweep {
  return {
    name,
    isRare,
    next: async (reader, { nowMs, rows }) => {
      const through = await oldest(
        reader,
        sql`
        select ${time} as key
        from ${table}
        where ${time} <= ${nowMs - keptMs}
        order by ${time}
        limit ${rows}`,
      );
      if (through === undefined) return undefined;
      return sql`delete from ${table} where ${time} <= ${through}`;
    },
  };
}

/** Makes the sweep of a table without such an index: it reads all rows, and checks each again when it deletes it. */
export function sweepByKey({
  name,
  table,
  key,
  keptMs,
  hasEnded,
}: {
  readonly name: string;
  readonly table: Sql;
  readonly key: Sql;
  readonly keptMs: number;
  readonly hasEnded: (cutoff: number) => Sql;
}): Sweep {
  return {
    name,
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const ended = hasEnded(nowMs - keptMs);
      const found = await reader.all<{ readonly key: string }>(sql`
        select ${key} as key
        from ${table}
        where ${ended}
        limit ${rows}`);
      if (found.length === 0) return undefined;
      const keys = inList(found.map((row) => row.key));
      return sql`delete from ${table} where ${key} in (${keys}) and ${ended}`;
    },
  };
}

/** Makes the sweep of an audit: it finds the oldest entries by their ids, which follow the time. */
export function sweepAudit({ keptMs }: { readonly keptMs: number }): Sweep {
  return {
    name: 'audit',
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const cutoff = nowMs - keptMs;
      const through = await oldest(
        reader,
        sql`
        select eldest.id as key
        from (
          select id, at
          from audit
          order by id
          limit ${rows}
        ) eldest
        where eldest.at <= ${cutoff}`,
      );
      if (through === undefined) return undefined;
      return sql`delete from audit where id <= ${through} and at <= ${cutoff}`;
    },
  };
}

/** The greatest key of some rows. */
async function oldest(reader: DatabaseReader, rows: Sql): Promise<number | undefined> {
  const row = await reader.first<{ readonly through: number | null }>(sql`
    select max(doomed.key) as through
    from (${rows}) doomed`);
  return row?.through ?? undefined;
}
