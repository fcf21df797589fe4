// The queries with which a verification reads blocks and the rows beside them, in SQL that every
// engine shares. Each query is bounded by heights, so its cost is that of the slice and not of the
// table.
import { cutSlices, inList } from '@lothub/kit/in-list';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { AUDIT_BLOCKS } from '../tables/audit.ts';
import {
  CORRECTIONS,
  DECISIONS,
  EVENTS,
  HEAD,
  IMPORT_KEYS,
  LINES,
  LOT_MENTIONS,
  PROVENANCES,
  TENANTS,
} from '../tables/chain.ts';
import type { HeadRow, TenantRow } from '../tables/chain.ts';
import {
  PRIVATE_CHANGES,
  PRIVATE_DECISIONS,
  PRIVATE_LINES,
  PRIVATE_NOTES,
  PRIVATE_REQUESTS,
  type PrivateChangeRow,
  type PrivateDecisionRow,
  type PrivateLineRow,
  type PrivateNotesRow,
  type PrivateRequestRow,
} from '../tables/private.ts';
import { readErasedInRange } from './erased.ts';
import { readComparisons } from './decided/comparisons.ts';
import type { CompareDecided } from './decided/check.ts';
import type { HeightRange, SnapshotReader } from './snapshot-reader.ts';
import { selectBlocks, type StoredBlockRow } from './chain.ts';
import type { BlockText, ListedCorrection } from './rows/histories.ts';
import type {
  AuditBlockRow,
  CorrectionRow,
  DecisionRow,
  ErasedHeights,
  EventRow,
  ImportKeyRow,
  LineRow,
  MentionRow,
  PrivateRows,
  ProvenanceRow,
} from './rows/stored-rows.ts';

