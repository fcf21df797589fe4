// Gives entries their places in the chain: some at a time, each exactly once, in the process that
// has the turn.
import type { LedgerStore } from '../store.ts';
import type { AuditChainRow } from '../tables/audit.ts';
import { NO_HASH, auditEntryHash } from './entry-hash.ts';
import { chainWrites, entriesAbove, entriesOfIds, newestOfChain } from './queries.ts';
import type { PlacedEntry } from './queries.ts';
import type { WrittenIds } from './written-ids.ts';

/** Entries of one step: some milliseconds of the thread that serves. */
export const ENTRIES_PER_STEP = 500;

export interface ChainedStep {
  /** Entries that have got their place now, in the order of the chain. */
  readonly entries: readonly PlacedEntry[];
  readonly hasMore: boolean;
}

/**
 * Gives the next entries their places.
 * @param ids of the entries read so far; after an error they contain more than was written, and
 * have to be read again
 * @throws DatabaseError also when another holder of the turn has written the same places
 */
export async function chainStep(
  store: Pick<LedgerStore, 'reader' | 'write'>,
  { ids, nowMs }: { readonly ids: WrittenIds; readonly nowMs: number },
): Promise<ChainedStep> {
  const { reader } = store;
  const late = ids.missing.length === 0 ? [] : await entriesOfIds(reader, ids.missing);
  const above = await entriesAbove(reader, { id: ids.last, limit: ENTRIES_PER_STEP });
  const seen = [...late, ...above];
  const entries = seen.filter(({ sequence }) => sequence === null);
  ids.see(
    seen.map(({ id }) => id),
    nowMs,
  );
  if (entries.length > 0) {
    const rows = placeEntries(entries, await newestOfChain(reader));
    await store.write(chainWrites(rows, ids.through));
  }
  return { entries, hasMore: above.length === ENTRIES_PER_STEP };
}

function placeEntries(
  entries: readonly PlacedEntry[],
  newest: Pick<AuditChainRow, 'sequence' | 'hash'> | undefined,
): readonly AuditChainRow[] {
  let { sequence, hash } = newest ?? { sequence: 0, hash: NO_HASH };
  return entries.map((entry) => {
    sequence += 1;
    hash = auditEntryHash(entry, { sequence, prevHash: hash });
    return { sequence, entry_id: entry.id, hash };
  });
}
