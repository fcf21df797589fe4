// Verifies one lot for the public: finds it, re-hashes and re-links every block that concerns it, and
// tells its journey by what counts after corrections.
import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../errors.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import {
  effectiveOf,
  heightsOfCorrections,
  isEventBlock,
  readCorrectionBlocks,
} from '../ledger/effective-reader.ts';
import type { Block, HeadRow, LedgerReader } from '../ledger/read.ts';
import { PUBLIC_WALK, relatedLots } from '../lots/links.ts';
import type { Notices } from '../lots/notices.ts';
import {
  LOTS_PER_COMPOUND,
  endsOfLots,
  findLot,
  lotLabels,
  lotsOfCode,
  pagesOfLot,
} from '../lots/queries.ts';
import type { LotRow } from '../lots/queries.ts';
import { stateOf } from '../lots/state.ts';
import { askForEach, askInOrder } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import { readLinkedBlocks } from './evidence.ts';
import { Journey } from './journey.ts';
import type { Verification } from './schema.ts';

/** Blocks read and re-hashed between two turns of the event loop: about 3 ms. */
const BLOCKS_PER_SLICE = 200;
/** Steps told; more would be read by nobody. */
const STEPS_MAX = 2_000;
/** Blocks of ancestors read for their steps, and of each of them; their oldest tell the origin. */
const ANCESTOR_BLOCKS_MAX = 2_000;
const BLOCKS_PER_ANCESTOR_MAX = 200;
/** Blocks named as proof; all that concern the lot are checked, however many. */
const PROOF_MAX = 1_000;
/** Brands named besides the one that is answered for. */
const OTHER_BRANDS_MAX = 100;

export interface VerifyDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly hubName: string;
  readonly notices: Notices;
}

/** @throws Refusal `not_found` when no brand, or not the one asked for, has a lot of this code */
export async function verifyLot(
  deps: VerifyDeps,
  asked: { readonly lotCode: string; readonly brand: string | undefined },
): Promise<Verification> {
  const { reader, state, notices } = deps;
  const { head, lot, sameCode } = await findAsked(reader, asked);
  if (lot === undefined) throw new Refusal('not_found', 'No lot of this code is known');
  const others = sameCode.filter((other) => other.lotNo !== lot.lotNo);

  const ancestors = await findAncestors(deps, lot);
  const journey = new Journey({
    lotCode: lot.lotCode,
    codes: new Set([lot.lotCode, ...ancestors.codes]),
    stepsMax: STEPS_MAX,
  });
  const own = await readOwnBlocks(deps, { lot, head, journey });
  const isComplete = await readAncestorBlocks(deps, { ancestors, seen: own.heights, journey });
  const lotState = stateOf(lot);
  const shownOthers = others.slice(0, OTHER_BRANDS_MAX);
  const recalls = await notices.ofLot(lot);
  const noticeCounts = await notices.count(shownOthers.map((other) => other.lotNo));

  // Asked last: whatever was read above has reported what it found.
  const chainValid = state.valid;
  const verified = own.sound && chainValid;
  return {
    verified,
    brand: { id: lot.tenantId, name: lot.brandName },
    lot: {
      lot_code: lot.lotCode,
      product_sku: lot.productSku,
      status: lotState.status,
      hold_status: lotState.holdStatus,
    },
    journey_title: journey.title,
    steps: [...journey.steps],
    channels_reached: [...journey.channelsReached],
    notices: [...recalls.notices],
    ledger: {
      chain_id: await reader.chainId(),
      height: head.height,
      tip_hash: head.hash,
      blocks: head.height + 1,
      chain_valid: chainValid,
    },
    trust: {
      statement: verified ? provenStatement(lot.brandName) : UNPROVEN_STATEMENT,
      data_owner: lot.brandName,
      hub: deps.hubName,
      chain_valid: chainValid,
      tip_hash: head.hash,
    },
    proof: own.proof,
    other_brands: shownOthers.map((other) => ({
      id: other.tenantId,
      name: other.brandName,
      product_sku: other.productSku,
      open_notices: noticeCounts.get(other.lotNo) ?? 0,
    })),
    truncated:
      ancestors.truncated ||
      !isComplete ||
      journey.truncated ||
      own.heights.size > PROOF_MAX ||
      others.length > OTHER_BRANDS_MAX ||
      recalls.truncated,
  };
}

/** Of the lots with the code, the one that is asked for and the first ones of any brand. */
async function findAsked(
  reader: LedgerReader,
  { lotCode, brand }: { readonly lotCode: string; readonly brand: string | undefined },
): Promise<{
  readonly head: HeadRow;
  readonly lot: LotRow | undefined;
  readonly sameCode: readonly LotRow[];
}> {
  const [head, own, sameCode] = await reader.together((one) =>
    Promise.all([
      one.head(),
      brand === undefined ? undefined : findLot(one.database, { lotCode, tenantId: brand }),
      // One more than is shown, for the lot itself is among them, and another to see that there are
      // more.
      lotsOfCode(one.database, lotCode, OTHER_BRANDS_MAX + 2),
    ]),
  );
  return { head, lot: brand === undefined ? sameCode[0] : own, sameCode };
}

function provenStatement(brandName: string): string {
  return (
    `The hash chain proves that what ${brandName} recorded about this lot is unchanged since it ` +
    'was recorded, not that it was true or complete when it was recorded.'
  );
}

