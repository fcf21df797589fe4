// Shapes of what a person reads, as REST and streams give them.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { LimitQuery } from '../http.ts';
import { SEVERITIES } from '../store/post.ts';
import type { Severity } from '../store/post.ts';

/** Of a text that is searched for, in UTF-16 units. */
const TEXT_LENGTH_MAX = 200;

const SeveritySchema = Type.Unsafe<Severity>({ type: 'string', enum: [...SEVERITIES] });
const SeqSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const GroupParams = Type.Object({
  group_id: Type.String({ examples: ['grp_4hJ2kPq8sT1v'] }),
});

export const NotificationParams = Type.Object({
  group_id: Type.String({ examples: ['grp_4hJ2kPq8sT1v'] }),
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] }),
});

export const ListQuery = Type.Object(
  {
    after: Type.Optional({
      ...SeqSchema,
      description: 'Those with a higher seq, oldest first; not together with `before`',
    }),
    before: Type.Optional({ ...SeqSchema, description: 'Those with a lower seq, newest first' }),
    limit: LimitQuery,
    severity: Type.Optional(SeveritySchema),
    unread: Type.Optional(
      Type.Boolean({ description: '`true`: only those that you have not read; `false`: all' }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_LENGTH_MAX,
        description: 'Text in title or body, whatever the case',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ListQuery = Static<typeof ListQuery>;

export const NotificationSchema = Type.Object({
  id: Type.Integer({ description: 'Its position among everything that streams tell; grows' }),
  group_id: Type.String(),
  seq: Type.Integer({ description: 'From 1 in its group, without gaps' }),
  command: Type.Literal('notify'),
  title: Type.String(),
  body: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  severity: SeveritySchema,
  created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  sender: Type.Object({
    kind: Type.Unsafe<'key' | 'person'>({ type: 'string', enum: ['key', 'person'] }),
    id: Type.String(),
    name: Type.String(),
  }),
  acknowledged: Type.Unsafe<Acknowledged | null>({
    ...Type.Object({ account_id: Type.String(), name: Type.String(), at: Type.String() }),
    type: ['object', 'null'],
  }),
  read: Type.Boolean({ description: 'Whether you have read it' }),
});
export type Notification = Static<typeof NotificationSchema>;

export interface Acknowledged {
  readonly account_id: string;
  readonly name: string;
  readonly at: string;
}

const CursorSchema = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const NotificationListSchema = Type.Object({
  items: Type.Array(NotificationSchema),
  next: { ...CursorSchema, description: 'Give it as what you asked with (`before` when neither)' },
  prev: { ...CursorSchema, description: 'Give it as the other one of `after` and `before`' },
  head_seq: Type.Integer({ description: 'seq of the newest notification of the group' }),
  unread: Type.Integer({ description: 'How many of the group you have not read' }),
});
export type NotificationList = Static<typeof NotificationListSchema>;

export const ReadStateBody = Type.Object(
  { up_to: { ...SeqSchema, description: 'seq of the newest that was read', examples: [42] } },
  { additionalProperties: false },
);

export const ReadStateSchema = Type.Object({
  group_id: Type.String(),
  head_seq: Type.Integer(),
  unread: Type.Integer(),
  read_up_to: Type.Integer({
    description: 'All up to it are read, but for those marked as unread',
  }),
});
export type ReadState = Static<typeof ReadStateSchema>;

export const UnreadSchema = Type.Object({
  unread: Type.Integer({ description: 'Of all groups together' }),
  groups: Type.Array(
    Type.Object({
      group_id: Type.String(),
      name: Type.String(),
      head_seq: Type.Integer(),
      unread: Type.Integer(),
    }),
  ),
});
export type Unread = Static<typeof UnreadSchema>;
