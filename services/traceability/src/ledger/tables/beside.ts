// The tables of what is kept beside the chain: the audit, alarms, keys, brands. The order of columns is
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

export const AUDIT_ENTRIES = storedTable('audit_entries', ['id'], {
  id: numbered(),
  at: text(),
  tenant_id: nullable(text()),
  actor: text(),
  action: text(),
  entity_type: text(),
  entity_id: text(),
  block_height: nullable(integer()),
  request_id: nullable(text()),
  details: text(),
});
export type AuditRow = InsertedRowOf<typeof AUDIT_ENTRIES>;

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
  /** What the clock showed. */
  found_at: text(),
  accepted_at: left(nullable(text())),
  ended_at: left(nullable(text())),
});

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
  /** Of a key that is bound to no tenant: the tenant that wrote with it first, and the first other one. */
  first_tenant_id: nullable(text()),
  second_tenant_id: nullable(text()),
  second_tenant_at: nullable(text()),
  /** When an operator accepted that several tenants write with it. */
  tenants_accepted_at: nullable(text()),
});
export type KeyRow = RowOf<typeof API_KEYS>;

/** What consumers see of a tenant. */
export const BRANDS = storedTable('brands', ['tenant_id'], {
  tenant_id: text(),
  name: nullable(text()),
  website: nullable(text()),
  recall_contact: nullable(text()),
  updated_at: text(),
});
