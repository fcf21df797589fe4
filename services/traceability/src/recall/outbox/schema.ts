// The shapes of notifications: the outbox of a case that the brand's own tools pull and confirm
// (docs/interface/traceability.md#notifications-of-a-case).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { WarningSchema } from '../../events/schema.ts';
import { CaseNoParams, LimitQuery, nullableText, optionalText } from '../../http.ts';
import { AUDIENCES } from '../notification-status.ts';
import { NOTIFICATION_STATUSES } from '../../terms.ts';

/** Characters of a recipient's answer. */
export const RESPONSE_MAX = 2_000;
/** Characters of a name. */
const NAME_MAX = 200;

const NotificationId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The `id` of a notification',
  examples: [17],
});

export const NotificationParams = Type.Object({
  ...CaseNoParams.properties,
  id: NotificationId,
});

export const NotificationListQuerySchema = Type.Object({
  audience: Type.Optional(Type.Enum([...AUDIENCES])),
  status: Type.Optional(Type.Enum([...NOTIFICATION_STATUSES])),
  limit: LimitQuery,
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next` of the page before',
      examples: [17],
    }),
  ),
});

export const NotificationUpdateSchema = Type.Object(
  {
    status: Type.Enum([...NOTIFICATION_STATUSES], {
      description:
        'Forward only: `sent`, `acknowledged`, `resolved`; steps may be left out. Only the case ' +
        'makes a notification `ready`.',
    }),
    response: optionalText(RESPONSE_MAX, 'What was answered; never public', '12 pieces destroyed'),
    changed_by: optionalText(NAME_MAX, 'Who confirms it; never public', 'Ada Miller'),
  },
  {
    title: 'NotificationUpdate',
    examples: [
      { status: 'acknowledged', response: '12 pieces destroyed', changed_by: 'Ada Miller' },
    ],
  },
);

const QuantitySchema = Type.Object({ quantity: Type.Number(), unit: Type.String() });

const EXAMPLE_NOTIFICATION = {
  id: 17,
  audience: 'customer',
  recipient: 'CUST-881',
  lots: 2,
  quantity: 12,
  unit: 'pcs',
  quantities: [{ quantity: 12, unit: 'pcs' }],
  status: 'ready',
  created_at: '2026-03-04T08:00:12.507Z',
  ready_at: '2026-03-04T09:30:41.220Z',
  sent_at: null,
  acknowledged_at: null,
  resolved_at: null,
  response: null,
  block_height: null,
  block_hash: null,
};

export const NotificationSchema = Type.Object(
  {
    id: Type.Integer(),
    audience: Type.Enum([...AUDIENCES], {
      description: 'A channel is named as you wrote it; the last three stand for themselves',
    }),
    recipient: Type.String({ description: '`erased` with `erased: true` when it was erased' }),
    erased: Type.Optional(Type.Literal(true)),
    lots: Type.Integer({ description: 'Lots of the case that reached it, or came from it, now' }),
    quantity: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'What was sold of these lots; null when nothing is known, or in several units',
    }),
    unit: nullableText('Null where `quantity` is'),
    quantities: Type.Array(QuantitySchema, { description: 'By unit' }),
    status: Type.Enum([...NOTIFICATION_STATUSES]),
    created_at: Type.String(),
    ready_at: nullableText('When the case had reached `notification`'),
    sent_at: nullableText('Null when this step was left out'),
    acknowledged_at: nullableText('Null when this step was left out'),
    resolved_at: nullableText('When it was confirmed as resolved'),
    response: nullableText('What was answered'),
    block_height: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The block that says last what became of it; null before it was sent',
    }),
    block_hash: nullableText('Of that block'),
  },
  { title: 'Notification', examples: [EXAMPLE_NOTIFICATION] },
);

export type NotificationAnswer = Static<typeof NotificationSchema>;

/** A notification with the warnings of its change of status. */
export const UpdatedNotificationSchema = Type.Object(
  { ...NotificationSchema.properties, warnings: Type.Optional(Type.Array(WarningSchema)) },
  { title: 'UpdatedNotification' },
);

export const NotificationListSchema = Type.Object(
  {
    case_no: Type.String(),
    notifications: Type.Array(NotificationSchema, {
      description: 'In the order in which they came up',
    }),
    next: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Send it as `after` for the next page; null at the end',
    }),
  },
  {
    title: 'NotificationList',
    examples: [{ case_no: 'RC-2026-0001', notifications: [EXAMPLE_NOTIFICATION], next: null }],
  },
);

export type NotificationList = Static<typeof NotificationListSchema>;

const FIGURES = {
  notifications: Type.Integer({ description: 'All of them' }),
  notified: Type.Integer({ description: 'Sent, acknowledged or resolved' }),
  responded: Type.Integer({ description: 'Acknowledged or resolved' }),
  silent: Type.Integer({ description: 'Sent, and not answered' }),
};

export const EffectivenessSchema = Type.Object(
  {
    ...FIGURES,
    by_audience: Type.Array(Type.Object({ audience: Type.Enum([...AUDIENCES]), ...FIGURES }), {
      description: 'The same figures for each audience',
    }),
    quantities: Type.Array(
      Type.Object({
        unit: Type.String(),
        distributed: Type.Number({ description: 'Sold of the lots of the case' }),
        accounted_for: Type.Number({ description: 'Sold to customers who responded' }),
        accounted_for_percent: Type.Number({ description: 'Of `distributed`, rounded down' }),
      }),
      { description: 'By unit' },
    ),
  },
  { title: 'Effectiveness' },
);
