// Reads the blocks that prove a report: those that contain the lots of its case, and the
// corrections among them.
import { askForEach } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { BLOCKS_PER_TURN, type LedgerReader } from '../../ledger/read.ts';
import { readRecordedEvents } from '../../lots/chain/recorded-event.ts';
import type { BlockPlace, Listed, ReportCorrection } from './case-report.ts';
import { listed } from './listed.ts';
import { correctionsAmong } from './report-queries.ts';

/** About twenty pages. */
const EVIDENCE_SHOWN_MAX = 1_000;
const CORRECTIONS_SHOWN_MAX = 200;
/** Maximum number of changes that are shown of one correction. */
const CHANGES_SHOWN_MAX = 10;

/** Reads corrections of the events of the lots, newest first. */
export async function readCorrections(
  reader: LedgerReader,
  heights: readonly number[],
): Promise<Listed<ReportCorrection>> {
  const slices = await askForEach(reader.database, cutSlices(heights), correctionsAmong);
  const places = slices.flat().reverse();
  const shown = places.slice(0, CORRECTIONS_SHOWN_MAX);
  const found = new Map<number, ReportCorrection>();
  const corrected = [...new Set(shown.map((place) => place.correctsHeight))];
  for await (const slice of slicesInTurns(corrected, BLOCKS_PER_TURN)) {
    for (const event of await readRecordedEvents(reader, slice)) {
      const corrects: BlockPlace = event.block;
      for (const view of event.correctionViews()) {
        found.set(view.block_height, {
          height: view.block_height,
          hash: view.block_hash,
          recordedAt: view.recorded_at,
          reason: view.reason,
          corrects: { height: corrects.height, hash: corrects.hash },
          changes: listed(
            view.changes.map(({ field, old_value: from, new_value: to }) => ({
              field,
              from: from === null ? null : String(from),
              to: to === null ? null : String(to),
            })),
            CHANGES_SHOWN_MAX,
          ),
        });
      }
    }
  }
  const items = shown.map(({ height }) => found.get(height)).filter((one) => one !== undefined);
  return { items, total: places.length, isExact: true };
}

/** The newest blocks, each hashed again as it is read. */
export async function readEvidence(
  reader: LedgerReader,
  heights: readonly number[],
): Promise<Listed<BlockPlace>> {
  const items: BlockPlace[] = [];
  const newest = heights.slice(-EVIDENCE_SHOWN_MAX);
  for await (const slice of slicesInTurns(newest, BLOCKS_PER_TURN)) {
    for (const { height, hash } of await reader.blocks(slice)) items.push({ height, hash });
  }
  return { items, total: heights.length, isExact: true };
}
