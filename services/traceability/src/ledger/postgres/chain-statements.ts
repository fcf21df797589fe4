// The statements that give each table of the chain its rows of a group, as arrays: one a table.
import type { SealedBlock } from '@lothub/chain';
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type {
  Alarm,
  CorrectionRow,
  EventChange,
  EventRow,
  Head,
  HeadGrowth,
  LineRow,
  ProvenanceRow,
  TenantTally,
} from '../append/group-rows.ts';
import type { AuditEntry } from '../audit.ts';
import type { PrivateLine } from '../record/commitment.ts';
import type { CorrectionSubmission } from '../draft.ts';

export interface ImportKeyRow {
  readonly tenantNo: number;
  readonly groupKey: string;
  readonly height: number;
}

export interface NewTenant {
  readonly tenantNo: number;
  readonly tenantId: string;
  readonly height: number;
}

export type PrivateOfCorrection = Pick<CorrectionSubmission, 'privateRequest' | 'privateChanges'>;

/** An open alarm of the same height and code is not repeated. */
export function insertAlarms(alarms: readonly Alarm[]): Sql {
  return sql`
    insert into chain_alarms (height, code, message, found_at)
    select a.height, a.code, a.message, a.found_at
    from unnest(
      ${bigintArray(alarms.map((alarm) => alarm.height))}::bigint[],
      ${textArray(alarms.map((alarm) => alarm.code))}::text[],
      ${textArray(alarms.map((alarm) => alarm.message))}::text[],
      ${textArray(alarms.map((alarm) => alarm.foundAt))}::text[]
    ) as a (height, code, message, found_at)
    where not exists (
      select 1
      from chain_alarms o
      where o.height = a.height and o.code = a.code and o.cleared_at is null
    )`;
}

export function insertBlocks(blocks: readonly SealedBlock[]): Sql {
  const heights = blocks.map((block) => block.height);
  const prevHeights = heights.map((height) => (height === 0 ? null : height - 1));
  return sql`
    insert into blocks (height, prev_height, prev_hash, hash, canonical)
    select height, prev_height, prev_hash, hash, canonical
    from unnest(
      ${bigintArray(heights)}::bigint[],
      ${bigintArray(prevHeights)}::bigint[],
      ${textArray(blocks.map((block) => block.prevHash))}::text[],
      ${textArray(blocks.map((block) => block.blockHash))}::text[],
      ${textArray(blocks.map((block) => block.canonical))}::text[]
    ) as b (height, prev_height, prev_hash, hash, canonical)`;
}

export function insertTenants(tenants: readonly NewTenant[]): Sql {
  return sql`
    insert into tenants (
      tenant_no, tenant_id, first_height, last_height, events, transactions, lots
    )
    select tenant_no, tenant_id, height, height, 0, 0, 0
    from unnest(
      ${bigintArray(tenants.map((tenant) => tenant.tenantNo))}::bigint[],
      ${textArray(tenants.map((tenant) => tenant.tenantId))}::text[],
      ${bigintArray(tenants.map((tenant) => tenant.height))}::bigint[]
    ) as t (tenant_no, tenant_id, height)`;
}

export function updateTenants(tallies: readonly Readonly<TenantTally>[]): Sql {
  return sql`
    update tenants t
    set events = t.events + a.events,
      corrections = t.corrections + a.corrections,
      transactions = t.transactions + a.transactions,
      lots = t.lots + a.lots,
      last_height = a.last_height
    from unnest(
      ${bigintArray(tallies.map((tally) => tally.tenantNo))}::bigint[],
      ${bigintArray(tallies.map((tally) => tally.events))}::bigint[],
      ${bigintArray(tallies.map((tally) => tally.corrections))}::bigint[],
      ${bigintArray(tallies.map((tally) => tally.transactions))}::bigint[],
      ${bigintArray(tallies.map((tally) => tally.lots))}::bigint[],
      ${bigintArray(tallies.map((tally) => tally.lastHeight))}::bigint[]
    ) as a (tenant_no, events, corrections, transactions, lots, last_height)
    where t.tenant_no = a.tenant_no`;
}

export function updateHead({
  head,
  growth,
}: {
  readonly head: Head;
  readonly growth: HeadGrowth;
}): Sql {
  return sql`
    update head
    set height = ${head.height},
      hash = ${head.hash},
      recorded_at = ${head.recordedAt},
      transactions = transactions + ${growth.transactions},
      lots = lots + ${growth.lots},
      tenants = tenants + ${growth.tenants}
    where id = 1`;
}

