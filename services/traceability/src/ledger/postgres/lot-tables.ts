// The rows of lots, their accounts, texts and holds, in PostgreSQL: answers from what was read for the
// group, and keeps what is written until the group ends.
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { valuesOfAccount } from '../append/account-columns.ts';
import type {
  EndedHold,
  LotKey,
  LotTables,
  NewHold,
  NewLotRow,
  StoredAccount,
} from '../append/group-rows.ts';
import type { Account, Removal, Standing } from '../record/quantities.ts';
import type { GroupView, LotView } from './group-view.ts';

export interface AccountOfLot {
  readonly lotNo: number;
  readonly account: Account;
}

export class PostgresLotTables implements LotTables {
  readonly #view: GroupView;
  readonly #newLots = new Map<number, NewLotRow>();
  readonly #standings = new Map<number, Standing>();
  readonly #texts = new Map<number, LotView>();
  readonly #newAccounts: AccountOfLot[] = [];
  readonly #accounts: AccountOfLot[] = [];
  /** Holds set and ended, in their order. */
  readonly #holdChanges: Sql[] = [];
  readonly #onHold = new Map<number, boolean>();
  #recounts: readonly LotKey[] = [];

  constructor(view: GroupView) {
    this.#view = view;
  }

  findLotNo(tenantNo: number, lotCode: string): number | undefined {
    return this.#view.findLot(tenantNo, lotCode)?.lotNo;
  }

  lastLotNo(): number {
    return this.#view.lastLotNo;
  }

