// Shapes of invitations in requests and answers. The link itself is only in the answer to the request
// that makes it.
import { Type } from '@lothub/kit/json-schema';
import { ROLES, type Role } from '../../access/person.ts';
import { LimitQuery } from '../../http.ts';
import {
  NewPersonSchema,
  PersonSchema,
  emailText,
  secretText,
} from '@lothub/people/accounts/schema';

/** Maximum length of an identifier in a path; all of ours are shorter. */
const ID_MAX = 64;

const role = Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] });

export const InvitedGroupParams = Type.Object({
  group_id: Type.String({ minLength: 1, maxLength: ID_MAX, examples: ['grp_4fJk2mQ8xT1z'] }),
});

export const InvitationParams = Type.Object({
  ...InvitedGroupParams.properties,
  invitation_id: Type.String({ minLength: 1, maxLength: ID_MAX, examples: ['inv_1aZ9xQ3mT7kB'] }),
});

export const InvitationListQuery = Type.Object({
  limit: LimitQuery,
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ID_MAX,
      description: '`next` of the page before',
      examples: ['inv_1aZ9xQ3mT7kB'],
    }),
  ),
});

export const NewInvitationSchema = Type.Object(
  {
    role: Type.Optional(
      Type.Unsafe<Role>({
        ...role,
        default: 'member',
        description: 'What the person will be in the group',
      }),
    ),
    email: Type.Optional(
      Type.Unsafe<string | null>({
        ...emailText,
        type: ['string', 'null'],
        description: 'Only an account with this e-mail may accept; null or absent: any',
      }),
    ),
  },
  { title: 'NewInvitation', additionalProperties: false },
);

const invitationFields = {
  id: Type.String({ examples: ['inv_1aZ9xQ3mT7kB'] }),
  role,
  email: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Whom it is for; null: whoever has the link',
  }),
  invited_by: Type.String({ description: 'Name of the owner who made it', examples: ['Ada'] }),
  created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  expires_at: Type.String({ examples: ['2026-01-09T03:04:05.678Z'] }),
};

export const InvitationSchema = Type.Object(invitationFields, {
  title: 'Invitation',
  description: 'An open invitation, without its link',
});

export const InvitationListSchema = Type.Object(
  {
    items: Type.Array(InvitationSchema),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null on the last one',
    }),
  },
  { title: 'InvitationList' },
);

export const MadeInvitationSchema = Type.Object(
  {
    ...invitationFields,
    url: Type.String({
      description: 'The link, to be passed on: shown this once, good for one person',
      examples: ['https://inbox.example.com/inbox/invitation/…'],
    }),
  },
  { title: 'MadeInvitation', description: 'A new invitation, the only time its link can be seen' },
);

export const AcceptanceSchema = Type.Object(
  {
    token: secretText('The last part of the link', 'Zk3v…8Qa'),
    person: Type.Optional(
      Type.Object(NewPersonSchema.properties, {
        additionalProperties: false,
        description: 'Who has no account yet; absent: who is logged in accepts',
      }),
    ),
  },
  { title: 'Acceptance', additionalProperties: false },
);

export const AcceptanceAnswerSchema = Type.Object(
  {
    group_id: Type.String(),
    role,
    person: PersonSchema,
  },
  { title: 'AcceptanceAnswer' },
);
