// Shapes of what a person reads, as REST and streams give them.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { LimitQuery, optionalBody } from '../http.ts';
import { SENT_MEMBERS } from '../sent-members.ts';
import { SEVERITIES, type Severity } from '../store/post.ts';

/** Maximum length of the comment of an acknowledgement, in characters. */
export const COMMENT_LENGTH_MAX = 1_000;
/** Open notifications of a group are counted up to this number. */
export const OPEN_COUNT_MAX = 1_000;
/** Maximum length of a text to search for, in UTF-16 units. */
const TEXT_LENGTH_MAX = 200;

const SeveritySchema = Type.Unsafe<Severity>({ type: 'string', enum: [...SEVERITIES] });
const CountSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const GroupParams = Type.Object({
  group_id: Type.String({ examples: ['grp_4hJ2kPq8sT1v'] }),
});

export const NotificationParams = Type.Object({
  group_id: Type.String({ examples: ['grp_4hJ2kPq8sT1v'] }),
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] }),
});

/** @param cursor the field of a notification that cursors are made of */
const listQueryBy = (cursor: 'seq' | 'id') =>
  Type.Object(
    {
      after: Type.Optional({
        ...CountSchema,
        description: `Those with a higher ${cursor}, oldest first; not together with \`before\``,
      }),
      before: Type.Optional({
        ...CountSchema,
        description: `Those with a lower ${cursor}, newest first`,
      }),
      limit: LimitQuery,
      severity: Type.Optional(SeveritySchema),
      unread: Type.Optional(
        Type.Boolean({ description: '`true`: only those that you have not read; `false`: all' }),
      ),
      grouped: Type.Optional(
        Type.Boolean({
          description:
            '`true`: of those that belong together by their `dedup_key` only the newest, which stands ' +
            'for all of them: `count` says how many they are, and `read` whether you have read all of them',
        }),
      ),
      ack: Type.Optional(
        Type.Unsafe<'open'>({
          type: 'string',
          enum: ['open'],
          description:
            '`open`: only critical ones that nobody has acknowledged; of those that belong together ' +
            'the newest, unless it is resolved',
        }),
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

/** The query of the list of one group. */
export const ListQuery = listQueryBy('seq');
/** The query of the list of all groups. */
export const AllQuery = listQueryBy('id');

export const NotificationSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Its position in the feed that streams send; grows' }),
    group_id: Type.String(),
    seq: Type.Integer({ description: 'From 1 in its group, without gaps' }),
    command: Type.Literal('notify'),
    title: Type.String(),
    body: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    severity: SeveritySchema,
    ...SENT_MEMBERS,
    first_seq: Type.Optional(
      Type.Integer({
        description:
          'Of one with a `dedup_key`: seq of the first that it belongs together with. A resolved one ' +
          'ends what belongs together',
      }),
    ),
    first_at: Type.Optional(Type.String({ description: 'When that one was created' })),
    count: Type.Optional(Type.Integer({ description: 'How many they are by now' })),
    redacted_at: Type.Optional(
      Type.String({ description: 'When an owner of the group took its texts away' }),
    ),
    created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
    sender: Type.Object({
      kind: Type.Unsafe<'key' | 'person'>({ type: 'string', enum: ['key', 'person'] }),
      id: Type.String(),
      name: Type.String(),
    }),
    acknowledged: Type.Unsafe<Acknowledged | null>({
      ...Type.Object({
        account_id: Type.String(),
        name: Type.String(),
        at: Type.String(),
        comment: Type.Optional(Type.String()),
      }),
      type: ['object', 'null'],
    }),
    read: Type.Boolean({ description: 'Whether you have read it' }),
  },
  { title: 'Notification' },
);
export type Notification = Static<typeof NotificationSchema>;

export interface Acknowledged {
  readonly account_id: string;
  readonly name: string;
  readonly at: string;
  /** What was said to it; absent: nothing. */
  readonly comment?: string;
}

const CursorSchema = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

/** What pages of one group and of all groups have in common. */
const PageFields = {
  items: Type.Array(NotificationSchema),
  next: { ...CursorSchema, description: 'Give it as what you asked with (`before` when neither)' },
  prev: { ...CursorSchema, description: 'Give it as the other one of `after` and `before`' },
  searched_to: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'Where the page ended because it had looked at as many notifications as it may: when the last ' +
      'one of them was created. The search goes on from there with `next`. null: the page is full, ' +
      'or everything was searched',
  }),
  open: Type.Optional(
    Type.Integer({
      description:
        'With `grouped` or `ack`: how many `ack=open` lists of the same group or groups; at most ' +
        `${OPEN_COUNT_MAX} are counted of each`,
    }),
  ),
};

