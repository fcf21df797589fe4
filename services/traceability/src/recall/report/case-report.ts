// The contents of the report of a recall case: plain values, read once and rendered by
// report-page.ts.
import type { ProvenanceValues } from '../../ledger/record/fields.ts';
import type { LotState } from '../../lots/state.ts';
import type {
  CaseStatus,
  LotType,
  RecallDirection,
  Relation,
  SeedKind,
  Severity,
} from '../../terms.ts';
import type { CaseEdited } from '../case/timeline.ts';
import type { Audience } from '../notification-status.ts';
import type { NotificationStatus } from '../../terms.ts';
import type { ReconciliationRow } from './reconciliation.ts';

/** The beginning of a list, and how long it is as a whole. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** The number of items, as far as they were counted. */
  readonly total: number;
  /** False: there are more than `total`. */
  readonly isExact: boolean;
}

/** A decimal text and its unit. */
export interface Amount {
  readonly quantity: string;
  readonly unit: string;
}

/** An amount of one product. */
export interface ProductAmount extends Amount {
  readonly productSku: string;
}

/** The place of a block, by which a reader finds and checks it. */
export interface BlockPlace {
  readonly height: number;
  readonly hash: string;
}

export interface ReportLot extends LotState {
  readonly lotCode: string;
  readonly productSku: string;
  readonly relation: Relation;
  /** An ancestor and a descendant at once, as by rework; `relation` is that of the nearer way. */
  readonly bothWays: boolean;
  /** Hops from the seed. */
  readonly distance: number;
  /** The remaining amount, for each SKU and unit. */
  readonly remaining: readonly ProductAmount[];
  readonly inSnapshot: boolean;
  /** Null: found just now, and not written down yet. */
  readonly enteredAt: string | null;
}

export interface LeftLot {
  readonly lotCode: string;
  readonly productSku: string;
  readonly leftAt: string;
}

export interface ReportMove {
  readonly at: string;
  readonly from: CaseStatus | null;
  readonly to: CaseStatus;
  readonly by: string | null;
  readonly note: string | null;
  /** Undefined: the opening or a move. */
  readonly edited: CaseEdited | undefined;
}

/** A step as it is sealed. */
export interface ReportStep {
  readonly at: string;
  readonly summary: string;
  /** A step about many lots has several blocks, one after the other. */
  readonly blocks: readonly [BlockPlace, ...BlockPlace[]];
}

/** Lots that entered or left after the opening, at one moment. */
export interface ScopeChange {
  readonly at: string;
  /** Blocks through which this was found. */
  readonly height: number;
  readonly entered: number;
  readonly left: number;
}

export interface ReportShipment extends ProductAmount {
  readonly occurredAt: string;
  readonly height: number;
  readonly location: string;
  readonly reference: string;
  readonly lotCode: string;
}

export interface ReportCustomer {
  /** Null: erased. */
  readonly customerRef: string | null;
  readonly lots: number;
  readonly amount: Amount;
  readonly channels: readonly string[];
  readonly firstSoldAt: string;
  readonly lastSoldAt: string;
}

export interface ReportChannel {
  readonly channel: string;
  readonly channelClass: string;
}

export interface ReportSupplier extends ProvenanceValues {
  readonly productSku: string;
  /** Own lots of the case that it came into. */
  readonly lotCodes: Listed<string>;
}

export interface ReportNotification {
  readonly id: number;
  readonly audience: Audience;
  /** Null: a customer that was erased. */
  readonly recipient: string | null;
  readonly status: NotificationStatus;
  readonly lots: number;
  readonly amounts: readonly Amount[];
  readonly readyAt: string | null;
  readonly sentAt: string | null;
  readonly answeredAt: string | null;
  readonly response: string | null;
}

export interface Answers {
  readonly notifications: number;
  /** Number of them that were sent, acknowledged or resolved. */
  readonly notified: number;
  /**
   * Of the sent ones, `responded` counts those that are acknowledged or resolved, and `silent` the
   * others.
   */
  readonly responded: number;
  readonly silent: number;
}

export interface ReportCorrection extends BlockPlace {
  readonly recordedAt: string;
  readonly reason: string;
  readonly corrects: BlockPlace;
  readonly changes: Listed<{
    readonly field: string;
    readonly from: string | null;
    readonly to: string | null;
  }>;
}

/** A node of the genealogy: a lot, a supplier's lot, or all lots of one product. */
export interface DrawnNode {
  readonly kind: LotType | 'product';
  readonly label: string;
  /** A second line: the product of a lot, the supplier's name. */
  readonly detail: string;
  /** The number of lots, for a product; 1 for any other node. */
  readonly lots: number;
  readonly isSeed: boolean;
  /** Numbers of lots that are held and recalled. */
  readonly held: number;
  readonly recalled: number;
}

/**
 * Lots that are linked by one event, by a shared reference, or by all events that link the same
 * products.
 */
export interface DrawnLink {
  /** Numbers of nodes. */
  readonly ins: readonly number[];
  readonly outs: readonly number[];
}

export interface DrawnGenealogy {
  readonly by: 'lot' | 'product';
  readonly nodes: readonly DrawnNode[];
  readonly links: readonly DrawnLink[];
  /** Nodes and links that are not drawn, because there are too many. */
  readonly nodesLeftOut: number;
  readonly linksLeftOut: number;
}

export interface CaseReport {
  readonly hub: { readonly name: string; readonly publicUrl: string };
  readonly madeAt: string;
  readonly brand: {
    readonly id: string;
    readonly name: string;
    readonly website: string | null;
    readonly recallContact: string | null;
  };
  readonly caseNo: string;
  readonly title: string;
  readonly reason: string;
  readonly severity: Severity;
  readonly status: CaseStatus;
  readonly direction: RecallDirection;
  readonly autoHold: boolean;
  readonly seed: { readonly lotCode: string; readonly kind: SeedKind };
  readonly openedBy: string;
  readonly openedAt: string;
  readonly openedOn: BlockPlace;
  readonly notifiedAt: string | null;
  readonly endedAt: string | null;
  /** False: a bound was met, and there is more than was found. */
  readonly isComplete: boolean;
  /**
   * The state of the chain before anything was read: the report contains everything that is in it.
   */
  readonly chain: {
    readonly chainId: string;
    readonly tip: BlockPlace;
    readonly isValid: boolean;
    readonly verifiedThrough: number;
  };
  /** The opening, the moves and the newest edits. */
  readonly moves: readonly ReportMove[];
  /** Edits that are not among them. */
  readonly editsLeftOut: number;
  readonly scopeChanges: Listed<ScopeChange>;
  readonly steps: Listed<ReportStep>;
  readonly products: Listed<{ readonly productSku: string; readonly lots: number }>;
  readonly lots: Listed<ReportLot>;
  readonly leftLots: Listed<LeftLot>;
  readonly lotsOnHold: number;
  readonly snapshotLots: number;
  readonly genealogy: DrawnGenealogy;
  readonly shipments: Listed<ReportShipment>;
  /** Number of different customers, without those that were erased. */
  readonly customerCount: number;
  readonly customers: Listed<ReportCustomer>;
  readonly channels: Listed<ReportChannel>;
  readonly suppliers: Listed<ReportSupplier>;
  readonly reconciliation: Listed<ReconciliationRow>;
  readonly notifications: Listed<ReportNotification>;
  readonly answers: Answers;
  readonly corrections: Listed<ReportCorrection>;
  readonly evidence: Listed<BlockPlace>;
}
