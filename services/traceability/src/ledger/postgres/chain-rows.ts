// The rows of blocks, events and corrections, and the rows beside the chain, in PostgreSQL: answers
// from the rows that were read for the group, and keeps new rows until the group ends. Then each
// table gets its rows as arrays, in one statement.
import { bigintArray } from '@lothub/kit/postgres/array-values';
import { rowsInsert, rowsUpdate } from '@lothub/kit/postgres/row-statements';
import { present } from '@lothub/kit/present';
import { namesWithout } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type {
  ChainRows,
  HeadGrowth,
  PrivateOfCorrection,
  PrivateOfEvent,
  TenantGrowth,
} from '../append/group-rows.ts';
import { auditRow, type AuditEntry } from '../audit.ts';
import { raiseAlarm } from '../chain-alarms.ts';
import type { PrivateDecision } from '../decisions/draft.ts';
import type { StoredPrivate } from '../append/replay.ts';
import { CORRECTED_EVENT } from '../rows-of-blocks.ts';
import { AUDIT_ENTRIES, type AuditRow } from '../tables/audit.ts';
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
  PRIVATE_CHANGES,
  PRIVATE_DECISIONS,
  PRIVATE_LINES,
  PRIVATE_NOTES,
  PRIVATE_REQUESTS,
  type PrivateChangeRow,
  type PrivateDecisionRow,
  type PrivateLineRow,
  type PrivateNotesRow,
  type PrivateRequestRow,
} from '../tables/private.ts';
import type { GroupView } from './group-view.ts';

const insertBlocks = rowsInsert(BLOCKS);
const insertTenants = rowsInsert(TENANTS);
const insertEvents = rowsInsert(EVENTS);
const insertLines = rowsInsert(LINES);
const updateEvents = rowsUpdate(EVENTS, { set: CORRECTED_EVENT });
const updateLines = rowsUpdate(LINES, { set: namesWithout(LINES, LINES.key) });
const insertProvenances = rowsInsert(PROVENANCES);
const insertCorrections = rowsInsert(CORRECTIONS);
const insertDecisions = rowsInsert(DECISIONS);
const insertMentions = rowsInsert(LOT_MENTIONS, 'on conflict do nothing');
const insertImportKeys = rowsInsert(IMPORT_KEYS);
const insertPrivateLines = rowsInsert(PRIVATE_LINES);
const insertPrivateNotes = rowsInsert(PRIVATE_NOTES);
const insertPrivateRequests = rowsInsert(PRIVATE_REQUESTS);
const insertPrivateChanges = rowsInsert(PRIVATE_CHANGES);
const insertPrivateDecisions = rowsInsert(PRIVATE_DECISIONS);
const insertAuditEntries = rowsInsert(AUDIT_ENTRIES);
const insertPostings = rowsInsert(POSTINGS, REPLACE_POSTING);
const updateTenants = rowsUpdate(TENANTS, {
  set: ['last_height'],
  add: ['events', 'transactions', 'lots', 'corrections'],
});
const updateHead = rowsUpdate(HEAD, {
  set: ['height', 'hash', 'recorded_at', 'frontier'],
  add: ['transactions', 'lots', 'tenants'],
});

export class PostgresChainRows implements ChainRows {
  readonly #view: GroupView;
  readonly #blocks: BlockRow[] = [];
  readonly #alarms: AlarmRow[] = [];
  readonly #newTenants: TenantRow[] = [];
  readonly #tenantGrowths: TenantGrowth[] = [];
  readonly #importKeys: ImportKeyRow[] = [];
  readonly #events: EventRow[] = [];
  /** The last row of an event that several corrections change. */
  readonly #changedEvents = new Map<number, EventRow>();
  readonly #lines: LineRow[] = [];
  readonly #changedLines = new Map<string, LineRow>();
  readonly #provenances = new Map<number, ProvenanceRow[]>();
  /** Events whose stored provenances are replaced. */
  readonly #replacedProvenances = new Set<number>();
  readonly #corrections: CorrectionRow[] = [];
  readonly #decisions: DecisionRow[] = [];
  readonly #mentions: MentionRow[] = [];
  readonly #privateLines: PrivateLineRow[] = [];
  readonly #privateNotes: PrivateNotesRow[] = [];
  readonly #privateRequests: PrivateRequestRow[] = [];
  readonly #privateChanges: PrivateChangeRow[] = [];
  readonly #privateDecisions: PrivateDecisionRow[] = [];
  readonly #auditEntries: AuditRow[] = [];
  readonly #postings: PostingRow[] = [];
  #headGrowth: HeadGrowth | undefined;

  constructor(view: GroupView) {
    this.#view = view;
  }

  findCanonical(height: number): string | undefined {
    return this.#view.blocks.get(height)?.canonical;
  }

  findHash(height: number): string | undefined {
    return this.#view.blocks.get(height)?.hash;
  }

  insertBlock(row: BlockRow): void {
    this.#blocks.push(row);
    this.#view.addBlock(row);
  }

  raiseAlarm(row: AlarmRow): void {
    this.#alarms.push(row);
  }

  updateHead(growth: HeadGrowth): void {
    this.#headGrowth = growth;
  }

  findTenantNo(tenantId: string): number | undefined {
    return this.#view.tenantNos.get(tenantId);
  }

