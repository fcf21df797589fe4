// Keys that two tenants write with: what the operator is warned of.
import { isActive, type KeyRecord } from './key-store.ts';

/** A key that two tenants have written with. */
export interface SharedKey {
  readonly keyId: string;
  readonly label: string;
  /** The tenant that wrote with it first, and the first other one. There may be more. */
  readonly tenantIds: readonly [first: string, second: string];
  /** When the second one did. */
  readonly since: string;
}

/** Keys that serve several tenants without an operator's word, in the order in which they are given. */
export function sharedKeys(records: Iterable<KeyRecord>, nowMs: number): readonly SharedKey[] {
  return [...records].flatMap((record): readonly SharedKey[] => {
    const { key_id: keyId, label, tenants_accepted_at: acceptedAt } = record;
    const { first_tenant_id: first, second_tenant_id: second, second_tenant_at: since } = record;
    if (first === null || second === null || since === null) return [];
    if (acceptedAt !== null || !isActive(record, nowMs)) return [];
    return [{ keyId, label, tenantIds: [first, second], since }];
  });
}