export const NotificationListSchema = Type.Object(
  {
    ...PageFields,
    head_seq: Type.Integer({ description: 'seq of the newest notification of the group' }),
    unread: Type.Integer({ description: 'How many of the group you have not read' }),
  },
  { title: 'NotificationList' },
);
export type NotificationList = Static<typeof NotificationListSchema>;

export const AllNotificationsSchema = Type.Object(
  {
    ...PageFields,
    head_id: Type.Integer({
      description:
        'Everything up to this id was there to be listed; streams go on with it as `after`',
    }),
    unread: Type.Integer({ description: 'How many of all groups together you have not read' }),
  },
  { title: 'AllNotifications' },
);
export type AllNotifications = Static<typeof AllNotificationsSchema>;

/** Newest first: those that one notification belongs together with, itself among them. */
export const OccurrencesSchema = Type.Object(
  {
    items: Type.Array(NotificationSchema),
    next: { ...CursorSchema, description: 'Give it as `before`; null at the end' },
  },
  { title: 'Occurrences' },
);
export type Occurrences = Static<typeof OccurrencesSchema>;

export const OccurrencesQuery = Type.Object(
  {
    before: Type.Optional({ ...CountSchema, description: 'Those with a lower seq' }),
    limit: LimitQuery,
  },
  { additionalProperties: false },
);

/** The query of marks on one notification. */
export const GroupedQuery = Type.Object(
  {
    grouped: Type.Optional(
      Type.Boolean({
        description: '`true`: for all that it belongs together with by its `dedup_key`, up to it',
      }),
    ),
  },
  { additionalProperties: false },
);

export const AcknowledgeBody = optionalBody(
  Type.Object(
    {
      comment: Type.Optional(
        Type.String({
          maxLength: COMMENT_LENGTH_MAX,
          pattern: TEXT_PATTERN,
          description: 'Shown to everybody in the group, with who and when; blank: nothing is said',
          examples: ['On my way to the ovens'],
        }),
      ),
    },
    { title: 'AcknowledgeRequest', additionalProperties: false },
  ),
);

export const ReadStateBody = Type.Object(
  { up_to: { ...CountSchema, description: 'seq of the newest that was read', examples: [42] } },
  { title: 'ReadStateRequest', additionalProperties: false },
);

export const ReadAllBody = Type.Object(
  { up_to: { ...CountSchema, description: 'id of the newest that was read', examples: [4711] } },
  { title: 'ReadAllRequest', additionalProperties: false },
);

export const ReadStateSchema = Type.Object(
  {
    group_id: Type.String(),
    head_seq: Type.Integer(),
    unread: Type.Integer(),
    read_up_to: Type.Integer({
      description: 'All up to it are read, but for those marked as unread',
    }),
  },
  { title: 'ReadState' },
);
export type ReadState = Static<typeof ReadStateSchema>;

export const UnreadSchema = Type.Object(
  {
    unread: Type.Integer({ description: 'Of all groups together' }),
    groups: Type.Array(
      Type.Object({
        group_id: Type.String(),
        name: Type.String(),
        head_seq: Type.Integer(),
        unread: Type.Integer(),
      }),
    ),
  },
  { title: 'Unread' },
);
export type Unread = Static<typeof UnreadSchema>;
