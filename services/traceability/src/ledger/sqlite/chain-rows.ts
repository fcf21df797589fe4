// The rows of blocks, events, corrections and what stands beside the chain, in SQLite: each call runs
// its statement in the transaction of the group.
import type { SealedBlock } from '@lothub/chain';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type {
  Alarm,
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
import type { AuditEntry } from '../audit.ts';
import type { CorrectionSubmission, Draft } from '../draft.ts';
import type { StoredPrivate } from '../append/replay.ts';
import { insertBlock, raiseAlarm } from './block-rows.ts';
import { insertPrivateOfCorrection, insertPrivateOfEvent, storedPrivate } from './private-rows.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const FIND_CANONICAL = 'select canonical from blocks where height = ?';
const FIND_HASH = 'select hash from blocks where height = ?';
const UPDATE_HEAD =
  'update head set height = ?, hash = ?, recorded_at = ?, transactions = transactions + ?, ' +
  'lots = lots + ?, tenants = tenants + ? where id = 1';
const FIND_TENANT = 'select tenant_no from tenants where tenant_id = ?';
const LAST_TENANT_NO = 'select max(tenant_no) as tenant_no from tenants';
const INSERT_TENANT =
  'insert into tenants (tenant_no, tenant_id, first_height, last_height, events, transactions, ' +
  'lots) values (?, ?, ?, ?, 0, 0, 0)';
const UPDATE_TENANT =
  'update tenants set events = events + ?, corrections = corrections + ?, ' +
  'transactions = transactions + ?, lots = lots + ?, ' +
  'last_height = ? where tenant_no = ?';
const FIND_EXTERNAL_ID = 'select height from events where tenant_no = ? and external_id = ?';
const FIND_GROUP_KEY =
  'select height from import_keys where tenant_no = ? and group_key = ? order by height';
const INSERT_IMPORT_KEY = 'insert into import_keys (tenant_no, group_key, height) values (?, ?, ?)';
const INSERT_EVENT =
  'insert into events (height, tenant_no, event_type, external_id, occurred_at, reference, ' +
  'line_count, link_basis) values (?, ?, ?, ?, ?, ?, ?, ?)';
const UPDATE_EVENT =
  'update events set occurred_at = ?, reference = ?, link_basis = ?, voided = ?, ' +
  'correction_count = correction_count + 1 where height = ?';
const INSERT_LINE =
  'insert into lines (height, line_no, lot_no, product_sku, direction, quantity, unit, ' +
  'link_basis) values (?, ?, ?, ?, ?, ?, ?, ?)';
const UPDATE_LINE =
  'update lines set lot_no = ?, product_sku = ?, direction = ?, quantity = ?, unit = ?, ' +
  'link_basis = ? where height = ? and line_no = ?';
const INSERT_PROVENANCE =
  'insert into provenances (height, line_no, tenant_no, lot_no, is_leaf, supplier_name, ' +
  'origin_facility, supplier_lot_code) values (?, ?, ?, ?, ?, ?, ?, ?)';
const DELETE_PROVENANCES = 'delete from provenances where height = ?';
const INSERT_CORRECTION =
  'insert into corrections (height, tenant_no, corrects_height, change_count) ' +
  'values (?, ?, ?, ?)';
const FIND_CORRECTIONS =
  'select c.height, b.canonical from corrections c join blocks b on b.height = c.height ' +
  'where c.corrects_height = ? order by c.height';
const INSERT_MENTION =
  'insert into lot_mentions (height, lot_no) values (?, ?) on conflict do nothing';
const INSERT_AUDIT_ENTRY =
  'insert into audit_entries (at, tenant_id, actor, action, entity_type, entity_id, ' +
  'block_height, request_id, details) values (?, ?, ?, ?, ?, ?, ?, ?, ?)';

export class SqliteChainRows implements ChainRows {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  findCanonical(height: number): string | undefined {
    const row = this.#connection.statement(FIND_CANONICAL).get(height);
    return row === undefined ? undefined : String(row['canonical']);
  }

  findHash(height: number): string | undefined {
    const row = this.#connection.statement(FIND_HASH).get(height);
    return row === undefined ? undefined : String(row['hash']);
  }

  insertBlock(block: SealedBlock): void {
    insertBlock(this.#connection, block);
  }

  raiseAlarm(alarm: Alarm): void {
    raiseAlarm(this.#connection, alarm);
  }

  updateHead(head: Head, growth: HeadGrowth): void {
    this.#connection
      .statement(UPDATE_HEAD)
      .run(
        head.height,
        head.hash,
        head.recordedAt,
        growth.transactions,
        growth.lots,
        growth.tenants,
      );
  }

  findTenantNo(tenantId: string): number | undefined {
    const row = this.#connection.statement(FIND_TENANT).get(tenantId);
    return row === undefined ? undefined : Number(row['tenant_no']);
  }

  lastTenantNo(): number {
    return Number(this.#connection.statement(LAST_TENANT_NO).get()?.['tenant_no'] ?? 0);
  }

  insertTenant(tenant: {
    readonly tenantNo: number;
    readonly tenantId: string;
    readonly height: number;
  }): void {
    const { tenantNo, tenantId, height } = tenant;
    this.#connection.statement(INSERT_TENANT).run(tenantNo, tenantId, height, height);
  }

  updateTenant(tally: Readonly<TenantTally>): void {
    this.#connection
      .statement(UPDATE_TENANT)
      .run(
        tally.events,
        tally.corrections,
        tally.transactions,
        tally.lots,
        tally.lastHeight,
        tally.tenantNo,
      );
  }

  heightOfExternalId(tenantNo: number, externalId: string): number | undefined {
    const row = this.#connection.statement(FIND_EXTERNAL_ID).get(tenantNo, externalId);
    return row === undefined ? undefined : Number(row['height']);
  }

  heightsOfGroupKey(tenantNo: number, groupKey: string): readonly number[] {
    return this.#connection
      .statement(FIND_GROUP_KEY)
      .all(tenantNo, groupKey)
      .map((row) => Number(row['height']));
  }

  insertGroupKey(tenantNo: number, groupKey: string, height: number): void {
    this.#connection.statement(INSERT_IMPORT_KEY).run(tenantNo, groupKey, height);
  }

  insertEvent(row: EventRow): void {
    this.#connection
      .statement(INSERT_EVENT)
      .run(
        row.height,
        row.tenantNo,
        row.eventType,
        row.externalId,
        row.occurredAt,
        row.reference,
        row.lineCount,
        row.linkBasis,
      );
  }

  updateEvent(change: EventChange): void {
    this.#connection
      .statement(UPDATE_EVENT)
      .run(
        change.occurredAt,
        change.reference,
        change.linkBasis,
        Number(change.voided),
        change.height,
      );
  }

  insertLine(row: LineRow): void {
    this.#connection
      .statement(INSERT_LINE)
      .run(
        row.height,
        row.lineNo,
        row.lotNo,
        row.productSku,
        row.direction,
        row.quantity,
        row.unit,
        row.linkBasis,
      );
  }

  updateLine(row: LineRow): void {
    this.#connection
      .statement(UPDATE_LINE)
      .run(
        row.lotNo,
        row.productSku,
        row.direction,
        row.quantity,
        row.unit,
        row.linkBasis,
        row.height,
        row.lineNo,
      );
  }

  insertProvenance({ height, tenantNo, lotNo, provenance }: ProvenanceRow): void {
    this.#connection
      .statement(INSERT_PROVENANCE)
      .run(
        height,
        provenance.lineNo,
        tenantNo,
        lotNo,
        Number(provenance.isLeaf),
        provenance.supplier_name,
        provenance.origin_facility,
        provenance.supplier_lot_code,
      );
  }

  deleteProvenances(height: number): void {
    this.#connection.statement(DELETE_PROVENANCES).run(height);
  }

  insertCorrection(row: CorrectionRow): void {
    this.#connection
      .statement(INSERT_CORRECTION)
      .run(row.height, row.tenantNo, row.correctsHeight, row.changeCount);
  }

  correctionsOf(
    height: number,
  ): readonly { readonly height: number; readonly canonical: string }[] {
    return this.#connection
      .statement(FIND_CORRECTIONS)
      .all(height)
      .map((row) => ({ height: Number(row['height']), canonical: String(row['canonical']) }));
  }

  insertMention(height: number, lotNo: number): void {
    this.#connection.statement(INSERT_MENTION).run(height, lotNo);
  }

  insertPrivateOfEvent(height: number, draft: Draft): void {
    insertPrivateOfEvent(this.#connection, height, draft);
  }

  insertPrivateOfCorrection(
    height: number,
    submission: Pick<CorrectionSubmission, 'privateRequest' | 'privateChanges'>,
  ): void {
    insertPrivateOfCorrection(this.#connection, height, submission);
  }

  storedPrivate(height: number): StoredPrivate {
    return storedPrivate(this.#connection, height);
  }

  insertAuditEntry(entry: AuditEntry): void {
    this.#connection
      .statement(INSERT_AUDIT_ENTRY)
      .run(
        entry.at,
        entry.tenantId,
        entry.caller.actor,
        entry.action,
        entry.entityType,
        entry.entityId,
        entry.blockHeight,
        entry.caller.requestId,
        JSON.stringify(entry.details),
      );
  }
}
