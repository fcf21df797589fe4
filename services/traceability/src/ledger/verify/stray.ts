// Rows of heights at which no block can be: no slice of the chain comes past them.
import sql from 'sql-template-tag';
import type { LedgerMismatch } from './mismatch.ts';
import type { SnapshotReader } from './queries.ts';

interface StrayRows {
  readonly place: keyof typeof STRAY_CODES;
  readonly side: 'below' | 'above';
}

const STRAY_CODES = {
  blocks: 'height_gap',
  events: 'event_row_extra',
  lines: 'line_row_extra',
  provenances: 'provenance_row_extra',
  corrections: 'correction_row_extra',
  lot_mentions: 'mention_row_extra',
  private_lines: 'private_row_extra',
  private_notes: 'private_row_extra',
  private_requests: 'private_row_extra',
  private_changes: 'private_row_extra',
  import_keys: 'import_key_extra',
} as const satisfies Readonly<Record<string, LedgerMismatch['code']>>;

/** Tables with rows below genesis or above the tip; the heights themselves are not read. */
export async function findStrayRows(
  reader: SnapshotReader,
  tip: number,
): Promise<readonly LedgerMismatch[]> {
  const below = await reader.all<StrayRows>(sql`
    select 'blocks' as place, 'below' as side where exists (select 1 from blocks where height < 0)
    union all
    select 'events', 'below' where exists (select 1 from events where height < 0)
    union all
    select 'lines', 'below' where exists (select 1 from lines where height < 0)
    union all
    select 'provenances', 'below' where exists (select 1 from provenances where height < 0)
    union all
    select 'corrections', 'below' where exists (select 1 from corrections where height < 0)
    union all
    select 'lot_mentions', 'below' where exists (select 1 from lot_mentions where height < 0)
    union all
    select 'private_lines', 'below' where exists (select 1 from private_lines where height < 0)
    union all
    select 'private_notes', 'below' where exists (select 1 from private_notes where height < 0)
    union all
    select 'private_requests', 'below'
    where exists (select 1 from private_requests where height < 0)
    union all
    select 'private_changes', 'below' where exists (select 1 from private_changes where height < 0)
    union all
    select 'import_keys', 'below' where exists (select 1 from import_keys where height < 0)`);
  // Blocks above the tip are a gap in the chain, which is told apart.
  const above = await reader.all<StrayRows>(sql`
    select 'events' as place, 'above' as side
    where exists (select 1 from events where height > ${tip})
    union all
    select 'lines', 'above' where exists (select 1 from lines where height > ${tip})
    union all
    select 'provenances', 'above' where exists (select 1 from provenances where height > ${tip})
    union all
    select 'corrections', 'above' where exists (select 1 from corrections where height > ${tip})
    union all
    select 'lot_mentions', 'above' where exists (select 1 from lot_mentions where height > ${tip})
    union all
    select 'private_lines', 'above' where exists (select 1 from private_lines where height > ${tip})
    union all
    select 'private_notes', 'above' where exists (select 1 from private_notes where height > ${tip})
    union all
    select 'private_requests', 'above'
    where exists (select 1 from private_requests where height > ${tip})
    union all
    select 'private_changes', 'above'
    where exists (select 1 from private_changes where height > ${tip})
    union all
    select 'import_keys', 'above' where exists (select 1 from import_keys where height > ${tip})`);
  return [...below, ...above].map(({ place, side }) => ({
    height: side === 'below' ? 0 : tip + 1,
    code: STRAY_CODES[place],
    message: `${place} holds rows of heights ${side} the chain, where there is no block`,
  }));
}
