// Seals the decisions that were made before decisions were sealed, at the first start of a version
// that seals them: in bounded transactions, each with the heights in its rows, and at the end a
// marker. A crash leaves the remaining rows without heights, and the next start continues with
// them.
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import type { UpgradeProgress } from '@lothub/kit/upgrade';
import sql from 'sql-template-tag';
import type { DecisionPayload } from '../../record/payload.ts';
import { findPayload, isDecisionPayload } from '../../record/payload-shape.ts';
import { planErasures } from './erasures.ts';
import { EXISTING } from '../../../existing-decisions.ts';
import { NOTHING_MIGRATED, insertMarker, readMarker } from './marker.ts';
import type { ExistingBatch } from './planner.ts';

/** The functions that sealing needs from the engine. */
export interface SealingLedger {
  readonly reader: Pick<DatabaseReader, 'all' | 'first'>;
  /** Runs `work` in one transaction that holds the head; whatever it throws undoes all of it. */
  inTransaction<Result>(work: (open: SealingTransaction) => Promise<Result>): Promise<Result>;
}

export interface SealingTransaction extends Pick<DatabaseReader, 'all' | 'first'> {
  /** Seals the decisions, then runs the statements. */
  seal(batch: ExistingBatch): Promise<void>;
}

/**
 * Returns at once if there is a marker. Several processes take turns, batch by batch; each returns
 * when all is sealed.
 * @throws DatabaseError `clock_untrusted` when a block would have a time of a clock that is not
 * trusted
 */
export async function sealExisting(
  ledger: SealingLedger,
  onUpgrade: (progress: UpgradeProgress) => void,
): Promise<void> {
  if ((await findObstacle(ledger.reader)) !== undefined) return;
  onUpgrade({ step: 'decisions', place: undefined });
  const total = await countUnsealed(ledger.reader);
  for (;;) {
    if ((await ledger.inTransaction(sealNext)) === 'complete') return;
    const unsealed = await countUnsealed(ledger.reader);
    onUpgrade({ step: 'decisions', place: { done: Math.max(0, total - unsealed), total } });
    // A signal gets its turn.
    await nextTurn();
  }
}

async function sealNext(open: SealingTransaction): Promise<'more' | 'complete'> {
  // Another process may have been first.
  if ((await findObstacle(open)) !== undefined) return 'complete';
  for (const { table, unsealed, next } of EXISTING) {
    const batch = await next(open);
    if (batch === undefined) continue;
    const before = await readCount(open, unsealed);
    await open.seal(batch);
    if ((await readCount(open, unsealed)) >= before) {
      throw new DatabaseError('database_failed', `sealing ${table}: a batch has sealed nothing`);
    }
    return 'more';
  }
  const erasures = await planErasures(open);
  if (erasures !== undefined) await open.seal(erasures);
  await open.all(insertMarker((await findNewestDecision(open))?.height ?? NOTHING_MIGRATED));
  return 'complete';
}

/**
 * Returns why nothing is sealed. A chain with a decision that was sealed when it was made had a
 * marker, so its rows without heights are not older decisions. The verifier reports that the marker
 * is missing.
 */
async function findObstacle(
  reader: Pick<DatabaseReader, 'all' | 'first'>,
): Promise<'sealed' | 'marker_gone' | undefined> {
  if ((await readMarker(reader)) !== undefined) return 'sealed';
  const newest = await findNewestDecision(reader);
  return newest === undefined || newest.payload.decision.migrated === true
    ? undefined
    : 'marker_gone';
}

async function findNewestDecision(
  reader: Pick<DatabaseReader, 'first'>,
): Promise<{ readonly height: number; readonly payload: DecisionPayload } | undefined> {
  const row = await reader.first<{ readonly height: number; readonly canonical: string }>(sql`
    select b.height, b.canonical
    from decisions d
    join blocks b on b.height = d.height
    order by d.height desc
    limit 1`);
  const payload = row && findPayload(row.canonical);
  return row && payload && isDecisionPayload(payload) ? { height: row.height, payload } : undefined;
}

/** Rows with something that no block says, of all tables. */
async function countUnsealed(reader: Pick<DatabaseReader, 'first'>): Promise<number> {
  let count = 0;
  for (const { unsealed } of EXISTING) count += await readCount(reader, unsealed);
  return count;
}

async function readCount(
  reader: Pick<DatabaseReader, 'first'>,
  unsealed: (typeof EXISTING)[number]['unsealed'],
): Promise<number> {
  const row = await reader.first<{ readonly unsealed: number }>(unsealed);
  return Number(present(row, 'a count').unsealed);
}
