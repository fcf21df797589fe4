// Links a supplier's name to a brand of the hub, and ends such a link: a change of the audit, which the stored
// link is compared with. What changes nothing writes nothing.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { insertRow, onConflictReplace } from '@lothub/kit/rows/stored-table';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import sql, { raw, type Sql } from 'sql-template-tag';
import { Refusal } from '../errors.ts';
import {
  LINK_SUPPLIER,
  UNLINK_SUPPLIER,
  supplierEntry,
} from '../ledger/audit-chain/supplier-link.ts';
import { insertAuditEntry } from '../ledger/audit.ts';
import type { Caller } from '../ledger/draft.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { SUPPLIERS } from '../ledger/tables/off-chain.ts';
import { countLinks, findLink, isBrand, type SupplierLink } from './queries.ts';
import { LINKS_MAX } from './schema.ts';

export interface LinkDeps {
  readonly store: Pick<LedgerStore, 'change' | 'reader'>;
  readonly clock: Clock;
}

export interface LinkChange {
  readonly tenantId: string;
  /** As events write it. */
  readonly name: string;
  readonly caller: Caller;
}

/**
 * @param brand tenant id
 * @throws Refusal `rule_broken` when the brand is not known or the caller's own, or the caller has too many links;
 * DatabaseError as the store's
 */
export async function linkSupplier(
  deps: LinkDeps,
  change: LinkChange,
  brand: string,
): Promise<'created' | 'changed' | 'unchanged'> {
  const { tenantId, name, caller } = change;
  const database = deps.store.reader;
  const fault = await findLinkFault(database, { tenantId, brand });
  if (fault !== undefined) throw new Refusal('rule_broken', LINK_FAULTS[fault]);
  return await changeLink(deps, change, async (found) => {
    if (found?.brand === brand) return { outcome: 'unchanged', statements: [] };
    if (found === undefined && (await countLinks(database, tenantId)) >= LINKS_MAX) {
      throw new Refusal('rule_broken', `A brand links at most ${LINKS_MAX} suppliers`);
    }
    const at = instantText(deps.clock.nowMs());
    const row = { tenant_id: tenantId, name, brand, linked_at: at };
    return {
      outcome: found === undefined ? 'created' : 'changed',
      statements: [
        sql`${insertRow(SUPPLIERS, row)} ${raw(onConflictReplace(SUPPLIERS))}`,
        insertAuditEntry(supplierEntry(row, { action: LINK_SUPPLIER, at, caller })),
      ],
    };
  });
}

/** Why a supplier's name cannot be linked to a brand. */
const LINK_FAULTS = {
  own: 'A supplier is linked to another brand, not to your own',
  unknown: 'No brand of this id is known to the hub',
} as const;
export type LinkFault = keyof typeof LINK_FAULTS;

/** @returns undefined for a brand that may be linked */
export async function findLinkFault(
  database: DatabaseReader,
  { tenantId, brand }: { readonly tenantId: string; readonly brand: string },
): Promise<LinkFault | undefined> {
  if (brand === tenantId) return 'own';
  return (await isBrand(database, brand)) ? undefined : 'unknown';
}

/** @throws Refusal `not_found`; DatabaseError as the store's */
export async function unlinkSupplier(deps: LinkDeps, change: LinkChange): Promise<void> {
  const { tenantId, name, caller } = change;
  await changeLink(deps, change, (found) => {
    if (found === undefined) throw noSuchSupplier();
    const at = instantText(deps.clock.nowMs());
    const link = { tenant_id: tenantId, name, brand: found.brand };
    return {
      outcome: 'removed',
      statements: [
        sql`delete from suppliers where tenant_id = ${tenantId} and name = ${name}`,
        insertAuditEntry(supplierEntry(link, { action: UNLINK_SUPPLIER, at, caller })),
      ],
    };
  });
}

export function noSuchSupplier(): Refusal {
  return new Refusal('not_found', 'No supplier of this name is linked to a brand');
}

interface PlannedLink<Outcome> {
  readonly outcome: Outcome;
  /** None when nothing is to be changed. */
  readonly statements: readonly Sql[];
}

/** @param plan is called again when another change was first */
async function changeLink<Outcome>(
  { store }: LinkDeps,
  subject: LinkChange,
  plan: (found: SupplierLink | undefined) => PlannedLink<Outcome> | Promise<PlannedLink<Outcome>>,
): Promise<Outcome> {
  return await repeatWhileStale({ busy: 'others kept linking the same supplier' }, async () => {
    const found = await findLink(store.reader, subject);
    const { outcome, statements } = await plan(found);
    if (statements.length === 0) return outcome;
    const written = await store.change({ guard: isAsFound(subject, found), statements });
    return written.kind === 'stale' ? written.kind : outcome;
  });
}

/** A guard that returns a row if the link has not changed since it was read. */
function isAsFound({ tenantId, name }: LinkChange, found: SupplierLink | undefined): Sql {
  const link = sql`select 1 from suppliers where tenant_id = ${tenantId} and name = ${name}`;
  const isLinked =
    found === undefined
      ? sql`not exists (${link})`
      : sql`exists (${link} and brand = ${found.brand} and linked_at = ${found.linkedAt})`;
  return sql`
    select id
    from head
    where id = 1 and ${isLinked}`;
}
