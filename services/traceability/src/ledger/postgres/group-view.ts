// The rows that a group commit has read from the database, and those that the group itself has
// added since: the state for its next decision.
import type { StoredAccount } from '../append/group-rows.ts';
import { accountKey, type Removal, type Standing } from '../record/quantities.ts';
import type { StoredPrivate } from '../append/replay.ts';
import type { BlockRow } from '../tables/chain.ts';

export interface LotView {
  readonly lotNo: number;
  readonly tenantNo: number;
  readonly lotCode: string;
  standing: Standing;
  isHeld: boolean;
  text: string;
  /** True if any account of it is stored. */
  readonly hasAccount: boolean;
  /**
   * The last removal of the stored accounts; read only where the removals of the group may leave
   * nothing.
   */
  readonly lastRemoval: Removal | undefined;
}

export type BlockView = Pick<BlockRow, 'height' | 'hash' | 'canonical'>;

export class GroupView {
  lastTenantNo = 0;
  lastLotNo = 0;
  readonly tenantNos = new Map<string, number>();
  readonly blocks = new Map<number, BlockView>();
  /** Heights of corrections by the event they correct, ascending. */
  readonly corrections = new Map<number, number[]>();
  readonly privates = new Map<number, StoredPrivate>();
  readonly #externalIds = new Map<string, number>();
  readonly #groupKeys = new Map<string, number[]>();
  readonly #lots = new Map<string, LotView>();
  readonly #lotsByNo = new Map<number, LotView>();
  readonly #accounts = new Map<string, StoredAccount>();

  addBlock(block: BlockView): void {
    this.blocks.set(block.height, block);
  }

  addCorrection(correctsHeight: number, height: number): void {
    const known = this.corrections.get(correctsHeight);
    if (known === undefined) this.corrections.set(correctsHeight, [height]);
    else if (!known.includes(height)) known.push(height);
  }

  findExternalId(tenantNo: number, externalId: string): number | undefined {
    return this.#externalIds.get(`${tenantNo} ${externalId}`);
  }

  addExternalId(tenantNo: number, externalId: string, height: number): void {
    this.#externalIds.set(`${tenantNo} ${externalId}`, height);
  }

  groupKeyHeights(tenantNo: number, groupKey: string): readonly number[] {
    return this.#groupKeys.get(`${tenantNo} ${groupKey}`) ?? [];
  }

  addGroupKey(tenantNo: number, groupKey: string, height: number): void {
    const key = `${tenantNo} ${groupKey}`;
    const known = this.#groupKeys.get(key);
    if (known === undefined) this.#groupKeys.set(key, [height]);
    else known.push(height);
  }

  findLot(tenantNo: number, lotCode: string): LotView | undefined {
    return this.#lots.get(`${tenantNo} ${lotCode}`);
  }

  /** @throws Error when it was neither read nor added: the needs of the group do not name it */
  getLot(lotNo: number): LotView {
    const lot = this.#lotsByNo.get(lotNo);
    if (lot === undefined) throw new Error(`lot ${lotNo} was not read for this group`);
    return lot;
  }

  addLot(lot: LotView): void {
    this.#lots.set(`${lot.tenantNo} ${lot.lotCode}`, lot);
    this.#lotsByNo.set(lot.lotNo, lot);
  }

  findAccount(lotNo: number, productSku: string, unit: string): StoredAccount | undefined {
    return this.#accounts.get(`${lotNo} ${accountKey(productSku, unit)}`);
  }

  addAccount(lotNo: number, productSku: string, unit: string, account: StoredAccount): void {
    this.#accounts.set(`${lotNo} ${accountKey(productSku, unit)}`, account);
  }
}
