// The queries with which a verification reads lots and their rows, in SQL that both engines share.
// Each query is bounded by the numbers of the lots and by a limit.
import { selectList, type ReadRowOf } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { HANDOVER_REFERENCE } from '../../record/delivery.ts';
import { IS_RECALLING } from '../../recalled.ts';
import { LOTS, LOT_QUANTITIES } from '../../tables/lots.ts';
import type { ProvenanceRow } from '../rows/stored-rows.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';

/** Lot numbers greater than `after`, up to and including `through`. */
export interface LotRange {
  readonly after: number;
  readonly through: number;
}

export interface LotRow extends ReadRowOf<typeof LOTS> {
  /** The search text of the lot; null when it has none. */
  readonly text: string | null;
}

/** A line that counts. */
export interface MovementRow {
  readonly lot_no: number;
  readonly height: number;
  readonly line_no: number;
  readonly event_type: string;
  readonly occurred_at: string;
  readonly product_sku: string;
  readonly direction: string;
  readonly quantity: string;
  readonly unit: string;
  readonly is_delivery: number;
  /** The reference of a sale or delivery of a lot that was delivered; null of all others. */
  readonly handover_reference: string | null;
}

/** What a lot is found by besides its own codes. */
export type SupplierNames = Pick<ProvenanceRow, 'supplier_name' | 'supplier_lot_code'>;

export type QuantityRow = ReadRowOf<typeof LOT_QUANTITIES>;

/** Tables whose rows belong to lots and to no block. */
export type LotTable = 'lot_quantities' | 'lot_texts';

/** The key of a row of `lot_texts`. */
export interface TextKey {
  readonly tenant_no: number;
  readonly lot_no: number;
}

