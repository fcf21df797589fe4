// The rows of lots, their accounts and texts, in SQLite: each call runs its statement in the
// transaction of the group.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { rowInsert, rowUpdate } from '@lothub/kit/sqlite/row-statements';
import { namesWithout } from '@lothub/kit/rows/stored-table';
import { quantityRow, toRemoval, toStoredAccount } from '../append/account-columns.ts';
import type { LotKey, LotToRecount, LotTables, StoredAccount } from '../append/group-rows.ts';
import { LotRecount } from '../append/lot-recount.ts';
import type { EventType } from '../record/event-types.ts';
import { HANDOVER_REFERENCE, IS_HANDOVER } from '../record/delivery.ts';
import type { Movement, Removal, Standing } from '../record/quantities.ts';
import { LOTS, LOT_QUANTITIES, type NewLotRow, type QuantityRow } from '../tables/lots.ts';
import { LotSearchIndex } from './lot-search.ts';

// Each text is made once, so that the look-up of its prepared statement costs almost nothing.
const FIND_LOT = 'select lot_no from lots where tenant_no = ? and lot_code = ?';
const LAST_LOT_NO = 'select lot_no from lots order by lot_no desc limit 1';
const FIND_STANDING = 'select status, stocked, over_issued, on_hold from lots where lot_no = ?';
const FIND_ACCOUNT =
  `select ${LOT_QUANTITIES.names.join(', ')} from lot_quantities ` +
  'where lot_no = ? and product_sku = ? and unit = ?';
const FIND_ANY_ACCOUNT = 'select unit from lot_quantities where lot_no = ? limit 1';
const FIND_LAST_REMOVAL =
  'select removed_at, removed_height, removed_part from lot_quantities ' +
  'where lot_no = ? and removed_at is not null ' +
  'order by removed_at desc, removed_height desc limit 1';
const DELETE_ACCOUNTS = 'delete from lot_quantities where lot_no = ?';
const FIND_LABEL = 'select lot_code, product_sku, first_sku from lots where lot_no = ?';
const FIND_TERMS =
  'select distinct supplier_name, supplier_lot_code from provenances where lot_no = ?';
const FIND_MOVEMENTS =
  'select l.height, l.line_no, e.event_type, e.occurred_at, l.product_sku, l.direction, ' +
  'l.quantity, l.unit, l.is_delivery, ' +
  `${HANDOVER_REFERENCE.sql} as handover_reference ` +
  'from lines l join events e on e.height = l.height ' +
  'where l.lot_no = ? and e.voided = 0 and (l.height, l.line_no) > (?, ?) ' +
  'order by l.height, l.line_no limit ?';
const FIND_MATCH =
  'select max(l.is_delivery) = 1 and min(l.is_delivery) = 0 as both ' +
  'from events e join lines l on l.height = e.height ' +
  `where e.reference = ? and e.voided = 0 and l.lot_no = ? and ${IS_HANDOVER.sql}`;
const FIND_ON_HOLD = 'select on_hold from lots where lot_no = ?';

const insertLot = rowInsert(LOTS);
const updateStanding = rowUpdate(LOTS, { set: ['status', 'stocked', 'over_issued'] });
const updateSku = rowUpdate(LOTS, { set: ['product_sku'] });
const insertAccount = rowInsert(LOT_QUANTITIES);
const updateAccount = rowUpdate(LOT_QUANTITIES, {
  set: namesWithout(LOT_QUANTITIES, LOT_QUANTITIES.key),
});

/** Lines of one read while a lot is recounted. */
const LINES_PER_READ = 1_000;
/** Lots with a remembered answer to whether they are on hold; cleared when full. */
const ON_HOLD_MAX = 50_000;

