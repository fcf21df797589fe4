// The seam between what a group commit decides and the engine it is written to: the rows that one
// transaction reads and writes, one call a row. Calls answer at once: SQLite runs the statement, and
// PostgreSQL answers from what it has read for the group and keeps what is written until its end.
import type { SealedBlock } from '@lothub/chain';
import type { AuditEntry } from '../audit.ts';
import type { CorrectionSubmission, Draft, Tip } from '../draft.ts';
import type { LinkBasis } from '../record/link-basis.ts';
import type { Direction, EventType } from '../record/event-types.ts';
import type { Provenance } from '../record/provenance.ts';
import type { Account, Removal, Standing, Sums } from '../record/quantities.ts';
import type { StoredPrivate } from './replay.ts';

/** The last block, with the time it carries. */
export interface Head extends Tip {
  readonly recordedAt: string;
}

export interface Alarm {
  readonly height: number;
  readonly code: string;
  readonly message: string;
  readonly foundAt: string;
}

export interface EventRow {
  readonly height: number;
  readonly tenantNo: number;
  readonly eventType: EventType;
  readonly externalId: string | null;
  readonly occurredAt: string;
  readonly reference: string;
  readonly lineCount: number;
  readonly linkBasis: LinkBasis;
}

/** What a correction changes in the row of its event. */
export interface EventChange {
  readonly height: number;
  readonly occurredAt: string;
  readonly reference: string;
  readonly linkBasis: LinkBasis;
  readonly voided: boolean;
}

export interface LineRow {
  readonly height: number;
  readonly lineNo: number;
  readonly lotNo: number;
  readonly productSku: string;
  readonly direction: Direction;
  readonly quantity: string;
  readonly unit: string;
  readonly linkBasis: LinkBasis;
}

export interface CorrectionRow {
  readonly height: number;
  readonly tenantNo: number;
  readonly correctsHeight: number;
  readonly changeCount: number;
}

export interface ProvenanceRow {
  readonly height: number;
  readonly tenantNo: number;
  readonly lotNo: number;
  readonly provenance: Provenance;
}

/** What a group added to a tenant. */
export interface TenantTally {
  readonly tenantNo: number;
  events: number;
  corrections: number;
  transactions: number;
  lots: number;
  lastHeight: number;
}

/** What a group added to the hub. */
export interface HeadGrowth {
  readonly transactions: number;
  readonly lots: number;
  readonly tenants: number;
}

/** Blocks, the rows of events and corrections, and what stands beside the chain. */
export interface ChainRows {
  findCanonical(height: number): string | undefined;
  findHash(height: number): string | undefined;
  insertBlock(block: SealedBlock): void;
  raiseAlarm(alarm: Alarm): void;
  updateHead(head: Head, growth: HeadGrowth): void;

  findTenantNo(tenantId: string): number | undefined;
  /** 0 without any tenant. */
  lastTenantNo(): number;
  insertTenant(tenant: {
    readonly tenantNo: number;
    readonly tenantId: string;
    readonly height: number;
  }): void;
  updateTenant(tally: Readonly<TenantTally>): void;

  heightOfExternalId(tenantNo: number, externalId: string): number | undefined;
  /** Ascending. */
  heightsOfGroupKey(tenantNo: number, groupKey: string): readonly number[];
  insertGroupKey(tenantNo: number, groupKey: string, height: number): void;

  insertEvent(row: EventRow): void;
  updateEvent(change: EventChange): void;
  insertLine(row: LineRow): void;
  updateLine(row: LineRow): void;
  insertProvenance(row: ProvenanceRow): void;
  deleteProvenances(height: number): void;

  insertCorrection(row: CorrectionRow): void;
  /** Corrections of the event of this height with their blocks' texts, ascending. */
  correctionsOf(height: number): readonly { readonly height: number; readonly canonical: string }[];
  /** A mention that is there already stays. */
  insertMention(height: number, lotNo: number): void;

  insertPrivateOfEvent(height: number, draft: Draft): void;
  insertPrivateOfCorrection(
    height: number,
    submission: Pick<CorrectionSubmission, 'privateRequest' | 'privateChanges'>,
  ): void;
  storedPrivate(height: number): StoredPrivate;
  insertAuditEntry(entry: AuditEntry): void;
}

/** An account as it is stored. */
export interface StoredAccount {
  readonly sums: Sums;
  readonly removal: Removal | undefined;
}

export interface NewLotRow {
  readonly lotNo: number;
  readonly tenantNo: number;
  readonly lotCode: string;
  readonly productSku: string;
  readonly height: number;
  readonly standing: Standing;
  readonly text: string;
}

/** What the rows of a lot say once it was added up anew from its lines. */
export interface RecountedLot {
  readonly productSku: string;
  readonly accounts: readonly Account[];
  readonly standing: Standing;
  readonly text: string;
}

export interface NewHold {
  readonly lotNo: number;
  readonly source: string;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

export type EndedHold = Omit<NewHold, 'reason'>;

/** The rows of lots and of what belongs to them. */
export interface LotTables {
  findLotNo(tenantNo: number, lotCode: string): number | undefined;
  /** 0 without any lot. */
  lastLotNo(): number;
  insertLot(row: NewLotRow): void;
  /** @throws Error when the lot is not listed */
  getStanding(lotNo: number): Standing;
  updateStanding(lotNo: number, standing: Standing): void;

  findAccount(lotNo: number, productSku: string, unit: string): StoredAccount | undefined;
  /** Whether any account of the lot is stored. */
  hasAccount(lotNo: number): boolean;
  /** The last removal that the stored accounts of the lot tell of. */
  findLastRemoval(lotNo: number): Removal | undefined;
  insertAccount(lotNo: number, account: Account): void;
  updateAccount(lotNo: number, account: Account): void;

  /** What the lot is found by (lot-text.ts). */
  textOf(tenantNo: number, lotNo: number): string;
  updateText(tenantNo: number, lotNo: number, text: string): void;

  isHeld(lotNo: number): boolean;
  /** Sources of the open holds of a lot. */
  openHolds(lotNo: number): readonly string[];
  insertHold(hold: NewHold): void;
  endHold(hold: EndedHold): void;
  updateOnHold(lotNo: number, onHold: boolean): void;

  /** Adds the lots up anew from their lines (`LotRecount`), once all else of the group is written. */
  recount(lots: ReadonlyMap<number, LotKey>): void;
}

export interface LotKey {
  readonly tenantNo: number;
  readonly lotNo: number;
}

/** All rows of one group commit. */
export interface GroupRows {
  readonly chain: ChainRows;
  readonly lots: LotTables;
}
