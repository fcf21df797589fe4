// Reads the corrections of stored events, so that effective values can be distinguished from sealed
// ones.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import { applyCorrection, asSealed, type EffectiveEvent } from './record/effective.ts';
import type { CorrectionPayload, EventPayload } from './record/payload.ts';
import type { Block, LedgerReader } from './read.ts';

export interface EventBlock extends Block {
  readonly payload: EventPayload;
}

export interface CorrectionBlock extends Block {
  readonly payload: CorrectionPayload;
}

/** Corrections by the height of the event they correct, in the order of their blocks. */
export type CorrectionsOf = ReadonlyMap<number, readonly CorrectionBlock[]>;

export function isEventBlock(block: Block): block is EventBlock {
  return block.payload.type === 'event';
}

export function isCorrectionBlock(block: Block): block is CorrectionBlock {
  return block.payload.type === 'correction';
}

/** The corrections of events; an event without any is not in the map. Their blocks are re-hashed. */
export async function readCorrections(
  reader: LedgerReader,
  eventHeights: readonly number[],
): Promise<CorrectionsOf> {
  return readCorrectionBlocks(reader, await placesOfCorrections(reader.database, eventHeights));
}

/** A correction, and the event that it corrects. */
export interface CorrectionPlace {
  readonly height: number;
  readonly correctsHeight: number;
}

/**
 * Returns the heights of the corrections of events; heights of other blocks may be among the
 * arguments.
 */
export async function placesOfCorrections(
  database: DatabaseReader,
  eventHeights: readonly number[],
): Promise<readonly CorrectionPlace[]> {
  const rows = await askForEach(database, cutSlices(eventHeights), (one, slice) =>
    one.all<CorrectionPlace>(sql`
      select height, corrects_height as "correctsHeight"
      from corrections
      where corrects_height in (${inList(slice)})`),
  );
  return rows.flat();
}

/** The second half of `readCorrections`: the corrections of `placesOfCorrections`. */
export async function readCorrectionBlocks(
  reader: LedgerReader,
  places: readonly CorrectionPlace[],
): Promise<CorrectionsOf> {
  const found = new Map<number, CorrectionBlock[]>();
  for (const block of await reader.blocks(places.map(({ height }) => height))) {
    if (!isCorrectionBlock(block)) continue;
    const corrected = block.payload.correction.corrects_block_height;
    const list = found.get(corrected);
    if (list === undefined) found.set(corrected, [block]);
    else list.push(block);
  }
  return found;
}

/** Returns the corrections that were recorded up to a height. */
export function correctionsThrough(height: number, corrections: CorrectionsOf): CorrectionsOf {
  return new Map(
    [...corrections].map(([corrected, blocks]) => [
      corrected,
      blocks.filter((block) => block.height <= height),
    ]),
  );
}

/** The event of a block as it counts, after `readCorrections` of its height. */
export function applyCorrections(block: EventBlock, corrections: CorrectionsOf): EffectiveEvent {
  return (corrections.get(block.height) ?? []).reduce(
    (effective, { height, payload }) =>
      applyCorrection(effective, { height, correction: payload.correction }),
    asSealed(block.payload.event),
  );
}