export class SqliteLotTables implements LotTables {
  readonly search: LotSearchIndex;
  readonly #connection: SqliteConnection;
  /** For each lot that was read or inserted, true if it is on hold. */
  readonly #onHold = new Map<number, boolean>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.search = new LotSearchIndex(connection);
  }

  /** Forgets all: another program wrote, or the transaction was undone. */
  forget(): void {
    this.forgetHolds();
    this.search.forget();
  }

  /** Forgets holds: they may have been set or ended without these functions. */
  forgetHolds(): void {
    this.#onHold.clear();
  }

  findLotNo(tenantNo: number, lotCode: string): number | undefined {
    const row = this.#connection.statement(FIND_LOT).get(tenantNo, lotCode);
    return row === undefined ? undefined : Number(row['lot_no']);
  }

  lastLotNo(): number {
    return Number(this.#connection.statement(LAST_LOT_NO).get()?.['lot_no'] ?? 0);
  }

  insertLot(row: NewLotRow, text: string): void {
    insertLot(this.#connection, row);
    this.#noteOnHold(row.lot_no, false);
    this.search.insert(row.tenant_no, row.lot_no, text);
  }

  getStanding(lotNo: number): Standing {
    const row = this.#connection.statement(FIND_STANDING).get(lotNo);
    if (row === undefined) throw new Error(`adding to lot ${lotNo}, which is not listed`);
    this.#noteOnHold(lotNo, row['on_hold'] === 1);
    return {
      stocked: Number(row['stocked']),
      over_issued: Number(row['over_issued']),
      status: String(row['status']) as Standing['status'],
    };
  }

  updateStanding(lotNo: number, standing: Standing): void {
    updateStanding(this.#connection, { lot_no: lotNo, ...standing });
  }

  findAccount(lotNo: number, productSku: string, unit: string): StoredAccount | undefined {
    const row = this.#connection.statement(FIND_ACCOUNT).get(lotNo, productSku, unit);
    return row === undefined ? undefined : toStoredAccount(row);
  }

  hasAccount(lotNo: number): boolean {
    return this.#connection.statement(FIND_ANY_ACCOUNT).get(lotNo) !== undefined;
  }

  findLastRemoval(lotNo: number): Removal | undefined {
    const row = this.#connection.statement(FIND_LAST_REMOVAL).get(lotNo);
    return row === undefined ? undefined : toRemoval(row);
  }

  insertAccount(row: QuantityRow): void {
    insertAccount(this.#connection, row);
  }

  updateAccount(row: QuantityRow): void {
    updateAccount(this.#connection, row);
  }

  getText(tenantNo: number, lotNo: number): string {
    return this.search.getText(tenantNo, lotNo);
  }

  updateText(tenantNo: number, lotNo: number, text: string): void {
    this.search.update(tenantNo, lotNo, text);
  }

  isHeld(lotNo: number): boolean {
    const noted = this.#onHold.get(lotNo);
    if (noted !== undefined) return noted;
    const isHeld = this.#connection.statement(FIND_ON_HOLD).get(lotNo)?.['on_hold'] === 1;
    this.#noteOnHold(lotNo, isHeld);
    return isHeld;
  }

  #noteOnHold(lotNo: number, isHeld: boolean): void {
    if (this.#onHold.size >= ON_HOLD_MAX) this.#onHold.clear();
    this.#onHold.set(lotNo, isHeld);
  }

  recount(lots: ReadonlyMap<number, LotToRecount>): void {
    for (const lot of lots.values()) if (this.#isDue(lot)) this.#recount(lot);
  }

  #isDue({ lotNo, ifMatched }: LotToRecount): boolean {
    const find = this.#connection.statement(FIND_MATCH);
    return ifMatched === undefined || [...ifMatched].some((one) => find.get(one, lotNo)?.['both']);
  }

  #recount({ tenantNo, lotNo }: LotKey): void {
    const recount = new LotRecount();
    for (const movement of readMovements(this.#connection, lotNo)) recount.add(movement);
    const label = this.#connection.statement(FIND_LABEL).get(lotNo);
    const { productSku, accounts, standing, text } = recount.result({
      lotCode: String(label?.['lot_code']),
      firstSku: String(label?.['first_sku']),
      terms: this.#listTerms(lotNo),
    });
    this.#connection.statement(DELETE_ACCOUNTS).run(lotNo);
    for (const account of accounts) this.insertAccount(quantityRow(lotNo, account));
    this.updateStanding(lotNo, standing);
    if (productSku !== label?.['product_sku']) {
      updateSku(this.#connection, { lot_no: lotNo, product_sku: productSku });
    }
    if (text !== this.search.getText(tenantNo, lotNo)) this.search.update(tenantNo, lotNo, text);
  }

  #listTerms(lotNo: number): readonly string[] {
    return this.#connection
      .statement(FIND_TERMS)
      .all(lotNo)
      .flatMap((row) => [row['supplier_name'], row['supplier_lot_code']])
      .filter((term) => typeof term === 'string');
  }
}

/** Movements of a lot's lines that count, in the order of blocks and lines. */
function* readMovements(connection: SqliteConnection, lotNo: number): Generator<Movement> {
  let height = -1;
  let lineNo = -1;
  for (;;) {
    const rows = connection.statement(FIND_MOVEMENTS).all(lotNo, height, lineNo, LINES_PER_READ);
    for (const row of rows) {
      height = Number(row['height']);
      lineNo = Number(row['line_no']);
      yield {
        eventType: String(row['event_type']) as EventType,
        direction: row['direction'] === 'in' ? 'in' : 'out',
        productSku: String(row['product_sku']),
        unit: String(row['unit']),
        quantity: String(row['quantity']),
        occurredAt: String(row['occurred_at']),
        height,
        isDelivery: row['is_delivery'] === 1,
        handoverReference: toReference(row['handover_reference']),
      };
    }
    if (rows.length < LINES_PER_READ) return;
  }
}

function toReference(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
