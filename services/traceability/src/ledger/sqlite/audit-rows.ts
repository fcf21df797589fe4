// Writes entries of the audit in SQLite, in the transaction of what they tell of. Append-only.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { Caller } from '../draft.ts';

const INSERT_ENTRY =
  'insert into audit_entries (at, tenant_id, actor, action, entity_type, entity_id, ' +
  'block_height, request_id, details) values (?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** What was done; a closed list, so that readers can tell all of them apart. */
export type AuditAction = 'correct_event' | 'hold_lot' | 'release_lot' | 'hold_breach';

export interface AuditEntry {
  readonly at: string;
  readonly tenantId: string;
  readonly caller: Caller;
  readonly action: AuditAction;
  readonly entityType: 'event' | 'lot';
  readonly entityId: string;
  readonly blockHeight: number | null;
  /** Never a private value. */
  readonly details: Readonly<Record<string, string | number | null>>;
}

export function insertAuditEntry(connection: SqliteConnection, entry: AuditEntry): void {
  connection
    .statement(INSERT_ENTRY)
    .run(
      entry.at,
      entry.tenantId,
      entry.caller.actor,
      entry.action,
      entry.entityType,
      entry.entityId,
      entry.blockHeight,
      entry.caller.requestId,
      JSON.stringify(entry.details),
    );
}
