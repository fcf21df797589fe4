// All types of decisions with how their rows are compared: one that is missing does not compile.
import type { DecisionType } from '../../record/decisions/contents.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';
import type { CompareDecided, ReadComparison } from './check.ts';
import { readHoldComparison } from './holds.ts';

const COMPARISONS: Readonly<Record<DecisionType, ReadComparison>> = { hold: readHoldComparison };

export async function readComparisons(
  reader: SnapshotReader,
  range: HeightRange,
): Promise<readonly CompareDecided[]> {
  const read: CompareDecided[] = [];
  for (const readOne of Object.values(COMPARISONS)) read.push(await readOne(reader, range));
  return read;
}
