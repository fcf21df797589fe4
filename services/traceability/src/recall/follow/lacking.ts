// Finds open cases that lack what a trace gives, although all blocks of it were followed. How far the cases were
// followed is one number that no block says: whoever writes to the database can set it forward, and late events are
// left out. What they would have added to a case is found here: its scope is traced anew, and its recipients.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import type { Sql } from 'sql-template-tag';
import { readMarker } from '../../ledger/decisions/existing/marker.ts';
import { LedgerReader } from '../../ledger/read.ts';
import type { LedgerMismatch } from '../../ledger/verify/mismatch.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { concernedBy } from '../case/recipients.ts';
import { compareScope, withoutNotified } from '../case/scope-change.ts';
import { setPlace, type NewNotification } from '../case/scope-writes.ts';
import { traceImpact } from '../trace/impact.ts';
import type { Sale } from '../trace/sales.ts';
import { findScopeOfCase } from '../trace/scope.ts';
import { findFollowedCase, findOpenCaseAfter, readFollowing } from './queries.ts';
import type { FollowingRow, OpenCase } from './queries.ts';
import { findTouchedCases, newTouched, type TouchedCase } from './touched.ts';

/** Blocks that are read at once to find the reason for what a case lacks. */
const BLOCKS_AT_ONCE = 1_000;

/** What a case lacks: it is to be widened, and the finding says so. */
export interface Lacking {
  readonly touched: TouchedCase;
  readonly mismatch: LedgerMismatch;
}

/**
 * Compares an open case with its trace.
 * @returns `unclear` when blocks that are not followed yet, or a change meanwhile, may be the reason
 */
export async function findLacking(
  reader: LedgerReader,
  { caseId, openedBlock }: OpenCase,
): Promise<Lacking | 'nothing' | 'unclear'> {
  const { database } = reader;
  // Read first: what was followed until then is in the rows that are read after it.
  const following = await readFollowing(database);
  const followed = await findFollowedCase(database, caseId);
  if (followed === undefined) return 'nothing';
  const scope = await findScopeOfCase(database, followed);
  // An incomplete scope does not show what is outside of it.
  if (scope.truncated) return 'nothing';
  const { entered, left } = await compareScope(database, followed, scope);
  const { tenantNo, revision, caseNo } = followed;
  // Version 0.5 noted other recipients.
  const isMigrated = openedBlock <= ((await readMarker(database))?.migrated_through ?? -1);
  const concerned = isMigrated ? [] : await readConcerned(reader, { tenantNo, lots: scope.lots });
  const fresh = await withoutNotified(database, caseId, concerned);
  if (entered.length + left.length + fresh.length === 0) return 'nothing';
  if (await isStillToFollow(reader, { caseId, revision }, following)) return 'unclear';
  const height = following.followedHeight ?? 0;
  const message =
    `${caseNo} lacks ${entered.length} lots and ${fresh.length} recipients that blocks up to ${height} give, ` +
    `and has ${left.length} lots too many: these blocks were left out`;
  return {
    touched: describeLacking({ caseId, revision }, fresh),
    mismatch: { height, code: 'case_not_followed', message },
  };
}

/** The recipients of lots. Of what was erased the channel alone is left, and only its class. */
async function readConcerned(
  reader: LedgerReader,
  scope: { readonly tenantNo: number; readonly lots: readonly RelatedLot[] },
): Promise<readonly NewNotification[]> {
  const sales: Sale[] = [];
  const listener = {
    addEvents: () => undefined,
    addSale: (_line: unknown, sale: Sale) => void (sale.isErased || sales.push(sale)),
  };
  const { suppliers } = await traceImpact(reader, { ...scope, listener });
  return concernedBy({
    customerRefs: sales.map(({ customerRef }) => customerRef),
    channels: sales.map(({ channel }) => channel),
    supplierNames: suppliers.map((supplier) => supplier.supplier_name),
  });
}

function describeLacking(
  read: Pick<TouchedCase, 'caseId' | 'revision'>,
  concerned: readonly NewNotification[],
): TouchedCase {
  return { ...newTouched(read), isFoundAnew: true, concerned: [...concerned] };
}

