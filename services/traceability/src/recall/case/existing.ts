// Steps of a case that was made before steps were sealed, out of its rows, with their old times.
import type { DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns } from '@lothub/kit/in-turns';
import { at as entryAt, present } from '@lothub/kit/present';
import { cutSlices } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { draftDecision, sealedHeight, type DecisionDraft } from '../../ledger/decisions/draft.ts';
import type { ExistingBatch, ExistingDecisions } from '../../ledger/decisions/existing/planner.ts';
import { rowsOfDecision } from '../../ledger/decisions/kinds.ts';
import { IS_OF_CASE, rowsOfPart } from '../../ledger/decisions/recall.ts';
import { LOTS_PER_BLOCK_MAX, type HoldDecision } from '../../ledger/record/decisions/contents.ts';
import { CANCELLED, type CaseStatus, type Relation } from '../../terms.ts';
import type { Audience } from '../notification-status.ts';
import { findCase, movesOfCase, type MoveRow, type RecallCase } from './rows.ts';
import { commitRecipient, insertRecipients, sealStep, sealedLot, type CaseStep } from './steps.ts';

/** Each is sealed whole, one in a transaction. */
export const EXISTING_CASES: ExistingDecisions = {
  table: 'recall_cases',
  unsealed: sql`
    select count(*) as unsealed
    from recall_cases
    where step_no is null`,
  next: async (reader) => {
    const next = await reader.first<{ readonly caseNo: string; readonly tenantId: string }>(sql`
      select c.case_no as "caseNo", t.tenant_id as "tenantId"
      from recall_cases c
      join tenants t on t.tenant_no = c.tenant_no
      where c.step_no is null
      order by c.case_id
      limit 1`);
    if (next === undefined) return undefined;
    const recallCase = present(await findCase(reader, next), `the case ${next.caseNo}`);
    return await planExistingCase(reader, next.tenantId, recallCase);
  },
};

/** The reader that planning uses; it may be one inside a transaction. */
type Reads = Pick<DatabaseReader, 'all' | 'first'>;

/** Rows that are read in one query. */
const ROWS_PER_PAGE = 1_000;

/** All steps that a case has made. */
export async function planExistingCase(
  database: Reads,
  brand: string,
  recallCase: RecallCase,
): Promise<ExistingBatch> {
  return planExisting(brand, await readExisting(database, recallCase));
}

interface ExistingLot {
  readonly lotNo: number;
  readonly lotCode: string;
  readonly relation: Relation;
  readonly distance: number;
  readonly bothWays: 0 | 1;
  readonly inSnapshot: 0 | 1;
  readonly enteredAt: string;
  readonly enteredHeight: number;
  readonly leftAt: string | null;
  readonly leftHeight: number | null;
}

interface ExistingRecipient {
  readonly id: number;
  readonly audience: Audience;
  /** Null: erased. */
  readonly recipient: string | null;
  readonly createdAt: string;
}

/** A hold of the case that ended. */
interface EndedHold {
  readonly holdNo: number;
  readonly lotCode: string;
  readonly releasedAt: string;
  readonly releasedBy: string;
}

interface Existing {
  readonly recallCase: RecallCase;
  readonly moves: readonly MoveRow[];
  readonly lots: readonly ExistingLot[];
  readonly recipients: readonly ExistingRecipient[];
  readonly endedHolds: readonly EndedHold[];
  /** Hashes of the blocks in which lots were found. */
  readonly hashes: ReadonlyMap<number, string>;
}

