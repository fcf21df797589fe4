// The state of a monitor between two runs: the newest checkpoint, and the frontier of the tree up
// to the last block that it read. It has a few kilobytes, however long the chain is.
import { readFile, writeFile } from 'node:fs/promises';
import {
  EMPTY_FRONTIER,
  frontierBytes,
  frontierFromBytes,
  LogError,
  strictBase64,
  TILE_WIDTH,
  toBase64,
} from '@lothub/chain/log';
import type { Frontier } from '@lothub/chain/log';
import { CommandError, formatReason } from '@lothub/kit/cli/command-error';
import { storeFile } from '@lothub/kit/cli/stored-file';

export interface MonitorState {
  /** The key that was trusted on first use, when nothing pinned one. */
  readonly vkey: string | undefined;
  /** The newest checkpoint that was good, verbatim. */
  readonly checkpoint: string | undefined;
  /** Blocks that were read and reported. */
  readonly seen: number;
  /** The tree up to the last bundle of these: that one is read again, and so compared, in each pass. */
  readonly read: Frontier;
  /** Hash of the last block of that tree. */
  readonly lastHash: string | undefined;
  /** Heights of the events of watched lots, for the corrections that may follow. */
  readonly heights: readonly number[];
}

export const NEW_STATE: MonitorState = {
  vkey: undefined,
  checkpoint: undefined,
  seen: 0,
  read: EMPTY_FRONTIER,
  lastHash: undefined,
  heights: [],
};

const FORMAT = 'lothub-monitor/1';
const HASH = /^[0-9a-f]{64}$/;

/** @throws CommandError `file_unreadable` when the file is no state of a monitor */
export async function readMonitorState(file: string): Promise<MonitorState> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NEW_STATE;
    throw unreadable(file, formatReason(error), error);
  }
  try {
    const state = parseState(JSON.parse(text));
    if (state !== undefined) return state;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof LogError)) throw error;
    throw unreadable(file, formatReason(error), error);
  }
  throw unreadable(file, `it is not what a monitor keeps (${FORMAT})`);
}

/** The file is replaced as a whole: a crash leaves the earlier state. */
export async function writeMonitorState(file: string, state: MonitorState): Promise<void> {
  const { vkey, checkpoint, seen, read, lastHash, heights } = state;
  const text = JSON.stringify({
    format: FORMAT,
    vkey,
    checkpoint,
    seen,
    size: read.size,
    frontier: toBase64(frontierBytes(read)),
    last_hash: lastHash,
    heights,
  });
  await storeFile(
    { file, existing: 'replace', attempt: 'keeping what the monitor has read' },
    (passing) => writeFile(passing, `${text}\n`),
  );
}

function parseState(value: unknown): MonitorState | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const { format, vkey, checkpoint, seen, size, frontier, last_hash: lastHash, heights } = members;
  if (format !== FORMAT || !isTextOrAbsent(vkey) || !isTextOrAbsent(checkpoint)) return undefined;
  if (typeof size !== 'number' || typeof frontier !== 'string') return undefined;
  if (typeof seen !== 'number' || !Number.isSafeInteger(seen) || seen < size) return undefined;
  if (size % TILE_WIDTH !== 0) return undefined;
  if (!isTextOrAbsent(lastHash) || (size > 0 && !HASH.test(lastHash ?? 'none'))) return undefined;
  if (!Array.isArray(heights) || !heights.every((height) => Number.isSafeInteger(height))) {
    return undefined;
  }
  const read = frontierFromBytes(size, strictBase64(frontier));
  return { vkey, checkpoint, seen, read, lastHash, heights: heights.map(Number) };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function unreadable(file: string, reason: string, cause?: unknown): CommandError {
  return new CommandError(
    'file_unreadable',
    `reading ${file}: ${reason}; give the file of another hub its own name, or remove it to read from the beginning`,
    { cause },
  );
}
