// The shapes of the audit, as a tenant reads its own and the operator that of all
// (docs/interface/traceability.md#audit).
import type { Static } from 'typebox';
import { Type } from '@lothub/kit/json-schema';
import { LimitQuery, nullableText, text } from '../http.ts';
import { AUDIT_ACTIONS, AUDIT_ENTITY_TYPES } from '../ledger/audit.ts';
import { NO_HASH } from '../ledger/audit-chain/entry-hash.ts';
import type { AuditPage } from '../ledger/audit-reader.ts';

/** A lot code in a request, an id, a case number. */
const ENTITY_ID_MAX = 200;

export const AuditQuerySchema = Type.Object({
  limit: LimitQuery,
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only entries with a smaller id: `next` of the page before',
    }),
  ),
  action: Type.Optional(
    Type.Enum([...AUDIT_ACTIONS], { description: 'Only entries of this action' }),
  ),
  entity_type: Type.Optional(
    Type.Enum([...AUDIT_ENTITY_TYPES], { description: 'Only entries on things of this kind' }),
  ),
  entity_id: Type.Optional(
    text(
      ENTITY_ID_MAX,
      'Only entries on this thing: a lot code, an event id, a case number',
      'FLOUR-0711',
    ),
  ),
});

const EXAMPLE = {
  id: 41,
  at: '2026-03-02T06:16:12.345Z',
  tenant_id: 'bakery',
  actor: 'bakery ERP (Ada)',
  action: 'hold_lot',
  entity_type: 'lot',
  entity_id: 'FLOUR-0711',
  block_height: null,
  request_id: 'req-17',
  details: { source: 'manual', reason: 'smells of mould' },
  sequence: 40,
  prev_hash: 'c0ffee0000000000000000000000000000000000000000000000000000000039',
  hash: 'c0ffee0000000000000000000000000000000000000000000000000000000040',
};

export const AuditPageSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Grows with every entry' }),
        at: Type.String({ description: 'When it was done, UTC' }),
        tenant_id: nullableText('Null when it concerns no tenant'),
        actor: Type.String({
          description: 'Label of the key, and in parentheses the person that the request declared',
        }),
        action: Type.String({ examples: ['hold_lot'] }),
        entity_type: Type.String({ examples: ['lot'] }),
        entity_id: Type.String(),
        block_height: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Of the block that the entry is about',
        }),
        request_id: nullableText('Also in the log of the hub'),
        details: Type.Unsafe<Readonly<Record<string, unknown>>>({
          type: 'object',
          additionalProperties: true,
          description:
            'More on it, by action; never a private value. `via` is `session` where a person was logged in ' +
            'to the console',
        }),
        sequence: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'Its place in the chain of the audit, from 1; null for the second until it has one',
        }),
        prev_hash: nullableText('Hash of the entry before; of the first one 64 zeros'),
        hash: nullableText('SHA-256 over the entry, its place and the hash before it'),
      }),
    ),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Send it as `before` for older entries; null at the end. A page that asks for what is rare ' +
        'may hold fewer than `limit`, or none, with more behind it',
    }),
  },
  { title: 'AuditPage', examples: [{ entries: [EXAMPLE], next: null }] },
);

export type AuditPageAnswer = Static<typeof AuditPageSchema>;

export function auditAnswer({ entries, next }: AuditPage): AuditPageAnswer {
  return {
    entries: entries.map((row) => ({
      id: row.id,
      at: row.at,
      tenant_id: row.tenantId,
      actor: row.actor,
      action: row.action,
      entity_type: row.entityType,
      entity_id: row.entityId,
      block_height: row.blockHeight,
      request_id: row.requestId,
      details: parseDetails(row.details),
      sequence: row.sequence,
      prev_hash: row.sequence === 1 ? NO_HASH : row.prevHash,
      hash: row.hash,
    })),
    next,
  };
}

function parseDetails(text: string): Readonly<Record<string, unknown>> {
  const details: unknown = JSON.parse(text);
  return typeof details === 'object' && details !== null ? { ...details } : {};
}
