// The schema of a case with its impact: at the opening, now, and the differences
// (docs/interface/traceability.md#impact).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { CASE_WITH_TIMELINE, CaseWarnings } from '../case/schema.ts';
import {
  AffectedCustomerSchema,
  AffectedLotSchema,
  AffectedShipmentSchema,
  AffectedSupplierSchema,
} from '../trace/impact-schema.ts';
import { EffectivenessSchema, NotificationSchema } from '../outbox/schema.ts';

const SummarySchema = Type.Object(
  {
    lots: Type.Integer(),
    products: Type.Array(Type.String()),
    quantities: Type.Array(
      Type.Object({
        product_sku: Type.String(),
        unit: Type.String(),
        remaining: Type.Number(),
        shipped: Type.Number(),
        sold: Type.Number(),
        disposed: Type.Number(),
      }),
      { description: 'Sums over all lots, for each SKU and unit' },
    ),
    shipments: Type.Integer(),
    customers: Type.Integer({ description: 'Customers that are known, each once' }),
    channels: Type.Array(Type.String(), { description: 'Classes of the channels' }),
    suppliers: Type.Integer({ description: 'Lots of suppliers that came into the lots' }),
    event_count: Type.Integer(),
    truncated: Type.Boolean({ description: 'More was found than is counted here' }),
  },
  { title: 'ImpactSummary' },
);

const lotCodes = (description: string) =>
  Type.Object(
    { total: Type.Integer(), lot_codes: Type.Array(Type.String()) },
    { description: `${description}; the first of them, all are at \`/lots\` of the case` },
  );

const lotsByHand = (description: string) =>
  Type.Object(
    { total: Type.Integer(), lot_codes: Type.Array(Type.String()) },
    {
      description: `${description}; the first of them, all are at \`/lots/by-hand\` of the case`,
    },
  );

const DETAIL = {
  ...CASE_WITH_TIMELINE,
  holds: Type.Object(
    {
      on_hold: Type.Integer({ description: 'Lots that this case holds now' }),
      released: Type.Integer({ description: 'Lots that it covers and does not hold' }),
    },
    { description: 'Of the lots that the case covers now' },
  ),
  impact: Type.Object({
    at_opening: SummarySchema,
    now: SummarySchema,
    affected_lots: Type.Array(AffectedLotSchema, { description: 'Nearest first' }),
    affected_products: Type.Array(Type.String()),
    shipments: Type.Array(AffectedShipmentSchema),
    customers: Type.Array(AffectedCustomerSchema),
    channels: Type.Array(Type.String(), { description: 'As the tenant sent them' }),
    suppliers: Type.Array(AffectedSupplierSchema),
    event_count: Type.Integer(),
    added_since_open: lotCodes('Lots that are in the impact now and were not at the opening'),
    left_impact: lotCodes('Lots that the case covered once and that are not in the impact now'),
    added_by_hand: lotsByHand('Lots that were added by hand, as further seeds'),
    excluded_by_hand: lotsByHand('Lots that were excluded by hand'),
    truncated: Type.Boolean({
      description: 'A list is longer than it is shown here; `now` has the totals',
    }),
  }),
  notifications: Type.Array(NotificationSchema, {
    description: 'The first of them; all are at `/notifications` of the case',
  }),
  notifications_next: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Send it as `after` to `/notifications` of the case; null when all are shown',
  }),
  effectiveness: EffectivenessSchema,
};

export const CaseDetailSchema = Type.Object(DETAIL, { title: 'CaseDetail' });
export type CaseDetail = Static<typeof CaseDetailSchema>;

export const OpenedCaseSchema = Type.Object(
  { ...DETAIL, warnings: CaseWarnings },
  { title: 'OpenedCase' },
);
export type OpenedCaseAnswer = Static<typeof OpenedCaseSchema>;
