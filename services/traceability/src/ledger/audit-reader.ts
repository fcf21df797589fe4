// Reads the audit, newest first: the entries of a tenant, or all of them for the operator. A page
// reads a bounded number of entries, even if few of them match its filter.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import sql, { empty, join, type Sql } from 'sql-template-tag';

export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly tenantId: string | null;
  readonly actor: string;
  readonly action: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly blockHeight: number | null;
  readonly requestId: string | null;
  /** A JSON object. */
  readonly details: string;
  /** Its place in the chain of the audit, from 1; null for an entry without a place. */
  readonly sequence: number | null;
  readonly hash: string | null;
  readonly prevHash: string | null;
}

/** The filter of a page; an absent field filters nothing. */
export interface AuditFilter {
  /** The actor as entries name it. */
  readonly actor?: string | undefined;
  /** Instants: entries at or behind the first, and before the second. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly tenantId: string | undefined;
  readonly action: string | undefined;
  readonly entityType: string | undefined;
  readonly entityId: string | undefined;
}

export interface AuditPage {
  readonly entries: readonly AuditRow[];
  /** Send it as `before` for the entries behind these; null at the end. */
  readonly next: number | null;
}

/** Entries read in one query when most of them may not match: about a millisecond. */
const ENTRIES_PER_SLICE = 500;
/** Entries that one page looks at before it ends short, with `next`. */
const LOOKED_AT_MAX = 10_000;

/** A page may be short or empty although there are more entries: then `next` is set. */
export async function readAuditPage(
  database: DatabaseReader,
  page: AuditFilter & { readonly before: number; readonly limit: number },
): Promise<AuditPage> {
  const { limit } = page;
  const lead = chooseLead(page);
  const sliceLimit = lead.isWhole ? limit + 1 : ENTRIES_PER_SLICE;
  const entries: AuditRow[] = [];
  let before = Math.min(page.before, await idBehind(database, page.until));
  const oldest = page.since === undefined ? '' : shifted(page.since, -SKEW_MS);
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += sliceLimit) {
    const rows = await newestAuditEntries(database, { ...lead, before, limit: sliceLimit });
    for (const row of rows) {
      const last = entries.at(-1);
      if (matches(row, page)) {
        if (last !== undefined && entries.length === limit) return { entries, next: last.id };
        entries.push(row);
      }
      before = row.id;
    }
    const isPast = (rows.at(-1)?.at ?? '') < oldest;
    if (isPast || rows.length < sliceLimit) return { entries, next: null };
    await nextTurn();
  }
  return { entries, next: before };
}

/**
 * Entries are in the order of their ids, and nearly in that of their times: processes of one hub may differ by
 * less than this, as may a clock that was set.
 */
const SKEW_MS = 60 * 60 * 1_000;

/** Finds an id after all entries before an instant, by a binary search: some twenty look-ups by key. */
async function idBehind(database: DatabaseReader, until: string | undefined): Promise<number> {
  if (until === undefined) return Number.MAX_SAFE_INTEGER;
  const wanted = shifted(until, SKEW_MS);
  const last = await entryAtOrBelow(database, Number.MAX_SAFE_INTEGER);
  if (last === undefined || last.at < wanted) return Number.MAX_SAFE_INTEGER;
  let [low, high] = [0, last.id];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await entryAtOrBelow(database, middle);
    if (entry === undefined || entry.at < wanted) low = middle + 1;
    else high = entry.id;
  }
  return high;
}

function shifted(instant: string, ms: number): string {
  return instantText(Date.parse(instant) + ms);
}

/** The newest entry up to an id, of whichever tenant. */
export async function entryAtOrBelow(
  database: DatabaseReader,
  id: number,
): Promise<Pick<AuditRow, 'id' | 'at'> | undefined> {
  return await database.first<Pick<AuditRow, 'id' | 'at'>>(sql`
    select id, at
    from audit_entries
    where id <= ${id}
    order by id desc
    limit 1`);
}

/** The part of a filter that an index serves. */
interface AuditLead {
  readonly tenantId: string | undefined;
  readonly action: string | undefined;
  readonly entityId: string | undefined;
}

/** Returns the index with the fewest entries; `isWhole` when all of its entries match. */
function chooseLead(filter: AuditFilter): AuditLead & { readonly isWhole: boolean } {
  const { tenantId, action, entityType, entityId } = filter;
  const { actor, since, until } = filter;
  const parts = [action, entityType, entityId, actor, since, until];
  const asked = parts.filter((part) => part !== undefined).length;
  // Every index begins with the tenant, so entries of all tenants are searched by their ids.
  if (tenantId === undefined) {
    return { tenantId, action: undefined, entityId: undefined, isWhole: asked === 0 };
  }
  if (entityId !== undefined)
    return { tenantId, action: undefined, entityId, isWhole: asked === 1 };
  return {
    tenantId,
    action,
    entityId: undefined,
    isWhole: asked === (action === undefined ? 0 : 1),
  };
}

function matches(row: AuditRow, filter: AuditFilter): boolean {
  const { action, entityType, entityId, actor, since, until } = filter;
  return (
    row.actor === (actor ?? row.actor) &&
    row.at >= (since ?? row.at) &&
    (until === undefined || row.at < until) &&
    row.action === (action ?? row.action) &&
    row.entityType === (entityType ?? row.entityType) &&
    row.entityId === (entityId ?? row.entityId)
  );
}

/** Entries below an id, newest first; at most one of `action` and `entityId`, and with a tenant. */
export async function newestAuditEntries(
  database: DatabaseReader,
  page: AuditLead & { readonly before: number; readonly limit: number },
): Promise<readonly AuditRow[]> {
  const { tenantId, action, entityId } = page;
  // The order of the indexes (schema, 0004-recall.sql); for all tenants, the ids themselves are in
  // order.
  const [before, newestFirst] =
    tenantId === undefined
      ? [sql`e.id < ${page.before}`, sql`e.id desc`]
      : [sql`-e.id > ${-page.before}`, sql`-e.id`];
  const conditions: readonly Sql[] = [
    tenantId === undefined ? empty : sql`and e.tenant_id = ${tenantId}`,
    action === undefined ? empty : sql`and e.action = ${action}`,
    entityId === undefined ? empty : sql`and e.entity_id = ${entityId}`,
  ];
  return await database.all<AuditRow>(sql`
    select e.id, e.at, e.tenant_id as "tenantId", e.actor, e.action, e.entity_type as "entityType",
      e.entity_id as "entityId", e.block_height as "blockHeight", e.request_id as "requestId",
      e.details, c.sequence, c.hash, p.hash as "prevHash"
    from audit_entries e
    left join audit_chain c on c.entry_id = e.id
    left join audit_chain p on p.sequence = c.sequence - 1
    where ${before} ${join(conditions, ' ')}
    order by ${newestFirst}
    limit ${page.limit}`);
}
