// The page of a lot, in English.
import { html, type Html } from '@lothub/kit/html';
import type { Stage } from '../../lot/milestones.ts';
import type { VerdictKind } from '../../lot/verdict.ts';

const verdicts: Readonly<Record<VerdictKind, string>> = {
  recalled: 'Stop: this lot is recalled',
  examined: 'Stop: this lot may be recalled',
  withdrawn: 'This lot is being taken back',
  onHold: 'Wait: this lot is on hold',
  unconfirmed: 'This lot cannot be confirmed',
  clear: 'Nothing is known against this lot',
};

const stages: Readonly<Record<Stage, string>> = {
  received: 'Received',
  made: 'Made',
  packed: 'Packed',
  moved: 'Transported',
  sold: 'Sold',
  disposed: 'Disposed of',
};

export const lot = {
  title: (code: string) => `Lot ${code}`,
  verdicts,
  onHold: (brand: Html) =>
    html`${brand} has stopped this lot. Do not eat or use it until it is released.`,
  clear: (brand: Html) =>
    html`There is no open recall notice for this lot, and what ${brand} recorded about it is
    unchanged.`,
  whetherRecalled: (brand: Html) =>
    html`Whether this lot is recalled cannot be seen from here. Ask ${brand} before you use it.`,
  whetherFurther: (brand: Html) =>
    html`Whether there are further recalls of this lot cannot be seen from here. Ask ${brand} before
    you use it.`,
  why: 'Why:',
  furtherRecalls: 'Further recalls of this lot:',
  aboutRecall: 'All about this recall',
  aboutRecalls: 'All about these recalls',

  lotCode: 'Lot',
  product: 'Product',
  brand: 'Brand',
  status: 'Status',
  sharing: 'Other brands use the same lot code.',
  sharingRecalled: html`Other brands use the same lot code, and
    <strong class="bad">some of it is recalled</strong>.`,
  chooseBrand: 'Choose another brand',

  story: 'Where it comes from',
  stages,
  ingredients: 'Ingredients received',
  places: (count: string) => `${count} places`,
  more: (count: string) => `${count} more`,
  utc: (date: string) => `${date} (UTC)`,
  allEvents: (count: string) => `All events (${count})`,
  noStepCounts:
    'No step of this lot counts now. What was recorded is in the blocks below, with the corrections.',
  partOfStory: 'These steps are in blocks that verify. Others may be missing.',
  noStepVerifies: 'No step of this lot can be read from a block that verifies.',
  event: (what: Html, where: Html) => html`${what} at ${where}`,
  through: (channels: string) => `, through ${channels}`,
  thisLot: (product: Html) => html`This lot, product ${product}`,
  sourceLot: (lot: Html, product: Html) => html`Source lot ${lot}, product ${product}`,
  corrected: (blocks: Html) => html`Shown as corrected by the brand afterwards: ${blocks}`,

  sold: 'Where it was sold',
  soldThrough: (channels: string) => `This lot, or what was made of it: ${channels}.`,
  noSale: 'No sale with a known channel has been recorded.',
  noSaleVerifies: 'No sale with a known channel can be read from a block that verifies.',

  decisions: 'Decisions about this lot',

  proof: 'What is proven',
  verified: (brand: Html) =>
    html`<strong>Verified.</strong> What ${brand} recorded about this lot is unchanged. Whether it
      was true and complete, no computer can prove.`,
  notVerified: html`<strong>Not verified.</strong> What is stored does not agree with the chain.
    Until the operator has checked it, nothing on this page is proven.`,
  blocksNotVerified: (blocks: Html) =>
    html`<strong>Not verified.</strong> What is stored does not agree with the chain. Blocks of this
      lot that do not verify: ${blocks}. What they said cannot be trusted until the operator has
      checked it.`,
  proofInDetail: 'The proof in detail',
  owner: 'Whose word it is',
  keeper: 'Who keeps the chain',
  chainState: 'State of the whole chain',
  chainValid: 'no difference is known between what is stored and what was hashed',
  chainInvalid: 'what is stored differs from what was hashed',
  newestBlock: 'Newest block',
  chainName: 'Name of the chain',
  blocks: 'Blocks that carry this lot',
  blocksIntro:
    'These blocks carry the lot, correct what does, or say what was decided about it. Each has been hashed again for this page, and so can you: a block’s page shows its text and how to hash it.',
  block: 'Block',
  hash: 'Hash (SHA-256)',
  truncated: 'There is more about this lot than this page shows: see the explorer.',

  otherBrands: 'Other brands with this lot code',
  otherBrandsIntro: 'Is your product of another brand? These use the same code:',
};
