// Opens a recall case: finds what it covers and whom it concerns, and writes all of it in one transaction, of
// which only the last part keeps others from appending.
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { at } from '@lothub/kit/present';
import { DatabaseError } from '@lothub/kit/database';
import type { PlannedChange } from '@lothub/kit/writer/planned-change';
import { insertAuditEntry } from '../../ledger/audit.ts';
import type { Caller } from '../../ledger/draft.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { caseNoOf } from '../../lots/notices/notices.ts';
import { noSuchLot } from '../../lots/similar-codes.ts';
import { FIRST_CASE_STATUS, UNCLASSIFIED } from '../../terms.ts';
import { lastCaseId, lastErasure, openCasesOnSeed } from './rows.ts';
import type { RecallCase } from './rows.ts';
import type { CaseRequest } from './schema.ts';
import { claimCase, insertMove, isNewestCase } from './writes.ts';
import { recallDirection } from '../direction.ts';
import { findScope, findSeed, impactOf } from '../trace/impact.ts';
import type { Impact, Scope } from '../trace/impact.ts';
import { summaryOf } from '../trace/impact-summary.ts';
import { Reach } from '../trace/reach.ts';
import { dropErasedSince } from './drop-erased.ts';
import { alwaysConcerned, concernedBy } from './recipients.ts';
import {
  enterLots,
  flagHeld,
  followFrom,
  insertHolds,
  insertNotifications,
} from './scope-writes.ts';
import type { NewNotification } from './scope-writes.ts';

/** Of openings in several processes that meet, one takes the number each time. */
const ATTEMPTS_MAX = 20;
/** Other open cases on the same lot that a warning names. */
const NAMED_CASES_MAX = 10;

export interface OpenedCase {
  readonly recallCase: RecallCase;
  /** Cases on the same lot that were open before it; the newest ten. */
  readonly alreadyOpen: readonly string[];
  readonly scope: Scope;
  /** As it was before the case did anything to its lots. */
  readonly impact: Impact;
  readonly reach: Reach;
}

/** What is found before the case has a number. */
interface Found {
  readonly tenantNo: number;
  readonly seedLotNo: number | null;
  readonly seedSupplierName: string | null;
  readonly scope: Scope;
  readonly impact: Impact;
  readonly reach: Reach;
  readonly concerned: readonly NewNotification[];
  /** The newest one when the scope was looked for. */
  readonly erasure: { readonly tenantId: string; readonly entryId: number };
  readonly opened: Pick<RecallCase, 'openedAt' | 'openedHeight' | 'openedHash' | 'snapshot'>;
}

export interface CaseOpening {
  readonly tenantId: string;
  readonly caller: Caller;
  readonly request: CaseRequest;
}

export class CaseOpener {
  readonly #store: Pick<LedgerStore, 'change'>;
  readonly #reader: LedgerReader;
  readonly #clock: Clock;
  /** Numbers are taken one after the other, so that openings in this process never meet. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly store: Pick<LedgerStore, 'change'>;
    readonly reader: LedgerReader;
    readonly clock: Clock;
  }) {
    this.#store = deps.store;
    this.#reader = deps.reader;
    this.#clock = deps.clock;
  }

  /**
   * Answers once the case is on disk.
   * @throws Refusal `not_found` when the tenant knows no such lot; DatabaseError as the store's
   */
  async open(opening: CaseOpening): Promise<OpenedCase> {
    const found = await this.#find(opening);
    const written = this.#turn.then(() => this.#write(opening, found));
    this.#turn = written.catch(() => undefined);
    return await written;
  }

