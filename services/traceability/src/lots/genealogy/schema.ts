// The shape of the genealogy's answer (docs/interface/traceability.md#genealogy), for the description of
// the API and for the code that writes the answer.
import { buildRecord } from '@lothub/kit/build-record';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { nullableText } from '../../http.ts';
import { PROVENANCE_NAMES } from '../../ledger/record/fields.ts';
import { HOLD_STATUSES, LOT_STATUSES, LOT_TYPES } from '../../terms.ts';
import type { HoldStatus, LotStatus } from '../../terms.ts';
import { GENEALOGY_BOUNDS } from './genealogy.ts';
import { RelationSchema } from '../lot-schema.ts';

export const DEPTH_DEFAULT = 10;
export const DEPTH_MAX = 50;

const NodeSchema = Type.Object({
  lot_code: nullableText(
    'Of a supplier’s lot, its code with the supplier; null when it was not given',
  ),
  product_sku: Type.String({ description: 'Of a supplier’s lot, as what it was received first' }),
  type: Type.Enum([...LOT_TYPES], {
    description: '`supplier_lot`: known only from where a received lot came from',
  }),
  relation: RelationSchema,
  distance: Type.Integer({ description: 'Hops from the lot that was asked for' }),
  status: Type.Unsafe<LotStatus | null>({
    enum: [...LOT_STATUSES, null],
    description: 'Null for a supplier’s lot',
  }),
  hold_status: Type.Unsafe<HoldStatus | null>({
    enum: [...HOLD_STATUSES, null],
    description: 'Null for a supplier’s lot',
  }),
  ...buildRecord(PROVENANCE_NAMES, () => Type.Optional(nullableText('Of a supplier’s lot only'))),
});
export type NodeAnswer = Static<typeof NodeSchema>;

const EdgeSchema = Type.Object({
  from: nullableText('Code of the lot that went in, or of the supplier’s lot'),
  to: Type.String({ description: 'Code of the lot that came out' }),
  from_type: Type.Enum([...LOT_TYPES]),
  basis: Type.Enum(['event', 'reference'], {
    description: 'Linked by one event, or by the reference that two events share',
  }),
  event_id: Type.Integer({
    description: 'The event; of a shared reference the first that names the lot that came out',
  }),
  in_event_id: Type.Optional(
    Type.Integer({ description: 'Of a shared reference the first event of the lot that went in' }),
  ),
  block_height: Type.Integer(),
  event_type: Type.String(),
  occurred_at: Type.String(),
  reference: Type.String(),
  ...buildRecord(PROVENANCE_NAMES, () => Type.Optional(nullableText('From a supplier’s lot only'))),
});
export type EdgeAnswer = Static<typeof EdgeSchema>;

const lot = (
  lotCode: string,
  productSku: string,
  relation: NodeAnswer['relation'],
  distance: number,
): NodeAnswer => ({
  lot_code: lotCode,
  product_sku: productSku,
  type: 'lot',
  relation,
  distance,
  status: 'active',
  hold_status: 'released',
});

const SELF = lot('BREAD-0302', 'RYE-750', 'self', 0);
const FLOUR = lot('FLOUR-0711', 'FLOUR-T55', 'upstream', 1);
const MILL: NodeAnswer = {
  ...lot('BR-118', 'FLOUR-T55', 'upstream', 2),
  type: 'supplier_lot',
  status: null,
  hold_status: null,
  supplier_name: 'Mill Brandt',
  origin_facility: 'Mill 2',
  supplier_lot_code: 'BR-118',
};

export const GenealogySchema = Type.Object(
  {
    lot_code: Type.String(),
    depth: Type.Integer({ description: 'Hops that were followed in each direction' }),
    nodes: Type.Array(NodeSchema, {
      description:
        'The lot itself, its ancestors and its descendants, not siblings; by distance, then by code. ' +
        `Up to ${GENEALOGY_BOUNDS.lotsMax} lots in each direction and ${GENEALOGY_BOUNDS.supplierLotsMax} supplier lots`,
    }),
    edges: Type.Array(EdgeSchema, {
      description:
        'The links that lead to the lot and away from it, between the nodes; by block, then by code. ' +
        `Up to ${GENEALOGY_BOUNDS.edgesMax}`,
    }),
    upstream: Type.Array(NodeSchema, {
      description:
        'All ancestors among the nodes, each with its distance in this direction over the nodes. A ' +
        'lot that is an ancestor and a descendant is in both lists; where it is shown because it is ' +
        'near in the other direction, its distance in this one may be more than `depth`',
    }),
    downstream: Type.Array(NodeSchema, {
      description: 'All descendants among the nodes; likewise',
    }),
    truncated: Type.Boolean({
      description: 'There are more ancestors or descendants, or more edges, than are shown',
    }),
    frontier: Type.Array(Type.String(), {
      description:
        'Codes of the lots at which more follows that is not shown: ask for them, or for more depth',
    }),
    cycles: Type.Integer({
      description: 'Groups of two or more of these lots that lead back to themselves, as by rework',
    }),
  },
  {
    title: 'Genealogy',
    examples: [
      {
        lot_code: 'BREAD-0302',
        depth: DEPTH_DEFAULT,
        nodes: [SELF, FLOUR, MILL],
        edges: [
          {
            from: 'BR-118',
            to: 'FLOUR-0711',
            from_type: 'supplier_lot',
            basis: 'event',
            event_id: 4_702,
            block_height: 4_702,
            event_type: 'RECEIVE',
            occurred_at: '2026-03-01T07:15:00Z',
            reference: 'PO-4711',
            supplier_name: 'Mill Brandt',
            origin_facility: 'Mill 2',
            supplier_lot_code: 'BR-118',
          },
          {
            from: 'FLOUR-0711',
            to: 'BREAD-0302',
            from_type: 'lot',
            basis: 'event',
            event_id: 4_711,
            block_height: 4_711,
            event_type: 'PRODUCE',
            occurred_at: '2026-03-02T03:30:00Z',
            reference: 'WO-77',
          },
        ],
        upstream: [FLOUR, MILL],
        downstream: [],
        truncated: false,
        frontier: [],
        cycles: 0,
      },
    ],
  },
);

export const GenealogyQuery = Type.Object({
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DEPTH_MAX,
      default: DEPTH_DEFAULT,
      description: 'Hops to follow in each direction',
    }),
  ),
});
