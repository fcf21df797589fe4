// The seam between what a group commit decides and the engine it is written to: the rows that one transaction
// reads and writes, one call a row. Calls return at once: SQLite runs the statement, and PostgreSQL answers
// from what it has read for the group and keeps what is written until its end.
import type { Frontier } from '@lothub/chain/log';
import type { AuditEntry } from '../audit.ts';
import type { PrivateDecision } from '../decisions/draft.ts';
import type { CorrectionDraft, Draft, Tip } from '../draft.ts';
import type { Account, Removal, Standing, Sums } from '../record/quantities.ts';
import type { StoredPrivate } from './replay.ts';
import type { AlarmRow } from '../tables/off-chain.ts';
import type {
  BlockRow,
  CorrectionRow,
  DecisionRow,
  EventRow,
  HeadRow,
  ImportKeyRow,
  LineRow,
  MentionRow,
  ProvenanceRow,
  TenantRow,
} from '../tables/chain.ts';
import type { PostingRow } from '../tables/postings.ts';
import type { NewLotRow, QuantityRow } from '../tables/lots.ts';

/** The last block, with the time it carries. */
export interface Head extends Tip {
  readonly recordedAt: string;
  /**
   * Frontier of the tree over the blocks through this one; undefined while that tree is being
   * built.
   */
  readonly frontier: Frontier | undefined;
}

/** The additions of a group to the counters of a tenant, and its last block. */
export type TenantGrowth = Omit<TenantRow, 'tenant_id' | 'first_height'>;

/** The last block of a group, and what the group adds to the counters of the hub. */
export type HeadGrowth = Omit<HeadRow, 'derived_version'>;

/** The private values of an event, rows but for their height. */
export type PrivateOfEvent = Pick<Draft, 'privateLines' | 'privateNotes'>;

/** The private values of a correction, rows but for their height. */
export type PrivateOfCorrection = Pick<CorrectionDraft, 'privateRequest' | 'privateChanges'>;

/** Blocks, the rows of events and corrections, and the rows beside the chain. */
export interface ChainRows {
  findCanonical(height: number): string | undefined;
  findHash(height: number): string | undefined;
  insertBlock(row: BlockRow): void;
  raiseAlarm(row: AlarmRow): void;
  updateHead(growth: HeadGrowth): void;

  findTenantNo(tenantId: string): number | undefined;
  /** 0 without any tenant. */
  lastTenantNo(): number;
  insertTenant(row: TenantRow): void;
  updateTenant(growth: TenantGrowth): void;

  /** Finds the height of the event or the correction with this external id. */
  heightOfExternalId(tenantNo: number, externalId: string): number | undefined;
  /** Ascending. */
  heightsOfGroupKey(tenantNo: number, groupKey: string): readonly number[];
  insertImportKey(row: ImportKeyRow): void;

  insertEvent(row: EventRow): void;
  /** Sets what a correction may change (`CORRECTED_EVENT`). */
  updateEvent(row: EventRow): void;
  insertLine(row: LineRow): void;
  updateLine(row: LineRow): void;
  insertProvenance(row: ProvenanceRow): void;
  deleteProvenances(height: number): void;

  insertCorrection(row: CorrectionRow): void;
  /** Corrections of the event of this height with their blocks' texts, ascending. */
  listCorrections(
    height: number,
  ): readonly { readonly height: number; readonly canonical: string }[];
  insertDecision(row: DecisionRow): void;
  /** Keeps a mention that exists already. */
  insertMention(row: MentionRow): void;

  insertPrivateOfEvent(height: number, values: PrivateOfEvent): void;
  insertPrivateOfCorrection(height: number, values: PrivateOfCorrection): void;
  insertPrivateOfDecision(height: number, values: readonly PrivateDecision[]): void;
  storedPrivate(height: number): StoredPrivate;
  insertAuditEntry(entry: AuditEntry): void;
  insertPosting(row: PostingRow): void;
}

/** An account as it is stored. */
export interface StoredAccount {
  readonly sums: Sums;
  readonly removal: Removal | undefined;
}

/** The rows of a lot after a recount of its lines. */
export interface RecountedLot {
  readonly productSku: string;
  readonly accounts: readonly Account[];
  readonly standing: Standing;
  readonly text: string;
}

/** The rows of lots and of what belongs to them. */
export interface LotTables {
  findLotNo(tenantNo: number, lotCode: string): number | undefined;
  /** 0 without any lot. */
  lastLotNo(): number;
  /** @param text what it is found by (lot-text.ts) */
  insertLot(row: NewLotRow, text: string): void;
  /** @throws Error when the lot is not listed */
  getStanding(lotNo: number): Standing;
  updateStanding(lotNo: number, standing: Standing): void;

  findAccount(lotNo: number, productSku: string, unit: string): StoredAccount | undefined;
  /** Returns whether any account of the lot is stored. */
  hasAccount(lotNo: number): boolean;
  /** Finds the last removal among the stored accounts of the lot. */
  findLastRemoval(lotNo: number): Removal | undefined;
  insertAccount(row: QuantityRow): void;
  updateAccount(row: QuantityRow): void;

  getText(tenantNo: number, lotNo: number): string;
  updateText(tenantNo: number, lotNo: number, text: string): void;

  isHeld(lotNo: number): boolean;

  /**
   * Recounts the lots from their lines (`LotRecount`), after all other rows of the group are
   * written.
   */
  recount(lots: ReadonlyMap<number, LotToRecount>): void;
}

export interface LotKey {
  readonly tenantNo: number;
  readonly lotNo: number;
}

/** A lot to recount. */
export interface LotToRecount extends LotKey {
  /**
   * Recounts the lot only if it has a delivery and a sale under one of these references, which are
   * the same goods; undefined: always.
   */
  readonly ifMatched: ReadonlySet<string> | undefined;
}

/** All rows of one group commit. */
export interface GroupRows {
  readonly chain: ChainRows;
  readonly lots: LotTables;
}
