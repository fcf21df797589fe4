// Shapes of groups in requests and answers.
import { Type } from '@lothub/kit/json-schema';
import { ROLES } from '../access/person.ts';
import { SEVERITIES } from '../store/post.ts';
import { LimitQuery } from '../http.ts';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { RETENTION_DAYS, RETENTION_ROWS } from './limits.ts';

/** Maximum length of an identifier in a path; all of ours are shorter. */
const ID_MAX = 64;

export const idText = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: ID_MAX, description, examples: [example] });

const groupId = idText('Id of the group', 'grp_4fJk2mQ8xT1z');
const name = nameText('What the group is called', 'Bakery alarms');
const retentionDays = Type.Integer({
  minimum: RETENTION_DAYS.min,
  maximum: RETENTION_DAYS.max,
  description: 'Notifications older than this are deleted',
  examples: [RETENTION_DAYS.default],
});
const retentionRows = Type.Integer({
  minimum: RETENTION_ROWS.min,
  maximum: RETENTION_ROWS.max,
  description: 'Beyond so many the oldest notifications are deleted',
  examples: [RETENTION_ROWS.default],
});

export const GroupParams = Type.Object({ group_id: groupId });

export const GroupListQuery = Type.Object({
  limit: LimitQuery,
  after: Type.Optional(idText('`next` of the page before', 'grp_4fJk2mQ8xT1z')),
});

export const NewGroupSchema = Type.Object(
  {
    name,
    retention_days: Type.Optional(retentionDays),
    retention_rows: Type.Optional(retentionRows),
  },
  { title: 'NewGroup', additionalProperties: false },
);

export const GroupChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    paused: Type.Optional(Type.Boolean({ description: 'Posts into it are refused' })),
    retention_days: Type.Optional(retentionDays),
    retention_rows: Type.Optional(retentionRows),
  },
  { title: 'GroupChange', additionalProperties: false },
);

export const roleText = Type.Unsafe<(typeof ROLES)[number]>({
  type: 'string',
  enum: [...ROLES],
  description: 'What the person is in the group',
});

export const GroupSchema = Type.Object(
  {
    id: groupId,
    name,
    paused: Type.Boolean(),
    role: roleText,
    head_seq: Type.Integer({ description: '`seq` of the newest notification; 0: there was none' }),
    unread: Type.Integer({ description: 'What the person who asks has not read' }),
    retention_days: retentionDays,
    retention_rows: retentionRows,
    created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  },
  { title: 'Group', description: 'A group, as one of its members sees it' },
);

export const GroupListSchema = Type.Object(
  {
    items: Type.Array(GroupSchema),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null on the last one',
    }),
  },
  { title: 'GroupList' },
);

export const TestPostSchema = Type.Object(
  {
    severity: Type.Optional(
      Type.Unsafe<(typeof SEVERITIES)[number]>({ type: 'string', enum: [...SEVERITIES] }),
    ),
  },
  { title: 'TestPost', additionalProperties: false },
);

/** As `POST /api/v1/ingest` answers. */
export const TestAnswerSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Position in the feed of all groups' }),
    group_id: groupId,
    seq: Type.Integer({ description: 'Number in the group, without gaps' }),
    command: Type.String({ examples: ['notify'] }),
    title: Type.String({ examples: ['Test notification'] }),
    body: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    severity: Type.String({ examples: ['info'] }),
    created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  },
  { title: 'TestAnswer' },
);
