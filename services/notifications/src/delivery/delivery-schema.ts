// Shapes of deliveries in requests and answers.
import { Type } from '@lothub/kit/json-schema';
import { idText } from '../groups/group-schema.ts';
import { LimitQuery } from '../http.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '@lothub/delivery/outbox/status';
import { WebhookParams, answered, instant, instantOrNull, tookMs } from './webhooks/schema.ts';

const deliveryId = {
  ...idText('Id over all tries: `webhook-id` of the request', 'msg_42_whk_9sQ2mZ4kD7vB'),
};
const status = Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES] });

export const DeliveryParams = Type.Object({
  ...WebhookParams.properties,
  delivery_id: deliveryId,
});

export const DeliveryListQuery = Type.Object({
  status: Type.Optional({ ...status, description: 'Only these' }),
  limit: LimitQuery,
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next` of the page before',
    }),
  ),
});

const delivery = {
  id: deliveryId,
  webhook_id: WebhookParams.properties.webhook_id,
  seq: Type.Integer({ description: 'Of the notification in its group' }),
  status,
  attempts: Type.Integer({ description: 'Tries that were begun' }),
  next_attempt_at: instantOrNull('When it is tried next; null once it has ended'),
  created_at: instant('When the notification came'),
  ended_at: instantOrNull('When it was delivered, or failed for good'),
};

export const DeliverySchema = Type.Object(delivery, {
  title: 'Delivery',
  description: 'One notification on its way to one webhook',
});

export const DeliveryListSchema = Type.Object(
  {
    items: Type.Array(DeliverySchema),
    next: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: '`after` of the next page; null on the last one',
    }),
  },
  { title: 'DeliveryList' },
);

const AttemptSchema = Type.Object(
  {
    attempt: Type.Integer({ description: 'From 1' }),
    at: instant('When it began'),
    took_ms: tookMs,
    ...answered,
  },
  { title: 'Attempt' },
);

export const DeliveryDetailSchema = Type.Object(
  { ...delivery, log: Type.Array(AttemptSchema, { description: 'Its tries, the newest first' }) },
  { title: 'DeliveryDetail', description: 'A delivery with its tries' },
);
