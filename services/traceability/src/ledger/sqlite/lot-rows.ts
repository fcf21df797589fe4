// The rows of lots in SQLite: finds or makes them as events name them, keeps what they are found by,
// their quantities and who holds them.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { lotText, lotTextWith } from '../lot-text.ts';
import { LotAccounts } from './lot-accounts.ts';
import { LotSearchIndex } from './lot-search.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const FIND_LOT = 'select lot_no from lots where tenant_no = ? and lot_code = ?';
const INSERT_LOT =
  'insert into lots (lot_no, tenant_no, lot_code, product_sku, first_height, first_sku, ' +
  'status, stocked, over_issued) values (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const FIND_LABEL = 'select lot_code, product_sku, first_sku from lots where lot_no = ?';
const UPDATE_SKU = 'update lots set product_sku = ? where lot_no = ?';
const FIND_TERMS =
  'select distinct supplier_name, supplier_lot_code from provenances where lot_no = ?';
const FIND_HELD = 'select lot_no from lots where on_hold = 1';
const LAST_LOT_NO = 'select lot_no from lots order by lot_no desc limit 1';

/** Lots remembered between groups, so that a busy lot costs no look-up; cleared when full. */
const LOT_CACHE_MAX = 50_000;

export interface NamedLot {
  readonly lotNo: number;
  /** True when this name is the first that any block gives it. */
  readonly isNew: boolean;
}

export class LotRows {
  readonly accounts: LotAccounts;
  readonly search: LotSearchIndex;
  readonly #connection: SqliteConnection;
  readonly #lotNos = new Map<string, number>();
  /** Lots on hold; undefined when they have to be read again. */
  #held: ReadonlySet<number> | undefined;
  #lastLotNo: number | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.accounts = new LotAccounts(connection);
    this.search = new LotSearchIndex(connection);
  }

  begin(): void {
    this.accounts.begin();
  }

  forget(): void {
    this.#lotNos.clear();
    this.accounts.forget();
    this.search.forget();
    this.#lastLotNo = undefined;
    this.forgetHolds();
  }

  forgetHolds(): void {
    this.#held = undefined;
  }

  /** Writes what is kept in memory; the last thing of a transaction. */
  flush(): void {
    this.accounts.flush();
    this.search.takeInWhenDue(this.#lastNo());
  }

  find(tenantNo: number, lotCode: string): number | undefined {
    const key = `${tenantNo} ${lotCode}`;
    const cached = this.#lotNos.get(key);
    if (cached !== undefined) return cached;
    const row = this.#connection.statement(FIND_LOT).get(tenantNo, lotCode);
    if (row === undefined) return undefined;
    const lotNo = Number(row['lot_no']);
    this.#remember(key, lotNo);
    return lotNo;
  }

  /** The lot of this code; a new one has a number from now on and is inserted by `insert`. */
  getOrNumber(tenantNo: number, lotCode: string): NamedLot {
    const found = this.find(tenantNo, lotCode);
    if (found !== undefined) return { lotNo: found, isNew: false };
    const lotNo = this.#lastNo() + 1;
    this.#lastLotNo = lotNo;
    this.#remember(`${tenantNo} ${lotCode}`, lotNo);
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
    /** What else it is found by. */
    readonly terms: readonly string[];
  }): void {
    const { lotNo, tenantNo, lotCode, productSku, height } = lot;
    const { status, stocked, overIssued } = this.accounts.takeStanding(lotNo);
    this.#connection
      .statement(INSERT_LOT)
      .run(lotNo, tenantNo, lotCode, productSku, height, productSku, status, stocked, overIssued);
    this.search.insert(tenantNo, lotNo, lotText(lotCode, [productSku, ...lot.terms]));
  }

  /** The lot is found by these, too. */
  addTerms(tenantNo: number, lotNo: number, terms: readonly string[]): void {
    const text = this.search.textOf(tenantNo, lotNo);
    const longer = lotTextWith(text, terms);
    if (longer !== text) this.search.update(tenantNo, lotNo, longer);
  }

  /** Makes quantities, SKU and text of a lot anew, after lines of it changed. */
  recount(tenantNo: number, lotNo: number): void {
    const accounts = this.accounts.recount(lotNo);
    const label = this.#connection.statement(FIND_LABEL).get(lotNo);
    const productSku = accounts[0]?.productSku ?? String(label?.['first_sku']);
    if (productSku !== label?.['product_sku']) {
      this.#connection.statement(UPDATE_SKU).run(productSku, lotNo);
    }
    const terms = [productSku, ...accounts.map((account) => account.productSku)];
    for (const row of this.#connection.statement(FIND_TERMS).all(lotNo)) {
      for (const term of [row['supplier_name'], row['supplier_lot_code']]) {
        if (typeof term === 'string') terms.push(term);
      }
    }
    const text = lotText(String(label?.['lot_code']), terms);
    if (text !== this.search.textOf(tenantNo, lotNo)) this.search.update(tenantNo, lotNo, text);
  }

  isHeld(lotNo: number): boolean {
    this.#held ??= new Set(
      this.#connection
        .statement(FIND_HELD)
        .all()
        .map((row) => Number(row['lot_no'])),
    );
    return this.#held.has(lotNo);
  }

  #lastNo(): number {
    this.#lastLotNo ??= Number(this.#connection.statement(LAST_LOT_NO).get()?.['lot_no'] ?? 0);
    return this.#lastLotNo;
  }

  #remember(key: string, lotNo: number): void {
    if (this.#lotNos.size >= LOT_CACHE_MAX) this.#lotNos.clear();
    this.#lotNos.set(key, lotNo);
  }
}
