// Entries of the audit about keys. The first one of a key says its whole state, the others what they change of
// it, so that the verifier can compare the stored keys with them.
import { buildKeyState } from '../ledger/audit-chain/key-state.ts';
import type { AuditAction, AuditEntry } from '../ledger/audit.ts';
import type { Caller } from '../ledger/draft.ts';
import type { KeyRow } from '../ledger/tables/off-chain.ts';

/** Who makes the keys that a first start lacks, and takes over those that are there. */
const START: Caller = { actor: 'start', requestId: null };

export const buildKeyDetails: (record: KeyRow) => AuditEntry['details'] = buildKeyState;

export function keyEntry(
  record: Pick<KeyRow, 'key_id' | 'role' | 'label' | 'tenant_id'>,
  done: {
    readonly caller: Caller;
    readonly action: AuditAction;
    readonly at: string;
    /** Columns of the row that are other ones now, and more that a reader wants to know. */
    readonly state: AuditEntry['details'];
  },
): AuditEntry {
  return {
    at: done.at,
    tenantId: record.tenant_id,
    caller: done.caller,
    action: done.action,
    entityType: 'key',
    entityId: record.key_id,
    blockHeight: null,
    details: { role: record.role, label: record.label, ...done.state },
  };
}

/** A key that was not issued by a command: made at the first start, set in the settings, or older than the audit. */
export function adoptingEntry(record: KeyRow, at: string): AuditEntry {
  return keyEntry(record, {
    caller: START,
    action: 'adopt_key',
    at,
    state: buildKeyDetails(record),
  });
}