export function insertEvents(events: readonly EventRow[]): Sql {
  return sql`
    insert into events (
      height, tenant_no, event_type, external_id, occurred_at, reference, line_count, link_basis
    )
    select
      height, tenant_no, event_type, external_id, occurred_at, reference, line_count, link_basis
    from unnest(
      ${bigintArray(events.map((event) => event.height))}::bigint[],
      ${bigintArray(events.map((event) => event.tenantNo))}::bigint[],
      ${textArray(events.map((event) => event.eventType))}::text[],
      ${textArray(events.map((event) => event.externalId))}::text[],
      ${textArray(events.map((event) => event.occurredAt))}::text[],
      ${textArray(events.map((event) => event.reference))}::text[],
      ${bigintArray(events.map((event) => event.lineCount))}::bigint[],
      ${bigintArray(events.map((event) => event.linkBasis))}::bigint[]
    ) as e (
      height, tenant_no, event_type, external_id, occurred_at, reference, line_count, link_basis
    )`;
}

export function updateEvents(
  changes: readonly { readonly change: EventChange; readonly count: number }[],
): Sql {
  return sql`
    update events e
    set occurred_at = c.occurred_at,
      reference = c.reference,
      link_basis = c.link_basis,
      voided = c.voided,
      correction_count = e.correction_count + c.corrections
    from unnest(
      ${bigintArray(changes.map(({ change }) => change.height))}::bigint[],
      ${textArray(changes.map(({ change }) => change.occurredAt))}::text[],
      ${textArray(changes.map(({ change }) => change.reference))}::text[],
      ${bigintArray(changes.map(({ change }) => change.linkBasis))}::bigint[],
      ${bigintArray(changes.map(({ change }) => Number(change.voided)))}::bigint[],
      ${bigintArray(changes.map(({ count }) => count))}::bigint[]
    ) as c (height, occurred_at, reference, link_basis, voided, corrections)
    where e.height = c.height`;
}

export function insertLines(lines: readonly LineRow[]): Sql {
  return sql`
    insert into lines (
      height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis
    )
    select height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis
    from ${lineArrays(lines)} as l (
      height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis
    )`;
}

export function updateLines(lines: readonly LineRow[]): Sql {
  return sql`
    update lines l
    set lot_no = c.lot_no,
      product_sku = c.product_sku,
      direction = c.direction,
      quantity = c.quantity,
      unit = c.unit,
      link_basis = c.link_basis
    from ${lineArrays(lines)} as c (
      height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis
    )
    where l.height = c.height and l.line_no = c.line_no`;
}

function lineArrays(lines: readonly LineRow[]): Sql {
  return sql`unnest(
    ${bigintArray(lines.map((line) => line.height))}::bigint[],
    ${bigintArray(lines.map((line) => line.lineNo))}::bigint[],
    ${bigintArray(lines.map((line) => line.lotNo))}::bigint[],
    ${textArray(lines.map((line) => line.productSku))}::text[],
    ${textArray(lines.map((line) => line.direction))}::text[],
    ${textArray(lines.map((line) => line.quantity))}::text[],
    ${textArray(lines.map((line) => line.unit))}::text[],
    ${bigintArray(lines.map((line) => line.linkBasis))}::bigint[]
  )`;
}

export function deleteProvenances(heights: readonly number[]): Sql {
  return sql`
    delete from provenances
    where height = any(${bigintArray(heights)}::bigint[])`;
}

export function insertProvenances(rows: readonly ProvenanceRow[]): Sql {
  const provenances = rows.map(({ provenance }) => provenance);
  return sql`
    insert into provenances (
      height, line_no, tenant_no, lot_no, is_leaf, supplier_name, origin_facility,
      supplier_lot_code
    )
    select
      height, line_no, tenant_no, lot_no, is_leaf, supplier_name, origin_facility,
      supplier_lot_code
    from unnest(
      ${bigintArray(rows.map((row) => row.height))}::bigint[],
      ${bigintArray(provenances.map((one) => one.lineNo))}::bigint[],
      ${bigintArray(rows.map((row) => row.tenantNo))}::bigint[],
      ${bigintArray(rows.map((row) => row.lotNo))}::bigint[],
      ${bigintArray(provenances.map((one) => Number(one.isLeaf)))}::bigint[],
      ${textArray(provenances.map((one) => one.supplier_name))}::text[],
      ${textArray(provenances.map((one) => one.origin_facility))}::text[],
      ${textArray(provenances.map((one) => one.supplier_lot_code))}::text[]
    ) as p (
      height, line_no, tenant_no, lot_no, is_leaf, supplier_name, origin_facility,
      supplier_lot_code
    )`;
}

export function insertCorrections(rows: readonly CorrectionRow[]): Sql {
  return sql`
    insert into corrections (height, tenant_no, corrects_height, change_count)
    select height, tenant_no, corrects_height, change_count
    from unnest(
      ${bigintArray(rows.map((row) => row.height))}::bigint[],
      ${bigintArray(rows.map((row) => row.tenantNo))}::bigint[],
      ${bigintArray(rows.map((row) => row.correctsHeight))}::bigint[],
      ${bigintArray(rows.map((row) => row.changeCount))}::bigint[]
    ) as c (height, tenant_no, corrects_height, change_count)`;
}

