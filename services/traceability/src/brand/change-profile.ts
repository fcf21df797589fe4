// Changes what consumers read: seals a block with the whole new state of the subject and writes its row, in
// one transaction. What changes nothing seals nothing.
import { canonicalize, type JsonObject } from '@lothub/chain';
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry, type AuditEntry } from '../ledger/audit.ts';
import { decideOrStale } from '../ledger/decisions/decide-again.ts';
import { draftDecision, sealedHeight } from '../ledger/decisions/draft.ts';
import { rowsOfDecision } from '../ledger/decisions/kinds.ts';
import type { Caller, Tip } from '../ledger/draft.ts';
import type { BrandDecision } from '../ledger/record/decisions/contents.ts';
import type { LedgerStore } from '../ledger/store.ts';

export interface ProfileDeps {
  readonly store: Pick<LedgerStore, 'decide' | 'reader'>;
  readonly clock: Clock;
}

/** A change, planned on the current state. */
export interface PlannedProfile {
  readonly decision: BrandDecision;
  /** Height of the block with the current state; null before the first. */
  readonly foundHeight: number | null;
  readonly audit: Pick<AuditEntry, 'action' | 'entityType' | 'entityId' | 'details'>;
  /** Written beside the row: before it, and behind it. */
  readonly before?: readonly Sql[];
  readonly behind?: readonly Sql[];
}

/**
 * @param plan returns undefined when there is nothing to change; called again when another change was first
 * @returns the block; undefined when nothing was changed
 * @throws DatabaseError as the store's; whatever `plan` throws
 */
export async function changeProfile(
  { store, clock }: ProfileDeps,
  by: { readonly tenantId: string; readonly caller: Caller },
  plan: (database: DatabaseReader, at: string) => Promise<PlannedProfile | undefined>,
): Promise<Tip | undefined> {
  return await repeatWhileStale({ busy: 'others kept changing the same thing' }, async () => {
    const at = instantText(clock.nowMs());
    const planned = await plan(store.reader, at);
    if (planned === undefined) return undefined;
    const outcome = await decideOrStale(store, buildChange(by, planned));
    return outcome.kind === 'stale' ? outcome.kind : outcome.blocks[0];
  });
}

function buildChange(
  { tenantId: brand, caller }: { readonly tenantId: string; readonly caller: Caller },
  { decision, foundHeight, audit, before = [], behind = [] }: PlannedProfile,
) {
  const height = sealedHeight(0);
  return {
    guard: isAsFound(brand, decision, foundHeight),
    decisions: [draftDecision({ brand, type: 'brand', content: decision })],
    statements: [
      ...before,
      ...rowsOfDecision('brand', { height, brand, decision, opened: {} }),
      ...behind,
      insertAuditEntry({
        ...audit,
        ...{ at: decision.at, tenantId: brand, caller, blockHeight: height },
      }),
    ],
  };
}

/** A guard that returns a row if the subject has not changed since it was read. */
function isAsFound(brand: string, decision: BrandDecision, foundHeight: number | null): Sql {
  return sql`
    select id
    from head
    where id = 1 and coalesce((${heightOfRow(brand, decision)}), ${NO_HEIGHT}) = ${foundHeight ?? NO_HEIGHT}`;
}

/** Stands for the height of a row that does not exist, or that no block has sealed yet. */
const NO_HEIGHT = -1;

function heightOfRow(brand: string, decision: BrandDecision): Sql {
  switch (decision.about) {
    case 'brand':
      return sql`select height from brands where tenant_id = ${brand}`;
    case 'product':
      return sql`
        select height from products
        where tenant_id = ${brand} and sku = ${decision.sku}`;
    case 'place':
      return sql`
        select height from places
        where tenant_id = ${brand} and location = ${decision.location}`;
  }
}

/** Names of the members in which two states differ, sorted; all of the new one when there was none. */
export function changedMembers(before: object | undefined, after: object): readonly string[] {
  const [old, fresh] = [mapTexts(before ?? {}), mapTexts(after)];
  const names = new Set([...old.keys(), ...fresh.keys()]);
  return [...names].filter((name) => old.get(name) !== fresh.get(name)).sort();
}

function mapTexts(state: object): ReadonlyMap<string, string> {
  const members = Object.entries(state as JsonObject);
  return new Map(members.map(([name, value]) => [name, canonicalize(value)]));
}
