// Keeps the quantities and the standing of lots in SQLite while events are appended: sums in memory
// during a group commit, each touched account written once at its end. Corrected lots are added up
// anew from their lines.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import Big from 'big.js';
import type { EventType } from '../payload.ts';
import { LotTally, NO_STANDING, PARTS, addMovement, statusOfStanding } from '../quantities.ts';
import type { Account, LotStatus, Movement, Part, Standing, Sums } from '../quantities.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const PART_COLUMNS = PARTS.join(', ');
const FIND_ACCOUNT = `select ${PART_COLUMNS} from lot_quantities where lot_no = ? and product_sku = ? and unit = ?`;
const INSERT_ACCOUNT =
  `insert into lot_quantities (lot_no, product_sku, unit, ${PART_COLUMNS}) ` +
  `values (?, ?, ?, ${PARTS.map(() => '?').join(', ')})`;
const UPDATE_ACCOUNT =
  `update lot_quantities set ${PARTS.map((part) => `${part} = ?`).join(', ')} ` +
  'where lot_no = ? and product_sku = ? and unit = ?';
const DELETE_ACCOUNTS = 'delete from lot_quantities where lot_no = ?';
const FIND_STANDING =
  'select status, stocked, over_issued, removed_at, removed_height, removed_part ' +
  'from lots where lot_no = ?';
const UPDATE_STANDING =
  'update lots set stocked = ?, over_issued = ?, removed_at = ?, removed_height = ?, ' +
  'removed_part = ? where lot_no = ?';
// Apart, because setting an indexed column writes its index anew, whatever the value.
const UPDATE_STATUS = 'update lots set status = ? where lot_no = ?';
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
  readonly productSku: string;
  readonly unit: string;
  readonly sums: Sums;
  stored: boolean;
  dirty: boolean;
}

interface CachedLot {
  /** Accounts of the lot that have been asked for; there may be more. */
  readonly accounts: Map<string, CachedAccount>;
  standing: Standing;
  /** What the row of the lot says now. */
  storedStanding: Standing;
  storedStatus: LotStatus;
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

  /** A lot whose row is being inserted in this transaction, with the defaults of the schema. */
  addLot(lotNo: number): void {
    this.#lots.set(lotNo, {
      accounts: new Map(),
      standing: NO_STANDING,
      storedStanding: NO_STANDING,
      storedStatus: 'active',
    });
  }

  /** @returns true when the lot had no account of this SKU and unit before */
  addMovement(lotNo: number, movement: Movement): boolean {
    const lot = this.#lot(lotNo);
    const { account, isNew } = this.#account(lotNo, lot, movement);
    const before = lot.standing;
    lot.standing = addMovement(before, account.sums, movement);
    if (!account.dirty && (isNew || lot.standing !== before)) {
      account.dirty = true;
      this.#dirtyAccounts.push(account);
    }
    if (lot.standing !== before) this.#dirtyLots.set(lotNo, lot);
    return isNew;
  }

  /** Adds the lot up anew from its lines, after some of them changed. */
  recount(lotNo: number): readonly Account[] {
    this.flush();
    const tally = new LotTally();
    for (const movement of movementsOf(this.#connection, lotNo)) tally.add(movement);
    const lot = this.#lot(lotNo);
    this.#accountCount -= lot.accounts.size;
    lot.accounts.clear();
    this.#connection.statement(DELETE_ACCOUNTS).run(lotNo);
    for (const { productSku, unit, sums } of tally.accounts) {
      this.#connection.statement(INSERT_ACCOUNT).run(lotNo, productSku, unit, ...textsOf(sums));
    }
    lot.standing = tally.standing;
    this.#dirtyLots.set(lotNo, lot);
    return tally.accounts;
  }

  /** Writes what changed since the last flush. */
  flush(): void {
    for (const account of this.#dirtyAccounts) this.#writeAccount(account);
    this.#dirtyAccounts.length = 0;
    for (const [lotNo, lot] of this.#dirtyLots) this.#writeLot(lotNo, lot);
    this.#dirtyLots.clear();
  }

  #writeAccount(account: CachedAccount): void {
    const { lotNo, productSku, unit, sums } = account;
    const texts = textsOf(sums);
    if (account.stored) {
      this.#connection.statement(UPDATE_ACCOUNT).run(...texts, lotNo, productSku, unit);
    } else {
      this.#connection.statement(INSERT_ACCOUNT).run(lotNo, productSku, unit, ...texts);
    }
    account.stored = true;
    account.dirty = false;
  }

  #writeLot(lotNo: number, lot: CachedLot): void {
    const { standing, storedStanding } = lot;
    if (!isSameStanding(standing, storedStanding)) {
      const { stocked, overIssued, removal } = standing;
      this.#connection
        .statement(UPDATE_STANDING)
        .run(
          stocked,
          overIssued,
          removal?.moment ?? null,
          removal?.height ?? null,
          removal?.part ?? null,
          lotNo,
        );
      lot.storedStanding = standing;
    }
    const status = statusOfStanding(standing);
    if (status !== lot.storedStatus) {
      this.#connection.statement(UPDATE_STATUS).run(status, lotNo);
      lot.storedStatus = status;
    }
  }

  #account(
    lotNo: number,
    lot: CachedLot,
    { productSku, unit }: Movement,
  ): { readonly account: CachedAccount; readonly isNew: boolean } {
    // Either may hold any character, so the SKU's length tells where the unit begins.
    const key = `${productSku.length} ${productSku}${unit}`;
    const cached = lot.accounts.get(key);
    if (cached !== undefined) return { account: cached, isNew: false };
    const row = this.#connection.statement(FIND_ACCOUNT).get(lotNo, productSku, unit);
    const account: CachedAccount = {
      lotNo,
      productSku,
      unit,
      sums: row === undefined ? {} : sumsOf(row),
      stored: row !== undefined,
      dirty: false,
    };
    lot.accounts.set(key, account);
    this.#accountCount += 1;
    return { account, isNew: row === undefined };
  }

  #lot(lotNo: number): CachedLot {
    const cached = this.#lots.get(lotNo);
    if (cached !== undefined) return cached;
    const row = this.#connection.statement(FIND_STANDING).get(lotNo);
    if (row === undefined) throw new Error(`adding to lot ${lotNo}, which is not listed`);
    const standing = standingOf(row);
    const lot: CachedLot = {
      accounts: new Map(),
      standing,
      storedStanding: standing,
      storedStatus: String(row['status']) as LotStatus,
    };
    this.#lots.set(lotNo, lot);
    return lot;
  }
}

type Row = Readonly<Record<string, unknown>>;

function standingOf(row: Row): Standing {
  const moment = row['removed_at'];
  return {
    stocked: Number(row['stocked']),
    overIssued: Number(row['over_issued']),
    removal:
      typeof moment === 'string'
        ? {
            moment,
            height: Number(row['removed_height']),
            part: String(row['removed_part']) as Part,
          }
        : undefined,
  };
}

function isSameStanding(a: Standing, b: Standing): boolean {
  return (
    a.stocked === b.stocked &&
    a.overIssued === b.overIssued &&
    a.removal?.moment === b.removal?.moment &&
    a.removal?.height === b.removal?.height &&
    a.removal?.part === b.removal?.part
  );
}

function sumsOf(row: Row): Sums {
  const sums: Sums = {};
  for (const part of PARTS) {
    const text = row[part];
    if (typeof text === 'string') sums[part] = new Big(text);
  }
  return sums;
}

function textsOf(sums: Readonly<Sums>): readonly (string | null)[] {
  return PARTS.map((part) => sums[part]?.toFixed() ?? null);
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
