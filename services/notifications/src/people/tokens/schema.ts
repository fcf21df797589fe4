// Shapes of read tokens in requests and answers. A token itself is only in the answer to the request
// that makes it.
import { Type } from '@lothub/kit/json-schema';
import { expirySchema } from '../../expiry.ts';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { instantOrNull, nextOfWhole } from '@lothub/people/accounts/schema';

/** Maximum length of an identifier in a path; all of ours are shorter. */
const ID_MAX = 64;

export const TokenParams = Type.Object({
  token_id: Type.String({ minLength: 1, maxLength: ID_MAX, examples: ['Zk3bQ9xT1a'] }),
});

export const NewTokenSchema = Type.Object(
  {
    name: nameText('What reads with it', 'Wall display'),
    expires_at: expirySchema('When it ends by itself; null or absent: never'),
  },
  { title: 'NewToken', additionalProperties: false },
);

const tokenFields = {
  id: Type.String({
    description: 'The ten characters behind `nr_`',
    examples: ['Zk3bQ9xT1a'],
  }),
  name: Type.String({ examples: ['Wall display'] }),
  created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  expires_at: instantOrNull('When it ends, or ended, by itself; null: never'),
  last_used_at: instantOrNull('When it was last used, to the minute'),
};

export const TokenSchema = Type.Object(tokenFields, {
  title: 'Token',
  description: 'A read token, without the token itself',
});

export const TokenListSchema = Type.Object(
  { items: Type.Array(TokenSchema), next: nextOfWhole },
  { title: 'TokenList' },
);

export const IssuedTokenSchema = Type.Object(
  {
    ...tokenFields,
    token: Type.String({
      description: 'The token, for `Authorization: Bearer`: shown this once',
      examples: ['nr_Zk3bQ9xT1a…'],
    }),
  },
  { title: 'IssuedToken', description: 'A new read token, the only time it can be seen' },
);
