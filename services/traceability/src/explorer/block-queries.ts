// Heights of blocks by brand and type. Each table of them is walked along an index from one end and has the
// limit of the page: PostgreSQL would read and sort all of both, where they are walked as one.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { isEventType } from '../ledger/record/event-types.ts';
import { readHeights } from '../ledger/read.ts';
import type { BlockType } from './filter.ts';
import { within, withinType, type RowsOfType } from './within-heights.ts';

/** Selects the blocks of a brand or of a type; at least one of the two is set. */
export interface WantedBlocks {
  readonly brand: WantedBrand | undefined;
  readonly type: Exclude<BlockType, 'GENESIS'> | undefined;
}

interface WantedBrand {
  readonly tenantId: string;
  /** Absent: it has recorded no event. */
  readonly tenantNo: number | undefined;
}

/** Places in the order of heights, from one end of a range. */
export interface HeightsPage {
  /** Between these two, both excluded. */
  readonly above: number;
  readonly below: number;
  readonly end: 'newest' | 'oldest';
  readonly limit: number;
  readonly offset: number;
}

export async function heightsOfBlocks(
  database: DatabaseReader,
  page: WantedBlocks & HeightsPage,
): Promise<readonly number[]> {
  const { end, limit, offset } = page;
  const direction = end === 'newest' ? sql`desc` : sql`asc`;
  const parts = listParts(page).map(
    ({ table, owner, type }) => sql`
      select height
      from (
        select height
        from ${table}
        where ${type === undefined ? within(page) : withinType(type, page)} ${owner}
        order by ${type === undefined ? empty : sql`${type.column} ${direction},`} height ${direction}
        limit ${limit + offset}
      ) as ends`,
  );
  if (parts.length === 0) return [];
  return await readHeights(
    database,
    sql`
      ${join(parts, ' union all ')}
      order by height ${direction}
      limit ${limit} offset ${offset}`,
  );
}

/** Rows of a table, each of a block of its own. */
interface Part {
  readonly table: Sql;
  readonly owner: Sql;
  readonly type?: RowsOfType;
}

function listParts({ brand, type }: WantedBlocks): readonly Part[] {
  const ofTenant =
    brand === undefined ? empty : sql`and tenant_no = ${brand.tenantNo ?? NO_TENANT}`;
  const ofBrand = brand === undefined ? empty : sql`and tenant_id = ${brand.tenantId}`;
  const events = { table: sql`events`, owner: ofTenant };
  const corrections = { table: sql`corrections`, owner: ofTenant };
  const decisions = { table: sql`decisions`, owner: ofBrand };
  if (type === undefined) return [events, corrections, decisions];
  if (type === 'AUDIT') {
    return brand === undefined ? [{ table: sql`audit_blocks`, owner: empty }] : [];
  }
  if (isEventType(type)) {
    const ofType = { ...events, type: { column: sql`event_type`, value: type } };
    // An event may have the type as well.
    return type === 'CORRECTION' ? [ofType, corrections] : [ofType];
  }
  return [{ ...decisions, type: { column: sql`type`, value: type.toLowerCase() } }];
}

/** No tenant has this number. */
const NO_TENANT = -1;
