// Reads blocks and takes their events into the journey of a lot. A block that does not verify, or whose
// corrections do not, says nothing certain, so it is left out.
import { slicesInTurns } from '@lothub/kit/in-turns';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { placesOfCorrections, type CorrectionPlace } from '../ledger/effective-reader.ts';
import type { Block, HeadRow, LedgerReader } from '../ledger/read.ts';
import { pagesOfLot } from '../lots/queries.ts';
import { BLOCKS_CHECKED_PER_TURN, readCertainEvents } from './certain-events.ts';
import { readLinkedBlocks } from './evidence.ts';
import type { Journey } from './journey.ts';
import type { WayToLot } from './way-reader.ts';

/** Blocks of ancestors read for their steps, those of the nearest ancestors first. */
const ANCESTOR_BLOCKS_MAX = 2_000;
/** Blocks named as proof; all that concern the lot are checked, however many. */
export const PROOF_MAX = 1_000;

interface StepsDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
}

export interface OwnBlocks {
  readonly heights: ReadonlySet<number>;
  readonly proof: { height: number; block_hash: string }[];
  /** Heights of those that do not verify, or are gone. */
  readonly unverified: ReadonlySet<number>;
}

/** Checks every block that concerns the lot and takes its steps into the journey. */
export async function readOwnBlocks(
  deps: StepsDeps,
  part: {
    readonly lot: { readonly lotNo: number };
    readonly head: HeadRow;
    readonly journey: Journey;
    readonly codesAt: WayToLot['codesAt'];
  },
): Promise<OwnBlocks> {
  const { lot, head, journey, codesAt } = part;
  const seen = new Set<number>();
  const unverified = new Set<number>();
  const proof: { height: number; block_hash: string }[] = [];
  const check = async (
    heights: readonly number[],
    reader = deps.reader,
  ): Promise<readonly Block[]> => {
    const checked = await readLinkedBlocks({ ...deps, reader }, heights, head);
    for (const height of checked.unverified) unverified.add(height);
    for (const { height } of checked.blocks) seen.add(height);
    return checked.blocks;
  };
  const name = (blocks: readonly Block[]): void => {
    for (const { height, hash } of blocks) proof.push({ height, block_hash: hash });
  };
  const pages = { lotNo: lot.lotNo, above: 0, limit: BLOCKS_CHECKED_PER_TURN };
  for await (const heights of pagesOfLot(deps.reader.database, pages)) {
    const [blocks, corrections] = await deps.reader.together((reader) =>
      Promise.all([check(heights, reader), placesOfCorrections(reader.database, heights)]),
    );
    name(blocks.slice(0, PROOF_MAX - proof.length));
    const certain = blocks.filter(({ height }) => !unverified.has(height));
    await addSteps(deps.reader, journey, { blocks: certain, corrections, codesAt });
  }
  // Corrections of an event from before a correction made it name this lot.
  const earlier = [...journey.ownCorrections].filter((height) => !seen.has(height));
  for await (const heights of slicesInTurns(earlier, BLOCKS_CHECKED_PER_TURN)) {
    name(await check(heights));
  }
  if (unverified.size > 0) journey.addUnverified();
  proof.sort((a, b) => a.height - b.height);
  return { heights: seen, proof: proof.slice(0, PROOF_MAX), unverified };
}

/** Takes the ancestors' steps into the journey, nearest lots first. @returns false when it was cut */
export async function readAncestorBlocks(
  reader: LedgerReader,
  part: {
    readonly codesAt: WayToLot['codesAt'];
    /** Heights that are in the journey already. */
    readonly seen: ReadonlySet<number>;
    readonly journey: Journey;
  },
): Promise<boolean> {
  const wanted = [...part.codesAt.keys()].filter((height) => !part.seen.has(height));
  const ascending = wanted.slice(0, ANCESTOR_BLOCKS_MAX).sort((a, b) => a - b);
  for await (const slice of slicesInTurns(ascending, BLOCKS_CHECKED_PER_TURN)) {
    const [blocks, corrections] = await reader.together((one) =>
      Promise.all([one.blocks(slice), placesOfCorrections(one.database, slice)]),
    );
    if (blocks.length < slice.length) part.journey.addUnverified();
    await addSteps(reader, part.journey, { blocks, corrections, codesAt: part.codesAt });
  }
  return wanted.length <= ANCESTOR_BLOCKS_MAX;
}

/** Takes the events among these blocks into the journey, as they count now. */
async function addSteps(
  reader: LedgerReader,
  journey: Journey,
  read: {
    readonly blocks: readonly Block[];
    /** Corrections of the events among them. */
    readonly corrections: readonly CorrectionPlace[];
    readonly codesAt: WayToLot['codesAt'];
  },
): Promise<void> {
  const { events, isWhole } = await readCertainEvents(reader, read);
  if (!isWhole) journey.addUnverified();
  for (const { height, effective, corrections } of events) {
    journey.add(height, effective, { ancestors: read.codesAt.get(height), corrections });
  }
}
