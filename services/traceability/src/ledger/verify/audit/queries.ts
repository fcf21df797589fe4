// The queries with which a verification reads the audit, page by page.
import { cutSlices, inList } from '@lothub/kit/in-list';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql, { empty } from 'sql-template-tag';
import { ACCEPTING_CUT } from '../../audit.ts';
import { entriesAbove, type PlacedEntry } from '../../audit-chain/queries.ts';
import { findPayload } from '../../record/payload-shape.ts';
import type { Payload } from '../../record/payload.ts';
import { AUDIT_ENTRIES, type StoredAuditEntry } from '../../tables/audit.ts';
import { API_KEYS, SUPPLIERS, type KeyRow, type SupplierRow } from '../../tables/off-chain.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';

type NullableEntry = { readonly [Name in keyof StoredAuditEntry]: StoredAuditEntry[Name] | null };

/** A place of the chain with its entry; the columns of a missing entry are null. */
export interface PlaceRow extends NullableEntry {
  readonly sequence: number;
  readonly entry_id: number;
  readonly hash: string;
}

/**
 * The place where the chain of the audit was begun on an older hub; undefined on a hub that always
 * had it.
 */
export interface AuditBeginning {
  readonly id: number;
  readonly height: number | null;
}

/** Entries from before it that name a later block name a lost one. */
export interface AcceptedCut {
  readonly id: number;
  /** Height of the last block that was kept. */
  readonly height: number;
}

/** An operator accepts each by hand. */
const CUTS_MAX = 1_000;

export class AuditQueries {
  readonly #reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
  }

  places(page: {
    readonly sequence: number;
    readonly limit: number;
  }): Promise<readonly PlaceRow[]> {
    return this.#reader.all<PlaceRow>(sql`
      select c.sequence, c.entry_id, c.hash, ${selectList(AUDIT_ENTRIES, 'e')}
      from audit_chain c
      left join audit_entries e on e.id = c.entry_id
      where c.sequence > ${page.sequence}
      order by c.sequence
      limit ${page.limit}`);
  }

  entries(page: { readonly id: number; readonly limit: number }): Promise<readonly PlacedEntry[]> {
    return entriesAbove(this.#reader, page);
  }

  /** Ids with their places, in the order of the ids. */
  ids(page: {
    readonly id: number;
    readonly through: number;
    readonly limit: number;
  }): Promise<readonly Pick<PlacedEntry, 'id' | 'sequence'>[]> {
    return this.#reader.all(sql`
      select e.id, c.sequence
      from audit_entries e
      left join audit_chain c on c.entry_id = e.id
      where e.id > ${page.id} and e.id <= ${page.through}
      order by e.id
      limit ${page.limit}`);
  }

  async through(): Promise<number> {
    const rows = await this.#reader.all<{ readonly through: number }>(sql`
      select through
      from audit_progress
      where id = 1`);
    return rows[0]?.through ?? 0;
  }

  async beginning(): Promise<AuditBeginning | undefined> {
    const rows = await this.#reader.all<AuditBeginning>(sql`
      select id, block_height as height
      from audit_entries
      where tenant_id is null and action = 'chain_audit'
      order by tenant_id desc, action desc, -id desc
      limit 1`);
    return rows[0];
  }

  /**
   * Reads the accepted cuts of the chain's end. A cut whose block is not stored accepts nothing.
   */
  acceptedCuts(): Promise<readonly AcceptedCut[]> {
    return this.#reader.all<AcceptedCut>(sql`
      select e.id, e.block_height as height
      from audit_entries e
      join blocks b on b.height = e.block_height and b.hash = e.entity_id
      where e.tenant_id is null and e.action = ${ACCEPTING_CUT}
      order by e.tenant_id desc, e.action desc, -e.id desc
      limit ${CUTS_MAX}`);
  }

  async newestPlace(): Promise<number> {
    const rows = await this.#reader.all<{ readonly sequence: number }>(sql`
      select sequence
      from audit_chain
      order by sequence desc
      limit 1`);
    return rows[0]?.sequence ?? 0;
  }

  /** The first block that seals a place of the chain. */
  async sealingHeight(sequence: number): Promise<number | undefined> {
    const rows = await this.#reader.all<{ readonly height: number }>(sql`
      select height
      from audit_blocks
      where sequence >= ${sequence}
      order by height
      limit 1`);
    return rows[0]?.height;
  }

  /** Undefined payloads are of texts that were never sealed here. */
  async payloads(heights: readonly number[]): Promise<ReadonlyMap<number, Payload | undefined>> {
    const found = new Map<number, Payload | undefined>();
    for (const slice of cutSlices(new Set(heights))) {
      const rows = await this.#reader.all<{ readonly height: number; readonly canonical: string }>(
        sql`
          select height, canonical
          from blocks
          where height in (${inList(slice)})`,
      );
      for (const { height, canonical } of rows) found.set(height, findPayload(canonical));
    }
    return found;
  }

  keys(): Promise<readonly KeyRow[]> {
    return this.#reader.all<KeyRow>(sql`
      select ${selectList(API_KEYS)}
      from api_keys
      order by key_id`);
  }

  /** Yields all links of suppliers by their key, page by page within one snapshot. */
  async *suppliers(rowsMax: number): AsyncGenerator<readonly SupplierRow[]> {
    let behind = empty;
    for (;;) {
      const rows = await this.#reader.all<SupplierRow>(sql`
        select ${selectList(SUPPLIERS)}
        from suppliers
        ${behind}
        order by tenant_id, name
        limit ${rowsMax}`);
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsMax) return;
      behind = sql`where (tenant_id, name) > (${last.tenant_id}, ${last.name})`;
    }
  }
}
