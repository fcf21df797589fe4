// The shapes of the explorer's answers (service page, section 8), with examples that verify: the hash
// in them is that of the text beside it.
import { Type } from 'typebox';
import { BrandQuery, LimitQuery, OffsetQuery } from '../http.ts';

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const EXAMPLE_CHAIN_ID = 'a348f228991ce760cba679ef24a445deaf61a64e63e18903cf7b67722e8c55e7';
const EXAMPLE_PREV_HASH = '303355e09c21d799a94af02fc88498c6363c018997cbda595cc98972fcf3b5b1';

const EXAMPLE_BLOCK = {
  height: 4711,
  block_hash: '09b873dda0d77ad1e22f3ef38970b5e1a4d23ba8b9127093669e904f382b2cbe',
  prev_hash: EXAMPLE_PREV_HASH,
  recorded_at: '2026-03-02T03:31:07.412Z',
  brand: 'bakery',
  event_type: 'PRODUCE',
  tx_count: 2,
  summary: 'PRODUCE at BAKERY-1, ref WO-77: 1 in, 1 out (FLOUR-0711 -> BREAD-0302)',
  canonical:
    '{"height":4711,"payload":{"brand":"bakery","event":{"event_type":"PRODUCE","lines":[' +
    '{"direction":"in","lot_code":"FLOUR-0711","product_sku":"FLOUR-T55","quantity":"120.5",' +
    '"unit":"kg"},{"direction":"out","lot_code":"BREAD-0302","product_sku":"RYE-750",' +
    '"quantity":"160","unit":"pcs"}],"location":"BAKERY-1",' +
    '"occurred_at":"2026-03-02T03:30:00Z","reference":"WO-77"},' +
    '"recorded_at":"2026-03-02T03:31:07.412Z","type":"event","v":1},' +
    `"prev_hash":"${EXAMPLE_PREV_HASH}"}`,
  intact: true,
};

const EXAMPLE_TRANSACTION = {
  height: EXAMPLE_BLOCK.height,
  index: 1,
  block_hash: EXAMPLE_BLOCK.block_hash,
  brand: EXAMPLE_BLOCK.brand,
  event_type: EXAMPLE_BLOCK.event_type,
  occurred_at: '2026-03-02T03:30:00Z',
  recorded_at: EXAMPLE_BLOCK.recorded_at,
  location: 'BAKERY-1',
  reference: 'WO-77',
  lot_code: 'BREAD-0302',
  product_sku: 'RYE-750',
  direction: 'out',
  quantity: 160,
  unit: 'pcs',
  channel: null,
  supplier_name: null,
  origin_facility: null,
  supplier_lot_code: null,
};

const EXAMPLE_OTHER_TRANSACTION = {
  ...EXAMPLE_TRANSACTION,
  index: 0,
  lot_code: 'FLOUR-0711',
  product_sku: 'FLOUR-T55',
  direction: 'in',
  quantity: 120.5,
  unit: 'kg',
};

const EXAMPLE_STATS = {
  chain_id: EXAMPLE_CHAIN_ID,
  height: EXAMPLE_BLOCK.height,
  tip_hash: EXAMPLE_BLOCK.block_hash,
  blocks: 4712,
  transactions: 13_290,
  lots: 1_804,
  brands: 3,
  chain_valid: true,
  verified_through: 4_600,
  verified_at: '2026-03-02T03:31:00.000Z',
};

const blockFields = {
  height: Type.Integer(),
  block_hash: Type.String({
    description: 'SHA-256 of the UTF-8 bytes of `canonical`, lower-case hex',
  }),
  prev_hash: Type.String({
    description: 'Hash of the block before; 64 zeros for the genesis block',
  }),
  recorded_at: Type.String({ description: 'Time of the server, UTC' }),
  brand: nullableText('Tenant id; null for the genesis block'),
  event_type: Type.String({ description: 'Type of the event, `GENESIS`, or `UNREADABLE`' }),
  tx_count: Type.Integer({ description: 'Transactions: lines of the event' }),
  summary: Type.String(),
  canonical: Type.String({ description: 'The exact text that was hashed' }),
  intact: Type.Boolean({ description: 'The stored text hashes to the stored hash now' }),
};

export const BlockItemSchema = Type.Object(blockFields, {
  title: 'BlockItem',
  examples: [EXAMPLE_BLOCK],
});

export const TransactionSchema = Type.Object(
  {
    height: Type.Integer(),
    index: Type.Integer({ description: 'Number of the line in its event, from 0' }),
    block_hash: Type.String(),
    brand: Type.String(),
    event_type: Type.String(),
    occurred_at: Type.String(),
    recorded_at: Type.String(),
    location: Type.String(),
    reference: Type.String(),
    lot_code: Type.String(),
    product_sku: Type.String(),
    direction: Type.Enum(['in', 'out']),
    quantity: Type.Number(),
    unit: Type.String(),
    channel: nullableText('Class of the channel, such as `retail`; only of a SELL'),
    supplier_name: nullableText('Upstream provenance'),
    origin_facility: nullableText('Upstream provenance'),
    supplier_lot_code: nullableText("The supplier's own lot number"),
  },
  { title: 'Transaction', examples: [EXAMPLE_TRANSACTION] },
);

