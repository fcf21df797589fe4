// The rows of the lots of a group: finds or numbers them, writes their search texts and quantities,
// and notes which of them to recount.
import { lotText, lotTextWith } from '../record/lot-text.ts';
import type { NewLotRow } from '../tables/lots.ts';
import type { LotTables, LotToRecount } from './group-rows.ts';
import { LotAccounts } from './lot-accounts.ts';

/** Lots remembered between groups, so that a busy lot costs no look-up; cleared when full. */
const LOT_CACHE_MAX = 50_000;

export interface NamedLot {
  readonly lotNo: number;
  /** True when this name is the first that any block gives it. */
  readonly isNew: boolean;
}

export class LotRows {
  readonly accounts: LotAccounts;
  readonly #tables: LotTables;
  readonly #lotNos = new Map<string, number>();
  readonly #recounts = new Map<number, LotToRecount>();
  #lastLotNo: number | undefined;

  constructor(tables: LotTables) {
    this.#tables = tables;
    this.accounts = new LotAccounts(tables);
  }

  begin(): void {
    // Never within a group: a lot that was numbered may not be inserted yet.
    if (this.#lotNos.size > LOT_CACHE_MAX) this.#lotNos.clear();
    this.accounts.begin();
  }

  forget(): void {
    this.#lotNos.clear();
    this.#recounts.clear();
    this.accounts.forget();
    this.#lastLotNo = undefined;
  }

  /** Writes what is kept in memory; the last thing of a transaction. */
  flush(): void {
    const sure = new Map(
      [...this.#recounts].filter(([, { ifMatched }]) => ifMatched === undefined),
    );
    this.accounts.flush(sure);
    this.#tables.recount(this.#recounts);
    // The recount may have replaced the rows that were written above.
    for (const lotNo of this.#recounts.keys()) this.accounts.forgetLot(lotNo);
    this.#recounts.clear();
  }

  find(tenantNo: number, lotCode: string): number | undefined {
    const key = `${tenantNo} ${lotCode}`;
    const cached = this.#lotNos.get(key);
    if (cached !== undefined) return cached;
    const lotNo = this.#tables.findLotNo(tenantNo, lotCode);
    if (lotNo !== undefined) this.#lotNos.set(key, lotNo);
    return lotNo;
  }

  /** Returns the lot of this code. A new lot gets its number here, and its row by `insert`. */
  getOrNumber(tenantNo: number, lotCode: string): NamedLot {
    const found = this.find(tenantNo, lotCode);
    if (found !== undefined) return { lotNo: found, isNew: false };
    const lotNo = (this.#lastLotNo ?? this.#tables.lastLotNo()) + 1;
    this.#lastLotNo = lotNo;
    this.#lotNos.set(`${tenantNo} ${lotCode}`, lotNo);
    this.accounts.addLot(lotNo);
    return { lotNo, isNew: true };
  }

  /** Inserts a lot that `getOrNumber` numbered, as its first event leaves it. */
  insert(lot: {
    readonly lotNo: number;
    readonly tenantNo: number;
    readonly lotCode: string;
    /** The SKU it is first named with, and the block that does. */
    readonly productSku: string;
    readonly height: number;
    /** Further terms by which it is searched. */
    readonly terms: readonly string[];
  }): void {
    const { lotNo, tenantNo, lotCode, productSku, height, terms } = lot;
    const standing = this.accounts.takeStanding(lotNo);
    const text = lotText(lotCode, [productSku, ...terms]);
    const row: NewLotRow = {
      lot_no: lotNo,
      tenant_no: tenantNo,
      lot_code: lotCode,
      product_sku: productSku,
      first_height: height,
      first_sku: productSku,
      status: standing.status,
      stocked: standing.stocked,
      over_issued: standing.over_issued,
    };
    this.#tables.insertLot(row, text);
  }

  /** Adds terms by which the lot is found. */
  addTerms(tenantNo: number, lotNo: number, terms: readonly string[]): void {
    const text = this.#tables.getText(tenantNo, lotNo);
    const longer = lotTextWith(text, terms);
    if (longer !== text) this.#tables.updateText(tenantNo, lotNo, longer);
  }

  /**
   * Marks a lot for a recount of quantities, SKU and text from its lines, at the end of the group.
   */
  recount(tenantNo: number, lotNo: number): void {
    this.#recounts.set(lotNo, { tenantNo, lotNo, ifMatched: undefined });
  }

  /** Marks a lot for a recount if it was delivered and sold under this reference. */
  recountIfMatched(tenantNo: number, lotNo: number, reference: string): void {
    const known = this.#recounts.get(lotNo);
    if (known !== undefined && known.ifMatched === undefined) return;
    const ifMatched = new Set(known?.ifMatched).add(reference);
    this.#recounts.set(lotNo, { tenantNo, lotNo, ifMatched });
  }

  isHeld(lotNo: number): boolean {
    return this.#tables.isHeld(lotNo);
  }
}