export class VerificationQueries {
  readonly #reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
  }

  blocks(range: HeightRange): Promise<readonly StoredBlockRow[]> {
    return this.#reader.all<StoredBlockRow>(selectBlocks(range));
  }

  async blockTexts(heights: readonly number[]): Promise<readonly BlockText[]> {
    const found: BlockText[] = [];
    for (const slice of cutSlices(heights)) {
      const rows = await this.#reader.all<BlockText>(sql`
        select height, hash, canonical
        from blocks
        where height in (${inList(slice)})`);
      found.push(...rows);
    }
    return found;
  }

  events({ after, through }: HeightRange): Promise<readonly EventRow[]> {
    return this.#reader.all<EventRow>(sql`
      select
        ${selectList(EVENTS, 'e')}, t.tenant_id, t.first_height as tenant_first_height
      from events e
      left join tenants t on t.tenant_no = e.tenant_no
      where e.height > ${after} and e.height <= ${through}
      order by e.height`);
  }

  corrections({ after, through }: HeightRange): Promise<readonly CorrectionRow[]> {
    return this.#reader.all<CorrectionRow>(sql`
      select ${selectList(CORRECTIONS, 'c')}, t.tenant_id, e.line_count
      from corrections c
      left join tenants t on t.tenant_no = c.tenant_no
      left join events e on e.height = c.corrects_height
      where c.height > ${after} and c.height <= ${through}
      order by c.height`);
  }

  lines({ after, through }: HeightRange): Promise<readonly LineRow[]> {
    return this.#reader.all<LineRow>(sql`
      select
        ${selectList(LINES, 'l')}, o.tenant_no as lot_tenant_no, o.lot_code,
        o.first_sku as lot_first_sku, o.first_height as lot_first_height
      from lines l
      left join lots o on o.lot_no = l.lot_no
      where l.height > ${after} and l.height <= ${through}
      order by l.height, l.line_no`);
  }

  provenances({ after, through }: HeightRange): Promise<readonly ProvenanceRow[]> {
    return this.#reader.all<ProvenanceRow>(sql`
      select ${selectList(PROVENANCES)}
      from provenances
      where height > ${after} and height <= ${through}
      order by height, line_no`);
  }

  mentions({ after, through }: HeightRange): Promise<readonly MentionRow[]> {
    return this.#reader.all<MentionRow>(sql`
      select
        ${selectList(LOT_MENTIONS, 'm')}, t.tenant_id as lot_tenant_id, o.lot_code,
        o.first_sku as lot_first_sku, o.first_height as lot_first_height
      from lot_mentions m
      left join lots o on o.lot_no = m.lot_no
      left join tenants t on t.tenant_no = o.tenant_no
      where m.height > ${after} and m.height <= ${through}
      order by m.height, m.lot_no`);
  }

  decisions({ after, through }: HeightRange): Promise<readonly DecisionRow[]> {
    return this.#reader.all<DecisionRow>(sql`
      select ${selectList(DECISIONS)}
      from decisions
      where height > ${after} and height <= ${through}
      order by height`);
  }

  auditBlocks({ after, through }: HeightRange): Promise<readonly AuditBlockRow[]> {
    return this.#reader.all<AuditBlockRow>(sql`
      select ${selectList(AUDIT_BLOCKS, 'a')}, c.hash as chained_hash
      from audit_blocks a
      left join audit_chain c on c.sequence = a.sequence
      where a.height > ${after} and a.height <= ${through}
      order by a.height`);
  }

  /** Reads the rows of decisions of these heights, for their comparison. */
  decided(range: HeightRange): Promise<readonly CompareDecided[]> {
    return readComparisons(this.#reader, range);
  }

  erased(range: HeightRange): Promise<ErasedHeights> {
    return readErasedInRange(this.#reader, range);
  }

  /**
   * Reads the corrections of the events of these heights, at whatever height the corrections are.
   */
  correctionsOfRange({ after, through }: HeightRange): Promise<readonly ListedCorrection[]> {
    return this.#reader.all<ListedCorrection>(sql`
      select c.height, c.corrects_height, b.hash, b.canonical
      from corrections c
      left join blocks b on b.height = c.height
      where c.corrects_height > ${after} and c.corrects_height <= ${through}
      order by c.corrects_height, c.height`);
  }

  async readCorrections(heights: readonly number[]): Promise<readonly ListedCorrection[]> {
    const found: ListedCorrection[] = [];
    for (const slice of cutSlices(heights)) {
      const rows = await this.#reader.all<ListedCorrection>(sql`
        select c.height, c.corrects_height, b.hash, b.canonical
        from corrections c
        left join blocks b on b.height = c.height
        where c.corrects_height in (${inList(slice)})
        order by c.corrects_height, c.height`);
      found.push(...rows);
    }
    return found;
  }

  async privateRows({ after, through }: HeightRange): Promise<PrivateRows> {
    const privateLines = await this.#reader.all<PrivateLineRow>(sql`
      select ${selectList(PRIVATE_LINES)}
      from private_lines
      where height > ${after} and height <= ${through}
      order by height, line_no`);
    const privateNotes = await this.#reader.all<PrivateNotesRow>(sql`
      select ${selectList(PRIVATE_NOTES)}
      from private_notes
      where height > ${after} and height <= ${through}
      order by height`);
    const privateRequests = await this.#reader.all<PrivateRequestRow>(sql`
      select ${selectList(PRIVATE_REQUESTS)}
      from private_requests
      where height > ${after} and height <= ${through}
      order by height`);
    const privateChanges = await this.#reader.all<PrivateChangeRow>(sql`
      select ${selectList(PRIVATE_CHANGES)}
      from private_changes
      where height > ${after} and height <= ${through}
      order by height, change_no`);
    const privateDecisions = await this.#reader.all<PrivateDecisionRow>(sql`
      select ${selectList(PRIVATE_DECISIONS)}
      from private_decisions
      where height > ${after} and height <= ${through}
      order by height, name`);
    return { privateLines, privateNotes, privateRequests, privateChanges, privateDecisions };
  }

  importKeys({ after, through }: HeightRange): Promise<readonly ImportKeyRow[]> {
    return this.#reader.all<ImportKeyRow>(sql`
      select ${selectList(IMPORT_KEYS, 'k')}, t.tenant_id
      from import_keys k
      left join tenants t on t.tenant_no = k.tenant_no
      where k.height > ${after} and k.height <= ${through}
      order by k.height`);
  }

  async head(): Promise<HeadRow | undefined> {
    const rows = await this.#reader.all<HeadRow>(sql`
      select ${selectList(HEAD)}
      from head
      where id = 1`);
    return rows[0];
  }

  tenants(): Promise<readonly TenantRow[]> {
    return this.#reader.all<TenantRow>(sql`
      select ${selectList(TENANTS)}
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

  /** The greatest lot number; undefined without any lot. */
  async lastLotNo(): Promise<number | undefined> {
    const rows = await this.#reader.all<{ lot_no: number }>(
      sql`select lot_no from lots order by lot_no desc limit 1`,
    );
    return rows[0]?.lot_no;
  }
}
