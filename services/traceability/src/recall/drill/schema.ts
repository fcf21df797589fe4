// The shapes of recall drills (docs/interface/traceability.md#drills).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { CODE_MAX, TEXT_MAX } from '../../ledger/record/fields.ts';
import { LimitQuery, nullableText, optionalText } from '../../http.ts';
import { BALANCE_PARTS, EXAMPLE_BALANCE } from '../../lots/lot-schema.ts';
import { SEED_KINDS } from '../../terms.ts';
import { SupplierNameSchema } from '../supplier-name.ts';

export const DrillRequestSchema = Type.Object(
  {
    lot_code: optionalText(
      CODE_MAX,
      'The lot to trace, or a lot code of a supplier; without it the hub picks a lot at random',
      'FLOUR-0711',
    ),
    supplier_name: SupplierNameSchema,
    drilled_by: optionalText(TEXT_MAX, 'Who makes the drill; noted in the audit', 'Ada'),
  },
  {
    additionalProperties: false,
    title: 'DrillRequest',
    examples: [{ lot_code: 'FLOUR-0711', drilled_by: 'Ada' }, {}],
  },
);

export const MassBalanceSchema = Type.Object(
  {
    ...BALANCE_PARTS,
    remaining: Type.Number({ description: 'What remains of all lots together' }),
    accounted_percent: Type.Union([Type.Number(), Type.Null()], {
      description:
        'What left the lots and what remains of them, in percent of what was received, produced and ' +
        'packed. Over 100 when more went out of a lot than came in; null when nothing came in',
    }),
  },
  { title: 'MassBalance' },
);

/** The stored result of a trace; responses return it unchanged. */
export const DrillResultSchema = Type.Object({
  seed: Type.Enum([...SEED_KINDS], {
    description: 'Whether the code is that of an own lot or of a supplier’s',
  }),
  lots: Type.Integer({ description: 'Lots that the trace found, the one it began at among them' }),
  upstream: Type.Integer({ description: 'Of them those that the lot was made from' }),
  downstream: Type.Integer({
    description:
      'Of them those that were made from it; a lot that is both, as by rework, is in both',
  }),
  products: Type.Integer(),
  events: Type.Integer(),
  shipments: Type.Integer(),
  customers: Type.Integer({ description: 'Customers that lots were sold to, each for each unit' }),
  suppliers: Type.Integer({ description: 'Lots of suppliers that it leads back to' }),
  truncated: Type.Boolean({ description: 'A bound was met: there is more than was traced' }),
  balance: Type.Array(MassBalanceSchema, { description: 'By SKU and unit' }),
  balance_truncated: Type.Boolean({ description: 'There are more SKUs and units than are kept' }),
});

export type DrillResult = Static<typeof DrillResultSchema>;

const EXAMPLE_COUNTS = {
  seed: 'own',
  lots: 2,
  upstream: 0,
  downstream: 1,
  products: 2,
  events: 3,
  shipments: 1,
  customers: 0,
  suppliers: 1,
  truncated: false,
};

const EXAMPLE_RESULT = {
  ...EXAMPLE_COUNTS,
  balance: [{ ...EXAMPLE_BALANCE, accounted_percent: 100 }],
  balance_truncated: false,
};

const EXAMPLE_DRILL = {
  id: 1,
  lot_code: 'FLOUR-0711',
  drilled_at: '2026-03-02T06:20:00.000Z',
  drilled_by: 'bakery ERP (Ada)',
  elapsed_ms: 4.2,
  chain: {
    height: 4,
    tip_hash: 'c0ffee0000000000000000000000000000000000000000000000000000000004',
  },
  block_height: 5,
  block_hash: 'c0ffee0000000000000000000000000000000000000000000000000000000005',
};

export const DrillSchema = Type.Object(
  {
    id: Type.Integer(),
    lot_code: Type.String(),
    drilled_at: Type.String({ description: 'When the trace began, UTC' }),
    drilled_by: Type.String({
      description: 'Label of the key, and in parentheses the person that the request declared',
    }),
    elapsed_ms: Type.Number({ description: 'How long the trace took' }),
    chain: Type.Object(
      { height: Type.Integer(), tip_hash: Type.String() },
      { description: 'The newest block when the trace began' },
    ),
    block_height: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The block that says it; null of a drill that is not sealed',
    }),
    block_hash: nullableText('Of that block'),
    result: DrillResultSchema,
  },
  {
    title: 'Drill',
    examples: [{ ...EXAMPLE_DRILL, result: EXAMPLE_RESULT }],
  },
);

export type Drill = Static<typeof DrillSchema>;

const DrillId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] });

export const DrillParams = Type.Object({ id: DrillId });

export const DrillListQuerySchema = Type.Object({
  limit: LimitQuery,
  before: Type.Optional(DrillId),
});

/** The drills of a list have no balances. */
export const DrillListSchema = Type.Object(
  {
    drills: Type.Array(
      Type.Object({
        ...DrillSchema.properties,
        result: Type.Omit(DrillResultSchema, ['balance', 'balance_truncated']),
      }),
    ),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Send it as `before` for older drills; null at the end',
    }),
  },
  {
    title: 'DrillList',
    examples: [{ drills: [{ ...EXAMPLE_DRILL, result: EXAMPLE_COUNTS }], next: null }],
  },
);
