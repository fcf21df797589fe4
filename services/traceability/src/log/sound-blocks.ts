// Reads blocks for caches and verifiers: hashes them again first, and reads few at a time, because
// one may have a megabyte.
import { askForEach } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { inTurns } from '@lothub/kit/in-turns';
import { Refusal } from '../errors.ts';
import { textSizes, type TextSize } from '../ledger/log/queries.ts';
import type { Block, LedgerReader } from '../ledger/read.ts';

/** Bytes of texts held at a time; a block that is larger is held alone. */
const BYTES_AT_A_TIME = 1_048_576;
/** Hashed again and proven in some milliseconds, between two turns of the event loop. */
const BLOCKS_AT_A_TIME = 64;

/**
 * Reads the sizes of the texts of blocks, without the texts.
 * @param heights ascending
 * @throws Refusal `log_unavailable` when one is missing
 */
export async function sizesOfBlocks(
  { database }: LedgerReader,
  heights: readonly number[],
): Promise<readonly TextSize[]> {
  const sizes = (await askForEach(database, cutSlices(heights), textSizes)).flat();
  if (sizes.length < heights.length) throw new Refusal('log_unavailable', DIFFERS);
  return sizes;
}

/**
 * The blocks in their order, some at a time.
 * @throws Refusal `log_unavailable` when one is not the text that was hashed, or is gone
 */
export async function* readSoundBlocks(
  reader: LedgerReader,
  sizes: readonly TextSize[],
): AsyncGenerator<readonly Block[]> {
  for await (const slice of inTurns(slicesBySize(sizes))) {
    const blocks = await reader.blocks(slice.map(({ height }) => height));
    if (blocks.length < slice.length || blocks.some(({ sound }) => !sound)) {
      throw new Refusal('log_unavailable', DIFFERS);
    }
    yield blocks;
  }
}

const DIFFERS =
  'What is stored of these blocks differs from what was sealed: the operator must see to it';

function* slicesBySize(sizes: readonly TextSize[]): Generator<readonly TextSize[]> {
  let slice: TextSize[] = [];
  let bytes = 0;
  for (const size of sizes) {
    const isFull = bytes + size.bytes > BYTES_AT_A_TIME || slice.length === BLOCKS_AT_A_TIME;
    if (isFull && slice.length > 0) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(size);
    bytes += size.bytes;
  }
  if (slice.length > 0) yield slice;
}
