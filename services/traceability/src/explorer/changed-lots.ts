// Which lots the changes of corrections are about. A correction names a line of an earlier event by its
// number; which lot that is is in the rows of the event.
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { isCorrectionBlock } from '../ledger/effective-reader.ts';
import { findFieldPath } from '../ledger/record/field-path.ts';
import type { ChainChange, ChainCorrection } from '../ledger/record/payload.ts';
import type { Block } from '../ledger/read.ts';
import { LINES_PER_QUERY, lotsOfLines, type LinePlace, type LotOfLine } from './queries.ts';

export class LotsOfChanges {
  readonly #lots = new Map<string, LotOfLine>();

  add(lot: LotOfLine): void {
    this.#lots.set(buildKey(lot), lot);
  }

  /** The lot of the line that a change is about, as the line counts now. */
  find(correction: ChainCorrection, change: ChainChange): LotOfLine | undefined {
    const place = findLine(correction, change);
    return place === undefined ? undefined : this.#lots.get(buildKey(place));
  }
}

/** The lots of all changes in these blocks. */
export async function readLotsOfChanges(
  database: DatabaseReader,
  blocks: readonly Block[],
): Promise<LotsOfChanges> {
  const places = new Map<string, LinePlace>();
  for (const { payload } of blocks.filter(isCorrectionBlock)) {
    for (const change of payload.correction.changes) {
      const place = findLine(payload.correction, change);
      if (place !== undefined) places.set(buildKey(place), place);
    }
  }
  const lots = new LotsOfChanges();
  for await (const slice of slicesInTurns(places.values(), LINES_PER_QUERY)) {
    for (const lot of await lotsOfLines(database, slice)) lots.add(lot);
  }
  return lots;
}

function findLine(correction: ChainCorrection, change: ChainChange): LinePlace | undefined {
  const path = findFieldPath(change.field);
  if (path?.kind !== 'line') return undefined;
  return { height: correction.corrects_block_height, lineNo: path.lineNo };
}

function buildKey({ height, lineNo }: LinePlace): string {
  return `${height}.${lineNo}`;
}
