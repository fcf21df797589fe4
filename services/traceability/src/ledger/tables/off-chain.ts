// The tables of what is kept beside the chain: alarms, keys, suppliers. The order of columns is
// that of the schema, which schema.test.ts compares.
import {
  integer,
  left,
  nullable,
  numbered,
  storedTable,
  text,
} from '@lothub/kit/rows/stored-table';
import type { InsertedRowOf, RowOf } from '@lothub/kit/rows/stored-table';
import type { ClockFaultCode } from '../clock-trust.ts';

export const CHAIN_ALARMS = storedTable('chain_alarms', ['id'], {
  id: numbered(),
  height: integer(),
  code: text(),
  message: text(),
  found_at: text(),
  cleared_at: left(nullable(text())),
});
export type AlarmRow = InsertedRowOf<typeof CHAIN_ALARMS>;

export const CLOCK_ALARMS = storedTable('clock_alarms', ['id'], {
  id: numbered(),
  machine: text(),
  code: text<ClockFaultCode>(),
  reading_ms: integer(),
  message: text(),
  /** The time of the clock. */
  found_at: text(),
  accepted_at: left(nullable(text())),
  ended_at: left(nullable(text())),
});

/**
 * The uses of a tenant key: reading the brand's rows, posting its events, or everything that its
 * role opens. A route names the one it needs (`keyNeeds`); `all` opens every route.
 */
export const KEY_LIMITS = ['read', 'post-events', 'all'] as const;
export type KeyLimit = (typeof KEY_LIMITS)[number];

export const API_KEYS = storedTable('api_keys', ['key_id'], {
  key_id: text(),
  role: text<'tenant' | 'admin'>(),
  label: text(),
  key_hash: text(),
  /** The tenant that the key is bound to; null: it serves any tenant. */
  tenant_id: nullable(text()),
  origin: text<'issued' | 'settings'>(),
  created_at: text(),
  expires_at: nullable(text()),
  revoked_at: nullable(text()),
  /**
   * For a key that is bound to no tenant: the tenant that wrote with it first, and the first other
   * one.
   */
  first_tenant_id: nullable(text()),
  second_tenant_id: nullable(text()),
  second_tenant_at: nullable(text()),
  /** When an operator accepted that several tenants write with it. */
  tenants_accepted_at: nullable(text()),
  limited_to: text<KeyLimit>(),
});
export type KeyRow = RowOf<typeof API_KEYS>;

/** When keys were used last: written beside requests, and in no entry of the audit. */
export const KEY_USES = storedTable('key_uses', ['key_id'], {
  key_id: text(),
  /** To the minute. */
  last_used_at: text(),
});

/**
 * The brand of the hub that a brand has linked to the name of a supplier; compared with the audit.
 */
export const SUPPLIERS = storedTable('suppliers', ['tenant_id', 'name'], {
  tenant_id: text(),
  name: text(),
  /** The tenant id of the supplier. */
  brand: text(),
  linked_at: text(),
});
export type SupplierRow = RowOf<typeof SUPPLIERS>;

/** The marker that older decisions are sealed (decisions/existing). */
export const DECISION_SEALING = storedTable('decision_sealing', ['id'], {
  id: integer(),
  /** Height of the last block of such a decision; 0: there was none. */
  migrated_through: integer(),
});
export type DecisionSealingRow = RowOf<typeof DECISION_SEALING>;
