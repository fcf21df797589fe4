// The filters and the paging of a list of events (docs/interface/traceability.md#reading-events).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { FieldsRefusal } from '../errors.ts';
import { LimitQuery, LotCodeParams, PAGE_DEFAULT, text } from '../http.ts';
import { EVENT_TYPES } from '../ledger/record/event-types.ts';
import { TEXT_MAX } from '../ledger/record/fields.ts';
import type { EventListQuery } from './find-heights.ts';
import { readOccurredRange } from './occurred-range.ts';
import { StoredEventSchema } from './schema.ts';

const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] });

export const EventIdParams = Type.Object({
  id: { ...Id, description: 'The height of the block of the event' },
});

const filterText = (description: string, example: string) =>
  Type.Optional(text(TEXT_MAX, description, example));

const Moment = (description: string) =>
  Type.Optional(Type.String({ description, examples: ['2026-03-02T06:15:00Z'] }));

export const EventListQuerySchema = Type.Object({
  limit: LimitQuery,
  before: Type.Optional({ ...Id, description: 'Only events with a smaller id, newest first' }),
  after: Type.Optional({
    ...Id,
    description: 'Only events with a larger id, oldest first; not together with `before`',
  }),
  external_id: filterText('Only the event with exactly this `external_id`', 'wms-000017'),
  reference: filterText('Only events with exactly this reference', 'PO-2026-0815'),
  lot_code: Type.Optional({
    ...LotCodeParams.properties.lot_code,
    description: 'Only events of which a line names the lot',
  }),
  event_type: Type.Optional(Type.Enum([...EVENT_TYPES])),
  occurred_from: Moment('Only events that occurred at this moment or later; `+` is written %2B'),
  occurred_to: Moment('Only events that occurred at this moment or earlier'),
});

export const EventListSchema = Type.Object(
  {
    events: Type.Array(StoredEventSchema),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Give it as `before` (or as `after`) for the next page; null at the end',
    }),
  },
  { title: 'EventList' },
);

/** @throws FieldsRefusal when parameters are no moments, or exclude each other */
export function readListQuery(
  query: Static<typeof EventListQuerySchema>,
): Omit<EventListQuery, 'tenantId'> {
  const { before, after } = query;
  if (before !== undefined && after !== undefined) {
    throw FieldsRefusal.of(
      ['query', 'after'],
      'Input should not be given together with before',
      'value_error',
    );
  }
  return {
    limit: query.limit ?? PAGE_DEFAULT,
    ...(after === undefined
      ? { end: 'newest', behind: before ?? Number.MAX_SAFE_INTEGER }
      : { end: 'oldest', behind: after }),
    externalId: query.external_id,
    reference: query.reference,
    lotCode: query.lot_code,
    eventType: query.event_type,
    occurred: readOccurredRange(query),
  };
}
