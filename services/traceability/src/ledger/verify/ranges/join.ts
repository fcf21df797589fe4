// Verifies a chain in ranges, several at a time in threads, and joins them: each range is sound if
// the block before it is the last one of the range before, and if the sums over ranges agree. The
// result is the place where a verification of the whole continues. If anything is wrong there is no
// result: a verification from genesis then reports the faults in the order of the blocks.
import { Disclosures, isJsonObject, parseBlock, type VerificationDepth } from '@lothub/chain';
import { HASH_BYTES, type TreeHead } from '@lothub/chain/log';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { readSignedHeads } from '../../log/epochs/signed-heads.ts';
import type { LogRecordReading } from '../../log/log-record.ts';
import { StoredChain } from '../chain.ts';
import type { ComparedLots, LedgerBeginning } from '../ledger.ts';
import { allLots } from '../lots/lots.ts';
import { LotQueries, type LotRange } from '../lots/queries.ts';
import { Findings } from '../mismatch.ts';
import { VerificationQueries } from '../queries.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';
import { TreeVerification, readTiles } from '../tiles.ts';
import type { Answer, SoundBlocks } from './orders.ts';
import { JoinedTotals } from './range-totals.ts';
import type { OrderTaker } from './threads.ts';

/** Lots of one order. */
const LOTS_PER_ORDER = 20_000;
/** Orders on their way for each thread: one that is done, and waits for those before it, and one to come. */
const ORDERS_PER_THREAD = 2;

export interface RangesVerification {
  readonly threads: OrderTaker;
  readonly reader: SnapshotReader;
  readonly depth: VerificationDepth;
  readonly scope: 'ledger' | 'blocks';
  /** Height of the last block to verify. */
  readonly through: number;
  /** Blocks of a range. */
  readonly blocksPerRange: number;
  /** The head that the log signed last, read before the chain. */
  readonly logRecord: LogRecordReading;
  /** As in `LedgerVerificationOptions`. */
  readonly isCutAccepted: boolean;
  /** Blocks that were found good since the last call. */
  readonly onBlocks: (count: number) => void;
}

/**
 * @returns undefined when something is not right
 * @throws Error when a thread dies
 */
export async function verifyRanges(
  options: RangesVerification,
): Promise<LedgerBeginning | undefined> {
  const { threads, depth, scope, through, onBlocks } = options;
  const join = new Join(options);
  if (scope === 'ledger' && !options.isCutAccepted) {
    join.expect(await readSignedHeads(options.reader));
  }
  const asked: Asked<HeightRange>[] = [];
  for (let after = -1; after < through || asked.length > 0;) {
    while (after < through && asked.length < threads.count * ORDERS_PER_THREAD) {
      const range = { after, through: Math.min(after + options.blocksPerRange, through) };
      const order = { kind: 'blocks', depth, scope, ...range } as const;
      asked.push({ asked: range, answer: threads.ask(order, onBlocks) });
      after = range.through;
    }
    const next = asked.shift();
    if (next === undefined) break;
    const answer = await next.answer;
    if (answer.kind !== 'sound_blocks') return undefined;
    if (!(await join.take(answer, next.asked))) return undefined;
  }
  return join.beginning;
}

/** An order that is on its way. */
interface Asked<Range> {
  readonly asked: Range;
  readonly answer: Promise<Answer>;
}

class Join {
  readonly #options: RangesVerification;
  readonly #queries: VerificationQueries;
  readonly #totals = new JoinedTotals();
  readonly #tree: TreeVerification;
  readonly #disclosures = new Disclosures({ hash: sha256Hex, after: -1 });
  #chain: StoredChain;
  #contentsNotJudged = 0;

  constructor(options: RangesVerification) {
    this.#options = options;
    this.#queries = new VerificationQueries(options.reader);
    this.#tree = new TreeVerification(options.logRecord);
    this.#chain = new StoredChain({ depth: options.depth });
  }

  get beginning(): LedgerBeginning {
    return { chain: this.#chain, totals: this.#totals, tree: this.#tree };
  }

  /** As `TreeWalk.expect`. */
  expect(heads: readonly TreeHead[]): void {
    this.#tree.expect(heads);
  }

  /** Takes the next range. @returns false when it does not continue the ranges before */
  async take(range: SoundBlocks, heights: HeightRange): Promise<boolean> {
    const { depth, scope } = this.#options;
    const { position } = this.#chain;
    const { begin, end } = range;
    const isLinked = begin.height === position.height && begin.blockHash === position.blockHash;
    const isInTime = depth === 'links' || begin.recordedAt === position.recordedAt;
    if (!isLinked || !isInTime || end.height !== heights.through) return false;
    this.#contentsNotJudged += range.contentsNotJudged;
    if (!(await this.#follow(range.recalls))) return false;
    this.#chain = new StoredChain({
      depth,
      previous: end,
      disclosures: this.#disclosures,
      contentsNotJudged: this.#contentsNotJudged,
    });
    return (
      scope === 'blocks' || (this.#totals.join(range.counts) && this.#takeLeaves(range, heights))
    );
  }

  async #takeLeaves({ leaves }: SoundBlocks, heights: HeightRange): Promise<boolean> {
    const tiles = await readTiles(this.#options.reader, heights);
    const findings = new Findings();
    this.#tree.take(leavesIn(leaves), tiles, findings);
    return findings.count === 0;
  }

  /** Follows the recall cases of the whole chain. @returns false when one is not as it was sealed */
  async #follow(recalls: readonly number[]): Promise<boolean> {
    const blocks = await this.#queries.blockTexts(recalls);
    if (blocks.length !== recalls.length) return false;
    for (const { height, hash, canonical } of blocks.toSorted((a, b) => a.height - b.height)) {
      if (sha256Hex(canonical) !== hash) return false;
      const { brand, decision } = parseBlock(canonical).payload;
      if (typeof brand !== 'string' || !isJsonObject(decision)) return false;
      if (this.#disclosures.take(height, { brand, decision }) !== undefined) return false;
    }
    return true;
  }
}

function* leavesIn(leaves: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < leaves.length; start += HASH_BYTES) {
    yield leaves.subarray(start, start + HASH_BYTES);
  }
}

/**
 * Compares all lots, and the texts that they are found by.
 * @returns false when something is not right
 * @throws Error when a thread dies
 */
export async function verifyLotsInRanges(
  { threads, reader }: Pick<RangesVerification, 'threads' | 'reader'>,
  { seenLots, lastLotNo }: ComparedLots,
): Promise<boolean> {
  const asked: Promise<Answer>[] = [threads.ask({ kind: 'texts' })];
  for await (const lots of rangesOfLots(reader, lastLotNo)) {
    if (asked.length >= threads.count * ORDERS_PER_THREAD) {
      if ((await asked.shift())?.kind !== 'sound') return false;
    }
    asked.push(threads.ask({ kind: 'lots', lots, seenLots: seenLots.around(lots).pages }));
  }
  const answers = await Promise.all(asked);
  return answers.every(({ kind }) => kind === 'sound');
}

/** Yields all lots up to the last one, in ranges of LOTS_PER_ORDER. */
async function* rangesOfLots(
  reader: SnapshotReader,
  lastLotNo: number | undefined,
): AsyncGenerator<LotRange> {
  const queries = new LotQueries(reader);
  const { after: first, through } = allLots(lastLotNo);
  let after = first;
  while (after < through) {
    const end = Math.min((await queries.lotAfter(after, LOTS_PER_ORDER)) ?? through, through);
    yield { after, through: end };
    after = end;
  }
}
