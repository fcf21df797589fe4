// The queries for chaining the audit. Each walks a primary key, or looks up the rows that it has
// found there.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import { insertTexts, onConflictReplace, selectList } from '@lothub/kit/rows/stored-table';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import sql, { Sql, raw } from 'sql-template-tag';
import { AUDIT_ENTRIES, AUDIT_PROGRESS } from '../tables/audit.ts';
import type { AuditChainRow, StoredAuditEntry } from '../tables/audit.ts';

/** An entry with its place in the chain; null: it has none yet. */
export interface PlacedEntry extends StoredAuditEntry {
  readonly sequence: number | null;
}

const PLACED = sql`
  select ${selectList(AUDIT_ENTRIES, 'e')}, c.sequence
  from audit_entries e
  left join audit_chain c on c.entry_id = e.id`;

/** Entries with greater ids, in the order of their ids. */
export async function entriesAbove(
  reader: Pick<DatabaseReader, 'all'>,
  page: { readonly id: number; readonly limit: number },
): Promise<readonly PlacedEntry[]> {
  return await reader.all<PlacedEntry>(sql`
    ${PLACED}
    where e.id > ${page.id}
    order by e.id
    limit ${page.limit}`);
}

/** The entries of those ids that exist, in the order of the ids. */
export async function entriesOfIds(
  reader: DatabaseReader,
  ids: readonly number[],
): Promise<readonly PlacedEntry[]> {
  const found: PlacedEntry[] = [];
  for (const slice of cutSlices(ids)) {
    const rows = await reader.all<PlacedEntry>(sql`
      ${PLACED}
      where e.id in (${inList(slice)})
      order by e.id`);
    found.push(...rows);
  }
  return found;
}

/** The end of the chain; undefined while nothing is in it. */
export async function newestOfChain(
  reader: DatabaseReader,
): Promise<Pick<AuditChainRow, 'sequence' | 'hash'> | undefined> {
  return await reader.first(sql`
    select sequence, hash
    from audit_chain
    order by sequence desc
    limit 1`);
}

/** 0 before the first entry is in the chain. */
export async function chainedThrough(reader: DatabaseReader): Promise<number> {
  const row = await reader.first<{ readonly through: number }>(sql`
    select through
    from audit_progress
    where id = 1`);
  return row?.through ?? 0;
}

/** Another holder of the turn that has written the same places makes the whole write fail. */
export function chainWrites(rows: readonly AuditChainRow[], through: number): readonly Sql[] {
  const inserts = [...cutRowSlices(rows)].map(
    (slice) => sql`
      insert into audit_chain (sequence, entry_id, hash)
      ${valueRows(slice.map((row) => [row.sequence, row.entry_id, row.hash]))}`,
  );
  const progress = new Sql(insertTexts(AUDIT_PROGRESS), [1, through]);
  return [...inserts, sql`${progress} ${raw(onConflictReplace(AUDIT_PROGRESS))}`];
}

/** The last block of the audit, with the text that says when it was sealed. */
export async function lastAuditBlock(reader: DatabaseReader): Promise<
  | {
      readonly height: number;
      readonly sequence: number;
      readonly canonical: string;
    }
  | undefined
> {
  return await reader.first(sql`
    select a.height, a.sequence, b.canonical
    from audit_blocks a
    join blocks b on b.height = a.height
    order by a.height desc
    limit 1`);
}

/** Reads the actions and times of entries after a place of the chain, in the order of the chain. */
export async function chainedActions(
  reader: DatabaseReader,
  page: { readonly sequence: number; readonly limit: number },
): Promise<readonly Pick<PlacedEntry, 'action' | 'at' | 'sequence'>[]> {
  return await reader.all(sql`
    select c.sequence, e.action, e.at
    from audit_chain c
    join audit_entries e on e.id = c.entry_id
    where c.sequence > ${page.sequence}
    order by c.sequence
    limit ${page.limit}`);
}
