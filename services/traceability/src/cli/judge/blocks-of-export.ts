// The blocks of an export file, a slice at a time: one canonical text a line. The hash of each is
// made here, so a change shows where the next block does not link; the last block needs a checkpoint.
import { stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { parseBlock, type ChainPosition, type StoredBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { CommandError, formatReason } from '@lothub/kit/cli/command-error';
import type { BlockSlice } from './judge-chain.ts';
import { readLines } from './lines.ts';

/** Bytes read at once. */
const CHUNK_BYTES = 1_048_576;

export interface ExportOptions {
  readonly file: string;
  readonly signal: AbortSignal;
  readonly onBytes: (done: number, total: number) => void;
}

export interface ExportedBlocks {
  /** The block before the first one of the file, as that one names it, when it is not genesis. */
  readonly previous: ChainPosition | undefined;
  readonly pages: AsyncIterable<BlockSlice>;
}

/** @throws CommandError `file_unreadable` */
export async function blocksOfExport(options: ExportOptions): Promise<ExportedBlocks> {
  const { file } = options;
  try {
    const { size } = await stat(file);
    const previous = await findPrevious(file);
    return { previous, pages: readSlices(options, { size, from: (previous?.height ?? -1) + 1 }) };
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function* readSlices(
  options: ExportOptions,
  facts: { readonly size: number; readonly from: number },
): AsyncGenerator<BlockSlice> {
  let height = facts.from;
  let done = 0;
  try {
    for await (const lines of readLines(readChunks(options.file, options.signal))) {
      const blocks: StoredBlock[] = [];
      for (const line of lines) {
        done += line.length + 1;
        const canonical = decodeText(line);
        if (canonical === undefined) {
          yield blocks;
          yield { code: 'not_json', message: `The line of block ${height} is not UTF-8.` };
          return;
        }
        blocks.push({ height, blockHash: sha256Hex(canonical), canonical });
        height += 1;
      }
      yield blocks;
      options.onBytes(Math.min(done, facts.size), facts.size);
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw unreadable(options.file, error);
  }
}

function readChunks(file: string, signal?: AbortSignal): AsyncIterable<Buffer> {
  return createReadStream(file, {
    highWaterMark: CHUNK_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(line: Buffer): string | undefined {
  try {
    return UTF_8.decode(line);
  } catch {
    // The caller reports the height; there is no other detail.
    return undefined;
  }
}

/**
 * Reads the position before the first line from that line; the verifier judges a line without one.
 */
async function findPrevious(file: string): Promise<ChainPosition | undefined> {
  for await (const [first] of readLines(readChunks(file))) {
    if (first === undefined) return undefined;
    try {
      const { height, prevHash } = parseBlock(first.toString('utf8'));
      return height === 0 ? undefined : { height: height - 1, blockHash: prevHash };
    } catch {
      // The line is no block: the verifier, which then expects genesis, reports the fault.
      return undefined;
    }
  }
  return undefined;
}

function unreadable(file: string, error: unknown): CommandError {
  return new CommandError('file_unreadable', `reading ${file}: ${formatReason(error)}`, {
    cause: error,
  });
}
