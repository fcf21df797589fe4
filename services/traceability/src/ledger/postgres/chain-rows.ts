// The rows of blocks, events, corrections and what stands beside the chain, in PostgreSQL: answers from
// what was read for the group, and keeps what is written until the group ends; then each table gets its
// rows as arrays, in one statement.
import type { SealedBlock } from '@lothub/chain';
import type { Sql } from 'sql-template-tag';
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
import type { PrivateLine } from '../record/commitment.ts';
import type { Draft } from '../draft.ts';
import type { StoredPrivate } from '../append/replay.ts';
import {
  deleteProvenances,
  insertAlarms,
  insertAuditEntries,
  insertBlocks,
  insertCorrections,
  insertEvents,
  insertImportKeys,
  insertLines,
  insertMentions,
  insertPrivateChanges,
  insertPrivateLines,
  insertPrivateNotes,
  insertPrivateRequests,
  insertProvenances,
  insertTenants,
  updateEvents,
  updateHead,
  updateLines,
  updateTenants,
} from './chain-statements.ts';
import type { ImportKeyRow, NewTenant, PrivateOfCorrection } from './chain-statements.ts';
import type { GroupView } from './group-view.ts';

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

  heightsOfGroupKey(tenantNo: number, groupKey: string): readonly number[] {
    return this.#view.groupKeyHeights(tenantNo, groupKey);
  }

  insertGroupKey(tenantNo: number, groupKey: string, height: number): void {
    this.#importKeys.push({ tenantNo, groupKey, height });
    this.#view.addGroupKey(tenantNo, groupKey, height);
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

  /** Lines and changes that the group added to the chain. */
  get transactionsWritten(): number {
    return this.#head?.growth.transactions ?? 0;
  }

  /** The blocks of the group, the largest of its rows; `statements` leaves them out from then on. */
  takeBlocks(): Sql | undefined {
    const blocks = this.#blocks.splice(0);
    return blocks.length === 0 ? undefined : insertBlocks(blocks);
  }

  /** What is to be written. */
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