async function readExisting(database: Reads, recallCase: RecallCase): Promise<Existing> {
  const { caseId, caseNo } = recallCase;
  const lots = await allPages({ lotNo: 0 }, ({ lotNo }: Pick<ExistingLot, 'lotNo'>, limit) =>
    database.all<ExistingLot>(sql`
      select r.lot_no as "lotNo", l.lot_code as "lotCode", r.relation, r.distance,
        r.both_ways as "bothWays", r.in_snapshot as "inSnapshot", r.entered_at as "enteredAt",
        r.entered_height as "enteredHeight", r.left_at as "leftAt", r.left_height as "leftHeight"
      from recall_lots r
      join lots l on l.lot_no = r.lot_no
      where r.case_id = ${caseId} and r.lot_no > ${lotNo}
      order by r.lot_no
      limit ${limit}`),
  );
  const recipients = await allPages({ id: 0 }, ({ id }: Pick<ExistingRecipient, 'id'>, limit) =>
    database.all<ExistingRecipient>(sql`
      select notification_id as id, audience, recipient, created_at as "createdAt"
      from recall_notifications
      where case_id = ${caseId} and notification_id > ${id}
      order by notification_id
      limit ${limit}`),
  );
  const endedHolds = await database.all<EndedHold>(sql`
    select h.hold_no as "holdNo", l.lot_code as "lotCode", h.released_at as "releasedAt",
      h.released_by as "releasedBy"
    from lot_holds h
    join lots l on l.lot_no = h.lot_no
    where ${IS_OF_CASE} and h.source = ${caseNo} and h.released_at is not null
    order by h.hold_no`);
  const hashes = new Map<number, string>();
  const heights = lots.flatMap(({ enteredHeight, leftHeight }) => [enteredHeight, leftHeight ?? 0]);
  for (const height of new Set(heights)) {
    const row = await database.first<{ readonly hash: string }>(sql`
      select hash from blocks where height = ${height}`);
    if (row !== undefined) hashes.set(height, row.hash);
  }
  const moves = await movesOfCase(database, caseId);
  return { recallCase, moves, lots, recipients, endedHolds, hashes };
}

