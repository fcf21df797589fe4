// The shape of the public verification answer (docs/interface/traceability.md#verification).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { nullableText } from '../http.ts';
import { LOT_STATE_SCHEMAS } from '../lots/lot-schema.ts';
import { NoticeSchema } from '../lots/notices/schema.ts';
import { PLACE_PROFILE, PRODUCT_PROFILE, PUBLIC_BRAND } from '../lots/profiles/schema.ts';

const EXAMPLE = {
  verified: true,
  brand: { id: 'bakery', name: 'Old Mill Bakery' },
  lot: {
    lot_code: 'BREAD-0302',
    product_sku: 'RYE-750',
    status: 'active',
    hold_status: 'released',
  },
  product: {
    sku: 'RYE-750',
    names: { de: 'Roggenbrot 750 g', en: 'Rye bread 750 g' },
    gtin: '4006381333931',
    picture_url: null,
  },
  journey_title: 'From Brandt silo 3 to retail',
  steps: [
    {
      event_type: 'RECEIVE',
      occurred_at: '2026-03-02T06:15:00Z',
      location: 'BAKERY-1',
      product_sku: 'FLOUR-T55',
      lot_code: 'FLOUR-0711',
      note: 'dry, sealed',
      channel: null,
    },
    {
      event_type: 'SELL',
      occurred_at: '2026-03-03T08:00:00Z',
      location: 'SHOP-2',
      product_sku: 'RYE-750',
      lot_code: 'BREAD-0302',
      note: null,
      channel: 'retail',
    },
  ],
  decisions: [
    {
      type: 'HOLD',
      at: '2026-03-03T10:00:00.000Z',
      recorded_at: '2026-03-03T10:00:00.000Z',
      summary: 'Lot BREAD-0302 of bakery held',
      block_height: 4703,
      block_hash: '1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff00f',
    },
  ],
  channels_reached: ['retail'],
  notices: [],
  ledger: {
    chain_id: '7d0b6f3a2c1e4f5968778695a4b3c2d1e0f9081726354453627180918273645a',
    height: 4711,
    tip_hash: 'a5463728190817263544536271809f0e1d2c3b4a5968778695f4e1c2a3f6b0d7',
    blocks: 4712,
    chain_valid: true,
  },
  trust: {
    statement:
      'The hash chain proves that what Old Mill Bakery recorded about this lot is unchanged since ' +
      'it was recorded, not that it was true or complete when it was recorded.',
    data_owner: 'Old Mill Bakery',
    hub: 'Lothub',
    chain_valid: true,
    tip_hash: 'a5463728190817263544536271809f0e1d2c3b4a5968778695f4e1c2a3f6b0d7',
  },
  proof: [
    {
      height: 4698,
      block_hash: '0f1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0',
    },
  ],
  other_brands: [],
  truncated: false,
};

export const VerificationSchema = Type.Object(
  {
    verified: Type.Boolean({
      description:
        'The lot is known, every block that carries it, corrects what does, or says what was decided about ' +
        'it re-hashes and links now, ' +
        'and the chain is valid',
    }),
    brand: PUBLIC_BRAND,
    lot: Type.Object({
      lot_code: Type.String(),
      product_sku: Type.String(),
      ...LOT_STATE_SCHEMAS,
    }),
    product: Type.Optional(
      Type.Object(PRODUCT_PROFILE, {
        description: 'The profile of the product; absent when it has none',
      }),
    ),
    journey_title: Type.String({
      description:
        'From where to where; or that corrections withdrew everything, or that blocks do not verify',
    }),
    steps: Type.Array(
      Type.Object({
        event_type: Type.String(),
        occurred_at: Type.String({ description: 'ISO 8601 in UTC' }),
        location: Type.String(),
        product_sku: Type.String(),
        lot_code: Type.String(),
        note: nullableText('Public notes of the event; never those of a SELL'),
        channel: nullableText('Class of the channel, such as `retail`; only of a SELL'),
        place: Type.Optional(
          Type.Object(PLACE_PROFILE, {
            description: 'The profile of the location; absent when it has none',
          }),
        ),
        corrected_by: Type.Optional(
          Type.Array(Type.Integer(), {
            description:
              'Heights of the blocks that corrected what the event says of the lot; absent when none did',
          }),
        ),
      }),
      {
        description:
          'Events of the lot, and of its ancestors those on the way to it, as they count now; oldest ' +
          'first. Each lot in an event is a step',
      },
    ),
    decisions: Type.Array(
      Type.Object({
        type: Type.String({ description: 'As `event_type` of the block, such as `HOLD`' }),
        at: Type.String({ description: 'When it was decided, UTC' }),
        recorded_at: Type.String({ description: 'When it was sealed, UTC' }),
        summary: Type.String(),
        block_height: Type.Integer(),
        block_hash: Type.String(),
      }),
      {
        description:
          'What was decided about the lot, such as that it was held or released; oldest first, the newest 200',
      },
    ),
    channels_reached: Type.Array(Type.String(), {
      description:
        'Classes of the channels through which the lot was sold, and what was packed or made of it',
    }),
    notices: Type.Array(NoticeSchema, {
      description:
        'Open recall notices for the lot, newest first; it comes first in their `lot_codes`',
    }),
    ledger: Type.Object({
      chain_id: Type.String({ description: 'Hash of the genesis block' }),
      height: Type.Integer(),
      tip_hash: Type.String(),
      blocks: Type.Integer({ description: 'Blocks of the chain, genesis included' }),
      chain_valid: Type.Boolean(),
    }),
    trust: Type.Object({
      statement: Type.String({ description: 'What is proven and what is not' }),
      data_owner: Type.String(),
      hub: Type.String(),
      chain_valid: Type.Boolean(),
      tip_hash: Type.String(),
    }),
    proof: Type.Array(Type.Object({ height: Type.Integer(), block_hash: Type.String() }), {
      description:
        'Blocks that carry this lot, correct what does, or say what was decided about it, to be checked ' +
        'in the explorer',
    }),
    other_brands: Type.Array(
      Type.Object({
        ...PUBLIC_BRAND.properties,
        product_sku: Type.String(),
        open_notices: Type.Integer(),
      }),
      { description: 'Other brands with a lot of this code: ask for one with `brand`' },
    ),
    truncated: Type.Boolean({
      description:
        'More ancestors, steps, decisions, sales, proofs, brands or notices exist than this answer covers',
    }),
  },
  { title: 'Verification', examples: [EXAMPLE] },
);

export type Verification = Static<typeof VerificationSchema>;
