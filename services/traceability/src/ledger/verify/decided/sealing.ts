// Compares the decisions that were made before decisions were sealed with the marker that says that
// they are sealed: blocks with `migrated` come first, up to the one that the marker names, and
// nothing is left to seal.
import { EXISTING } from '../../../existing-decisions.ts';
import { NOTHING_MIGRATED, readMarker } from '../../decisions/existing/marker.ts';
import type { LedgerMismatch } from '../mismatch.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';
import type { CompareDecided } from './check.ts';

export async function readSealingComparison(
  reader: SnapshotReader,
  { after, through: rangeEnd }: HeightRange,
): Promise<CompareDecided> {
  const marker = await readMarker(reader);
  return ({ through, decisions, findings }) => {
    // The missing marker is reported at the end of the chain.
    if (marker === undefined) return;
    const { migrated_through: last } = marker;
    let isFound = last === NOTHING_MIGRATED;
    for (const { height, payload } of decisions) {
      const isMigrated = payload.decision.migrated === true;
      if (height === last) isFound = isMigrated;
      if (isMigrated === height <= last) continue;
      const message = isMigrated
        ? `block ${height} is of a decision as if it was made before decisions were sealed`
        : `block ${height} is of a decision that was sealed as it was made, before the last that was not`;
      findings.add({ height, code: 'decision_sealing_differs', message });
    }
    const isCovered = last > after && last <= Math.min(through, rangeEnd);
    if (isFound || !isCovered) return;
    const message = `block ${last} should be the last of what was decided before decisions were sealed`;
    findings.add({ height: last, code: 'decision_sealing_differs', message });
  };
}

/** Finds faults at the end of the chain. @param tip height of the last block */
export async function findUnsealed(
  reader: SnapshotReader,
  tip: number,
): Promise<readonly LedgerMismatch[]> {
  const marker = await readMarker(reader);
  if (marker === undefined) {
    const message =
      'nothing says that what was decided before decisions were sealed is sealed; start the hub, or ' +
      'rebuild its rows if it runs';
    return [{ height: tip, code: 'decision_sealing_missing', message }];
  }
  const found: LedgerMismatch[] = [];
  const { migrated_through: last } = marker;
  if (last < 0 || last > tip) {
    const message = `block ${last}, the last of what was decided before, is not there`;
    found.push({ height: tip, code: 'decision_sealing_differs', message });
  }
  for (const { table, unsealed } of EXISTING) {
    const [row] = await reader.all<{ readonly unsealed: number }>(unsealed);
    if (Number(row?.unsealed) === 0) continue;
    const message = `${table} has rows of decisions that no block says`;
    found.push({ height: tip, code: 'decision_not_sealed', message });
  }
  return found;
}