async function allPages<Row extends Key, Key>(
  start: Key,
  read: (after: Key, limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const pages = pagesInTurns<Key, Row>({ start, limit: ROWS_PER_PAGE, read });
  return (await Array.fromAsync(pages)).flat();
}

/** A step, or a release of holds by hand. */
type Planned =
  | {
      readonly kind: 'step';
      readonly step: Omit<CaseStep, 'step' | 'state' | 'migrated'>;
      readonly to?: CaseStatus;
    }
  | {
      readonly kind: 'release';
      readonly at: string;
      readonly lots: readonly string[];
      readonly by: string;
    };

function planExisting(brand: string, existing: Existing): ExistingBatch {
  const { recallCase } = existing;
  const committed = existing.recipients.map(({ id, audience, recipient, createdAt }) => ({
    id,
    createdAt,
    opening: recipient === null ? undefined : commitRecipient({ audience, recipient }),
  }));
  const concernedAt = Map.groupBy(committed, ({ createdAt }) => createdAt);
  const concerned = (at: string) =>
    (concernedAt.get(at) ?? []).map(({ id, opening }) => ({
      id,
      ...(opening === undefined ? {} : { commitment: opening.commitment }),
    }));
  const planned = [
    ...listSteps(existing, concerned),
    ...widenings(existing, [...concernedAt.keys()], concerned),
    ...releases(existing),
  ].sort((one, other) => compareTimes(getTime(one), getTime(other)));
  const decisions: DecisionDraft[] = [];
  const statements: Sql[] = [
    ...insertRecipients(
      committed.flatMap(({ id, opening }) => (opening === undefined ? [] : [{ ...opening, id }])),
    ),
  ];
  let [lastStep, state]: [number, CaseStatus] = [0, entryAt(existing.moves, 0).toStatus];
  for (const one of planned) {
    const index = decisions.length;
    if (one.kind === 'release') {
      const released = buildRelease(recallCase.caseNo, one);
      decisions.push(draftDecision({ brand, type: 'hold', content: released }, { by: one.by }));
      const block = { height: sealedHeight(index), brand, decision: released };
      statements.push(...rowsOfDecision('hold', { ...block, opened: { by: one.by } }));
      continue;
    }
    lastStep += 1;
    state = one.to ?? state;
    const sealed = sealStep(
      { brand, header: recallCase, firstIndex: index },
      { ...one.step, step: lastStep, state, migrated: true },
    );
    decisions.push(...sealed.decisions);
    statements.push(...sealed.blocks.flatMap(rowsOfPart));
  }
  return { decisions, statements };
}

function getTime(planned: Planned): string {
  return planned.kind === 'step' ? planned.step.at : planned.at;
}

/** Stable, so that what happened at one time stays in the order in which it was planned. */
function compareTimes(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The opening, then every move. */
function listSteps(
  { recallCase, moves, lots, endedHolds }: Existing,
  concerned: (at: string) => CaseStep['concerned'] & object,
): readonly Planned[] {
  const { openedAt, openedBy, openedHeight, openedHash, snapshot } = recallCase;
  return moves.map(({ toStatus, movedAt, movedBy, note }, index) => {
    if (index === 0) {
      const step = {
        change: 'opened' as const,
        at: openedAt,
        as_of: { height: openedHeight, hash: openedHash },
        entered: lots.filter(({ inSnapshot }) => inSnapshot === 1).map(sealLot),
        concerned: concerned(openedAt),
        opened: { opened_by: openedBy, snapshot },
      };
      return { kind: 'step', step, to: toStatus };
    }
    const ended = endedHolds.find(({ releasedAt }) => releasedAt === movedAt);
    const endsHolds = toStatus === CANCELLED || (toStatus === 'closed' && ended !== undefined);
    const step = {
      change: 'moved' as const,
      at: movedAt,
      ...(endsHolds ? { ends_holds: true as const } : {}),
      opened: { changed_by: movedBy, note, released_by: ended?.releasedBy ?? null },
    };
    return { kind: 'step', step, to: toStatus };
  });
}

/** The lots added and removed after the opening, by the time of the finding. */
function widenings(
  { recallCase, lots, hashes }: Existing,
  concernedTimes: readonly string[],
  concerned: (at: string) => CaseStep['concerned'] & object,
): readonly Planned[] {
  const { openedAt } = recallCase;
  const later = lots.filter((lot) => lot.inSnapshot === 0 || lot.enteredAt !== openedAt);
  const entering = Map.groupBy(later, ({ enteredAt }) => enteredAt);
  const leaving = Map.groupBy(
    lots.filter(({ leftAt }) => leftAt !== null),
    ({ leftAt }) => leftAt ?? '',
  );
  const times = new Set([...entering.keys(), ...leaving.keys(), ...concernedTimes]);
  times.delete(openedAt);
  const pickTip = (height = -1) => {
    const hash = hashes.get(height);
    return hash === undefined ? {} : { as_of: { height, hash } };
  };
  return [...times].flatMap((at): Planned[] => {
    const entered = entering.get(at) ?? [];
    const left = leaving.get(at) ?? [];
    // When a lot that is in the scope again had left it is not kept.
    const again = entered.filter(({ inSnapshot }) => inSnapshot === 1);
    const step = {
      change: 'widened' as const,
      at,
      ...pickTip(entered[0]?.enteredHeight ?? left[0]?.leftHeight ?? undefined),
      entered: entered.map(sealLot),
      left: left.map(({ lotCode }) => lotCode),
      concerned: concerned(at),
    };
    const before = { change: 'widened' as const, at, left: again.map(({ lotCode }) => lotCode) };
    const steps: Planned[] = [{ kind: 'step', step }];
    return again.length === 0 ? steps : [{ kind: 'step', step: before }, ...steps];
  });
}

function sealLot({ bothWays, ...lot }: ExistingLot) {
  return sealedLot({ ...lot, bothWays: bothWays === 1 });
}

/** Holds of the case that somebody ended by hand. */
function releases({ recallCase, endedHolds }: Existing): readonly Planned[] {
  const byHand = endedHolds.filter(({ releasedAt }) => releasedAt !== recallCase.endedAt);
  const groups = Map.groupBy(byHand, ({ releasedAt, releasedBy }) => `${releasedAt} ${releasedBy}`);
  return [...groups.values()].flatMap((holds) => {
    const { releasedAt: at, releasedBy: by } = entryAt(holds, 0);
    const codes = [...new Set(holds.map(({ lotCode }) => lotCode))].sort();
    return [...cutSlices(codes, LOTS_PER_BLOCK_MAX)].map((lots): Planned => ({
      kind: 'release',
      at,
      lots,
      by,
    }));
  });
}

function buildRelease(
  caseNo: string,
  { at, lots }: Extract<Planned, { readonly kind: 'release' }>,
): HoldDecision {
  return { at, case_no: caseNo, lots, migrated: true, state: 'released' };
}
