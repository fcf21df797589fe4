// The entries of the audit about the link of a supplier's name to a brand: the name is the entity,
// the brand is in the details, and the time is that of the entry.
import type { AuditEntry } from '../audit.ts';
import type { Caller } from '../draft.ts';
import type { SupplierRow } from '../tables/off-chain.ts';

export const LINK_SUPPLIER = 'link_supplier';
export const UNLINK_SUPPLIER = 'unlink_supplier';

/** @param link as it is from now on; of one that has ended, as it was */
export function supplierEntry(
  link: Pick<SupplierRow, 'tenant_id' | 'name' | 'brand'>,
  done: {
    readonly action: typeof LINK_SUPPLIER | typeof UNLINK_SUPPLIER;
    readonly at: string;
    readonly caller: Caller;
  },
): AuditEntry {
  return {
    ...done,
    tenantId: link.tenant_id,
    entityType: 'supplier',
    entityId: link.name,
    blockHeight: null,
    details: { brand: link.brand },
  };
}
