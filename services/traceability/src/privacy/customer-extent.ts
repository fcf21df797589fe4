// How much is kept of a customer, before anything of it is erased. It looks until there is more than it says.
import { findTenant } from '../lots/queries.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { slicesOfCustomer } from './find-customer.ts';
import { notificationsToCustomer } from './queries.ts';

/** Lines and notices that are counted. */
export const EXTENT_MAX = 1_000;

export interface CustomerExtent {
  /** Lines of sales and deliveries that name the customer, as they were sent or through a correction. */
  readonly lines: number;
  /** Notices of recall cases. */
  readonly notifications: number;
  /** Whether there are no more. */
  readonly isExact: boolean;
}

export async function customerExtent(
  reader: LedgerReader,
  { tenantId, customerRef }: { readonly tenantId: string; readonly customerRef: string },
): Promise<CustomerExtent> {
  const tenant = await findTenant(reader.database, tenantId);
  if (tenant === undefined) return { lines: 0, notifications: 0, isExact: true };
  const customer = { tenantNo: tenant.tenantNo, customerRef };
  let lines = 0;
  for await (const { plain, corrected } of slicesOfCustomer(reader, customer)) {
    lines += plain.length;
    for (const lineNos of corrected.values()) lines += lineNos.length;
    if (lines > EXTENT_MAX) break;
  }
  const notices = await notificationsToCustomer(reader.database, {
    ...customer,
    above: 0,
    limit: EXTENT_MAX + 1,
  });
  return {
    lines: Math.min(lines, EXTENT_MAX),
    notifications: Math.min(notices.length, EXTENT_MAX),
    isExact: lines <= EXTENT_MAX && notices.length <= EXTENT_MAX,
  };
}
