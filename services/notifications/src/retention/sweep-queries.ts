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
  {
    name: 'idempotency_keys',
    isRare: false,
    next: async (reader, { nowMs, rows }) => {
      const through = await oldest(
        reader,
        sql`
        select created_at as key
        from idempotency_keys
        where created_at <= ${nowMs - IDEMPOTENCY_TTL_MS}
        order by created_at
        limit ${rows}`,
      );
      if (through === undefined) return undefined;
      return sql`delete from idempotency_keys where created_at <= ${through}`;
    },
  },
  {
    name: 'signals',
    isRare: false,
    next: async (reader, { nowMs, rows }) => {
      const through = await oldest(
        reader,
        sql`
        select at as key
        from signals
        where at <= ${nowMs - SIGNALS_KEPT_MS}
        order by at
        limit ${rows}`,
      );
      if (through === undefined) return undefined;
      return sql`delete from signals where at <= ${through}`;
    },
  },
  {
    name: 'deliveries',
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const through = await oldest(
        reader,
        sql`
        select ended_at as key
        from deliveries
        where ended_at <= ${nowMs - DELIVERIES_KEPT_MS}
        order by ended_at
        limit ${rows}`,
      );
      if (through === undefined) return undefined;
      // Their attempts go with them.
      return sql`delete from deliveries where ended_at <= ${through}`;
    },
  },
  {
    name: 'sessions',
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const keys = await keysOf(
        reader,
        sql`
        select token_hash as key
        from sessions
        where expires_at <= ${nowMs}
        limit ${rows}`,
      );
      if (keys === undefined) return undefined;
      return sql`delete from sessions where token_hash in (${keys}) and expires_at <= ${nowMs}`;
    },
  },
  {
    name: 'setup_links',
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const cutoff = nowMs - ENDED_KEPT_MS;
      const keys = await keysOf(
        reader,
        sql`
        select token_hash as key
        from setup_links
        where used_at <= ${cutoff}
          or expires_at <= ${cutoff}
        limit ${rows}`,
      );
      if (keys === undefined) return undefined;
      return sql`delete from setup_links where token_hash in (${keys})`;
    },
  },
  {
    name: 'invitations',
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const cutoff = nowMs - ENDED_KEPT_MS;
      const keys = await keysOf(
        reader,
        sql`
        select id as key
        from invitations
        where accepted_at <= ${cutoff}
          or revoked_at <= ${cutoff}
          or expires_at <= ${cutoff}
        limit ${rows}`,
      );
      if (keys === undefined) return undefined;
      return sql`delete from invitations where id in (${keys})`;
    },
  },
  {
    name: 'read_tokens',
    isRare: true,
    next: async (reader, { nowMs, rows }) => {
      const cutoff = nowMs - ENDED_KEPT_MS;
      const keys = await keysOf(
        reader,
        sql`
        select id as key
        from read_tokens
        where revoked_at <= ${cutoff}
          or expires_at <= ${cutoff}
        limit ${rows}`,
      );
      if (keys === undefined) return undefined;
      return sql`delete from read_tokens where id in (${keys})`;
    },
  },
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

/** The greatest key of some rows. */
async function oldest(reader: DatabaseReader, rows: Sql): Promise<number | undefined> {
  const row = await reader.first<{ readonly through: number | null }>(sql`
    select max(doomed.key) as through
    from (${rows}) doomed`);
  return row?.through ?? undefined;
}

async function keysOf(reader: DatabaseReader, rows: Sql): Promise<Sql | undefined> {
  const found = await reader.all<{ readonly key: string }>(rows);
  return found.length === 0 ? undefined : inList(found.map(({ key }) => key));
}
