// Holds by hand that were set, and ended, before such decisions were sealed.
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql, { raw, type Sql } from 'sql-template-tag';
import { MANUAL_HOLD } from '../../draft.ts';
import { LOTS_PER_BLOCK_MAX, type HoldDecision } from '../../record/decisions/contents.ts';
import { draftDecision, sealedHeight, type DecisionDraft } from '../draft.ts';
import type { ExistingDecisions } from './planner.ts';

/**
 * Rows of one batch. A hold becomes one or two blocks, so there are at most twice as many blocks.
 */
const ROWS_PER_BATCH = LOTS_PER_BLOCK_MAX;

/** The condition of the index in the schema that finds such rows. */
const IS_UNSEALED = raw(
  `h.source = '${MANUAL_HOLD}' and ` +
    '(h.held_height is null or (h.released_at is not null and h.released_height is null))',
);

interface HoldRow {
  readonly holdNo: number;
  readonly lotNo: number;
  readonly lotCode: string;
  readonly tenantId: string;
  readonly reason: string;
  readonly heldBy: string;
  readonly heldSince: string;
  readonly heldHeight: number | null;
  readonly releasedAt: string | null;
  readonly releasedBy: string | null;
}

export const EXISTING_HOLDS: ExistingDecisions = {
  table: 'lot_holds',
  unsealed: sql`
    select count(*) as unsealed
    from lot_holds h
    where ${IS_UNSEALED}`,
  next: async (reader) => {
    const rows = await reader.all<HoldRow>(sql`
      select
        h.hold_no as "holdNo", h.lot_no as "lotNo", l.lot_code as "lotCode",
        t.tenant_id as "tenantId", h.reason, h.held_by as "heldBy", h.held_since as "heldSince",
        h.held_height as "heldHeight", h.released_at as "releasedAt",
        h.released_by as "releasedBy"
      from lot_holds h
      join lots l on l.lot_no = h.lot_no
      join tenants t on t.tenant_no = l.tenant_no
      where ${IS_UNSEALED}
      order by h.hold_no
      limit ${ROWS_PER_BATCH}`);
    if (rows.length === 0) return undefined;
    const groups = groupSteps(eachLotOnce(rows));
    return {
      decisions: groups.map(buildDraft),
      statements: groups.flatMap((group, index) => heightStatements(group, index)),
    };
  },
};

/** The first rows, up to the second of a lot: one hold of it is sealed to its end before the next begins. */
function eachLotOnce(rows: readonly HoldRow[]): readonly HoldRow[] {
  const seen = new Set<number>();
  const second = rows.findIndex(({ lotNo }) => {
    if (seen.has(lotNo)) return true;
    seen.add(lotNo);
    return false;
  });
  return second === -1 ? rows : rows.slice(0, second);
}

/** One step of a row: the lot was held, or it was released. */
interface Step {
  readonly row: HoldRow;
  readonly state: HoldDecision['state'];
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  /** Never before the order of the hold that the step ends, even if the clock showed an earlier time then. */
  readonly order: string;
}

/** Steps that one block contains. */
type Group = readonly [Step, ...Step[]];

/** Groups the steps, in the order of their times. */
function groupSteps(rows: readonly HoldRow[]): readonly Group[] {
  const steps = rows.flatMap(listSteps).sort(byOrder);
  const groups = Map.groupBy(steps, ({ row, state, at, by, reason, order }) =>
    JSON.stringify([row.tenantId, state, at, by, reason, order]),
  );
  return [...groups.values()].flatMap(([first, ...rest]): Group[] =>
    first === undefined ? [] : [[first, ...rest]],
  );
}

function listSteps(row: HoldRow): readonly Step[] {
  const { heldSince, releasedAt } = row;
  const held: Step = {
    row,
    state: 'held',
    at: heldSince,
    by: row.heldBy,
    reason: row.reason,
    order: heldSince,
  };
  const own = row.heldHeight === null ? [held] : [];
  if (releasedAt === null) return own;
  const order = releasedAt > heldSince ? releasedAt : heldSince;
  const by = row.releasedBy ?? '';
  return [...own, { row, state: 'released', at: releasedAt, by, reason: '', order }];
}

function byOrder(one: Step, other: Step): number {
  if (one.order !== other.order) return one.order < other.order ? -1 : 1;
  // The hold before its end.
  if (one.state !== other.state) return one.state === 'held' ? -1 : 1;
  return one.row.holdNo - other.row.holdNo;
}

function buildDraft(group: Group): DecisionDraft {
  const [{ row, state, at, by, reason }] = group;
  const lots = group.map((step) => step.row.lotCode).sort();
  return draftDecision(
    { brand: row.tenantId, type: 'hold', content: { at, lots, migrated: true, state } },
    { by: by === '' ? null : by, reason: reason === '' ? null : reason },
  );
}

function heightStatements(group: Group, index: number): readonly Sql[] {
  const [{ state }] = group;
  const holdNos = group.map(({ row }) => row.holdNo);
  return [...cutSlices(holdNos)].map((slice) =>
    state === 'held'
      ? sql`
          update lot_holds
          set held_height = ${sealedHeight(index)}
          where hold_no in (${inList(slice)})`
      : sql`
          update lot_holds
          set released_height = ${sealedHeight(index)}, released_by = coalesce(released_by, '')
          where hold_no in (${inList(slice)})`,
  );
}
