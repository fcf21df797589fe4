// The canonical texts of blocks, a line each, as they are read.
import type { LedgerReader } from '../ledger/read.ts';
import type { TileOfBlocks } from './paths.ts';
import { readSoundBlocks, sizesOfBlocks } from './sound-blocks.ts';

/**
 * Anybody may keep what is sent here for a year: so each text is hashed again before it is sent.
 * @throws Refusal `log_unavailable` as `readSoundBlocks`
 */
export async function* readTexts(
  reader: LedgerReader,
  { from, below }: TileOfBlocks,
): AsyncGenerator<string> {
  const heights = Array.from({ length: below - from }, (_, place) => from + place);
  const sizes = await sizesOfBlocks(reader, heights);
  for await (const blocks of readSoundBlocks(reader, sizes)) {
    yield blocks.map(({ canonical }) => `${canonical}\n`).join('');
  }
}
