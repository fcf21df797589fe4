// Keeps the quantities and the standing of lots in SQLite while events are appended: sums in memory
// during a group commit, each touched account written once at its end. Corrected lots are added up
// anew from their lines.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import Big from 'big.js';
import type { EventType } from '../payload.ts';
import { Account, LotTally, PARTS, accountKey, laterOf, statusOf } from '../quantities.ts';
import type { LotStatus, Movement, Part, Removal, Standing, Sums } from '../quantities.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const COLUMNS: readonly string[] = [...PARTS, 'removed_at', 'removed_height', 'removed_part'];
const FIND_ACCOUNT =
  `select ${COLUMNS.join(', ')} from lot_quantities ` +
  'where lot_no = ? and product_sku = ? and unit = ?';
const INSERT_ACCOUNT =
  `insert into lot_quantities (lot_no, product_sku, unit, ${COLUMNS.join(', ')}) ` +
  `values (?, ?, ?, ${COLUMNS.map(() => '?').join(', ')})`;
const UPDATE_ACCOUNT =
  `update lot_quantities set ${COLUMNS.map((column) => `${column} = ?`).join(', ')} ` +
  'where lot_no = ? and product_sku = ? and unit = ?';
const DELETE_ACCOUNTS = 'delete from lot_quantities where lot_no = ?';
const FIND_ANY_ACCOUNT = 'select unit from lot_quantities where lot_no = ? limit 1';
const FIND_LAST_REMOVAL =
  'select removed_at, removed_height, removed_part from lot_quantities ' +
  'where lot_no = ? and removed_at is not null ' +
  'order by removed_at desc, removed_height desc limit 1';
const FIND_STANDING = 'select status, stocked, over_issued from lots where lot_no = ?';
const UPDATE_STANDING = 'update lots set status = ?, stocked = ?, over_issued = ? where lot_no = ?';
const FIND_MOVEMENTS =
  'select l.height, l.line_no, e.event_type, e.occurred_at, l.product_sku, l.direction, ' +
  'l.quantity, l.unit from lines l join events e on e.height = l.height ' +
  'where l.lot_no = ? and e.voided = 0 and (l.height, l.line_no) > (?, ?) ' +
  'order by l.height, l.line_no limit ?';

/** Accounts remembered between groups, so that a busy lot costs no look-up. */
const CACHE_MAX = 50_000;
/** Lines of one read while a lot is added up anew. */
const LINES_PER_READ = 1_000;

interface CachedAccount {
  readonly lotNo: number;
  readonly account: Account;
  stored: boolean;
  dirty: boolean;
}

interface CachedLot {
  readonly accounts: Map<string, CachedAccount>;
  /** Whether these are all accounts of the lot: it was made while it was in memory. */
  readonly isWhole: boolean;
  stocked: number;
  overIssued: number;
  /** What the row of the lot says now; nothing while it has not been inserted. */
  stored: Standing | undefined;
}

