// The shapes of the operator's overview and audit (docs/interface/traceability.md#dashboard-and-audit).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { AuditQuerySchema } from '../dashboard/audit-schema.ts';
import { ChainStateSchema, capped } from '../dashboard/schema.ts';
import { LimitQuery, TENANT_ID_PATTERN, nullableText } from '../http.ts';

const TenantFilter = Type.Optional(
  Type.String({
    pattern: TENANT_ID_PATTERN,
    description: 'Only this tenant; without it all. The header X-Tenant-Id narrows nothing here',
    examples: ['bakery'],
  }),
);

export const OverviewQuerySchema = Type.Object({
  limit: LimitQuery,
  after: Type.Optional(
    Type.String({
      pattern: TENANT_ID_PATTERN,
      description: 'Only tenants behind this one: `next` of the page before',
    }),
  ),
  tenant_id: TenantFilter,
});

export const AdminAuditQuerySchema = Type.Object({
  ...AuditQuerySchema.properties,
  tenant_id: TenantFilter,
});

const TenantOverviewSchema = Type.Object({
  tenant_id: Type.String(),
  name: Type.String({ description: 'What consumers see; the tenant id when it has given none' }),
  events: Type.Integer(),
  corrections: Type.Integer(),
  transactions: Type.Integer(),
  lots: Type.Integer(),
  lots_on_hold: Type.Integer(),
  lots_on_hold_is_exact: capped,
  lots_recalled: Type.Integer(),
  lots_recalled_is_exact: capped,
  open_recalls: Type.Integer(),
  open_recalls_is_exact: capped,
  last_event_at: nullableText('When its newest event was recorded'),
});

const TENANT_EXAMPLE = {
  tenant_id: 'bakery',
  name: 'Old Mill Bakery',
  events: 4,
  corrections: 1,
  transactions: 7,
  lots: 3,
  lots_on_hold: 1,
  lots_recalled: 0,
  open_recalls: 1,
  last_event_at: '2026-03-02T06:16:12.345Z',
};

export const OverviewSchema = Type.Object(
  {
    hub: Type.Object({
      tenants: Type.Integer(),
      transactions: Type.Integer(),
      lots: Type.Integer(),
    }),
    tenants: Type.Array(TenantOverviewSchema, { description: 'By tenant id' }),
    next: nullableText('Send it as `after` for the tenants behind these; null at the end'),
    chain: ChainStateSchema,
    first_bad_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The lowest block that does not verify; null as long as the chain is valid',
    }),
    alarms: Type.Array(
      Type.Object({
        height: Type.Integer(),
        code: Type.String({ examples: ['hash_mismatch'] }),
        message: Type.String(),
        found_at: Type.String(),
      }),
      { description: 'What does not verify, until an operator clears it; at most 100' },
    ),
    warnings: Type.Array(
      Type.Object({
        code: Type.String({ examples: ['unbound_key_shared'] }),
        message: Type.String(),
        key_id: Type.String(),
        label: Type.String({ description: 'Whose key it is' }),
        tenant_ids: Type.Array(Type.String(), {
          description: 'The tenant that wrote with the key first, and the first other one',
        }),
        since: Type.String({ description: 'When the second tenant wrote with it first' }),
      }),
      {
        description:
          'Keys bound to no tenant with which several tenants write, until the key is revoked or ' +
          'accepted; at most 100',
      },
    ),
    clock_alarms: Type.Array(
      Type.Object({
        machine: Type.String(),
        code: Type.String({ examples: ['clock_jumped'] }),
        message: Type.String(),
        found_at: Type.String({ description: 'What its clock showed' }),
      }),
      { description: 'Machines that write nothing, because their clocks are not believed' },
    ),
  },
  {
    title: 'AdminOverview',
    examples: [
      {
        hub: { tenants: 1, transactions: 7, lots: 3 },
        tenants: [TENANT_EXAMPLE],
        next: null,
        chain: {
          chain_id: 'c0ffee0000000000000000000000000000000000000000000000000000000000',
          height: 5,
          tip_hash: 'c0ffee0000000000000000000000000000000000000000000000000000000005',
          chain_valid: true,
          verified_through: 5,
          verified_at: '2026-03-02T06:16:13.000Z',
        },
        first_bad_height: null,
        alarms: [],
        warnings: [],
        clock_alarms: [],
      },
    ],
  },
);

export type Overview = Static<typeof OverviewSchema>;
