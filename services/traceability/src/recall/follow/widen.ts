// Widens one open case by the changes of some blocks: lots enter its scope and are held, lots leave
// it, and its new recipients are separated from the earlier ones.
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry } from '../../ledger/audit.ts';
import { sealedHeight, type DecidedChange } from '../../ledger/decisions/draft.ts';
import { halvesOfPart } from '../../ledger/decisions/recall.ts';
import type { Caller } from '../../ledger/draft.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { notifyWatchersWidened } from '../../ledger/watching/notify-watchers.ts';
import { notifyHeldByCase } from '../../ledger/webhooks/notify.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { LotWalk } from '../../lots/genealogy/walk.ts';
import { readLotCodes } from '../../lots/queries.ts';
import type { WalkDirection } from '../../terms.ts';
import { readLotsByHand } from '../edit/by-hand.ts';
import { lotsOfCaseAmong, type LotOfCase } from '../case/lot-queries.ts';
import { findFollowedCase, type FollowedCase } from './queries.ts';
import {
  compareScope,
  concernedByLots,
  everCovered,
  withoutNotified,
} from '../case/scope-change.ts';
import type { ScopeChange } from '../case/scope-change.ts';
import { RECALL_WALK, findScopeOfCase } from '../trace/scope.ts';
import {
  commitRecipient,
  readLastNotificationId,
  nextStep,
  numberRecipients,
  sealStep,
  sealedLot,
} from '../case/steps.ts';
import type { CommittedRecipient } from '../case/steps.ts';
import { endRecall, flagEntered, type Finding } from '../case/scope-writes.ts';
import { directionsOfCase, isOnWay, type TouchedCase } from './touched.ts';

/** The actor of widenings in the audit. */
const FOLLOWER: Caller = { actor: 'lothub', requestId: null };

/** The changes of a case, before the number of their block in a change is known. */
export interface Widening {
  readonly followed: FollowedCase;
  readonly change: ScopeChange;
  /** Codes of the lots of the change. */
  readonly codes: ReadonlyMap<number, string>;
  /** Lots that enter it and that it covered before. */
  readonly again: readonly number[];
  readonly recipients: readonly CommittedRecipient[];
  /** Id of the newest notification of the case; 0: none. */
  readonly lastNotification: number;
  readonly found: Finding;
}

/** The rows that are prepared while the case is claimed, and the other writes. */
interface WideningChange extends Pick<DecidedChange, 'decisions' | 'statements'> {
  readonly prepared: readonly Sql[];
}

/**
 * Finds the changes of a case. After they are written, another plan finds none.
 * @returns `stale` when the case changed meanwhile, so that the blocks change it differently now
 */
export async function planWidening(
  reader: LedgerReader,
  touched: TouchedCase,
  found: Finding,
): Promise<Widening | 'nothing' | 'stale'> {
  const { database } = reader;
  const followed = await findFollowedCase(database, touched.caseId);
  if (followed === undefined) return 'nothing';
  if (followed.revision !== touched.revision) return 'stale';
  const change = touched.isFoundAnew
    ? await compareScope(database, followed, await findScopeOfCase(database, followed))
    : await findEntering(database, followed, touched);
  const { tenantNo } = followed;
  const concerned = [
    ...touched.concerned,
    ...(await concernedByLots(reader, { tenantNo, lots: change.entered })),
  ];
  const fresh = await withoutNotified(database, followed.caseId, concerned);
  const { entered, changed, left } = change;
  if (entered.length + changed.length + left.length + fresh.length === 0) return 'nothing';
  const lotNos = [...[...entered, ...changed].map(({ lotNo }) => lotNo), ...left];
  return {
    followed,
    change,
    codes: await readLotCodes(database, lotNos),
    again: await everCovered(database, followed.caseId, entered),
    recipients: fresh.map(commitRecipient),
    lastNotification: await readLastNotificationId(database, followed.caseId),
    found,
  };
}

/** Finds the lots beyond those that the blocks link to lots of the case. */
async function findEntering(
  database: DatabaseReader,
  followed: FollowedCase,
  touched: TouchedCase,
): Promise<ScopeChange> {
  const table = new EnteringTable(database, followed);
  const received = [...touched.received];
  // The inputs of a supplier's lot are unknown: the lots received under its code count as made from
  // it.
  const beyond = withDistance(touched.beyond.downstream, received, 1);
  await table.add('downstream', beyond);
  await table.add('upstream', touched.beyond.upstream);
  const change = table.change();
  if (change.entered.length === 0) return change;
  const { excluded } = await readLotsByHand(database, followed.caseId);
  return { ...change, entered: change.entered.filter(({ lotNo }) => !excluded.has(lotNo)) };
}

function withDistance(
  known: ReadonlyMap<number, number>,
  lotNos: readonly number[],
  distance: number,
): ReadonlyMap<number, number> {
  return new Map([...known, ...lotNos.map((lotNo) => [lotNo, distance] as const)]);
}

class EnteringTable {
  readonly #database: DatabaseReader;
  readonly #followed: FollowedCase;
  readonly #known = new Map<number, LotOfCase>();
  readonly #entered = new Map<number, RelatedLot>();
  readonly #changed = new Map<number, RelatedLot>();