/** Whether later blocks change the case, or it has changed since it was read. */
async function isStillToFollow(
  reader: LedgerReader,
  read: Pick<TouchedCase, 'caseId' | 'revision'>,
  { followedHeight, lastOpenCase }: FollowingRow,
): Promise<boolean> {
  const { height } = await readFollowing(reader.database);
  const now = await findFollowedCase(reader.database, read.caseId);
  if (now?.revision !== read.revision) return true;
  if (followedHeight === null) return lastOpenCase === 0;
  for (let above = Math.max(0, followedHeight); above < height; above += BLOCKS_AT_ONCE) {
    const through = Math.min(height, above + BLOCKS_AT_ONCE);
    const touched = await findTouchedCases(reader, { above, through });
    if (touched.some(({ caseId }) => caseId === read.caseId)) return true;
  }
  return false;
}

/** Looks at one case before it goes on to the next one, when blocks that are not followed yet concern it. */
const LOOKS_MAX = 25;

/**
 * Compares the open cases with their traces, one by one: all of them once this process has the turn, and again when
 * the place was set forward and this process did not do it.
 */
export class CaseChecks {
  readonly #report: (mismatch: LedgerMismatch) => void;
  /** The place as this process has read or written it last. */
  #place: number | undefined;
  /** The next case has a greater number; undefined once all are compared. */
  #after: number | undefined = 0;
  #looks = 0;

  constructor(report: (mismatch: LedgerMismatch) => void) {
    this.#report = report;
  }

  /** Begins again, because another process may have followed meanwhile. */
  restart(): void {
    this.#place = undefined;
    this.#after = 0;
  }

  /**
   * Notes the place that was read while a case is open. An opening may set it forward while no other case is open.
   * @returns the statement that mends a place that is none
   */
  read(following: FollowingRow): Sql | undefined {
    const { followedHeight, height, lastOpenedHeight } = following;
    const wrong = findWrongPlace(following);
    if (wrong !== undefined) {
      this.#report(wrong);
      this.restart();
      return setPlace(height);
    }
    const place = present(followedHeight, 'how far the open cases were followed');
    if (place > Math.max(this.#place ?? Infinity, lastOpenedHeight)) this.#after = 0;
    this.#place = place;
    return undefined;
  }

  wrote(place: number): void {
    this.#place = place;
  }

  /** Compares one case, if any is left. */
  async next(reader: LedgerReader): Promise<TouchedCase | undefined> {
    if (this.#after === undefined) return undefined;
    const open = await findOpenCaseAfter(reader.database, this.#after);
    this.#looks += 1;
    const found = open === undefined ? 'nothing' : await findLacking(reader, open);
    if (found === 'unclear' && this.#looks < LOOKS_MAX) return undefined;
    this.#looks = 0;
    this.#after = open?.caseId;
    if (typeof found === 'string') return undefined;
    this.#report(found.mismatch);
    return found.touched;
  }
}

/** Finds in the database of an operator's command what its open cases lack, and a place that is none. */
export async function findNotFollowed(
  database: DatabaseReader,
): Promise<readonly LedgerMismatch[]> {
  const found: LedgerMismatch[] = [];
  const state = { report: (mismatch: LedgerMismatch) => void found.push(mismatch) };
  const reader = new LedgerReader({ database, state });
  const wrong = findWrongPlace(await readFollowing(database));
  if (wrong !== undefined) found.push(wrong);
  for (let after = 0; ;) {
    const open = await findOpenCaseAfter(database, after);
    if (open === undefined) return found;
    const lacking = await findLacking(reader, open);
    if (typeof lacking === 'object') found.push(lacking.mismatch);
    after = open.caseId;
  }
}

/** A place of which no rows are needed to see that it is wrong. */
function findWrongPlace({
  followedHeight,
  height,
  lastOpenCase,
}: FollowingRow): LedgerMismatch | undefined {
  if (lastOpenCase === 0) return undefined;
  if (followedHeight !== null && followedHeight >= 0 && followedHeight <= height) {
    return undefined;
  }
  const place =
    followedHeight === null ? 'no block' : `block ${followedHeight}, which is not there`;
  const message = `how far the open cases were followed is gone: it says ${place}`;
  return { height, code: 'case_not_followed', message };
}