const UNPROVEN_STATEMENT =
  'What is stored no longer agrees with the hash chain, so until the operator has checked it ' +
  'nothing about this lot is proven.';

interface Ancestors {
  /** Nearest first. */
  readonly lotNos: readonly number[];
  readonly codes: readonly string[];
  readonly truncated: boolean;
}

async function findAncestors(deps: VerifyDeps, lot: LotRow): Promise<Ancestors> {
  const { database } = deps.reader;
  const { lots, truncated } = await relatedLots({
    database,
    tenantNo: lot.tenantNo,
    lotNo: lot.lotNo,
    direction: 'upstream',
    ...PUBLIC_WALK,
  });
  const lotNos = lots.filter((one) => one.relation !== 'self').map((one) => one.lotNo);
  const labels = await askForEach(database, slicesOf(lotNos), lotLabels);
  return { lotNos, codes: labels.flat().map((label) => label.lotCode), truncated };
}

interface OwnBlocks {
  readonly heights: ReadonlySet<number>;
  readonly proof: { height: number; block_hash: string }[];
  readonly sound: boolean;
}

/** Checks every block that concerns the lot and takes its steps into the journey. */
async function readOwnBlocks(
  deps: VerifyDeps,
  part: { readonly lot: LotRow; readonly head: HeadRow; readonly journey: Journey },
): Promise<OwnBlocks> {
  const { lot, head, journey } = part;
  const seen = new Set<number>();
  const proof: { height: number; block_hash: string }[] = [];
  let isSound = true;
  const check = async (
    heights: readonly number[],
    reader = deps.reader,
  ): Promise<readonly Block[]> => {
    const { blocks, sound } = await readLinkedBlocks({ ...deps, reader }, heights, head);
    isSound &&= sound;
    for (const { height } of blocks) seen.add(height);
    return blocks;
  };
  const name = (blocks: readonly Block[]): void => {
    for (const { height, hash } of blocks) proof.push({ height, block_hash: hash });
  };
  const pages = { lotNo: lot.lotNo, above: 0, limit: BLOCKS_PER_SLICE };
  for await (const heights of pagesOfLot(deps.reader.database, pages)) {
    const [blocks, corrections] = await deps.reader.together((reader) =>
      Promise.all([check(heights, reader), heightsOfCorrections(reader.database, heights)]),
    );
    name(blocks.slice(0, PROOF_MAX - proof.length));
    await addSteps(deps.reader, journey, { blocks, corrections });
    await setImmediate();
  }
  // Corrections of an event from before a correction made it name this lot.
  const earlier = [...journey.ownCorrections].filter((height) => !seen.has(height));
  for (const heights of slicesOf(earlier, BLOCKS_PER_SLICE)) {
    name(await check(heights));
    await setImmediate();
  }
  proof.sort((a, b) => a.height - b.height);
  return { heights: seen, proof: proof.slice(0, PROOF_MAX), sound: isSound };
}

/** Takes the ancestors' steps into the journey, nearest lots first. @returns false when it was cut */
async function readAncestorBlocks(
  deps: VerifyDeps,
  part: {
    readonly ancestors: Ancestors;
    /** Heights that are in the journey already. */
    readonly seen: ReadonlySet<number>;
    readonly journey: Journey;
  },
): Promise<boolean> {
  const wanted = new Set<number>();
  let isComplete = true;
  const slices = slicesOf(part.ancestors.lotNos, LOTS_PER_COMPOUND);
  const pages = askInOrder(deps.reader.database, slices, (database, lotNos) =>
    endsOfLots(database, {
      lotNos,
      blocks: 'carrying',
      end: 'oldest',
      above: 0,
      below: Number.MAX_SAFE_INTEGER,
      limit: BLOCKS_PER_ANCESTOR_MAX + 1,
    }),
  );
  for await (const places of pages) {
    if (wanted.size >= ANCESTOR_BLOCKS_MAX) {
      isComplete = false;
      break;
    }
    const counts = new Map<number, number>();
    for (const { lotNo, height } of places) {
      const count = (counts.get(lotNo) ?? 0) + 1;
      counts.set(lotNo, count);
      if (part.seen.has(height) || wanted.has(height)) continue;
      if (count > BLOCKS_PER_ANCESTOR_MAX || wanted.size >= ANCESTOR_BLOCKS_MAX) isComplete = false;
      else wanted.add(height);
    }
    await setImmediate();
  }
  const ascending = [...wanted].sort((a, b) => a - b);
  for (const slice of slicesOf(ascending, BLOCKS_PER_SLICE)) {
    const [blocks, corrections] = await deps.reader.together((reader) =>
      Promise.all([reader.blocks(slice), heightsOfCorrections(reader.database, slice)]),
    );
    await addSteps(deps.reader, part.journey, { blocks, corrections });
    await setImmediate();
  }
  return isComplete;
}

/** Takes the events among these blocks into the journey, as they count now. */
async function addSteps(
  reader: LedgerReader,
  journey: Journey,
  read: {
    readonly blocks: readonly Block[];
    /** Heights of the corrections of the events among them. */
    readonly corrections: readonly number[];
  },
): Promise<void> {
  const corrections = await readCorrectionBlocks(reader, read.corrections);
  for (const event of read.blocks.filter(isEventBlock)) {
    const { height } = event;
    journey.add(height, effectiveOf(event, corrections), corrections.get(height));
  }
}
