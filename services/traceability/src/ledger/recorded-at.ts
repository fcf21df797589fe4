// Reads the times at which blocks were sealed from the ends of their texts, so that large blocks
// cost no more than small ones. On the chain times never go back, so the first block since a moment
// can be found without reading those in between.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';

/** The part of a block's text after the time is about 120 characters long. */
const TAIL_CHARS = 200;
/** Finds the last one in a text: texts of senders come before it. */
const MOMENT = /^.*"recorded_at":"([^"]{20,40})"/s;
/** Blocks that are read in one step of the search: four steps for a chain of 10 million. */
const PROBES = 64;

/** By height; a height without a block of ours is not in the map. */
export async function readRecordedTimes(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await askForEach(database, cutSlices(heights), tailsOfBlocks);
  return new Map(
    rows.flat().flatMap(({ height, tail }): readonly (readonly [number, string])[] => {
      const moment = MOMENT.exec(tail)?.[1];
      return moment === undefined ? [] : [[height, moment]];
    }),
  );
}

interface TailRow {
  readonly height: number;
  readonly tail: string;
}

async function tailsOfBlocks(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly TailRow[]> {
  return await database.all<TailRow>(sql`
    select height, substr(canonical, length(canonical) - ${TAIL_CHARS - 1}) as tail
    from blocks
    where height in (${inList(heights)})`);
}

/** The greatest height whose block was sealed before a moment; -1 when there is none. */
export async function lastHeightBefore(
  database: DatabaseReader,
  search: {
    /** In the format of blocks: `2026-03-02T06:15:00.000Z`. */
    readonly moment: string;
    readonly headHeight: number;
  },
): Promise<number> {
  const { moment, headHeight } = search;
  // In each step every block up to `low` is older, and `high` is not older or is after the head.
  let low = -1;
  let high = headHeight + 1;
  while (high - low > 1) {
    const step = Math.ceil((high - low) / (PROBES + 1));
    const heights: number[] = [];
    for (let height = low + step; height < high; height += step) heights.push(height);
    const moments = await readRecordedTimes(database, heights);
    const known = heights.filter((height) => moments.has(height));
    // No block in between can be read; the verifier reports that.
    if (known.length === 0) return low;
    for (const height of known) {
      if (present(moments.get(height), `block ${height}`) >= moment) {
        high = height;
        break;
      }
      low = height;
    }
  }
  return low;
}
