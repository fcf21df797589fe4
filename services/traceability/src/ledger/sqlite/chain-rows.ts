// The rows of blocks, events and corrections, and the rows beside the chain, in SQLite: each call
// runs its statement in the transaction of the group.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { rowInsert, rowUpdate } from '@lothub/kit/sqlite/row-statements';
import { namesWithout } from '@lothub/kit/rows/stored-table';
import type {
  ChainRows,
  HeadGrowth,
  PrivateOfCorrection,
  PrivateOfEvent,
  TenantGrowth,
} from '../append/group-rows.ts';
import { auditRow, type AuditEntry } from '../audit.ts';
import type { PrivateDecision } from '../decisions/draft.ts';
import { raiseAlarm } from '../chain-alarms.ts';
import type { StoredPrivate } from '../append/replay.ts';
import { CORRECTED_EVENT } from '../rows-of-blocks.ts';
import { AUDIT_ENTRIES } from '../tables/audit.ts';
import type { AlarmRow } from '../tables/off-chain.ts';
import { POSTINGS, REPLACE_POSTING, type PostingRow } from '../tables/postings.ts';
import {
  BLOCKS,
  CORRECTIONS,
  DECISIONS,
  EVENTS,
  HEAD,
  IMPORT_KEYS,
  LINES,
  LOT_MENTIONS,
  PROVENANCES,
  TENANTS,
  type BlockRow,
  type CorrectionRow,
  type DecisionRow,
  type EventRow,
  type ImportKeyRow,
  type LineRow,
  type MentionRow,
  type ProvenanceRow,
  type TenantRow,
} from '../tables/chain.ts';
import {
  insertPrivateOfCorrection,
  insertPrivateOfDecision,
  insertPrivateOfEvent,
  storedPrivate,
} from './private-rows.ts';

// Each text is made once, so that the look-up of its prepared statement costs almost nothing.
const FIND_CANONICAL = 'select canonical from blocks where height = ?';
const FIND_HASH = 'select hash from blocks where height = ?';
const FIND_TENANT = 'select tenant_no from tenants where tenant_id = ?';
const LAST_TENANT_NO = 'select max(tenant_no) as tenant_no from tenants';
const FIND_EXTERNAL_ID = 'select height from events where tenant_no = ? and external_id = ?';
const FIND_CORRECTION_ID = 'select height from corrections where tenant_no = ? and external_id = ?';
const FIND_GROUP_KEY =
  'select height from import_keys where tenant_no = ? and group_key = ? order by height';
const DELETE_PROVENANCES = 'delete from provenances where height = ?';
const FIND_CORRECTIONS =
  'select c.height, b.canonical from corrections c join blocks b on b.height = c.height ' +
  'where c.corrects_height = ? order by c.height';

const insertBlock = rowInsert(BLOCKS);
const updateHead = rowUpdate(HEAD, {
  set: ['height', 'hash', 'recorded_at', 'frontier'],
  add: ['transactions', 'lots', 'tenants'],
});
const insertTenant = rowInsert(TENANTS);
const updateTenant = rowUpdate(TENANTS, {
  set: ['last_height'],
  add: ['events', 'transactions', 'lots', 'corrections'],
});
const insertImportKey = rowInsert(IMPORT_KEYS);
const insertEvent = rowInsert(EVENTS);
const updateEvent = rowUpdate(EVENTS, { set: CORRECTED_EVENT });
const insertLine = rowInsert(LINES);
const updateLine = rowUpdate(LINES, { set: namesWithout(LINES, LINES.key) });
const insertProvenance = rowInsert(PROVENANCES);
const insertCorrection = rowInsert(CORRECTIONS);
const insertDecision = rowInsert(DECISIONS);
const insertMention = rowInsert(LOT_MENTIONS, 'on conflict do nothing');
const insertAuditEntry = rowInsert(AUDIT_ENTRIES);
const insertPosting = rowInsert(POSTINGS, REPLACE_POSTING);

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

  insertBlock(row: BlockRow): void {
    insertBlock(this.#connection, row);
  }

  raiseAlarm(row: AlarmRow): void {
    this.#connection.runNow(raiseAlarm(row));
  }

  updateHead(growth: HeadGrowth): void {
    updateHead(this.#connection, growth);
  }

  findTenantNo(tenantId: string): number | undefined {
    const row = this.#connection.statement(FIND_TENANT).get(tenantId);
    return row === undefined ? undefined : Number(row['tenant_no']);
  }

  lastTenantNo(): number {
    return Number(this.#connection.statement(LAST_TENANT_NO).get()?.['tenant_no'] ?? 0);
  }

  insertTenant(row: TenantRow): void {
    insertTenant(this.#connection, row);
  }

  updateTenant(growth: TenantGrowth): void {
    updateTenant(this.#connection, growth);
  }

  heightOfExternalId(tenantNo: number, externalId: string): number | undefined {
    const row =
      this.#connection.statement(FIND_EXTERNAL_ID).get(tenantNo, externalId) ??
      this.#connection.statement(FIND_CORRECTION_ID).get(tenantNo, externalId);
    return row === undefined ? undefined : Number(row['height']);
  }

  heightsOfGroupKey(tenantNo: number, groupKey: string): readonly number[] {
    return this.#connection
      .statement(FIND_GROUP_KEY)
      .all(tenantNo, groupKey)
      .map((row) => Number(row['height']));
  }

  insertImportKey(row: ImportKeyRow): void {
    insertImportKey(this.#connection, row);
  }

  insertEvent(row: EventRow): void {
    insertEvent(this.#connection, row);
  }

  updateEvent(row: EventRow): void {
    updateEvent(this.#connection, row);
  }

  insertLine(row: LineRow): void {
    insertLine(this.#connection, row);
  }

  updateLine(row: LineRow): void {
    updateLine(this.#connection, row);
  }

  insertProvenance(row: ProvenanceRow): void {
    insertProvenance(this.#connection, row);
  }

  deleteProvenances(height: number): void {
    this.#connection.statement(DELETE_PROVENANCES).run(height);
  }

  insertCorrection(row: CorrectionRow): void {
    insertCorrection(this.#connection, row);
  }

  listCorrections(
    height: number,
  ): readonly { readonly height: number; readonly canonical: string }[] {
    return this.#connection
      .statement(FIND_CORRECTIONS)
      .all(height)
      .map((row) => ({ height: Number(row['height']), canonical: String(row['canonical']) }));
  }

  insertDecision(row: DecisionRow): void {
    insertDecision(this.#connection, row);
  }

  insertMention(row: MentionRow): void {
    insertMention(this.#connection, row);
  }

  insertPrivateOfEvent(height: number, values: PrivateOfEvent): void {
    insertPrivateOfEvent(this.#connection, height, values);
  }

  insertPrivateOfCorrection(height: number, values: PrivateOfCorrection): void {
    insertPrivateOfCorrection(this.#connection, height, values);
  }

  insertPrivateOfDecision(height: number, values: readonly PrivateDecision[]): void {
    insertPrivateOfDecision(this.#connection, height, values);
  }

  storedPrivate(height: number): StoredPrivate {
    return storedPrivate(this.#connection, height);
  }

  insertAuditEntry(entry: AuditEntry): void {
    insertAuditEntry(this.#connection, auditRow(entry));
  }

  insertPosting(row: PostingRow): void {
    insertPosting(this.#connection, row);
  }
}
