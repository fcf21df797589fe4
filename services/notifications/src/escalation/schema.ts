// Shapes of escalations in requests and answers.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { idText } from '../groups/group-schema.ts';
import { AFTER_MINUTES, PEOPLE_MAX } from './limits.ts';

const accountId = idText('Id of a person of the group', 'usr_8sKw0bNc5Rqa');
const groupId = idText('Id of a group', 'grp_4fJk2mQ8xT1z');
const afterMinutes = Type.Integer({
  minimum: AFTER_MINUTES.min,
  maximum: AFTER_MINUTES.max,
  description: 'Minutes in which somebody is to acknowledge a critical notification',
  examples: [AFTER_MINUTES.default],
});

export const NewEscalationSchema = Type.Object(
  {
    after_minutes: afterMinutes,
    people: Type.Optional(
      Type.Array(accountId, { maxItems: PEOPLE_MAX, description: 'Members of the group' }),
    ),
    to_group_id: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 64,
        description: 'Another group that the same person owns; null or absent: none',
        examples: ['grp_4fJk2mQ8xT1z'],
      }),
    ),
  },
  { title: 'NewEscalation', additionalProperties: false },
);

const PersonSchema = Type.Object(
  {
    account_id: accountId,
    name: nameText('What the person is called', 'Ada'),
    reachable: Type.Boolean({ description: 'Whether an active device or mail is set up' }),
  },
  { title: 'EscalationPerson' },
);

const TargetSchema = Type.Object(
  {
    id: groupId,
    name: Type.String({ examples: ['On-call'] }),
    takes_posts: Type.Boolean({
      description: 'False when an owner of it has revoked the key of this escalation',
    }),
  },
  { title: 'EscalationGroup' },
);

export const EscalationSchema = Type.Object(
  {
    after_minutes: afterMinutes,
    people: Type.Array(PersonSchema),
    to_group: Type.Unsafe<Static<typeof TargetSchema> | null>({
      ...TargetSchema,
      type: ['object', 'null'],
    }),
    set_by: Type.String({ description: 'Who set it, as it was called then', examples: ['Ada'] }),
    set_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  },
  {
    title: 'Escalation',
    description: 'Where critical notifications go that nobody acknowledged in time',
  },
);
