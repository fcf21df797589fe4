// The shape of the answer about the recalls of a brand's suppliers.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { LimitQuery, LotCodeParams, nullableText } from '../../http.ts';
import { CaseNoBefore, EXAMPLE_NOTICE, NoticeSchema } from '../../lots/notices/schema.ts';
import { HOLD_STATUSES, LOT_STATUSES } from '../../terms.ts';

/** Recalls on a page, and on one that does not say how many: the lots of each are traced. */
export const RECALLS_MAX = 50;
export const RECALLS_DEFAULT = 20;
/**
 * Maximum number of codes, names and own cases of a recall; the number of codes is in a field of
 * its own.
 */
export const CODES_SHOWN = 100;
export const NAMES_SHOWN = 100;
export const OWN_CASES_SHOWN = 20;
/** Own lots of a recall in the list; the recall itself pages through all. */
export const OWN_LOTS_SHOWN = 20;

const OwnLotSchema = Type.Object({
  lot_code: Type.String(),
  product_sku: Type.String(),
  distance: Type.Integer({ description: '1: it came in under a recalled code' }),
  status: Type.Enum([...LOT_STATUSES]),
  hold_status: Type.Enum([...HOLD_STATUSES]),
});
export type OwnLot = Static<typeof OwnLotSchema>;

const ReceivedCodeSchema = Type.Object({
  lot_code: Type.String({ description: 'As the supplier calls its lot' }),
  supplier_name: Type.String({ description: 'Under which name it came in' }),
  field: Type.Enum(['supplier_lot_code', 'lot_code'], {
    description:
      'Which field of your lines has the code. Open a case with `seed_lot_code`, and with ' +
      '`supplier_name` where it is `supplier_lot_code`.',
  }),
});

const EXAMPLE_RECALL = {
  notice: {
    ...EXAMPLE_NOTICE,
    title: 'Wheat with ergot',
    reason: 'A sample of the silo was above the limit',
    severity: 'class_i' as const,
    brand: { id: 'mill-brandt', name: 'Brandt Mill' },
    lot_code: 'BR-2026-118',
    lot_codes: ['BR-2026-118'],
    lots_total: 1,
    product_skus: ['WHEAT-550'],
    products_total: 1,
    advice:
      'Do not use products of these lots: they may cause serious harm or death; ask Brandt Mill, or ' +
      'where you got them, how to return them.',
    verify_url: 'https://trace.example.com/public/verify/BR-2026-118?brand=mill-brandt',
  },
  ended_at: null,
  supplier_names: ['Mill Brandt'],
  received: [
    {
      lot_code: 'BR-2026-118',
      supplier_name: 'Mill Brandt',
      field: 'supplier_lot_code' as const,
    },
  ],
  received_total: 1,
  own_lots: {
    lots: [
      {
        lot_code: 'FLOUR-0711',
        product_sku: 'FLOUR-T55',
        distance: 1,
        status: 'depleted' as const,
        hold_status: 'released' as const,
      },
      {
        lot_code: 'BREAD-0302',
        product_sku: 'RYE-750',
        distance: 2,
        status: 'active' as const,
        hold_status: 'released' as const,
      },
    ],
    total: 2,
    next: null,
  },
  own_cases: [],
};

const capped = Type.Optional(
  Type.Literal(false, { description: 'Only when there are more than were looked at' }),
);

export const InboundRecallSchema = Type.Object(
  {
    notice: NoticeSchema,
    ended_at: nullableText('When the case was closed or cancelled; null while it is open'),
    supplier_names: Type.Array(Type.String(), {
      description: 'Your names for the brand under which recalled codes came in; the first of them',
    }),
    received: Type.Array(ReceivedCodeSchema, {
      description: 'The recalled codes that came in, the first of them by code',
    }),
    received_total: Type.Integer(),
    received_total_is_exact: capped,
    own_lots: Type.Object(
      {
        lots: Type.Array(OwnLotSchema, { description: 'The first of them, as they were recorded' }),
        total: Type.Integer({ description: 'What came in, and whatever was made from it' }),
        total_is_exact: capped,
        next: nullableText(
          'Send it as `after` to `/v1/recall/inbound/{case_no}` for the next page; null at the end',
        ),
      },
      { description: 'Your lots that the recall reaches' },
    ),
    own_cases: Type.Array(Type.String(), {
      description:
        'Your open cases that begin at one of these codes or at a lot that came in under one, newest first',
    }),
  },
  { title: 'InboundRecall', examples: [EXAMPLE_RECALL] },
);
export type InboundRecall = Static<typeof InboundRecallSchema>;

export const InboundListSchema = Type.Object(
  {
    recalls: Type.Array(InboundRecallSchema),
    next: nullableText(
      'Send it as `before` for the next page; null at the end. A page may hold fewer than `limit`, ' +
        'also none, and still have a `next`.',
    ),
  },
  { title: 'InboundRecallList', examples: [{ recalls: [EXAMPLE_RECALL], next: null }] },
);
export type InboundList = Static<typeof InboundListSchema>;

export const InboundListQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['open', 'all'], {
      default: 'open',
      description: '`all`: also cases that have ended',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: RECALLS_MAX, default: RECALLS_DEFAULT }),
  ),
  before: Type.Optional(CaseNoBefore),
});

export const InboundRecallQuery = Type.Object({
  limit: LimitQuery,
  after: Type.Optional({
    ...LotCodeParams.properties.lot_code,
    description: 'A lot code of yours: `next` of the page before',
  }),
});
