// Shapes of members in requests and answers.
import { Type } from '@lothub/kit/json-schema';
import { LimitQuery } from '../http.ts';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { idText, roleText } from './group-schema.ts';

const accountId = idText('Id of the person', 'usr_8sKw0bNc5Rqa');

export const MemberParams = Type.Object({
  group_id: idText('Id of the group', 'grp_4fJk2mQ8xT1z'),
  account_id: accountId,
});

export const MemberListQuery = Type.Object({
  limit: LimitQuery,
  after: Type.Optional(idText('`next` of the page before', 'usr_8sKw0bNc5Rqa')),
});

export const MemberChangeSchema = Type.Object(
  { role: roleText },
  { title: 'MemberChange', additionalProperties: false },
);

export const MemberSchema = Type.Object(
  {
    account_id: accountId,
    name: nameText('What the person is called', 'Ada'),
    email: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Shown to owners, and to the person alone; null for anybody else',
      examples: ['ada@example.com'],
    }),
    role: roleText,
    joined_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  },
  { title: 'Member' },
);

export const MemberListSchema = Type.Object(
  {
    items: Type.Array(MemberSchema),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null on the last one',
    }),
  },
  { title: 'MemberList' },
);
