// The shape of the dashboard's summary (docs/interface/traceability.md#summary).
import { Type } from '@lothub/kit/json-schema';
import { nullableText } from '../http.ts';
import { SEVERITIES } from '../terms.ts';
import { CHECK_CODES } from './compliance.ts';

export const capped = Type.Optional(
  Type.Literal(false, { description: 'Only when there are more than were counted' }),
);

const SampleSchema = Type.Object({
  event_id: Type.Union([Type.Integer(), Type.Null()]),
  lot_code: nullableText('Null when it is the event that is meant'),
});

const CheckSchema = Type.Object({
  code: Type.Enum([...CHECK_CODES]),
  ok: Type.Boolean({ description: 'Nothing was found wrong' }),
  count: Type.Integer({ description: 'How many were found wrong' }),
  of: Type.Integer({ description: 'How many were looked at' }),
  sample: Type.Array(SampleSchema, {
    description: 'Up to five that were found wrong, newest first',
  }),
});

export const ChainStateSchema = Type.Object({
  chain_id: Type.String({ description: 'Hash of the genesis block' }),
  height: Type.Integer(),
  tip_hash: Type.String(),
  chain_valid: Type.Boolean(),
  verified_through: Type.Integer(),
  verified_at: nullableText('Null until the verifier has looked for the first time'),
});

const EXAMPLE = {
  lots_total: 3,
  lots_on_hold: 1,
  lots_recalled: 0,
  open_recalls: 1,
  open_recalls_by_severity: {
    class_i: 0,
    class_ii: 1,
    class_iii: 0,
    market_withdrawal: 0,
    unclassified: 0,
  },
  inbound_recalls: 0,
  events_total: 4,
  events_24h: 4,
  last_event_at: '2026-03-02T06:16:12.345Z',
  chain: {
    chain_id: 'c0ffee0000000000000000000000000000000000000000000000000000000000',
    height: 4,
    tip_hash: 'c0ffee0000000000000000000000000000000000000000000000000000000004',
    chain_valid: true,
    verified_through: 4,
    verified_at: '2026-03-02T06:16:13.000Z',
  },
  hold_breaches: {
    count: 1,
    latest: [{ at: '2026-03-02T06:16:12.345Z', lot_code: 'FLOUR-0711', event_id: 4 }],
  },
  compliance: {
    score: 87,
    checks: [
      {
        code: 'provenance_complete',
        ok: false,
        count: 1,
        of: 1,
        sample: [{ event_id: 1, lot_code: 'FLOUR-0711' }],
      },
    ],
    last_drill: null,
    looked_at: { events: 4, lots: 3, whole: true },
    checked_at: '2026-03-02T06:17:00.000Z',
  },
};

export const SummarySchema = Type.Object(
  {
    lots_total: Type.Integer(),
    lots_on_hold: Type.Integer(),
    lots_on_hold_is_exact: capped,
    lots_recalled: Type.Integer(),
    lots_recalled_is_exact: capped,
    open_recalls: Type.Integer(),
    open_recalls_is_exact: capped,
    open_recalls_by_severity: Type.Record(Type.Enum([...SEVERITIES]), Type.Integer()),
    inbound_recalls: Type.Integer({
      description: 'Open recalls of linked suppliers that reach your lots: `/v1/recall/inbound`',
    }),
    inbound_recalls_is_exact: capped,
    events_total: Type.Integer({
      description: 'Recorded events, voided ones among them; corrections are not counted',
    }),
    events_24h: Type.Integer({ description: 'Of them those recorded in the last 24 hours' }),
    events_24h_is_exact: capped,
    last_event_at: nullableText('When the newest event was recorded'),
    chain: ChainStateSchema,
    hold_breaches: Type.Object({
      count: Type.Integer({ description: 'Lots on hold that an event was posted on' }),
      count_is_exact: capped,
      latest: Type.Array(
        Type.Object({
          at: Type.String(),
          lot_code: Type.String(),
          event_id: Type.Union([Type.Integer(), Type.Null()]),
        }),
        { description: 'Up to five' },
      ),
    }),
    compliance: Type.Object({
      score: Type.Integer({ minimum: 0, maximum: 100 }),
      checks: Type.Array(CheckSchema),
      last_drill: Type.Union([
        Type.Object({
          id: Type.Integer(),
          lot_code: Type.String(),
          drilled_at: Type.String(),
          days_ago: Type.Integer(),
          seconds: Type.Number({ description: 'How long the trace took' }),
        }),
        Type.Null(),
      ]),
      looked_at: Type.Object(
        {
          events: Type.Integer(),
          lots: Type.Integer(),
          whole: Type.Boolean({ description: 'False: only the newest were looked at' }),
        },
        { description: 'What the checks are about' },
      ),
      checked_at: Type.String({ description: 'When the checks were made' }),
    }),
  },
  { title: 'DashboardSummary', examples: [EXAMPLE] },
);
