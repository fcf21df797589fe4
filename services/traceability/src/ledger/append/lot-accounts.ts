// Keeps the quantities and the standing of lots while events are appended: sums in memory during a
// group commit, each touched account written once at its end.
import { isHandover } from '../record/delivery.ts';
import { Account, accountKey, deriveLotStatus, pickLater } from '../record/quantities.ts';
import type { Movement, Removal, Standing } from '../record/quantities.ts';
import { quantityRow } from './account-columns.ts';
import type { LotTables } from './group-rows.ts';

/** Accounts remembered between groups, so that a busy lot costs no look-up. */
const CACHE_MAX = 50_000;

interface CachedAccount {
  readonly lotNo: number;
  readonly account: Account;
  stored: boolean;
  dirty: boolean;
}

interface CachedLot {
  readonly accounts: Map<string, CachedAccount>;
  /** True if these are all accounts of the lot, because the lot was created in this memory. */
  readonly isWhole: boolean;
  stocked: number;
  over_issued: number;
  /** The stored row of the lot; undefined until it is inserted. */
  stored: Standing | undefined;
}

export interface AddedMovement {
  /** The lot had no account of this SKU and unit before. */
  readonly isNewAccount: boolean;
  /** The lot had no account at all before: it is the first one that counts. */
  readonly isFirstAccount: boolean;
  /**
   * Some deliveries may be the same goods as some sales; only a recount of the lot's lines can find
   * out.
   */
  readonly isDeliveredAndSold: boolean;
}

const KNOWN_ACCOUNT: AddedMovement = {
  isNewAccount: false,
  isFirstAccount: false,
  isDeliveredAndSold: false,
};

export class LotAccounts {
  readonly #tables: LotTables;
  readonly #lots = new Map<number, CachedLot>();
  /** Accounts of all cached lots. */
  #accountCount = 0;
  readonly #dirtyAccounts: CachedAccount[] = [];
  readonly #dirtyLots = new Map<number, CachedLot>();

  constructor(tables: LotTables) {
    this.#tables = tables;
  }

