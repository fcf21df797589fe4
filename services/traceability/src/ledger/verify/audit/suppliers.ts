// Stored links of suppliers' names to brands against the entries of the audit: the last entry about a name says
// whether there is a row, and which one.
import { LINK_SUPPLIER, UNLINK_SUPPLIER } from '../../audit-chain/supplier-link.ts';
import type { StoredAuditEntry } from '../../tables/audit.ts';
import type { SupplierRow } from '../../tables/off-chain.ts';
import type { LedgerMismatch } from '../mismatch.ts';

interface StatedLink {
  /** Entries about one name have ids in the order in which they were written; their places may swap. */
  readonly entryId: number;
  readonly tenantId: string;
  readonly name: string;
  /** Undefined: the link was ended. */
  readonly row: Pick<SupplierRow, 'brand' | 'linked_at'> | undefined;
}

/** The state of every link by the entries. */
export class SupplierLinks {
  readonly #stated = new Map<string, StatedLink>();

  take({ id, at, action, tenant_id: tenantId, entity_id: name, details }: StoredAuditEntry): void {
    if (action !== LINK_SUPPLIER && action !== UNLINK_SUPPLIER) return;
    const key = buildKey(tenantId, name);
    const known = this.#stated.get(key);
    if (known !== undefined && known.entryId > id) return;
    const row = action === LINK_SUPPLIER ? { brand: brandIn(details), linked_at: at } : undefined;
    this.#stated.set(key, { entryId: id, tenantId: String(tenantId), name, row });
  }

  /** @param pages of all stored links, of the moment at which all entries were taken */
  async compare(
    pages: AsyncIterable<readonly SupplierRow[]>,
    height: number,
  ): Promise<readonly LedgerMismatch[]> {
    const stored = new Set<string>();
    const found: LedgerMismatch[] = [];
    for await (const rows of pages) {
      for (const row of rows) {
        const key = buildKey(row.tenant_id, row.name);
        stored.add(key);
        const stated = this.#stated.get(key)?.row;
        const link = linkText(row.tenant_id, row.name);
        if (stated === undefined) {
          const message = `${link} is stored, and no entry of the audit is about it`;
          found.push({ height, code: 'supplier_row_extra', message });
        } else if (stated.brand !== row.brand || stated.linked_at !== row.linked_at) {
          const message = `${link} is not what the audit says of it`;
          found.push({ height, code: 'supplier_row_differs', message });
        }
      }
    }
    for (const [key, { tenantId, name, row }] of this.#stated) {
      if (row === undefined || stored.has(key)) continue;
      const message = `${linkText(tenantId, name)}, which the audit has, is not stored`;
      found.push({ height, code: 'supplier_row_missing', message });
    }
    return found;
  }
}

function buildKey(tenantId: string | null, name: string): string {
  return JSON.stringify([tenantId, name]);
}

function linkText(tenantId: string, name: string): string {
  return `the link of supplier ${JSON.stringify(name)} of brand ${tenantId}`;
}

/** Returns `NO_BRAND` for details that were changed, which have a finding of their own. */
function brandIn(details: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(details);
  } catch {
    return NO_BRAND;
  }
  const brand: unknown =
    typeof parsed === 'object' && parsed !== null
      ? Object.getOwnPropertyDescriptor(parsed, 'brand')?.value
      : undefined;
  return typeof brand === 'string' ? brand : NO_BRAND;
}

/** The name of no brand, so that every stored one differs from it. */
const NO_BRAND = '';
