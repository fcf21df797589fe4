// The shapes of the explorer's answers (docs/interface/traceability.md#explorer).
import { Type } from '@lothub/kit/json-schema';
import type { Static, TObject } from 'typebox';
import { BrandQuery, LimitQuery, OffsetQuery, nullableText } from '../http.ts';
import { EVENT_TYPES } from '../ledger/record/event-types.ts';
import { LINE_FIELD_LIST, isShownLineField, type LineTable } from '../ledger/record/fields.ts';
import type { PublicMembers } from '../ledger/record/members.ts';
import { publicSchemas } from '../lots/field-schemas.ts';
import { RelationSchema } from '../lots/lot-schema.ts';
import { EVENT_STATUSES } from '../terms.ts';
import { BlockFilterQuery } from './filter.ts';
import {
  EXAMPLE_BLOCK,
  EXAMPLE_CHANGE,
  EXAMPLE_CORRECTION,
  EXAMPLE_CORRECTION_TRANSACTION,
  EXAMPLE_DECISION,
  EXAMPLE_OTHER_TRANSACTION,
  EXAMPLE_STATS,
  EXAMPLE_TRANSACTION,
} from './examples.ts';

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
  event_type: Type.String({
    description:
      'Type of the event, `CORRECTION`, `GENESIS`, or `UNREADABLE`; of a decision its type in capital letters, such as `HOLD`',
  }),
  tx_count: Type.Integer({
    description:
      'Transactions: lines of the event, or changes of the correction; a decision has none',
  }),
  summary: Type.String(),
  canonical: Type.String({ description: 'The exact text that was hashed' }),
  intact: Type.Boolean({ description: 'The stored text hashes to the stored hash now' }),
};

export const BlockItemSchema = Type.Object(blockFields, {
  title: 'BlockItem',
  examples: [EXAMPLE_BLOCK],
});

const changeFields = {
  field: Type.String({ description: 'Field of the corrected event, such as `lines[0].quantity`' }),
  from: Type.Optional(
    Type.String({ description: 'Value before, as it was hashed; absent if none or private' }),
  ),
  to: Type.Optional(
    Type.String({ description: 'Value from then on, as it is hashed; absent if none or private' }),
  ),
};

export const ChangeSchema = Type.Object(changeFields, {
  title: 'PublicChange',
  description:
    'One field that was wrong. Of a channel only the classes are given, never the texts.',
});

const correctsHeight = Type.Integer({ description: 'Height of the block that is corrected' });

const transactionFields = {
  height: Type.Integer(),
  index: Type.Integer({ description: 'Number of the line or change in its block, from 0' }),
  block_hash: Type.String(),
  brand: Type.String(),
  event_type: Type.String({ description: 'Of a correction and its changes, `CORRECTION`' }),
  occurred_at: nullableText('Null of a correction'),
  recorded_at: Type.String(),
  location: nullableText('Null of a correction'),
  reference: nullableText('Null of a correction'),
};

const correctionFields = {
  corrects_height: Type.Optional(correctsHeight),
  ...Type.Partial(ChangeSchema).properties,
};

type OwnFields = TObject<typeof transactionFields & typeof correctionFields>;

export type Transaction = Static<OwnFields> & PublicMembers<LineTable>;

export const TransactionSchema = Type.Object(
  {
    ...transactionFields,
    ...publicSchemas(LINE_FIELD_LIST.filter(({ name }) => isShownLineField(name))),
    lot_code: nullableText('Of a correction the lot that the changed line names now, if any'),
    product_sku: nullableText('As `lot_code`'),
    channel: nullableText('Class of the channel, such as `retail`; only of a SELL'),
    ...correctionFields,
  },
  {
    title: 'Transaction',
    description: 'A line of an event; or a change of a correction, with `corrects_height`',
    examples: [EXAMPLE_TRANSACTION, EXAMPLE_CORRECTION_TRANSACTION],
  },
);

export const BlockDetailSchema = Type.Object(
  {
    ...blockFields,
    transactions: Type.Array(TransactionSchema),
    status: Type.Optional(
      Type.Enum([...EVENT_STATUSES], {
        description: 'Of an event. `voided`: a correction says that it did not happen.',
      }),
    ),
    corrected_by: Type.Array(Type.Object({ height: Type.Integer(), block_hash: Type.String() }), {
      description: 'The first 1,000 blocks that correct this one, oldest first',
    }),
    corrected_by_count: Type.Optional(
      Type.Integer({ description: 'Of an event: how many blocks correct it' }),
    ),
    corrects_height: Type.Optional(correctsHeight),
    corrects_hash: Type.Optional(
      Type.String({ description: 'Hash of the block that is corrected' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Of a correction: why' })),
    audit: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description: 'Of a block of the audit: how far it reaches, and its hash',
      }),
    ),
    decision: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Of a decision: what was decided, as it was hashed. `at`: when; `committed`: names of private ' +
          'values, each with its commitment; `migrated`: made before decisions were sealed',
        examples: [EXAMPLE_DECISION],
      }),
    ),
    changes: Type.Optional(
      Type.Array(ChangeSchema, { description: 'Of a correction: the fields that were wrong' }),
    ),
  },
  {
    title: 'Block',
    examples: [
      {
        ...EXAMPLE_BLOCK,
        transactions: [EXAMPLE_OTHER_TRANSACTION, EXAMPLE_TRANSACTION],
        status: 'corrected',
        corrected_by: [
          { height: EXAMPLE_CORRECTION.height, block_hash: EXAMPLE_CORRECTION.block_hash },
        ],
        corrected_by_count: 1,
      },
      {
        ...EXAMPLE_CORRECTION,
        transactions: [EXAMPLE_CORRECTION_TRANSACTION],
        corrected_by: [],
        corrects_height: EXAMPLE_BLOCK.height,
        corrects_hash: EXAMPLE_BLOCK.block_hash,
        reason: 'misread the scale',
        changes: [EXAMPLE_CHANGE],
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
    transactions: Type.Integer({ description: 'Lines of events and changes of corrections' }),
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
  {
    blocks: Type.Array(BlockItemSchema),
    next: {
      ...NextHeight,
      description: 'Send it as `before` (or as `after`) for what comes next; null at the end',
    },
  },
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
        relation: RelationSchema,
        distance: Type.Integer({ description: 'Hops from the lot' }),
      }),
      { description: 'The lot, its ancestors and its descendants, nearest first' },
    ),
    truncated: Type.Boolean({ description: 'There may be more related lots than these' }),
    blocks: Type.Array(BlockItemSchema, {
      description: 'Blocks that carry any of these lots or correct what does, newest first',
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

export const BeforeHeight = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Only blocks below this height; `next` of the page before',
    examples: [4711],
  }),
);

export const LotBlocksQuery = Type.Object({
  brand: BrandQuery,
  limit: LimitQuery,
  before: BeforeHeight,
});

export const TransactionsQuery = Type.Object({
  ...BlockFilterQuery,
  event_type: Type.Optional(
    Type.Enum([...EVENT_TYPES], {
      description:
        'Only lines of events of this type; with `CORRECTION` also what corrections change',
    }),
  ),
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
