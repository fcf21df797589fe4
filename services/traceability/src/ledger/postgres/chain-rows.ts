// The rows of blocks, events, corrections and what stands beside the chain, in PostgreSQL: answers from
// what was read for the group, and keeps what is written until the group ends; then each table gets its
// rows as arrays, in one statement.
import type { SealedBlock } from '@lothub/chain';
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type {
  Alarm,
  AuditEntry,
  ChainRows,
  CorrectionRow,
  EventChange,
  EventRow,
  Head,
  HeadGrowth,
  LineRow,
  ProvenanceRow,
  TenantTally,
} from '../append/group-rows.ts';
import type { PrivateLine } from '../commitment.ts';
import type { CorrectionSubmission, Draft } from '../draft.ts';
import type { StoredPrivate } from '../replay.ts';
import type { GroupView } from './group-view.ts';

interface ImportKeyRow {
  readonly tenantNo: number;
  readonly contentKey: string;
  readonly height: number;
}

interface NewTenant {
  readonly tenantNo: number;
  readonly tenantId: string;
  readonly height: number;
}

type PrivateOfCorrection = Pick<CorrectionSubmission, 'privateRequest' | 'privateChanges'>;

export class PostgresChainRows implements ChainRows {
  readonly #view: GroupView;
  readonly #blocks: SealedBlock[] = [];
  readonly #alarms: Alarm[] = [];
  readonly #newTenants: NewTenant[] = [];
  readonly #tallies: Readonly<TenantTally>[] = [];
  readonly #importKeys: ImportKeyRow[] = [];
  readonly #events: EventRow[] = [];
  /** Of an event that several corrections change, the last one counts; all are counted. */
  readonly #eventChanges = new Map<number, { change: EventChange; count: number }>();
  readonly #lines: LineRow[] = [];
  readonly #lineChanges = new Map<string, LineRow>();
  readonly #provenances = new Map<number, ProvenanceRow[]>();
  /** Events whose stored provenances are replaced. */
  readonly #replacedProvenances = new Set<number>();
  readonly #corrections: CorrectionRow[] = [];
  readonly #mentions: { readonly height: number; readonly lotNo: number }[] = [];
  readonly #privateEvents: { readonly height: number; readonly draft: Draft }[] = [];
  readonly #privateCorrections: { readonly height: number; readonly kept: PrivateOfCorrection }[] =
    [];
  readonly #auditEntries: AuditEntry[] = [];
  #head: { readonly head: Head; readonly growth: HeadGrowth } | undefined;

  constructor(view: GroupView) {
    this.#view = view;
  }

  findCanonical(height: number): string | undefined {
    return this.#view.blocks.get(height)?.canonical;
  }

  findHash(height: number): string | undefined {
    return this.#view.blocks.get(height)?.hash;
  }

  insertBlock(block: SealedBlock): void {
    this.#blocks.push(block);
    this.#view.addBlock(block);
  }

  raiseAlarm(alarm: Alarm): void {
    this.#alarms.push(alarm);
  }

  updateHead(head: Head, growth: HeadGrowth): void {
    this.#head = { head, growth };
  }

  findTenantNo(tenantId: string): number | undefined {
    return this.#view.tenantNos.get(tenantId);
  }

  lastTenantNo(): number {
    return this.#view.lastTenantNo;
  }

  insertTenant(tenant: NewTenant): void {
    this.#newTenants.push(tenant);
    this.#view.tenantNos.set(tenant.tenantId, tenant.tenantNo);
    this.#view.lastTenantNo = tenant.tenantNo;
  }

  updateTenant(tally: Readonly<TenantTally>): void {
    this.#tallies.push(tally);
  }

  heightOfExternalId(tenantNo: number, externalId: string): number | undefined {
    return this.#view.findExternalId(tenantNo, externalId);
  }

  heightsOfContentKey(tenantNo: number, contentKey: string): readonly number[] {
    return this.#view.contentKeyHeights(tenantNo, contentKey);
  }

  insertContentKey(tenantNo: number, contentKey: string, height: number): void {
    this.#importKeys.push({ tenantNo, contentKey, height });
    this.#view.addContentKey(tenantNo, contentKey, height);
  }

  insertEvent(row: EventRow): void {
    this.#events.push(row);
    const { tenantNo, externalId, height } = row;
    if (externalId !== null) this.#view.addExternalId(tenantNo, externalId, height);
  }

  updateEvent(change: EventChange): void {
    const count = this.#eventChanges.get(change.height)?.count ?? 0;
    this.#eventChanges.set(change.height, { change, count: count + 1 });
  }

  insertLine(row: LineRow): void {
    this.#lines.push(row);
  }

  updateLine(row: LineRow): void {
    this.#lineChanges.set(`${row.height} ${row.lineNo}`, row);
  }

  insertProvenance(row: ProvenanceRow): void {
    const known = this.#provenances.get(row.height);
    if (known === undefined) this.#provenances.set(row.height, [row]);
    else known.push(row);
  }

  deleteProvenances(height: number): void {
    this.#provenances.delete(height);
    this.#replacedProvenances.add(height);
  }

  insertCorrection(row: CorrectionRow): void {
    this.#corrections.push(row);
    this.#view.addCorrection(row.correctsHeight, row.height);
  }