  lastTenantNo(): number {
    return this.#view.lastTenantNo;
  }

  insertTenant(row: TenantRow): void {
    this.#newTenants.push(row);
    this.#view.tenantNos.set(row.tenant_id, row.tenant_no);
    this.#view.lastTenantNo = row.tenant_no;
  }

  updateTenant(growth: TenantGrowth): void {
    this.#tenantGrowths.push(growth);
  }

  heightOfExternalId(tenantNo: number, externalId: string): number | undefined {
    return this.#view.findExternalId(tenantNo, externalId);
  }

  heightsOfGroupKey(tenantNo: number, groupKey: string): readonly number[] {
    return this.#view.groupKeyHeights(tenantNo, groupKey);
  }

  insertImportKey(row: ImportKeyRow): void {
    this.#importKeys.push(row);
    this.#view.addGroupKey(row.tenant_no, row.group_key, row.height);
  }

  insertEvent(row: EventRow): void {
    this.#events.push(row);
    const { tenant_no: tenantNo, external_id: externalId, height } = row;
    if (externalId !== null) this.#view.addExternalId(tenantNo, externalId, height);
  }

  updateEvent(row: EventRow): void {
    this.#changedEvents.set(row.height, row);
  }

  insertLine(row: LineRow): void {
    this.#lines.push(row);
  }

  updateLine(row: LineRow): void {
    this.#changedLines.set(`${row.height} ${row.line_no}`, row);
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
    this.#view.addCorrection(row.corrects_height, row.height);
    const { tenant_no: tenantNo, external_id: externalId, height } = row;
    if (externalId !== null) this.#view.addExternalId(tenantNo, externalId, height);
  }

  listCorrections(
    height: number,
  ): readonly { readonly height: number; readonly canonical: string }[] {
    return (this.#view.corrections.get(height) ?? []).map((correction) => ({
      height: correction,
      canonical: present(this.findCanonical(correction), `correction ${correction}`),
    }));
  }

  insertDecision(row: DecisionRow): void {
    this.#decisions.push(row);
  }

  insertMention(row: MentionRow): void {
    this.#mentions.push(row);
  }

  insertPrivateOfEvent(height: number, { privateLines, privateNotes }: PrivateOfEvent): void {
    if (privateLines.length === 0 && privateNotes === null) return;
    for (const line of privateLines) this.#privateLines.push({ height, ...line });
    if (privateNotes !== null) this.#privateNotes.push({ height, ...privateNotes });
    const lines = new Map(privateLines.map((line) => [line.line_no, line]));
    this.#view.privates.set(height, { lines, notes: privateNotes });
  }

  insertPrivateOfCorrection(height: number, values: PrivateOfCorrection): void {
    this.#privateRequests.push({ height, ...values.privateRequest });
    for (const change of values.privateChanges) this.#privateChanges.push({ height, ...change });
  }

  insertPrivateOfDecision(height: number, values: readonly PrivateDecision[]): void {
    for (const value of values) this.#privateDecisions.push({ height, ...value });
  }

  storedPrivate(height: number): StoredPrivate {
    return this.#view.privates.get(height) ?? { lines: new Map(), notes: null };
  }

  insertAuditEntry(entry: AuditEntry): void {
    this.#auditEntries.push(auditRow(entry));
  }

  insertPosting(row: PostingRow): void {
    this.#postings.push(row);
  }

  /** Lines and changes that the group added to the chain. */
  get transactionsWritten(): number {
    return this.#headGrowth?.transactions ?? 0;
  }

  /**
   * Returns the statement of the group's blocks, the largest of its rows; later calls of
   * `statements` do not contain it.
   */
  takeBlocks(): Sql | undefined {
    const [statement] = insertBlocks(this.#blocks);
    this.#blocks.length = 0;
    return statement;
  }

  /** Returns the statements that write the rows. */
  statements(): readonly Sql[] {
    return [
      ...this.#alarms.map(raiseAlarm),
      ...insertBlocks(this.#blocks),
      ...insertTenants(this.#newTenants),
      ...insertEvents(this.#events),
      ...insertLines(this.#lines),
      ...updateEvents([...this.#changedEvents.values()]),
      ...updateLines([...this.#changedLines.values()]),
      ...deleteProvenances([...this.#replacedProvenances]),
      ...insertProvenances([...this.#provenances.values()].flat()),
      ...insertCorrections(this.#corrections),
      ...insertDecisions(this.#decisions),
      ...insertMentions(this.#mentions),
      ...insertImportKeys(this.#importKeys),
      ...insertPrivateLines(this.#privateLines),
      ...insertPrivateNotes(this.#privateNotes),
      ...insertPrivateRequests(this.#privateRequests),
      ...insertPrivateChanges(this.#privateChanges),
      ...insertPrivateDecisions(this.#privateDecisions),
      ...insertAuditEntries(this.#auditEntries),
      ...insertPostings(this.#postings),
      ...updateTenants(this.#tenantGrowths),
      ...updateHead(this.#headGrowth === undefined ? [] : [this.#headGrowth]),
    ];
  }
}

function deleteProvenances(heights: readonly number[]): readonly Sql[] {
  if (heights.length === 0) return [];
  return [sql`delete from provenances where height = any(${bigintArray(heights)}::bigint[])`];
}