export class LotAccounts {
  readonly #connection: SqliteConnection;
  readonly #lots = new Map<number, CachedLot>();
  /** Accounts of all cached lots. */
  #accountCount = 0;
  readonly #dirtyAccounts: CachedAccount[] = [];
  readonly #dirtyLots = new Map<number, CachedLot>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Between two transactions: makes room. */
  begin(): void {
    if (this.#accountCount > CACHE_MAX || this.#lots.size > CACHE_MAX) this.forget();
  }

  /** Forgets everything, written or not: the transaction was undone, or somebody else wrote. */
  forget(): void {
    this.#lots.clear();
    this.#accountCount = 0;
    this.#dirtyAccounts.length = 0;
    this.#dirtyLots.clear();
  }

  /** A lot whose row the caller inserts, with its standing, before this transaction's flush. */
  addLot(lotNo: number): void {
    this.#lots.set(lotNo, {
      accounts: new Map(),
      isWhole: true,
      stocked: 0,
      overIssued: 0,
      stored: undefined,
    });
  }

  /** @returns true when the lot had no account of this SKU and unit before */
  addMovement(lotNo: number, movement: Movement): boolean {
    const lot = this.#lot(lotNo);
    const { cached, isNew } = this.#account(lotNo, lot, movement);
    const { account } = cached;
    const before = account.sign;
    const moved = account.add(movement);
    if (!cached.dirty && (isNew || moved)) {
      cached.dirty = true;
      this.#dirtyAccounts.push(cached);
    }
    if (!moved) return isNew;
    const after = account.sign;
    if (after !== before || (lot.stocked === 0 && lot.stored !== undefined)) {
      lot.stocked += Number(after > 0) - Number(before > 0);
      lot.overIssued += Number(after < 0) - Number(before < 0);
      this.#dirtyLots.set(lotNo, lot);
    }
    return isNew;
  }

  /** Whether the database holds any account of the lot; those of this transaction may be in memory. */
  hasStored(lotNo: number): boolean {
    return this.#connection.statement(FIND_ANY_ACCOUNT).get(lotNo) !== undefined;
  }

  /** What the row of a lot that is about to be inserted has to say; its accounts are all in memory. */
  takeStanding(lotNo: number): Standing {
    const lot = this.#lot(lotNo);
    lot.stored = standingOf(lot, lastRemovalOf(lot.accounts.values()));
    this.#dirtyLots.delete(lotNo);
    return lot.stored;
  }

  /** Adds the lot up anew from its lines, after some of them changed. */
  recount(lotNo: number): readonly Account[] {
    this.flush();
    const tally = new LotTally();
    for (const movement of movementsOf(this.#connection, lotNo)) tally.add(movement);
    this.#forgetLot(lotNo);
    const lot = this.#lot(lotNo);
    this.#connection.statement(DELETE_ACCOUNTS).run(lotNo);
    for (const account of tally.accounts) this.#insertAccount(lotNo, account);
    const { stocked, overIssued } = tally.standing;
    lot.stocked = stocked;
    lot.overIssued = overIssued;
    this.#writeLot(lotNo, lot);
    return tally.accounts;
  }

  /** Writes what changed since the last flush. */
  flush(): void {
    for (const cached of this.#dirtyAccounts) this.#writeAccount(cached);
    this.#dirtyAccounts.length = 0;
    for (const [lotNo, lot] of this.#dirtyLots) this.#writeLot(lotNo, lot);
    this.#dirtyLots.clear();
  }

  #forgetLot(lotNo: number): void {
    this.#accountCount -= this.#lots.get(lotNo)?.accounts.size ?? 0;
    this.#lots.delete(lotNo);
  }

  #writeAccount(cached: CachedAccount): void {
    const { lotNo, account } = cached;
    if (cached.stored) {
      this.#connection
        .statement(UPDATE_ACCOUNT)
        .run(...valuesOf(account), lotNo, account.productSku, account.unit);
    } else this.#insertAccount(lotNo, account);
    cached.stored = true;
    cached.dirty = false;
  }

  #insertAccount(lotNo: number, account: Account): void {
    this.#connection
      .statement(INSERT_ACCOUNT)
      .run(lotNo, account.productSku, account.unit, ...valuesOf(account));
  }

  /** The lot's accounts are written already. */
  #writeLot(lotNo: number, lot: CachedLot): void {
    const standing = standingOf(lot, lot.stocked > 0 ? undefined : this.#lastRemoval(lotNo, lot));
    const { stored } = lot;
    if (
      stored?.status === standing.status &&
      stored.stocked === standing.stocked &&
      stored.overIssued === standing.overIssued
    ) {
      return;
    }
    this.#connection
      .statement(UPDATE_STANDING)
      .run(standing.status, standing.stocked, standing.overIssued, lotNo);
    lot.stored = standing;
  }

  #lastRemoval(lotNo: number, lot: CachedLot): Removal | undefined {
    if (lot.isWhole) return lastRemovalOf(lot.accounts.values());
    const row = this.#connection.statement(FIND_LAST_REMOVAL).get(lotNo);
    return row === undefined ? undefined : removalOf(row);
  }

  #account(
    lotNo: number,
    lot: CachedLot,
    { productSku, unit }: Movement,
  ): { readonly cached: CachedAccount; readonly isNew: boolean } {
    const key = accountKey(productSku, unit);
    const known = lot.accounts.get(key);
    if (known !== undefined) return { cached: known, isNew: false };
    const row = lot.isWhole
      ? undefined
      : this.#connection.statement(FIND_ACCOUNT).get(lotNo, productSku, unit);
    const account =
      row === undefined
        ? new Account({ productSku, unit })
        : new Account({ productSku, unit, sums: sumsOf(row), removal: removalOf(row) });
    const cached = { lotNo, account, stored: row !== undefined, dirty: false };
    lot.accounts.set(key, cached);
    this.#accountCount += 1;
    return { cached, isNew: row === undefined };
  }

  #lot(lotNo: number): CachedLot {
    const cached = this.#lots.get(lotNo);
    if (cached !== undefined) return cached;
    const row = this.#connection.statement(FIND_STANDING).get(lotNo);
    if (row === undefined) throw new Error(`adding to lot ${lotNo}, which is not listed`);
    const stocked = Number(row['stocked']);
    const overIssued = Number(row['over_issued']);
    const status = String(row['status']) as Exclude<LotStatus, 'recalled'>;
    const stored = { stocked, overIssued, status };
    const lot: CachedLot = { accounts: new Map(), isWhole: false, stocked, overIssued, stored };
    this.#lots.set(lotNo, lot);
    return lot;
  }
}

function lastRemovalOf(accounts: Iterable<CachedAccount>): Removal | undefined {
  let last: Removal | undefined;
  for (const { account } of accounts) {
    if (account.removal !== undefined) last = laterOf(last, account.removal);
  }
  return last;
}

function standingOf(
  { stocked, overIssued }: Pick<CachedLot, 'stocked' | 'overIssued'>,
  removal: Removal | undefined,
): Standing {
  return { stocked, overIssued, status: statusOf(stocked, removal) };
}

type Row = Readonly<Record<string, unknown>>;

function removalOf(row: Row): Removal | undefined {
  const moment = row['removed_at'];
  if (typeof moment !== 'string') return undefined;
  return {
    moment,
    height: Number(row['removed_height']),
    part: String(row['removed_part']) as Part,
  };
}

function sumsOf(row: Row): Sums {
  const sums: Sums = {};
  for (const part of PARTS) {
    const text = row[part];
    if (typeof text === 'string') sums[part] = new Big(text);
  }
  return sums;
}

function valuesOf({ sums, removal }: Account): readonly (string | number | null)[] {
  return [
    ...PARTS.map((part) => sums[part]?.toFixed() ?? null),
    removal?.moment ?? null,
    removal?.height ?? null,
    removal?.part ?? null,
  ];
}

/** Movements of a lot's lines that count, in the order of blocks and lines. */
function* movementsOf(connection: SqliteConnection, lotNo: number): Generator<Movement> {
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
      };
    }
    if (rows.length < LINES_PER_READ) return;
  }
}
