// Entries of the audit: the actor and the action. They are only ever added, in the transaction of
// the change that they record.
import { insertRow } from '@lothub/kit/rows/stored-table';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { SealedHeight } from './decisions/draft.ts';
import type { Caller } from './draft.ts';
import { AUDIT_ENTRIES, type AuditRow } from './tables/audit.ts';

/** Erasing a customer. Its entries are written with the head taken, so that none is missed (`isOpeningFit`). */
export const ERASING = 'erase_customer';

/** Blocks at the end of the chain were given up. The entry names the last block that is left; its entity is the hash of it. */
export const ACCEPTING_CUT = 'accept_cut';

/** The actions; a closed list, so that readers can handle all of them. */
export const AUDIT_ACTIONS = [
  'correct_event',
  'hold_lot',
  'release_lot',
  'hold_breach',
  'simulate_recall',
  'open_case',
  'edit_case',
  'move_case',
  'widen_case',
  'update_notification',
  'drill_recall',
  ERASING,
  'disclose_line',
  'update_brand',
  'set_product',
  'remove_product',
  'set_picture',
  'remove_picture',
  'set_place',
  'remove_place',
  'link_supplier',
  'unlink_supplier',
  'issue_key',
  'adopt_key',
  'use_key',
  'revoke_key',
  'accept_key',
  'refuse_key',
  'make_webhook',
  'change_webhook',
  'rotate_webhook',
  'delete_webhook',
  'disable_webhook',
  'replay_delivery',
  'accept_clock',
  ACCEPTING_CUT,
  'chain_audit',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Actions that change nothing: their entries alone do not cause a block of the audit. */
const NO_CHANGES: ReadonlySet<string> = new Set<AuditAction>([
  'hold_breach',
  'simulate_recall',
  'disclose_line',
  'adopt_key',
  'use_key',
  'refuse_key',
  'chain_audit',
]);

/** Returns whether an action changes something. */
export function isChange(action: string): boolean {
  return !NO_CHANGES.has(action);
}

/** The types of the things that actions change; a closed list as well. */
export const AUDIT_ENTITY_TYPES = [
  'event',
  'lot',
  'case',
  'notification',
  'drill',
  'customer',
  'brand',
  'product',
  'place',
  'supplier',
  'key',
  'webhook',
  'clock',
  'chain',
  'audit',
] as const;
export type AuditEntityType = (typeof AUDIT_ENTITY_TYPES)[number];

export interface AuditEntry {
  readonly at: string;
  /** Null: no tenant; then only the admin can read it. */
  readonly tenantId: string | null;
  readonly caller: Caller;
  readonly action: AuditAction;
  readonly entityType: AuditEntityType;
  readonly entityId: string;
  readonly blockHeight: number | SealedHeight | null;
  /** Contains no private value; stored with the caller's `via`. */
  readonly details: Readonly<Record<string, string | number | null>>;
}

/**
 * Details of an entry whose request had a session: the actor may have the same name as the label of
 * a key. Entries of keys have no such detail, like all entries from before there were sessions.
 */
export const VIA_SESSION = { via: 'session' } as const;

export function auditRow({ caller, ...entry }: AuditEntry): AuditRow {
  return {
    at: entry.at,
    tenant_id: entry.tenantId,
    actor: caller.actor,
    action: entry.action,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    // The writer puts the height in its place before anything is stored.
    block_height: entry.blockHeight as number | null,
    request_id: caller.requestId,
    details: JSON.stringify(
      caller.via === undefined ? entry.details : { ...entry.details, ...VIA_SESSION },
    ),
  };
}

/**
 * Inserts an entry for writes beside the chain; for a group of events each engine has its own way.
 */
export function insertAuditEntry(entry: AuditEntry): Sql {
  return insertRow(AUDIT_ENTRIES, auditRow(entry));
}

/** Many entries, in as few statements as they fit into. */
export function insertAuditEntries(entries: readonly AuditEntry[]): readonly Sql[] {
  const { name, insertedNames } = AUDIT_ENTRIES;
  const rows = entries.map(auditRow).map((row) => insertedNames.map((column) => row[column]));
  return [...cutRowSlices(rows)].map(
    (slice) => sql`insert into ${raw(name)} (${raw(insertedNames.join(', '))}) ${valueRows(slice)}`,
  );
}
