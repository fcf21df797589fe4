// Finds the events of a file that the ledger already has, by external id and by group key, many at
// a time.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { PrivateLine, PrivateNotes } from '../ledger/record/commitment.ts';
import type { Tip } from '../ledger/draft.ts';
import { blocksOfExternalIds } from '../events/external-ids.ts';
import { PRIVATE_LINES, PRIVATE_NOTES } from '../ledger/tables/private.ts';
import type { PrivateLineRow, PrivateNotesRow } from '../ledger/tables/private.ts';
import { findTenant } from '../lots/queries.ts';

/** Events looked up at once: one page of the index each, about half a millisecond together. */
export const LOOKUP_EVENTS_MAX = 200;

export interface LookupKeys {
  /** At most `LOOKUP_EVENTS_MAX` of both together. */
  readonly externalIds: readonly string[];
  readonly groupKeys: readonly string[];
}

/** A stored event that an event of the file may repeat. Plain values only: it crosses a thread. */
export interface StoredEvent {
  /** The key that found it. */
  readonly externalId: string | null;
  readonly groupKey: string | null;
  readonly height: number;
  readonly hash: string;
  readonly canonical: string;
  readonly privateLines: readonly PrivateLine[];
  readonly privateNotes: PrivateNotes | null;
}

interface GroupKeyRow {
  readonly height: number;
  readonly key: string;
}

interface BlockRow {
  readonly height: number;
  readonly hash: string;
  readonly canonical: string;
}

/** The tenant's stored events with one of the keys, by height. */
export async function findStoredEvents(
  database: DatabaseReader,
  tenantId: string,
  keys: LookupKeys,
): Promise<readonly StoredEvent[]> {
  const tenant = await findTenant(database, tenantId);
  if (tenant === undefined) return [];
  const { tenantNo } = tenant;
  const { externalIds, groupKeys } = keys;
  const byId = await blocksOfExternalIds(database, { tenantNo, externalIds });
  const byGroup = await heightsOfGroupKeys(database, tenantNo, groupKeys);
  const heights = [...byId, ...byGroup].map((row) => row.height);
  if (heights.length === 0) return [];
  const parts = await readParts(database, heights);
  return [
    ...byId.map((row) =>
      storedEvent(parts, row.height, { externalId: row.externalId, groupKey: null }),
    ),
    ...byGroup.map((row) =>
      storedEvent(parts, row.height, { externalId: null, groupKey: row.key }),
    ),
  ].sort((a, b) => a.height - b.height);
}

/** The newest block of the chain. */
export async function findTip(database: DatabaseReader): Promise<Tip> {
  const tip = await database.first<Tip>(sql`select height, hash from head where id = 1`);
  if (tip === undefined) throw new Error('reading the head: the ledger has none');
  return tip;
}

async function heightsOfGroupKeys(
  database: DatabaseReader,
  tenantNo: number,
  groupKeys: readonly string[],
): Promise<readonly GroupKeyRow[]> {
  if (groupKeys.length === 0) return [];
  return await database.all<GroupKeyRow>(sql`
    select height, group_key as key from import_keys
    where tenant_no = ${tenantNo} and group_key in (${inList(groupKeys)})`);
}

interface StoredParts {
  readonly blocks: ReadonlyMap<number, BlockRow>;
  readonly lines: ReadonlyMap<number, readonly PrivateLine[]>;
  readonly notes: ReadonlyMap<number, PrivateNotes>;
}

async function readParts(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<StoredParts> {
  const blocks = new Map<number, BlockRow>();
  const lines = new Map<number, PrivateLine[]>();
  const notes = new Map<number, PrivateNotes>();
  // Earlier versions accepted many events under one group key, so there may be more than one slice.
  for (let from = 0; from < heights.length; from += LOOKUP_EVENTS_MAX) {
    const wanted = inList(heights.slice(from, from + LOOKUP_EVENTS_MAX));
    const blockRows = await database.all<BlockRow>(sql`
      select height, hash, canonical from blocks where height in (${wanted})`);
    const lineRows = await database.all<PrivateLineRow>(sql`
      select ${selectList(PRIVATE_LINES)} from private_lines
      where height in (${wanted})`);
    const notesRows = await database.all<PrivateNotesRow>(sql`
      select ${selectList(PRIVATE_NOTES)} from private_notes where height in (${wanted})`);
    for (const row of blockRows) blocks.set(row.height, row);
    for (const row of notesRows) notes.set(row.height, row);
    for (const row of lineRows) lines.getOrInsertComputed(row.height, () => []).push(row);
  }
  return { blocks, lines, notes };
}

function storedEvent(
  parts: StoredParts,
  height: number,
  found: Pick<StoredEvent, 'externalId' | 'groupKey'>,
): StoredEvent {
  const block = parts.blocks.get(height);
  if (block === undefined) throw new Error(`looking up events of a file: no block ${height}`);
  return {
    ...found,
    height,
    hash: block.hash,
    canonical: block.canonical,
    privateLines: parts.lines.get(height) ?? [],
    privateNotes: parts.notes.get(height) ?? null,
  };
}
