// Verifies one lot for the public: finds it, re-hashes and re-links every block that concerns it, and
// returns its journey with corrections applied.
import { askTogether } from '@lothub/kit/database';
import { toPublicBrand } from '../lots/profiles/brand-texts.ts';
import { readPlaceProfiles, readProductProfiles } from '../lots/profiles/read-profiles.ts';
import type { PlaceProfiles, ProductProfiles } from '../lots/profiles/read-profiles.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { HeadRow, LedgerReader } from '../ledger/read.ts';
import type { Notices } from '../lots/notices/notices.ts';
import { findLot, lotsOfCode, type LotRow } from '../lots/queries.ts';
import { noSuchLot } from '../lots/similar-codes.ts';
import { toLotState } from '../lots/state.ts';
import { publicHoldStatus } from '../lots/holds.ts';
import { readDecidedBlocks, type SaidDecisions } from './decided.ts';
import { Journey, type Step, type StepsOfEvent } from './journey.ts';
import type { Verification } from './schema.ts';
import { PROOF_MAX, readAncestorBlocks, readOwnBlocks } from './steps.ts';
import type { Surroundings } from './surroundings.ts';

/** Maximum number of steps in an answer; nobody reads more. */
const STEPS_MAX = 2_000;
/** Maximum number of brands that are named besides the brand of the answer. */
const OTHER_BRANDS_MAX = 100;

export interface VerifyDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly hubName: string;
  readonly notices: Notices;
  readonly surroundings: Surroundings;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

/** Where consumers reach a brand, as it has published. */
export type BrandContact = Pick<LotRow, 'recallContact' | 'website'>;

/** What is known of a lot, for a program and for a page. */
export interface VerifiedLot {
  readonly answer: Verification;
  /** The steps of the answer, those of one event together. */
  readonly events: readonly StepsOfEvent[];
  /** The details for consumers of the product of the lot and of the products of its steps. */
  readonly products: ProductProfiles;
  readonly contact: BrandContact;
  /** What was decided about the lot, as its blocks say it. */
  readonly decided: SaidDecisions;
  /** Heights of blocks of the lot that do not verify, or are gone; ascending. */
  readonly unverified: readonly number[];
}

/** @throws Refusal `not_found` when no brand, or not the one asked for, has a lot of this code */
export async function verifyLot(
  deps: VerifyDeps,
  asked: { readonly lotCode: string; readonly brand: string | undefined },
): Promise<VerifiedLot> {
  const { reader, state, notices } = deps;
  const { head, lot, sameCode } = await findAsked(reader, asked);
  if (lot === undefined) {
    throw await noSuchLot(reader.database, asked);
  }
  const others = sameCode.filter((other) => other.lotNo !== lot.lotNo);

  const { way, beyond } = await deps.surroundings.find(lot);
  const journey = new Journey({ lotCode: lot.lotCode, stepsMax: STEPS_MAX });
  journey.addChannels(beyond.classes);
  const { codesAt } = way;
  const own = await readOwnBlocks(deps, { lot, head, journey, codesAt });
  const isComplete = await readAncestorBlocks(reader, { codesAt, seen: own.heights, journey });
  const decided = await readDecidedBlocks(deps, { lotNo: lot.lotNo, head });
  const unverified = new Set([...own.unverified, ...decided.unverified]);
  const { status } = toLotState(lot);
  const holdStatus = await publicHoldStatus(reader.database, lot);
  const shownOthers = others.slice(0, OTHER_BRANDS_MAX);
  const recalls = await notices.ofLot(lot);
  const noticeCounts = await notices.count(shownOthers.map((other) => other.lotNo));

  // Asked last: whatever was read above has reported what it found.
  const chainValid = state.valid;
  const verified = unverified.size === 0 && chainValid;
  const proof = listProofBlocks([...own.proof, ...decided.proof]);
  const { products, places } = await readProfiles(deps, { lot, journey });
  const events = journey.events.map((steps) => withPlaces(steps, places));
  const product = products.get(lot.productSku);
  const answer = {
    verified,
    brand: toPublicBrand(lot),
    lot: {
      lot_code: lot.lotCode,
      product_sku: lot.productSku,
      status,
      hold_status: holdStatus,
    },
    ...(product === undefined ? {} : { product: { ...product, names: { ...product.names } } }),
    journey_title: journey.title,
    steps: events.flat(),
    decisions: decided.decisions,
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
    proof: proof.slice(0, PROOF_MAX),
    other_brands: shownOthers.map((other) => ({
      ...toPublicBrand(other),
      product_sku: other.productSku,
      open_notices: noticeCounts.get(other.lotNo) ?? 0,
    })),
    truncated:
      way.truncated ||
      beyond.truncated ||
      !isComplete ||
      journey.truncated ||
      !decided.isComplete ||
      own.heights.size > PROOF_MAX ||
      proof.length > PROOF_MAX ||
      others.length > OTHER_BRANDS_MAX ||
      recalls.truncated,
  };
  const { recallContact, website } = lot;
  return {
    answer,
    events,
    products,
    contact: { recallContact, website },
    decided: decided.said,
    unverified: [...unverified].sort((a, b) => a - b),
  };
}

/** Never cached: details of a product are no line of an event, and only lines change a cached answer. */
async function readProfiles(
  { reader, publicUrl }: VerifyDeps,
  { lot, journey }: { readonly lot: LotRow; readonly journey: Journey },
): Promise<{ readonly products: ProductProfiles; readonly places: PlaceProfiles }> {
  const { tenantId, productSku } = lot;
  const steps = journey.events.flat();
  const skus = [productSku, ...steps.map((step) => step.product_sku)];
  const locations = steps.map((step) => step.location);
  return await askTogether(reader.database, async (one) => {
    const [products, places] = await Promise.all([
      readProductProfiles(one, { tenantId, skus, publicUrl }),
      readPlaceProfiles(one, { tenantId, locations }),
    ]);
    return { products, places };
  });
}

function withPlaces([first, ...rest]: StepsOfEvent, places: PlaceProfiles): StepsOfEvent {
  const addPlace = (step: Step): Step => {
    const place = places.get(step.location);
    return place === undefined ? step : { ...step, place };
  };
  return [addPlace(first), ...rest.map(addPlace)];
}

/** In the order of the chain. A block may carry the lot and be of a decision about it, but not twice. */
function listProofBlocks(blocks: Verification['proof']): Verification['proof'] {
  return [...new Map(blocks.map((block) => [block.height, block])).values()].sort(
    (a, b) => a.height - b.height,
  );
}

/** The newest block that concerns the lot, as far as its answer names them; block 0 of a lot that has none. */
export function getNewestBlock({ answer }: VerifiedLot): number {
  return answer.proof.at(-1)?.height ?? 0;
}

/** Finds the requested lot, and the first lots of any brand with the same code. */
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
