// What retention takes besides notifications: everything that was kept for a time and has outlived it.
// Each sweep deletes some of the oldest and is asked again.
import { inList } from '@lothub/kit/in-list';
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { IDEMPOTENCY_TTL_MS } from '../store/post.ts';
import { MS_PER_DAY } from './prune-queries.ts';

/** A reader that was away for longer begins with the state of its groups. */
const SIGNALS_KEPT_MS = MS_PER_DAY;
/** Deliveries can be looked up with their attempts for so long after they have ended. */
const DELIVERIES_KEPT_MS = 30 * MS_PER_DAY;
/** Whoever comes with a link or a token that has ended hears that it has, for so long. */
const ENDED_KEPT_MS = 30 * MS_PER_DAY;
const AUDIT_KEPT_MS = 2 * 365 * MS_PER_DAY;

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
    of: { readonly nowMs: number; readonly rows: number },
  ) => Promise<Sql | undefined>;
}

export const SWEEPS: readonly Sweep[] = [
  sweepByTime({
    name: 'idempotency_keys',
    isRare: false,
    table: sql`idempotency_keys`,
    time: sql`created_at`,
    keptMs: IDEMPOTENCY_TTL_MS,
  }),
  sweepByTime({
    name: 'signals',
    isRare: false,
    table: sql`signals`,
    time: sql`at`,
    keptMs: SIGNALS_KEPT_MS,
  }),
  // Their attempts go with them.
  sweepByTime({
    name: 'deliveries',
    isRare: true,
    table: sql`deliveries`,
    time: sql`ended_at`,
    keptMs: DELIVERIES_KEPT_MS,
  }),
  sweepByKey({
    name: 'sessions',
    table: sql`sessions`,
    key: sql`token_hash`,
    keptMs: 0,
    hasEnded: (cutoff) => sql`expires_at <= ${cutoff}`,
  }),
  sweepByKey({
    name: 'setup_links',
    table: sql`setup_links`,
    key: sql`token_hash`,
    keptMs: ENDED_KEPT_MS,
    hasEnded: (cutoff) => sql`(used_at <= ${cutoff} or expires_at <= ${cutoff})`,
  }),
  sweepByKey({
    name: 'invitations',
    table: sql`invitations`,
    key: sql`id`,
    keptMs: ENDED_KEPT_MS,
    hasEnded: (cutoff) =>
      sql`(accepted_at <= ${cutoff} or revoked_at <= ${cutoff} or expires_at <= ${cutoff})`,
  }),
  sweepByKey({
    name: 'read_tokens',
    table: sql`read_tokens`,
    key: sql`id`,
    keptMs: ENDED_KEPT_MS,
    hasEnded: (cutoff) => sql`(revoked_at <= ${cutoff} or expires_at <= ${cutoff})`,
  }),
  {
    name: 'audit',
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const cutoff = nowMs - AUDIT_KEPT_MS;
      // The oldest by their ids, as there is no index of times.
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
  },
];

/** Of a table with an index of the time that counts. */
function sweepByTime(of: {
  readonly name: string;
  readonly isRare: boolean;
  readonly table: Sql;
  readonly time: Sql;
  readonly keptMs: number;
}): Sweep {
  const { name, isRare, table, time, keptMs } = of;
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

/** Of a table that is looked through. Each row is judged once more when it is deleted. */
function sweepByKey(of: {
  readonly name: string;
  readonly table: Sql;
  readonly key: Sql;
  readonly keptMs: number;
  readonly hasEnded: (cutoff: number) => Sql;
}): Sweep {
  const { name, table, key, keptMs, hasEnded } = of;
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

/** The greatest key of some rows. */
async function oldest(reader: DatabaseReader, rows: Sql): Promise<number | undefined> {
  const row = await reader.first<{ readonly through: number | null }>(sql`
    select max(doomed.key) as through
    from (${rows}) doomed`);
  return row?.through ?? undefined;
}