  /** Makes room in memory. Call it between two transactions. */
  begin(): void {
    if (this.#accountCount > CACHE_MAX || this.#lots.size > CACHE_MAX) this.forget();
  }

  /** Forgets everything, written or not: the transaction was undone, or another program wrote. */
  forget(): void {
    this.#lots.clear();
    this.#accountCount = 0;
    this.#dirtyAccounts.length = 0;
    this.#dirtyLots.clear();
  }

  /** Adds a new lot. The caller inserts its row, with its standing, before this transaction's flush. */
  addLot(lotNo: number): void {
    this.#lots.set(lotNo, {
      accounts: new Map(),
      isWhole: true,
      stocked: 0,
      over_issued: 0,
      stored: undefined,
    });
  }

  addMovement(lotNo: number, movement: Movement): AddedMovement {
    const lot = this.#lot(lotNo);
    const { cached, added } = this.#account(lotNo, lot, movement);
    const { account } = cached;
    const before = account.sign;
    const moved = account.add(movement);
    if (!cached.dirty && (added.isNewAccount || moved)) {
      cached.dirty = true;
      this.#dirtyAccounts.push(cached);
    }
    if (!moved) return added;
    const isDeliveredAndSold = account.isDeliveredAndSold && isHandover(movement);
    const after = account.sign;
    if (after !== before || (lot.stocked === 0 && lot.stored !== undefined)) {
      lot.stocked += Number(after > 0) - Number(before > 0);
      lot.over_issued += Number(after < 0) - Number(before < 0);
      this.#dirtyLots.set(lotNo, lot);
    }
    return { ...added, isDeliveredAndSold };
  }

  /**
   * Returns the standing for the row of a lot that is about to be inserted; its accounts are all in
   * memory.
   */
  takeStanding(lotNo: number): Standing {
    const lot = this.#lot(lotNo);
    lot.stored = deriveStanding(lot, findLastRemoval(lot.accounts.values()));
    this.#dirtyLots.delete(lotNo);
    return lot.stored;
  }

  /** Forgets a lot that is recounted from its lines: its accounts in memory are out of date. */
  forgetLot(lotNo: number): void {
    this.#accountCount -= this.#lots.get(lotNo)?.accounts.size ?? 0;
    this.#lots.delete(lotNo);
    this.#dirtyLots.delete(lotNo);
  }

  /**
   * Writes what changed since the last flush.
   * @param except lots whose accounts are written by a recount
   */
  flush(except: ReadonlyMap<number, unknown>): void {
    for (const cached of this.#dirtyAccounts) {
      if (!except.has(cached.lotNo)) this.#writeAccount(cached);
    }
    this.#dirtyAccounts.length = 0;
    for (const lotNo of except.keys()) this.forgetLot(lotNo);
    for (const [lotNo, lot] of this.#dirtyLots) this.#writeLot(lotNo, lot);
    this.#dirtyLots.clear();
  }

  #writeAccount(cached: CachedAccount): void {
    const { lotNo, account } = cached;
    const row = quantityRow(lotNo, account);
    if (cached.stored) this.#tables.updateAccount(row);
    else this.#tables.insertAccount(row);
    cached.stored = true;
    cached.dirty = false;
  }

  #writeLot(lotNo: number, lot: CachedLot): void {
    const standing = deriveStanding(
      lot,
      lot.stocked > 0 ? undefined : this.#lastRemoval(lotNo, lot),
    );
    const { stored } = lot;
    if (
      stored?.status === standing.status &&
      stored.stocked === standing.stocked &&
      stored.over_issued === standing.over_issued
    ) {
      return;
    }
    this.#tables.updateStanding(lotNo, standing);
    lot.stored = standing;
  }

  /** Removals are only ever added here, so the later one of memory and table is the last. */
  #lastRemoval(lotNo: number, lot: CachedLot): Removal | undefined {
    const last = findLastRemoval(lot.accounts.values());
    if (lot.isWhole) return last;
    const stored = this.#tables.findLastRemoval(lotNo);
    return stored === undefined ? last : pickLater(last, stored);
  }

  #account(
    lotNo: number,
    lot: CachedLot,
    { productSku, unit }: Movement,
  ): { readonly cached: CachedAccount; readonly added: AddedMovement } {
    const key = accountKey(productSku, unit);
    const known = lot.accounts.get(key);
    if (known !== undefined) return { cached: known, added: KNOWN_ACCOUNT };
    const stored = lot.isWhole ? undefined : this.#tables.findAccount(lotNo, productSku, unit);
    const isFirstAccount =
      stored === undefined &&
      lot.accounts.size === 0 &&
      (lot.isWhole || !this.#tables.hasAccount(lotNo));
    const cached: CachedAccount = {
      lotNo,
      account: new Account({ productSku, unit, ...stored }),
      stored: stored !== undefined,
      dirty: false,
    };
    lot.accounts.set(key, cached);
    this.#accountCount += 1;
    return {
      cached,
      added: { ...KNOWN_ACCOUNT, isNewAccount: stored === undefined, isFirstAccount },
    };
  }

  #lot(lotNo: number): CachedLot {
    const cached = this.#lots.get(lotNo);
    if (cached !== undefined) return cached;
    const stored = this.#tables.getStanding(lotNo);
    const { stocked, over_issued } = stored;
    const lot: CachedLot = { accounts: new Map(), isWhole: false, stocked, over_issued, stored };
    this.#lots.set(lotNo, lot);
    return lot;
  }
}

function findLastRemoval(accounts: Iterable<CachedAccount>): Removal | undefined {
  let last: Removal | undefined;
  for (const { account } of accounts) {
    if (account.removal !== undefined) last = pickLater(last, account.removal);
  }
  return last;
}

function deriveStanding(
  { stocked, over_issued }: Pick<CachedLot, 'stocked' | 'over_issued'>,
  removal: Removal | undefined,
): Standing {
  return { stocked, over_issued, status: deriveLotStatus(stocked, removal) };
}