  async #find({ tenantId, request }: CaseOpening): Promise<Found> {
    const { database } = this.#reader;
    // Before anything else: customers that are erased from here on are looked for (`dropErasedSince`), and
    // whatever is appended is followed (`followFrom`).
    const erasure = { tenantId, entryId: await lastErasure(database, tenantId) };
    const head = await this.#reader.head();
    const asked = { tenantId, lotCode: request.seed_lot_code };
    const supplierName = request.supplier_name ?? undefined;
    const seed = await findSeed(database, { ...asked, supplierName });
    if (seed === undefined) throw await noSuchLot(database, asked);
    const { tenantNo } = seed;
    const scope = await findScope(database, {
      seed,
      direction: recallDirection(request.direction),
    });
    const reach = new Reach(scope.lots.length);
    const impact = await impactOf(this.#reader, { tenantNo, lots: scope.lots, reach });
    const summary = summaryOf(impact);
    return {
      tenantNo,
      seedLotNo: seed.kind === 'own' ? at(seed.lotNos, 0) : null,
      seedSupplierName: seed.supplierName,
      scope,
      impact,
      reach,
      concerned: concernedByImpact(impact),
      erasure,
      opened: {
        openedAt: instantText(this.#clock.nowMs()),
        openedHeight: head.height,
        openedHash: head.hash,
        snapshot: JSON.stringify({ ...summary, truncated: summary.truncated || scope.truncated }),
      },
    };
  }

  async #write(opening: CaseOpening, found: Found): Promise<OpenedCase> {
    const { database } = this.#reader;
    const { request } = opening;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const caseId = (await lastCaseId(database)) + 1;
      const alreadyOpen = await openCasesOnSeed(database, {
        tenantNo: found.tenantNo,
        seedLotCode: request.seed_lot_code,
        limit: NAMED_CASES_MAX,
      });
      const recallCase = caseOf(caseId, request, found);
      const outcome = await this.#store.change(changeOf(recallCase, opening, found));
      if (outcome.kind === 'done') {
        const { scope, impact, reach } = found;
        return { recallCase, alreadyOpen, scope, impact, reach };
      }
    }
    throw new DatabaseError('database_busy', 'others kept opening cases');
  }
}

function concernedByImpact(impact: Impact): readonly NewNotification[] {
  return [
    ...concernedBy({
      customerRefs: impact.customers.map(({ customerRef }) => customerRef),
      channels: impact.channels,
      supplierNames: impact.suppliers.map((supplier) => supplier.supplier_name),
    }),
    ...alwaysConcerned(),
  ];
}

function caseOf(caseId: number, request: CaseRequest, found: Found): RecallCase {
  const { openedAt } = found.opened;
  return {
    caseId,
    caseNo: caseNoOf({ caseId, year: Number(openedAt.slice(0, 4)) }),
    tenantNo: found.tenantNo,
    seedLotCode: request.seed_lot_code,
    seedLotNo: found.seedLotNo,
    seedSupplierName: found.seedSupplierName,
    title: request.title,
    reason: request.reason,
    severity: request.severity ?? UNCLASSIFIED,
    direction: recallDirection(request.direction),
    autoHold: (request.auto_hold ?? true) ? 1 : 0,
    openedBy: request.opened_by,
    ...found.opened,
    status: FIRST_CASE_STATUS,
    updatedAt: openedAt,
    notifiedAt: null,
    endedAt: null,
    revision: 1,
  };
}

/**
 * All that an opening writes. Nobody sees the prepared rows without their case, and a crash at any moment
 * leaves none of them. What others write as well waits for the head: flags of lots, which each event
 * updates; customers, who may have been erased since; how far the cases have been followed.
 */
function changeOf(recallCase: RecallCase, opening: CaseOpening, found: Found): PlannedChange {
  const { caseId, caseNo, tenantNo, openedAt: at, openedHeight: height, openedBy } = recallCase;
  const { concerned: notifications } = found;
  const lotNos = found.scope.lots.map(({ lotNo }) => lotNo);
  const isHolding = recallCase.autoHold === 1;
  return {
    prepared: {
      claim: claimCase(recallCase),
      statements: [
        ...enterLots({ caseId, lots: found.scope.lots, found: { at, height }, when: 'at_opening' }),
        ...(isHolding ? insertHolds({ held: recallCase, lotNos, at }) : []),
        ...insertNotifications({ caseId, notifications, status: 'pending', at }),
      ],
    },
    guard: isNewestCase(caseId),
    statements: [
      insertMove({
        caseId,
        move: {
          fromStatus: null,
          toStatus: FIRST_CASE_STATUS,
          movedAt: at,
          movedBy: openedBy,
          note: null,
        },
      }),
      ...(isHolding ? flagHeld(lotNos) : []),
      ...dropErasedSince({ caseId, tenantNo, notifications, at }, found.erasure),
      followFrom({ caseId, height }),
      insertAuditEntry({
        at,
        tenantId: opening.tenantId,
        caller: opening.caller,
        action: 'open_case',
        entityType: 'case',
        entityId: caseNo,
        blockHeight: null,
        details: {
          seed_lot_code: recallCase.seedLotCode,
          severity: recallCase.severity,
          direction: recallCase.direction,
          auto_hold: recallCase.autoHold,
          lots: found.scope.lots.length,
        },
      }),
    ],
  };
}