export const BlockDetailSchema = Type.Object(
  {
    ...blockFields,
    transactions: Type.Array(TransactionSchema),
    corrected_by: Type.Array(Type.Object({ height: Type.Integer(), block_hash: Type.String() }), {
      description: 'Blocks that correct this one',
    }),
  },
  {
    title: 'Block',
    examples: [
      {
        ...EXAMPLE_BLOCK,
        transactions: [EXAMPLE_OTHER_TRANSACTION, EXAMPLE_TRANSACTION],
        corrected_by: [],
      },
    ],
  },
);

export const StatsSchema = Type.Object(
  {
    chain_id: Type.String({ description: 'Hash of the genesis block' }),
    height: Type.Integer({ description: 'Height of the newest block of the hub' }),
    tip_hash: Type.String(),
    blocks: Type.Integer({ description: 'With genesis; of a brand, its own blocks' }),
    transactions: Type.Integer(),
    lots: Type.Integer(),
    brands: Type.Integer(),
    chain_valid: Type.Boolean(),
    verified_through: Type.Integer({ description: 'Height up to which the verifier has read' }),
    verified_at: nullableText('When it did; null before its first slice'),
  },
  { title: 'ChainStats', examples: [EXAMPLE_STATS] },
);

export const OverviewSchema = Type.Object(
  {
    stats: StatsSchema,
    latest_blocks: Type.Array(BlockItemSchema),
    latest_transactions: Type.Array(TransactionSchema),
  },
  {
    title: 'ExplorerOverview',
    examples: [
      {
        stats: EXAMPLE_STATS,
        latest_blocks: [EXAMPLE_BLOCK],
        latest_transactions: [EXAMPLE_TRANSACTION, EXAMPLE_OTHER_TRANSACTION],
      },
    ],
  },
);

const NextHeight = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'Send it as `before` for what comes next; null at the end',
});

export const BlockPageSchema = Type.Object(
  { blocks: Type.Array(BlockItemSchema), next: NextHeight },
  { title: 'BlockPage', examples: [{ blocks: [EXAMPLE_BLOCK], next: EXAMPLE_BLOCK.height }] },
);

export const TransactionPageSchema = Type.Object(
  {
    transactions: Type.Array(TransactionSchema),
    next: nullableText('Send it as `before` for what comes next; null at the end'),
  },
  {
    title: 'TransactionPage',
    examples: [{ transactions: [EXAMPLE_TRANSACTION], next: '4711.1' }],
  },
);

export const SearchSchema = Type.Object(
  {
    blocks: Type.Array(BlockItemSchema),
    transactions: Type.Array(TransactionSchema),
    lots: Type.Array(
      Type.Object({ lot_code: Type.String(), brand: Type.String(), product_sku: Type.String() }),
    ),
  },
  {
    title: 'SearchResult',
    examples: [
      {
        blocks: [EXAMPLE_BLOCK],
        transactions: [EXAMPLE_TRANSACTION],
        lots: [{ lot_code: 'BREAD-0302', brand: 'bakery', product_sku: 'RYE-750' }],
      },
    ],
  },
);

export const LotBlocksSchema = Type.Object(
  {
    lot_code: Type.String(),
    brand: Type.String(),
    related_lots: Type.Array(
      Type.Object({
        lot_code: Type.String(),
        product_sku: Type.String(),
        relation: Type.Enum(['self', 'upstream', 'downstream']),
        distance: Type.Integer({ description: 'Hops from the lot' }),
      }),
      { description: 'The lot, its ancestors and its descendants, nearest first' },
    ),
    truncated: Type.Boolean({ description: 'There may be more related lots than these' }),
    blocks: Type.Array(BlockItemSchema, {
      description: 'Blocks that carry any of these lots, newest first',
    }),
    next: NextHeight,
  },
  {
    title: 'LotBlocks',
    examples: [
      {
        lot_code: 'BREAD-0302',
        brand: 'bakery',
        related_lots: [
          { lot_code: 'BREAD-0302', product_sku: 'RYE-750', relation: 'self', distance: 0 },
          { lot_code: 'FLOUR-0711', product_sku: 'FLOUR-T55', relation: 'upstream', distance: 1 },
        ],
        truncated: false,
        blocks: [EXAMPLE_BLOCK],
        next: null,
      },
    ],
  },
);

const BeforeHeight = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Only blocks below this height; `next` of the page before',
    examples: [4711],
  }),
);

export const BlocksQuery = Type.Object({
  brand: BrandQuery,
  limit: LimitQuery,
  before: BeforeHeight,
  offset: OffsetQuery,
});

export const LotBlocksQuery = Type.Object({
  brand: BrandQuery,
  limit: LimitQuery,
  before: BeforeHeight,
});

export const TransactionsQuery = Type.Object({
  brand: BrandQuery,
  limit: LimitQuery,
  before: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}(\\.\\d{1,4})?$',
      description:
        'Only transactions before this one, as `height.index`; `next` of the page before',
      examples: ['4711.1'],
    }),
  ),
  offset: OffsetQuery,
});
