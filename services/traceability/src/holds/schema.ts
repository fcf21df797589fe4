// The shapes of holding and releasing many lots in one call.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { text } from '../http.ts';
import { REASON_MAX } from '../lots/lot-schema.ts';
import { TEXT_MAX } from '../ledger/record/fields.ts';
import { DirectionRequestSchema } from '../recall/direction.ts';
import { SupplierNameSchema } from '../recall/supplier-name.ts';

const LOT_CODE_MAX = 200;
/** Lots of one call; a recall case holds any number. */
export const HELD_LOTS_MAX = 10_000;

const CodeSchema = text(LOT_CODE_MAX, 'An own lot', 'FLOUR-0711');

const SimulatedSchema = Type.Object(
  {
    lot_code: text(
      LOT_CODE_MAX,
      'An own lot, or a supplier’s when there is no own lot of this code',
      'FLOUR-0711',
    ),
    supplier_name: SupplierNameSchema,
    direction: DirectionRequestSchema,
  },
  {
    additionalProperties: false,
    title: 'SimulatedLots',
    description: 'What a simulation of a recall finds now; as the members of `/v1/recall/simulate`',
  },
);

export const HoldsRequestSchema = Type.Object(
  {
    state: Type.Enum(['held', 'released']),
    lots: Type.Optional(Type.Array(CodeSchema, { minItems: 1, maxItems: HELD_LOTS_MAX })),
    simulation: Type.Optional(SimulatedSchema),
    reason: text(REASON_MAX, 'Why', 'moisture above limit'),
    by: text(TEXT_MAX, 'Who decided it', 'Ada Miller'),
  },
  {
    additionalProperties: false,
    title: 'HoldsRequest',
    description: 'Either `lots` or `simulation`',
    examples: [
      {
        state: 'held',
        lots: ['FLOUR-0711', 'FLOUR-0712'],
        reason: 'moisture above limit',
        by: 'Ada Miller',
      },
    ],
  },
);
export type HoldsRequest = Static<typeof HoldsRequestSchema>;

export const HoldsAnswerSchema = Type.Object(
  {
    state: Type.Enum(['held', 'released']),
    lots: Type.Integer({ description: 'Different lots that were asked for' }),
    changed: Type.Integer({ description: 'Of which the hold by hand was set or ended' }),
    unchanged: Type.Integer({ description: 'That were so already' }),
    blocks: Type.Array(Type.Object({ block_height: Type.Integer(), block_hash: Type.String() }), {
      description: 'The blocks of the change, each of up to 1,000 lots; none when nothing changed',
    }),
  },
  {
    title: 'HoldsAnswer',
    examples: [
      {
        state: 'held',
        lots: 2,
        changed: 2,
        unchanged: 0,
        blocks: [
          {
            block_height: 58,
            block_hash: '0d4a8e3c1f0b7d9a6c2e4f8b1d3a5c7e9f0b2d4a6c8e0f1b3d5a7c9e1f3b5d5e',
          },
        ],
      },
    ],
  },
);
export type HoldsAnswer = Static<typeof HoldsAnswerSchema>;
