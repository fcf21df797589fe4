// The rows of lots, their accounts and texts, in PostgreSQL: answers from what was read for the
// group, and keeps what is written until the group ends.
import { rowsInsert, rowsUpdate } from '@lothub/kit/postgres/row-statements';
import { namesWithout } from '@lothub/kit/rows/stored-table';
import type { Sql } from 'sql-template-tag';
import type { LotToRecount, LotTables, StoredAccount } from '../append/group-rows.ts';
import type { Removal, Standing } from '../record/quantities.ts';
import { LOTS, LOT_QUANTITIES, LOT_TEXTS } from '../tables/lots.ts';
import type { LotTextRow, NewLotRow, QuantityRow } from '../tables/lots.ts';
import type { GroupView, LotView } from './group-view.ts';

const insertLots = rowsInsert(LOTS);
export const updateStandings = rowsUpdate(LOTS, { set: ['status', 'stocked', 'over_issued'] });
const insertTexts = rowsInsert(LOT_TEXTS);
export const updateTexts = rowsUpdate(LOT_TEXTS, { set: ['text'] });
export const insertAccounts = rowsInsert(LOT_QUANTITIES);
const updateAccounts = rowsUpdate(LOT_QUANTITIES, {
  set: namesWithout(LOT_QUANTITIES, LOT_QUANTITIES.key),
});

export class PostgresLotTables implements LotTables {
  readonly #view: GroupView;
  readonly #newLots = new Map<number, NewLotRow>();
  readonly #standings = new Map<number, Standing>();
  readonly #texts = new Map<number, LotTextRow>();
  readonly #newAccounts: QuantityRow[] = [];
  readonly #accounts: QuantityRow[] = [];
  /** Holds set and ended, in their order. */
  #recounts: readonly LotToRecount[] = [];

  constructor(view: GroupView) {
    this.#view = view;
  }

  findLotNo(tenantNo: number, lotCode: string): number | undefined {
    return this.#view.findLot(tenantNo, lotCode)?.lotNo;
  }

  lastLotNo(): number {
    return this.#view.lastLotNo;
  }

  insertLot(row: NewLotRow, text: string): void {
    this.#newLots.set(row.lot_no, row);
    this.#view.addLot({
      lotNo: row.lot_no,
      tenantNo: row.tenant_no,
      lotCode: row.lot_code,
      standing: row,
      text,
      isHeld: false,
      hasAccount: false,
      lastRemoval: undefined,
    });
  }

  getStanding(lotNo: number): Standing {
    return this.#view.getLot(lotNo).standing;
  }

  updateStanding(lotNo: number, standing: Standing): void {
    this.#view.getLot(lotNo).standing = standing;
    if (!this.#newLots.has(lotNo)) this.#standings.set(lotNo, standing);
  }

  findAccount(lotNo: number, productSku: string, unit: string): StoredAccount | undefined {
    return this.#view.findAccount(lotNo, productSku, unit);
  }

  hasAccount(lotNo: number): boolean {
    return this.#view.getLot(lotNo).hasAccount;
  }

  findLastRemoval(lotNo: number): Removal | undefined {
    return this.#view.getLot(lotNo).lastRemoval;
  }

  insertAccount(row: QuantityRow): void {
    this.#newAccounts.push(row);
  }

  updateAccount(row: QuantityRow): void {
    this.#accounts.push(row);
  }

  getText(_tenantNo: number, lotNo: number): string {
    return this.#view.getLot(lotNo).text;
  }

  updateText(_tenantNo: number, lotNo: number, text: string): void {
    const lot = this.#view.getLot(lotNo);
    lot.text = text;
    if (!this.#newLots.has(lotNo)) this.#texts.set(lotNo, textRow(lot));
  }

  isHeld(lotNo: number): boolean {
    return this.#view.getLot(lotNo).isHeld;
  }

  recount(lots: ReadonlyMap<number, LotToRecount>): void {
    this.#recounts = [...lots.values()];
  }

  /** New and changed texts, which wait for their places in the index. */
  get textsWritten(): number {
    return this.#newLots.size + this.#texts.size;
  }

  /** The lots to recount after all statements of the group have run. */
  get recounts(): readonly LotToRecount[] {
    return this.#recounts;
  }

  statements(): readonly Sql[] {
    const newLots = [...this.#newLots.values()];
    const standings = [...this.#standings];
    return [
      ...insertLots(newLots.map((row) => ({ ...row, ...this.#view.getLot(row.lot_no).standing }))),
      ...insertTexts(newLots.map((row) => textRow(this.#view.getLot(row.lot_no)))),
      ...updateStandings(standings.map(([lotNo, standing]) => ({ lot_no: lotNo, ...standing }))),
      ...updateTexts([...this.#texts.values()]),
      ...insertAccounts(this.#newAccounts),
      ...updateAccounts(this.#accounts),
    ];
  }
}

function textRow({ tenantNo, lotNo, text }: LotView): LotTextRow {
  return { tenant_no: tenantNo, lot_no: lotNo, text };
}
