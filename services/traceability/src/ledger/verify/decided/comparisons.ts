// All types of decisions with the comparison of their rows: a missing type does not compile.
import type { DecisionType } from '../../record/decisions/contents.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';
import type { CompareDecided, ReadComparison } from './check.ts';
import { readBrandComparison } from './brands.ts';
import { readDrillComparison } from './drills.ts';
import { readErasureComparison } from './erasures.ts';
import { readHoldComparison } from './holds.ts';
import { readRecallComparison } from './recall/compare.ts';
import { readResponseComparison } from './responses.ts';
import { readSealingComparison } from './sealing.ts';

const COMPARISONS: Readonly<Record<DecisionType, ReadComparison>> = {
  brand: readBrandComparison,
  drill: readDrillComparison,
  erasure: readErasureComparison,
  hold: readHoldComparison,
  recall: readRecallComparison,
  response: readResponseComparison,
};

export async function readComparisons(
  reader: SnapshotReader,
  range: HeightRange,
): Promise<readonly CompareDecided[]> {
  const read: CompareDecided[] = [await readSealingComparison(reader, range)];
  for (const readOne of Object.values(COMPARISONS)) read.push(await readOne(reader, range));
  return read;
}
