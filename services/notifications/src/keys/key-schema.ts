// Shapes of group keys in requests and answers. A key itself is only in the answer to the request
// that makes it.
import { Type } from '@lothub/kit/json-schema';
import { expirySchema } from '../expiry.ts';
import { LimitQuery } from '../http.ts';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { OVERLAP_HOURS } from './key-limits.ts';
import { ADAPTERS, type Adapter } from './key-prefix.ts';

/** Maximum length of an identifier in a path; all of ours are shorter. */
const ID_MAX = 64;

const groupId = Type.String({ minLength: 1, maxLength: ID_MAX, examples: ['grp_4fJk2mQ8xT1z'] });
const keyId = Type.String({
  minLength: 1,
  maxLength: ID_MAX,
  description: 'Id of the key: the ten characters behind `nk_` or `na_`',
  examples: ['Zk3bQ9xT1a'],
});
const name = nameText('Who or what posts with it', 'Oven 3');
const adapter = (description: string) =>
  Type.Optional(Type.Unsafe<Adapter>({ type: 'string', enum: [...ADAPTERS], description }));
const instant = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description,
    examples: ['2026-01-02T03:04:05.678Z'],
  });

export const KeyGroupParams = Type.Object({ group_id: groupId });
export const KeyParams = Type.Object({ group_id: groupId, key_id: keyId });

export const KeyListQuery = Type.Object({
  limit: LimitQuery,
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ID_MAX,
      description: '`next` of the page before',
      examples: ['Zk3bQ9xT1a'],
    }),
  ),
});

export const NewKeySchema = Type.Object(
  {
    name,
    expires_at: expirySchema('When it ends by itself; null or absent: never'),
    adapter: adapter('The sender whose own form it posts in; absent: a key for `/api/v1/ingest`'),
  },
  { title: 'NewKey', additionalProperties: false },
);

export const KeyChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    expires_at: expirySchema('When it ends by itself; null: never; absent: as it is'),
  },
  { title: 'KeyChange', additionalProperties: false },
);

export const KeyRotationSchema = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: OVERLAP_HOURS.min,
        maximum: OVERLAP_HOURS.max,
        default: OVERLAP_HOURS.default,
        description: 'How long the old key goes on; 0 ends it now',
      }),
    ),
  },
  { title: 'KeyRotation', additionalProperties: false },
);

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

const keyFields = {
  id: keyId,
  name,
  adapter: adapter('The sender whose own form it posts in; absent: a key for `/api/v1/ingest`'),
  state: Type.Unsafe<KeyState>({ type: 'string', enum: [...KEY_STATES] }),
  created_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Id of the person who issued it; null: the operator, or the settings',
    examples: ['usr_8sKw0bNc5Rqa'],
  }),
  created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  expires_at: instant('When it ends, or ended, by itself; null: never'),
  rotated_to: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Id of the key that took its place',
  }),
  revoked_at: instant('When it was revoked'),
  last_used_at: instant('When it last posted, to the minute'),
};

export const KeySchema = Type.Object(keyFields, {
  title: 'Key',
  description: 'A key, without the key itself',
});

export const KeyListSchema = Type.Object(
  {
    items: Type.Array(KeySchema),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null on the last one',
    }),
  },
  { title: 'KeyList' },
);

export const IssuedKeySchema = Type.Object(
  {
    ...keyFields,
    key: Type.String({
      description:
        'The key, for the header `X-Api-Key`, or the token of the adapter: shown this once',
      examples: ['nk_Zk3bQ9xT1a…'],
    }),
    configuration: Type.Optional(
      Type.String({
        description: 'Of the token of an adapter: what to give to its sender, with the token',
      }),
    ),
  },
  { title: 'IssuedKey', description: 'A new key, the only time it can be seen' },
);