  correctionsOf(
    height: number,
  ): readonly { readonly height: number; readonly canonical: string }[] {
    return (this.#view.corrections.get(height) ?? []).map((correction) => ({
      height: correction,
      canonical: this.findCanonical(correction) ?? '',
    }));
  }

  insertMention(height: number, lotNo: number): void {
    this.#mentions.push({ height, lotNo });
  }

  insertPrivateOfEvent(height: number, draft: Draft): void {
    const { privateLines, privateNotes } = draft;
    if (privateLines.length === 0 && privateNotes === null) return;
    this.#privateEvents.push({ height, draft });
    const lines = new Map<number, PrivateLine>(privateLines.map((line) => [line.lineNo, line]));
    this.#view.privates.set(height, { lines, notes: privateNotes });
  }

  insertPrivateOfCorrection(height: number, kept: PrivateOfCorrection): void {
    this.#privateCorrections.push({ height, kept });
  }

  storedPrivate(height: number): StoredPrivate {
    return this.#view.privates.get(height) ?? { lines: new Map(), notes: null };
  }

  insertAuditEntry(entry: AuditEntry): void {
    this.#auditEntries.push(entry);
  }

  /** What is to be written, in an order that the chain's own foreign key allows. */
  statements(): readonly Sql[] {
    const statements: Sql[] = [];
    const add = (rows: number, statement: () => Sql): void => {
      if (rows > 0) statements.push(statement());
    };
    add(this.#alarms.length, () => insertAlarms(this.#alarms));
    add(this.#blocks.length, () => insertBlocks(this.#blocks));
    add(this.#newTenants.length, () => insertTenants(this.#newTenants));
    add(this.#events.length, () => insertEvents(this.#events));
    add(this.#lines.length, () => insertLines(this.#lines));
    const changes = [...this.#eventChanges.values()];
    add(changes.length, () => updateEvents(changes));
    const lineChanges = [...this.#lineChanges.values()];
    add(lineChanges.length, () => updateLines(lineChanges));
    const replaced = [...this.#replacedProvenances];
    add(replaced.length, () => deleteProvenances(replaced));
    const provenances = [...this.#provenances.values()].flat();
    add(provenances.length, () => insertProvenances(provenances));
    add(this.#corrections.length, () => insertCorrections(this.#corrections));
    add(this.#mentions.length, () => insertMentions(this.#mentions));
    add(this.#importKeys.length, () => insertImportKeys(this.#importKeys));
    statements.push(...this.#privateStatements());
    add(this.#auditEntries.length, () => insertAuditEntries(this.#auditEntries));
    add(this.#tallies.length, () => updateTenants(this.#tallies));
    if (this.#head !== undefined) statements.push(updateHead(this.#head));
    return statements;
  }

  #privateStatements(): readonly Sql[] {
    const statements: Sql[] = [];
    const lines = this.#privateEvents.flatMap(({ height, draft }) =>
      draft.privateLines.map((line) => ({ height, ...line })),
    );
    if (lines.length > 0) statements.push(insertPrivateLines(lines));
    const notes = this.#privateEvents.flatMap(({ height, draft: { privateNotes } }) =>
      privateNotes === null ? [] : [{ height, ...privateNotes }],
    );
    if (notes.length > 0) statements.push(insertPrivateNotes(notes));
    if (this.#privateCorrections.length > 0) {
      statements.push(insertPrivateRequests(this.#privateCorrections));
    }
    const changes = this.#privateCorrections.flatMap(({ height, kept }) =>
      kept.privateChanges.map((change) => ({ height, ...change })),
    );
    if (changes.length > 0) statements.push(insertPrivateChanges(changes));
    return statements;
  }
}

/** An open alarm of the same height and code is not repeated. */
function insertAlarms(alarms: readonly Alarm[]): Sql {
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

function insertBlocks(blocks: readonly SealedBlock[]): Sql {
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

function insertTenants(tenants: readonly NewTenant[]): Sql {
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

function updateTenants(tallies: readonly Readonly<TenantTally>[]): Sql {
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

function updateHead({ head, growth }: { readonly head: Head; readonly growth: HeadGrowth }): Sql {
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

function insertEvents(events: readonly EventRow[]): Sql {
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

function updateEvents(
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

function insertLines(lines: readonly LineRow[]): Sql {
  return sql`
    insert into lines (
      height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis
    )
    select height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis
    from ${lineArrays(lines)} as l (
      height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis
    )`;
}

function updateLines(lines: readonly LineRow[]): Sql {
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

function deleteProvenances(heights: readonly number[]): Sql {
  return sql`
    delete from provenances
    where height = any(${bigintArray(heights)}::bigint[])`;
}

function insertProvenances(rows: readonly ProvenanceRow[]): Sql {
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
      ${textArray(provenances.map((one) => one.supplierName))}::text[],
      ${textArray(provenances.map((one) => one.originFacility))}::text[],
      ${textArray(provenances.map((one) => one.supplierLotCode))}::text[]
    ) as p (
      height, line_no, tenant_no, lot_no, is_leaf, supplier_name, origin_facility,
      supplier_lot_code
    )`;
}

function insertCorrections(rows: readonly CorrectionRow[]): Sql {
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

function insertMentions(
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

function insertImportKeys(rows: readonly ImportKeyRow[]): Sql {
  return sql`
    insert into import_keys (tenant_no, content_key, height)
    select tenant_no, content_key, height
    from unnest(
      ${bigintArray(rows.map((row) => row.tenantNo))}::bigint[],
      ${textArray(rows.map((row) => row.contentKey))}::text[],
      ${bigintArray(rows.map((row) => row.height))}::bigint[]
    ) as k (tenant_no, content_key, height)`;
}

function insertPrivateLines(lines: readonly (PrivateLine & { readonly height: number })[]): Sql {
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

function insertPrivateNotes(
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

function insertPrivateRequests(
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

function insertPrivateChanges(
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
function insertAuditEntries(entries: readonly AuditEntry[]): Sql {
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