export function insertMentions(
  mentions: readonly { readonly height: number; readonly lotNo: number }[],
): Sql {
  return sql`
    insert into lot_mentions (height, lot_no)
    select height, lot_no
    from unnest(
      ${bigintArray(mentions.map(({ height }) => height))}::bigint[],
      ${bigintArray(mentions.map(({ lotNo }) => lotNo))}::bigint[]
    ) as m (height, lot_no)
    on conflict do nothing`;
}

export function insertImportKeys(rows: readonly ImportKeyRow[]): Sql {
  return sql`
    insert into import_keys (tenant_no, group_key, height)
    select tenant_no, group_key, height
    from unnest(
      ${bigintArray(rows.map((row) => row.tenantNo))}::bigint[],
      ${textArray(rows.map((row) => row.groupKey))}::text[],
      ${bigintArray(rows.map((row) => row.height))}::bigint[]
    ) as k (tenant_no, group_key, height)`;
}

export function insertPrivateLines(
  lines: readonly (PrivateLine & { readonly height: number })[],
): Sql {
  return sql`
    insert into private_lines (height, line_no, customer_ref, channel, salt)
    select height, line_no, customer_ref, channel, salt
    from unnest(
      ${bigintArray(lines.map((line) => line.height))}::bigint[],
      ${bigintArray(lines.map((line) => line.lineNo))}::bigint[],
      ${textArray(lines.map((line) => line.customerRef))}::text[],
      ${textArray(lines.map((line) => line.channel))}::text[],
      ${textArray(lines.map((line) => line.salt))}::text[]
    ) as l (height, line_no, customer_ref, channel, salt)`;
}

export function insertPrivateNotes(
  notes: readonly { readonly height: number; readonly notes: string; readonly salt: string }[],
): Sql {
  return sql`
    insert into private_notes (height, notes, salt)
    select height, notes, salt
    from unnest(
      ${bigintArray(notes.map((one) => one.height))}::bigint[],
      ${textArray(notes.map((one) => one.notes))}::text[],
      ${textArray(notes.map((one) => one.salt))}::text[]
    ) as n (height, notes, salt)`;
}

export function insertPrivateRequests(
  corrections: readonly { readonly height: number; readonly kept: PrivateOfCorrection }[],
): Sql {
  const requests = corrections.map(({ kept }) => kept.privateRequest);
  return sql`
    insert into private_requests (height, requested_by, salt)
    select height, requested_by, salt
    from unnest(
      ${bigintArray(corrections.map(({ height }) => height))}::bigint[],
      ${textArray(requests.map((request) => request.requestedBy))}::text[],
      ${textArray(requests.map((request) => request.salt))}::text[]
    ) as r (height, requested_by, salt)`;
}

export function insertPrivateChanges(
  changes: readonly (PrivateOfCorrection['privateChanges'][number] & {
    readonly height: number;
  })[],
): Sql {
  return sql`
    insert into private_changes (height, change_no, from_text, to_text, salt)
    select height, change_no, from_text, to_text, salt
    from unnest(
      ${bigintArray(changes.map((change) => change.height))}::bigint[],
      ${bigintArray(changes.map((change) => change.changeNo))}::bigint[],
      ${textArray(changes.map((change) => change.from))}::text[],
      ${textArray(changes.map((change) => change.to))}::text[],
      ${textArray(changes.map((change) => change.salt))}::text[]
    ) as c (height, change_no, from_text, to_text, salt)`;
}

/** Numbered in the order in which they were told. */
export function insertAuditEntries(entries: readonly AuditEntry[]): Sql {
  return sql`
    insert into audit_entries (
      at, tenant_id, actor, action, entity_type, entity_id, block_height, request_id, details
    )
    select at, tenant_id, actor, action, entity_type, entity_id, block_height, request_id, details
    from unnest(
      ${textArray(entries.map((entry) => entry.at))}::text[],
      ${textArray(entries.map((entry) => entry.tenantId))}::text[],
      ${textArray(entries.map((entry) => entry.caller.actor))}::text[],
      ${textArray(entries.map((entry) => entry.action))}::text[],
      ${textArray(entries.map((entry) => entry.entityType))}::text[],
      ${textArray(entries.map((entry) => entry.entityId))}::text[],
      ${bigintArray(entries.map((entry) => entry.blockHeight))}::bigint[],
      ${textArray(entries.map((entry) => entry.caller.requestId))}::text[],
      ${textArray(entries.map((entry) => JSON.stringify(entry.details)))}::text[]
    ) with ordinality as a (
      at, tenant_id, actor, action, entity_type, entity_id, block_height, request_id, details, place
    )
    order by place`;
}
