// Reads the canonical texts of blocks, a line each.
import type { LedgerReader } from '../ledger/read.ts';
import type { TileOfBlocks } from './paths.ts';
import { readSoundBlocks, sizesOfBlocks } from './sound-blocks.ts';

/**
 * Everybody may cache these texts for a year, so each is hashed again before it is sent.
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
