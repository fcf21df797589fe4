// Verifies one range of a chain as a round does, slice by slice, but for what the range has in common with
// the blocks before it: that is compared where ranges are joined. It says that all is right, or that
// something is not.
import { BEFORE_GENESIS, verifyContents, type ChainPosition, type JsonObject } from '@lothub/chain';
import { HASH_BYTES } from '@lothub/chain/log';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { toLeaf } from '../../log/leaf.ts';
import { isDecisionPayload, payloadIn } from '../../record/payload-shape.ts';
import type { DecisionPayload } from '../../record/payload.ts';
import { StoredChain, type StoredBlockRow } from '../chain.ts';
import { Findings } from '../mismatch.ts';
import { VerificationQueries } from '../queries.ts';
import { compareRows } from '../rows/rows.ts';
import { readSlice } from '../slice.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';
import type { BlocksOrder, SoundBlocks } from './orders.ts';
import { RangeTotals } from './range-totals.ts';

/** Blocks and lines of one slice. */
const ROWS_PER_SLICE = 1_000;

/**
 * @returns undefined when something is not right
 * @throws DatabaseError when rows cannot be read
 */
export async function verifyRange(
  reader: SnapshotReader,
  order: BlocksOrder,
  onBlocks: (count: number) => void,
): Promise<SoundBlocks | undefined> {
  const { after, through, depth, scope } = order;
  const queries = new VerificationQueries(reader);
  const before = await readBlockBefore(queries, after);
  if (before === undefined) return undefined;
  const chain = new StoredChain({ depth, previous: before.position });
  const totals = new RangeTotals(after);
  if (before.decision !== undefined) totals.beginBehind(before.decision);
  const recalls: number[] = [];
  const leaves = new Uint8Array(scope === 'ledger' ? (through - after) * HASH_BYTES : 0);
  while (chain.position.height < through) {
    const { height } = chain.position;
    const next = { after: height, end: through, rowsMax: ROWS_PER_SLICE, scope };
    const slice = await reader.inSnapshot(() => readSlice(queries, next));
    const { blocks, rows } = slice;
    const payloads: JsonObject[] = [];
    const fault = chain.verifyRows(blocks, payloads);
    if (fault !== undefined || chain.position.height !== slice.range.through) return undefined;
    if (rows !== undefined) {
      const findings = new Findings();
      const foreign = compareRows({ blocks, payloads, rows, totals, findings });
      if (foreign !== undefined || findings.count > 0) return undefined;
      addLeaves(leaves, blocks, after);
    }
    for (const [index, { type }] of payloads.entries()) {
      if (type === 'recall') recalls.push(height + 1 + index);
    }
    onBlocks(blocks.length);
  }
  return {
    kind: 'sound_blocks',
    begin: before.position,
    end: chain.position,
    contentsNotJudged: chain.contentsNotJudged,
    recalls,
    leaves,
    counts: totals.counts,
  };
}

interface BlockBefore {
  readonly position: ChainPosition;
  readonly decision: DecisionPayload | undefined;
}

/** The stored block before a range; undefined when it is not one that is sealed here. */
async function readBlockBefore(
  queries: VerificationQueries,
  height: number,
): Promise<BlockBefore | undefined> {
  if (height < 0) return { position: BEFORE_GENESIS, decision: undefined };
  const [block] = await queries.blockTexts([height]);
  if (block === undefined || sha256Hex(block.canonical) !== block.hash) return undefined;
  const contents = verifyContents({ ...block, blockHash: block.hash });
  if ('code' in contents || contents.version === 'later') return undefined;
  const payload = payloadIn(contents.payload);
  return {
    position: { height, blockHash: block.hash, recordedAt: contents.recordedAt },
    decision: payload !== undefined && isDecisionPayload(payload) ? payload : undefined,
  };
}

function addLeaves(leaves: Uint8Array, blocks: readonly StoredBlockRow[], after: number): void {
  for (const { height, blockHash } of blocks) {
    leaves.set(toLeaf(blockHash), (height - after - 1) * HASH_BYTES);
  }
}
