// The shapes of events, lines and their answers (docs/interface/traceability.md#event).
import { Type } from '@lothub/kit/json-schema';
import { BATCH_REFUSED, FieldErrorSchema, TOO_LARGE, V1_ERRORS, V1_SECURITY } from '../http.ts';
import { EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../ledger/record/fields.ts';
import type { EventTable, LineTable } from '../ledger/record/fields.ts';
import type { SentMembers } from '../ledger/record/members.ts';
import { LOG_HEAD_MEMBERS, LOG_PROOF_MEMBERS, PreferHeader } from '../log/answers.ts';
import { EventViewSchema } from '../lots/chain/schema.ts';
import { sentSchemas } from '../lots/field-schemas.ts';
import {
  BATCH_EVENT_STATUSES,
  BATCH_STATUSES,
  EVENT_STATUSES,
  ON_ERROR_CHOICES,
  ON_ERROR_DEFAULT,
} from '../terms.ts';

export const LINES_MAX = 1_000;
export const BATCH_EVENTS_MAX = 1_000;
/** Bytes of a request body on `/v1`; a batch may be larger. */
export const BODY_BYTES_MAX = 1_048_576;
export const BATCH_BYTES_MAX = 10_485_760;

export type LineInput = SentMembers<LineTable>;
export interface EventInput extends SentMembers<EventTable> {
  lines: LineInput[];
}

export const LineSchema = Type.Object(sentSchemas(LINE_FIELD_LIST), {
  additionalProperties: false,
  title: 'Line',
});

const EVENT_EXAMPLE = {
  external_id: 'wms-000017',
  event_type: 'RECEIVE',
  occurred_at: '2026-03-02T07:15:00+01:00',
  location: 'BAKERY-1',
  reference: 'PO-2026-0815',
  lines: [
    {
      lot_code: 'FLOUR-0711',
      product_sku: 'FLOUR-T55',
      direction: 'in',
      quantity: 250.5,
      unit: 'kg',
      supplier_name: 'Mill Brandt',
      supplier_lot_code: 'BR-2026-118',
    },
  ],
};

export const EventSchema = Type.Object(
  {
    ...sentSchemas(EVENT_FIELD_LIST),
    lines: Type.Array(LineSchema, { minItems: 1, maxItems: LINES_MAX }),
  },
  {
    additionalProperties: false,
    title: 'Event',
    examples: [EVENT_EXAMPLE],
  },
);

export const WarningSchema = Type.Object(
  { code: Type.String(), message: Type.String() },
  { title: 'Warning' },
);

export const ChainInfoSchema = Type.Object(
  {
    height: Type.Integer({ description: 'Height of the newest block' }),
    tip_hash: Type.String({ description: 'Hash of the newest block' }),
    chain_valid: Type.Boolean(),
    block_height: Type.Integer(),
    block_hash: Type.String(),
    tx_count: Type.Integer({ description: 'Transactions of this block' }),
    summary: Type.String(),
  },
  { title: 'ChainInfo' },
);

export const EventAnswerSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The height of the event’s block' }),
    external_id: Type.Union([Type.String(), Type.Null()]),
    status: Type.String({ examples: ['accepted'] }),
    event_type: Type.String(),
    chain: ChainInfoSchema,
    ...LOG_PROOF_MEMBERS,
    warnings: Type.Optional(Type.Array(WarningSchema)),
  },
  { title: 'EventAnswer' },
);

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const StoredEventSchema = Type.Object(
  {
    id: Type.Integer(),
    external_id: nullableText,
    status: Type.Enum([...EVENT_STATUSES], {
      description: '`voided`: a correction says that it did not happen',
    }),
    event_type: Type.String(),
    ...EventViewSchema.properties,
    recorded_at: Type.String(),
    tx_count: Type.Integer(),
    summary: Type.String({ description: 'Of the values that count now' }),
    block: Type.Object(
      { height: Type.Integer(), block_hash: Type.String() },
      { description: 'The block that was sealed when the event was posted' },
    ),
    corrected_by: Type.Array(Type.Integer(), {
      description: 'Heights of the blocks that correct it, oldest first',
    }),
  },
  {
    title: 'StoredEvent',
    description: 'An event with the values that count now: as posted, with its corrections',
  },
);

export const BatchAnswerSchema = Type.Object(
  {
    status: Type.Enum([...BATCH_STATUSES]),
    total: Type.Integer(),
    accepted: Type.Integer(),
    duplicates: Type.Integer(),
    rejected: Type.Integer(),
    results: Type.Array(
      Type.Object({
        index: Type.Integer(),
        external_id: nullableText,
        status: Type.Enum([...BATCH_EVENT_STATUSES]),
        id: Type.Union([Type.Integer(), Type.Null()]),
        block_height: Type.Union([Type.Integer(), Type.Null()]),
        block_hash: nullableText,
        errors: Type.Array(FieldErrorSchema),
        warnings: Type.Array(WarningSchema),
      }),
    ),
    chain: Type.Object({
      height: Type.Integer(),
      tip_hash: Type.String(),
      chain_valid: Type.Boolean(),
    }),
    ...LOG_HEAD_MEMBERS,
  },
  { title: 'BatchAnswer' },
);

/** The common parts of the calls that take a batch, of events and of corrections. */
export const BATCH_CALL = {
  security: V1_SECURITY,
  querystring: Type.Object({
    on_error: Type.Optional(Type.Enum([...ON_ERROR_CHOICES], { default: ON_ERROR_DEFAULT })),
  }),
  headers: PreferHeader,
  response: {
    200: BatchAnswerSchema,
    201: BatchAnswerSchema,
    ...BATCH_REFUSED,
    ...TOO_LARGE,
    ...V1_ERRORS,
  },
};

export const BatchBodySchema = Type.Union(
  [
    Type.Object(
      { events: Type.Array(EventSchema, { minItems: 1, maxItems: BATCH_EVENTS_MAX }) },
      { additionalProperties: false, title: 'BatchObject' },
    ),
    Type.Array(EventSchema, { minItems: 1, maxItems: BATCH_EVENTS_MAX }),
  ],
  { title: 'Batch', examples: [{ events: [EVENT_EXAMPLE] }] },
);
