// What a verification reads, in words that every engine shares. Each query is bounded by heights, so
// its cost is that of the slice and not of the table.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { selectBlocks } from './verify-chain.ts';
import type { StoredBlockRow } from './verify-chain.ts';
import type { StoredHead, StoredTenant } from './verify-totals.ts';

/** Reads of one consistent state; how a state is held still is each engine's own. */
export interface SnapshotReader {
  readonly all: DatabaseReader['all'];
  /** Runs `work` so that all it reads is of one moment. */
  readonly inSnapshot: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Heights greater than `after`, up to and including `through`. */
export interface HeightRange {
  readonly after: number;
  readonly through: number;
}

export class VerificationQueries {
  readonly #reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
  }

  blocks(range: HeightRange): Promise<readonly StoredBlockRow[]> {
    return this.#reader.all<StoredBlockRow>(selectBlocks(range));
  }

  events({ after, through }: HeightRange): Promise<readonly EventRow[]> {
    return this.#reader.all<EventRow>(sql`
      select
        e.height, e.tenant_no, t.tenant_id, t.first_height as tenant_first_height, e.event_type,
        e.external_id, e.occurred_at, e.reference, e.line_count, e.link_basis
      from events e
      left join tenants t on t.tenant_no = e.tenant_no
      where e.height > ${after} and e.height <= ${through}
      order by e.height`);
  }

  async rows(range: HeightRange): Promise<Omit<SliceRows, 'events'>> {
    const { after, through } = range;
    const lines = await this.#reader.all<LineRow>(sql`
      select
        l.height, l.line_no, l.lot_no, o.tenant_no as lot_tenant_no, o.lot_code,
        o.product_sku as lot_product_sku, o.first_height as lot_first_height, l.product_sku,
        l.direction, l.quantity, l.unit, l.link_basis
      from lines l
      left join lots o on o.lot_no = l.lot_no
      where l.height > ${after} and l.height <= ${through}
      order by l.height, l.line_no`);
    const privateLines = await this.#reader.all<PrivateLineRow>(sql`
      select height, line_no, customer_ref, channel, salt
      from private_lines
      where height > ${after} and height <= ${through}
      order by height, line_no`);
    const privateNotes = await this.#reader.all<PrivateNotesRow>(sql`
      select height, notes, salt
      from private_notes
      where height > ${after} and height <= ${through}
      order by height`);
    const importKeys = await this.#reader.all<ImportKeyRow>(sql`
      select k.height, t.tenant_id, k.content_key
      from import_keys k
      left join tenants t on t.tenant_no = k.tenant_no
      where k.height > ${after} and k.height <= ${through}
      order by k.height`);
    return { lines, privateLines, privateNotes, importKeys };
  }

  async head(): Promise<StoredHead | undefined> {
    const rows = await this.#reader.all<StoredHead>(sql`
      select height, hash, recorded_at, transactions, lots, tenants from head where id = 1`);
    return rows[0];
  }

  tenants(): Promise<readonly StoredTenant[]> {
    return this.#reader.all<StoredTenant>(sql`
      select tenant_id, first_height, last_height, events, transactions, lots
      from tenants
      order by tenant_no`);
  }

  /** Hash of the block at a height, and height of the last block (-1: there is none). */
  async blockHashAt(
    height: number,
  ): Promise<{ readonly hash: string | undefined; readonly lastHeight: number }> {
    const rows = await this.#reader.all<{ hash: string }>(
      sql`select hash from blocks where height = ${height}`,
    );
    const last = await this.#reader.all<{ height: number }>(
      sql`select height from blocks order by height desc limit 1`,
    );
    return { hash: rows[0]?.hash, lastHeight: last[0]?.height ?? -1 };
  }

  /** Tables that hold rows of heights at which no block can be; the heights themselves are not read. */
  stray(tipHeight: number): Promise<readonly StrayRows[]> {
    return this.#reader.all<StrayRows>(sql`
      select 'blocks' as place, 'below' as side where exists (select 1 from blocks where height < 0)
      union all
      select 'events', 'below' where exists (select 1 from events where height < 0)
      union all
      select 'lines', 'below' where exists (select 1 from lines where height < 0)
      union all
      select 'private_lines', 'below' where exists (select 1 from private_lines where height < 0)
      union all
      select 'private_notes', 'below' where exists (select 1 from private_notes where height < 0)
      union all
      select 'import_keys', 'below' where exists (select 1 from import_keys where height < 0)
      union all
      select 'events', 'above' where exists (select 1 from events where height > ${tipHeight})
      union all
      select 'lines', 'above' where exists (select 1 from lines where height > ${tipHeight})
      union all
      select 'private_lines', 'above'
      where exists (select 1 from private_lines where height > ${tipHeight})
      union all
      select 'private_notes', 'above'
      where exists (select 1 from private_notes where height > ${tipHeight})
      union all
      select 'import_keys', 'above'
      where exists (select 1 from import_keys where height > ${tipHeight})`);
  }

  /** The greatest lot number; undefined without any lot. */
  async lastLotNo(): Promise<number | undefined> {
    const rows = await this.#reader.all<{ lot_no: number }>(
      sql`select lot_no from lots order by lot_no desc limit 1`,
    );
    return rows[0]?.lot_no;
  }

  lots(
    range: { readonly after: number; readonly through: number },
    limit: number,
  ): Promise<readonly LotRow[]> {
    return this.#reader.all<LotRow>(sql`
      select lot_no, first_height
      from lots
      where lot_no > ${range.after} and lot_no <= ${range.through}
      order by lot_no
      limit ${limit}`);
  }
}

export interface StrayRows {
  readonly place: 'blocks' | 'events' | 'lines' | 'private_lines' | 'private_notes' | 'import_keys';
  readonly side: 'below' | 'above';
}

export interface LotRow {
  readonly lot_no: number;
  readonly first_height: number;
}

/** `tenant_*` is null when the row's tenant is not listed. */
export interface EventRow {
  readonly height: number;
  readonly tenant_no: number;
  readonly tenant_id: string | null;
  readonly tenant_first_height: number | null;
  readonly event_type: string;
  readonly external_id: string | null;
  readonly occurred_at: string;
  readonly reference: string;
  readonly line_count: number;
  readonly link_basis: number;
}

/** `lot_*` is null when the row's lot is not listed. */
export interface LineRow {
  readonly height: number;
  readonly line_no: number;
  readonly lot_no: number;
  readonly lot_tenant_no: number | null;
  readonly lot_code: string | null;
  readonly lot_product_sku: string | null;
  readonly lot_first_height: number | null;
  readonly product_sku: string;
  readonly direction: string;
  readonly quantity: string;
  readonly unit: string;
  readonly link_basis: number;
}

export interface PrivateLineRow {
  readonly height: number;
  readonly line_no: number;
  readonly customer_ref: string | null;
  readonly channel: string | null;
  readonly salt: string;
}

export interface PrivateNotesRow {
  readonly height: number;
  readonly notes: string;
  readonly salt: string;
}

export interface ImportKeyRow {
  readonly height: number;
  readonly tenant_id: string | null;
  readonly content_key: string;
}

/** All rows that belong to the heights of one slice, each list by height and line. */
export interface SliceRows {
  readonly events: readonly EventRow[];
  readonly lines: readonly LineRow[];
  readonly privateLines: readonly PrivateLineRow[];
  readonly privateNotes: readonly PrivateNotesRow[];
  readonly importKeys: readonly ImportKeyRow[];
}