export class LotQueries {
  readonly #reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
  }

  lots({ after, through }: LotRange, limit: number): Promise<readonly LotRow[]> {
    return this.#reader.all<LotRow>(sql`
      select ${selectList(LOTS, 'o')}, t.text
      from lots o
      left join lot_texts t on t.tenant_no = o.tenant_no and t.lot_no = o.lot_no
      where o.lot_no > ${after} and o.lot_no <= ${through}
      order by o.lot_no
      limit ${limit}`);
  }

  /**
   * Returns the number of the lot that is `count` lots after another one; undefined when there are
   * fewer.
   */
  async lotAfter(after: number, count: number): Promise<number | undefined> {
    const rows = await this.#reader.all<{ readonly lot_no: number }>(sql`
      select lot_no
      from lots
      where lot_no > ${after}
      order by lot_no
      limit 1 offset ${count - 1}`);
    return rows[0]?.lot_no;
  }

  /** These lots that have a hold that was not released. */
  async heldLots({ after, through }: LotRange): Promise<ReadonlySet<number>> {
    return collectNumbers(
      await this.#reader.all(sql`
        select distinct lot_no
        from lot_holds
        where lot_no > ${after} and lot_no <= ${through} and released_at is null`),
    );
  }

  /** These lots that a case recalls. */
  async recalledLots({ after, through }: LotRange): Promise<ReadonlySet<number>> {
    return collectNumbers(
      await this.#reader.all(sql`
        select distinct r.lot_no
        from recall_lots r
        join recall_cases c on c.case_id = r.case_id
        where r.lot_no > ${after} and r.lot_no <= ${through} and ${IS_RECALLING}`),
    );
  }

  /** Lines that count of these lots, in the order of lots, blocks and lines. */
  async movements({ after, through }: LotRange, limit: number): Promise<readonly MovementRow[]> {
    const rows = await this.#reader.all<MovementRow>(sql`
      select
        l.lot_no, l.height, l.line_no, e.event_type, e.occurred_at, l.product_sku, l.direction,
        l.quantity, l.unit, l.is_delivery, ${HANDOVER_REFERENCE} as handover_reference
      from lines l
      join events e on e.height = l.height
      where l.lot_no > ${after} and l.lot_no <= ${through} and e.voided = 0
      order by l.lot_no, l.height
      limit ${limit}`);
    // Few blocks have several lines of a lot. An index has no order of these: SQLite would sort each lot's lines.
    return rows.every(isInPlace) ? rows : rows.toSorted(compareLines);
  }

  /** Suppliers that the lines of these lots name, but those of voided events, which have no rows. */
  suppliers(
    { after, through }: LotRange,
    limit: number,
  ): Promise<readonly (SupplierNames & { readonly lot_no: number })[]> {
    return this.#reader.all(sql`
      select lot_no, supplier_name, supplier_lot_code
      from provenances
      where lot_no > ${after} and lot_no <= ${through}
      order by lot_no
      limit ${limit}`);
  }

  /** The lines of one lot that count, after one of them, with the suppliers that they name. */
  readMovements(
    lotNo: number,
    after: { readonly height: number; readonly lineNo: number },
    limit: number,
  ): Promise<readonly (MovementRow & SupplierNames)[]> {
    return this.#reader.all(sql`
      select
        l.lot_no, l.height, l.line_no, e.event_type, e.occurred_at, l.product_sku, l.direction,
        l.quantity, l.unit, l.is_delivery, ${HANDOVER_REFERENCE} as handover_reference,
        p.supplier_name, p.supplier_lot_code
      from lines l
      join events e on e.height = l.height
      left join provenances p on p.height = l.height and p.line_no = l.line_no
      where
        l.lot_no = ${lotNo} and (l.height, l.line_no) > (${after.height}, ${after.lineNo})
        and e.voided = 0
      order by l.height, l.line_no
      limit ${limit}`);
  }

  quantities({ after, through }: LotRange, limit: number): Promise<readonly QuantityRow[]> {
    return this.#reader.all<QuantityRow>(sql`
      select ${selectList(LOT_QUANTITIES)}
      from lot_quantities
      where lot_no > ${after} and lot_no <= ${through}
      order by lot_no
      limit ${limit}`);
  }

  /** The last block that is listed for a lot; each correction of its lines adds a later one. */
  async lastMention(lotNo: number): Promise<number | undefined> {
    const rows = await this.#reader.all<{ height: number }>(sql`
      select height
      from lot_mentions
      where lot_no = ${lotNo}
      order by height desc
      limit 1`);
    return rows[0]?.height;
  }

  /** Tables with rows of numbers below or above those of all lots, where no range comes past. */
  rowsBeyond(lotNoMin: number): Promise<readonly { readonly place: LotTable }[]> {
    return this.#reader.all(sql`
      select 'lot_quantities' as place
      where exists (select 1 from lot_quantities where lot_no < ${lotNoMin})
      or exists (
        select 1
        from lot_quantities
        where lot_no > (select coalesce(max(lot_no), 0) from lots))
      union all
      select 'lot_texts' where exists (select 1 from lot_texts where tenant_no < ${lotNoMin})`);
  }

  /** Texts in the order of their keys; `listed_no` is null without the lot that it is of. */
  texts(
    after: TextKey,
    limit: number,
  ): Promise<readonly (TextKey & { readonly listed_no: number | null })[]> {
    return this.#reader.all(sql`
      select t.tenant_no, t.lot_no, o.lot_no as listed_no
      from lot_texts t
      left join lots o on o.lot_no = t.lot_no and o.tenant_no = t.tenant_no
      where (t.tenant_no, t.lot_no) > (${after.tenant_no}, ${after.lot_no})
      order by t.tenant_no, t.lot_no
      limit ${limit}`);
  }
}

function collectNumbers(rows: readonly { readonly lot_no: number }[]): ReadonlySet<number> {
  return new Set(rows.map(({ lot_no: lotNo }) => lotNo));
}

/** Returns whether a line does not come before the one that was read before it. */
function isInPlace(line: MovementRow, index: number, lines: readonly MovementRow[]): boolean {
  const before = lines[index - 1];
  return before === undefined || compareLines(before, line) <= 0;
}

function compareLines(a: MovementRow, b: MovementRow): number {
  return a.lot_no - b.lot_no || a.height - b.height || a.line_no - b.line_no;
}