  constructor(database: DatabaseReader, followed: FollowedCase) {
    this.#database = database;
    this.#followed = followed;
  }

  /** Adds lots at these distances and all lots beyond them, nearest first. */
  async add(direction: WalkDirection, beyond: ReadonlyMap<number, number>): Promise<void> {
    const distances = [...new Set(beyond.values())].sort((a, b) => a - b);
    for (const distance of distances) {
      const seeds = [...beyond.keys()].filter((lotNo) => beyond.get(lotNo) === distance);
      const walked = await this.#findWalked(seeds, direction);
      await this.#walk(
        direction,
        seeds.filter((lotNo) => !walked.has(lotNo)),
        distance,
      );
    }
  }

  change(): ScopeChange {
    return { entered: [...this.#entered.values()], changed: [...this.#changed.values()], left: [] };
  }

  async #walk(direction: WalkDirection, seeds: readonly number[], distance: number): Promise<void> {
    if (seeds.length === 0) return;
    const goesOn = directionsOfCase(this.#followed).includes(direction);
    const walk = new LotWalk({
      database: this.#database,
      tenantNo: this.#followed.tenantNo,
      direction,
      seeds,
      depthMax: goesOn ? Infinity : 0,
      links: 'dropped',
      findWalked: (lotNos) => this.#findWalked(lotNos, direction),
      ...RECALL_WALK,
    });
    await walk.run();
    for (const [lotNo, hops] of walk.distances) {
      this.#reach({ lotNo, relation: direction, distance: distance + hops, bothWays: false });
    }
  }

  #reach(lot: RelatedLot): void {
    const known = this.#known.get(lot.lotNo);
    if (known !== undefined) {
      this.#changed.set(lot.lotNo, { ...known, bothWays: true });
      return;
    }
    const entered = this.#entered.get(lot.lotNo);
    if (entered === undefined) this.#entered.set(lot.lotNo, lot);
    else this.#entered.set(lot.lotNo, { ...entered, bothWays: true });
  }

  /**
   * Finds lots from which a walk in this direction was made before: now, or when they entered the
   * case.
   */
  async #findWalked(
    lotNos: readonly number[],
    direction: WalkDirection,
  ): Promise<ReadonlySet<number>> {
    const walked = new Set<number>();
    const { caseId } = this.#followed;
    for await (const slice of slicesInTurns(lotNos)) {
      for (const row of await lotsOfCaseAmong(this.#database, { caseId, lotNos: slice })) {
        this.#known.set(row.lotNo, row);
        if (isOnWay(row, direction)) walked.add(row.lotNo);
      }
    }
    for (const lotNo of lotNos) {
      const lot = this.#entered.get(lotNo) ?? this.#changed.get(lotNo);
      if (lot !== undefined && (lot.bothWays || lot.relation === direction)) walked.add(lotNo);
    }
    return walked;
  }
}

/** @param firstIndex of its first block among the decisions of the change */
export function buildWideningChange(plan: Widening, firstIndex: number): WideningChange {
  const { followed, change, recipients, found } = plan;
  const { caseId, caseNo, tenantId } = followed;
  const { at, height, hash } = found;
  const { concerned, statements: insertRecipients } = numberRecipients(recipients, {
    caseId,
    lastId: plan.lastNotification,
  });
  const { entered, changed, left } = change;
  const getCode = (lotNo: number) => present(plan.codes.get(lotNo), 'the code of a lot');
  const sealed = (lot: RelatedLot) => sealedLot({ ...lot, lotCode: getCode(lot.lotNo) });
  const step = sealStep(
    { brand: tenantId, header: followed, firstIndex },
    {
      change: 'widened',
      step: nextStep(followed),
      state: followed.status,
      at,
      as_of: { height, hash },
      entered: entered.map(sealed),
      changed: changed.map(sealed),
      left: left.map(getCode),
      concerned,
    },
  );
  const lotNos = entered.map(({ lotNo }) => lotNo);
  const again = new Set(plan.again.map(getCode));
  const halves = step.blocks.map((block) => halvesOfPart(block, again));
  const statements = [
    ...halves.flatMap((half) => half.statements),
    ...flagEntered(lotNos, followed),
    ...endRecall(left),
    insertAuditEntry({
      at,
      tenantId,
      caller: FOLLOWER,
      action: 'widen_case',
      entityType: 'case',
      entityId: caseNo,
      blockHeight: sealedHeight(firstIndex),
      details: {
        lots_entered: entered.length,
        lots_left: left.length,
        notifications: concerned.length,
      },
    }),
    ...notifyHeldByCase(
      { brand: tenantId, recallCase: followed, at, blockHeight: sealedHeight(firstIndex) },
      entered.map(({ lotNo }) => getCode(lotNo)),
    ),
    ...notifyWatchersWidened(
      {
        ...{ brand: tenantId, recallCase: followed, stepNo: nextStep(followed), at },
        status: followed.status,
      },
      { hasLots: entered.length + left.length > 0 },
    ),
  ];
  const prepared = [...insertRecipients, ...halves.flatMap((half) => half.prepared)];
  return { decisions: step.decisions, prepared, statements };
}