  insertLot(row: NewLotRow): void {
    const { lotNo, tenantNo, lotCode, standing, text } = row;
    this.#newLots.set(lotNo, row);
    this.#view.addLot({
      lotNo,
      tenantNo,
      lotCode,
      standing,
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

  insertAccount(lotNo: number, account: Account): void {
    this.#newAccounts.push({ lotNo, account });
  }

  updateAccount(lotNo: number, account: Account): void {
    this.#accounts.push({ lotNo, account });
  }

  textOf(_tenantNo: number, lotNo: number): string {
    return this.#view.getLot(lotNo).text;
  }

  updateText(_tenantNo: number, lotNo: number, text: string): void {
    const lot = this.#view.getLot(lotNo);
    lot.text = text;
    if (!this.#newLots.has(lotNo)) this.#texts.set(lotNo, lot);
  }

  isHeld(lotNo: number): boolean {
    return this.#view.getLot(lotNo).isHeld;
  }

  openHolds(lotNo: number): readonly string[] {
    return this.#view.holds.get(lotNo) ?? [];
  }

  insertHold(hold: NewHold): void {
    this.#view.holds.set(hold.lotNo, [...this.openHolds(hold.lotNo), hold.source]);
    this.#holdChanges.push(insertHold(hold));
  }

  endHold(hold: EndedHold): void {
    const left = this.openHolds(hold.lotNo).filter((source) => source !== hold.source);
    this.#view.holds.set(hold.lotNo, left);
    this.#holdChanges.push(endHold(hold));
  }

  updateOnHold(lotNo: number, onHold: boolean): void {
    this.#view.getLot(lotNo).isHeld = onHold;
    this.#onHold.set(lotNo, onHold);
  }

  recount(lots: ReadonlyMap<number, LotKey>): void {
    this.#recounts = [...lots.values()];
  }

  /** New and changed texts, which wait for their places in the index. */
  get textsWritten(): number {
    return this.#newLots.size + this.#texts.size;
  }

  /** Lots to be added up anew once all statements of the group have run. */
  get recounts(): readonly LotKey[] {
    return this.#recounts;
  }

  statements(): readonly Sql[] {
    const statements: Sql[] = [];
    const newLots = [...this.#newLots.values()].map((row) => ({
      ...row,
      standing: this.#view.getLot(row.lotNo).standing,
    }));
    if (newLots.length > 0) {
      const texts = newLots.map(({ lotNo }) => this.#view.getLot(lotNo));
      statements.push(insertLots(newLots), insertTexts(texts));
    }
    if (this.#standings.size > 0) statements.push(updateStandings([...this.#standings]));
    if (this.#texts.size > 0) statements.push(updateTexts([...this.#texts.values()]));
    if (this.#newAccounts.length > 0) statements.push(insertAccounts(this.#newAccounts));
    if (this.#accounts.length > 0) statements.push(updateAccounts(this.#accounts));
    statements.push(...this.#holdChanges);
    if (this.#onHold.size > 0) statements.push(updateOnHold([...this.#onHold]));
    return statements;
  }
}

function insertLots(lots: readonly NewLotRow[]): Sql {
  return sql`
    insert into lots (
      lot_no, tenant_no, lot_code, product_sku, first_height, first_sku, status, stocked,
      over_issued
    )
    select
      lot_no, tenant_no, lot_code, product_sku, first_height, product_sku, status, stocked,
      over_issued
    from unnest(
      ${bigintArray(lots.map((lot) => lot.lotNo))}::bigint[],
      ${bigintArray(lots.map((lot) => lot.tenantNo))}::bigint[],
      ${textArray(lots.map((lot) => lot.lotCode))}::text[],
      ${textArray(lots.map((lot) => lot.productSku))}::text[],
      ${bigintArray(lots.map((lot) => lot.height))}::bigint[],
      ${textArray(lots.map((lot) => lot.standing.status))}::text[],
      ${bigintArray(lots.map((lot) => lot.standing.stocked))}::bigint[],
      ${bigintArray(lots.map((lot) => lot.standing.overIssued))}::bigint[]
    ) as l (
      lot_no, tenant_no, lot_code, product_sku, first_height, status, stocked, over_issued
    )`;
}

export function updateStandings(standings: readonly (readonly [number, Standing])[]): Sql {
  return sql`
    update lots l
    set status = s.status, stocked = s.stocked, over_issued = s.over_issued
    from unnest(
      ${bigintArray(standings.map(([lotNo]) => lotNo))}::bigint[],
      ${textArray(standings.map(([, standing]) => standing.status))}::text[],
      ${bigintArray(standings.map(([, standing]) => standing.stocked))}::bigint[],
      ${bigintArray(standings.map(([, standing]) => standing.overIssued))}::bigint[]
    ) as s (lot_no, status, stocked, over_issued)
    where l.lot_no = s.lot_no`;
}

interface LotText {
  readonly tenantNo: number;
  readonly lotNo: number;
  readonly text: string;
}

function insertTexts(texts: readonly LotText[]): Sql {
  return sql`
    insert into lot_texts (tenant_no, lot_no, text)
    select tenant_no, lot_no, text
    from ${textArrays(texts)} as x (tenant_no, lot_no, text)`;
}

export function updateTexts(texts: readonly LotText[]): Sql {
  return sql`
    update lot_texts t
    set text = x.text
    from ${textArrays(texts)} as x (tenant_no, lot_no, text)
    where t.tenant_no = x.tenant_no and t.lot_no = x.lot_no`;
}

function textArrays(texts: readonly LotText[]): Sql {
  return sql`unnest(
    ${bigintArray(texts.map(({ tenantNo }) => tenantNo))}::bigint[],
    ${bigintArray(texts.map(({ lotNo }) => lotNo))}::bigint[],
    ${textArray(texts.map(({ text }) => text))}::text[]
  )`;
}

export function insertAccounts(accounts: readonly AccountOfLot[]): Sql {
  return sql`
    insert into lot_quantities (
      lot_no, product_sku, unit, received, returned, produced, consumed, packed, packed_from,
      shipped, sold, disposed, removed_at, removed_height, removed_part
    )
    select
      lot_no, product_sku, unit, received, returned, produced, consumed, packed, packed_from,
      shipped, sold, disposed, removed_at, removed_height, removed_part
    from ${accountArrays(accounts)}`;
}

function updateAccounts(accounts: readonly AccountOfLot[]): Sql {
  return sql`
    update lot_quantities q
    set received = a.received,
      returned = a.returned,
      produced = a.produced,
      consumed = a.consumed,
      packed = a.packed,
      packed_from = a.packed_from,
      shipped = a.shipped,
      sold = a.sold,
      disposed = a.disposed,
      removed_at = a.removed_at,
      removed_height = a.removed_height,
      removed_part = a.removed_part
    from ${accountArrays(accounts)}
    where q.lot_no = a.lot_no and q.product_sku = a.product_sku and q.unit = a.unit`;
}

function accountArrays(accounts: readonly AccountOfLot[]): Sql {
  const values = accounts.map(({ account }) => valuesOfAccount(account));
  const texts = (place: number): Buffer =>
    textArray(values.map((row) => textOrNull(row[place] ?? null)));
  return sql`unnest(
    ${bigintArray(accounts.map(({ lotNo }) => lotNo))}::bigint[],
    ${textArray(accounts.map(({ account }) => account.productSku))}::text[],
    ${textArray(accounts.map(({ account }) => account.unit))}::text[],
    ${texts(0)}::text[],
    ${texts(1)}::text[],
    ${texts(2)}::text[],
    ${texts(3)}::text[],
    ${texts(4)}::text[],
    ${texts(5)}::text[],
    ${texts(6)}::text[],
    ${texts(7)}::text[],
    ${texts(8)}::text[],
    ${texts(9)}::text[],
    ${bigintArray(accounts.map(({ account }) => account.removal?.height ?? null))}::bigint[],
    ${texts(11)}::text[]
  ) as a (
    lot_no, product_sku, unit, received, returned, produced, consumed, packed, packed_from,
    shipped, sold, disposed, removed_at, removed_height, removed_part
  )`;
}

function textOrNull(value: string | number | null): string | null {
  return typeof value === 'number' ? String(value) : value;
}

function insertHold({ lotNo, source, reason, by, at }: NewHold): Sql {
  return sql`
    insert into lot_holds (lot_no, source, reason, held_by, held_since)
    values (${lotNo}, ${source}, ${reason}, ${by}, ${at})`;
}

function endHold({ lotNo, source, by, at }: EndedHold): Sql {
  return sql`
    update lot_holds
    set released_at = ${at}, released_by = ${by}
    where lot_no = ${lotNo} and source = ${source} and released_at is null`;
}

function updateOnHold(lots: readonly (readonly [number, boolean])[]): Sql {
  return sql`
    update lots l
    set on_hold = h.on_hold
    from unnest(
      ${bigintArray(lots.map(([lotNo]) => lotNo))}::bigint[],
      ${bigintArray(lots.map(([, onHold]) => Number(onHold)))}::bigint[]
    ) as h (lot_no, on_hold)
    where l.lot_no = h.lot_no`;
}
