// Shapes of the audit of a group.
import { Type } from '@lothub/kit/json-schema';
import { LimitQuery } from '../http.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../store/audit.ts';

/** Maximum length of an identifier in a path; all of ours are shorter. */
const ID_MAX = 64;

export const AuditParams = Type.Object({
  group_id: Type.String({ minLength: 1, maxLength: ID_MAX, examples: ['grp_4fJk2mQ8xT1z'] }),
});

export const AuditQuery = Type.Object({
  limit: LimitQuery,
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next` of the page before',
    }),
  ),
});

export const AuditEntrySchema = Type.Object(
  {
    id: Type.Integer(),
    at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
    account_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the person; null: the operator, or the service itself',
      examples: ['usr_8sKw0bNc5Rqa'],
    }),
    actor: Type.String({ description: 'Who, as it was called then', examples: ['Ada'] }),
    action: Type.Unsafe<AuditAction>({ type: 'string', enum: [...AUDIT_ACTIONS] }),
    group_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the group; null: it concerns none',
    }),
    subject: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of what it was done to',
      examples: ['Zk3bQ9xT1a'],
    }),
    details: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'What else there is to say, by action; never a secret',
      examples: [{ name: 'Oven 3' }],
    }),
  },
  { title: 'AuditEntry' },
);

export const AuditListSchema = Type.Object(
  {
    items: Type.Array(AuditEntrySchema),
    next: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: '`after` of the next page; null on the last one',
    }),
  },
  { title: 'AuditList' },
);
