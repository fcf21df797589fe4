// Derived rows and private rows against the blocks they belong to. Pure: rows and blocks in,
// findings out; the rows come from `verify/slice.ts`.
import type { JsonObject } from '@lothub/chain';
import { differingColumns } from '@lothub/kit/rows/stored-table';
import { buildGroupKey } from '../../record/group-key.ts';
import { asSealed } from '../../record/effective.ts';
import { deriveEffectiveLinkBasis } from '../../record/link-basis.ts';
import { findPayload, payloadIn } from '../../record/payload-shape.ts';
import type {
  ChainLine,
  CorrectionPayload,
  DecisionPayload,
  EventPayload,
  Payload,
} from '../../record/payload.ts';
import type { StoredBlockRow } from '../chain.ts';
import { openedBy } from '../../decisions/opened.ts';
import { decisionRow } from '../../rows-of-blocks.ts';
import type { DecidedPayload } from '../decided/check.ts';
import { compareAuditBlock } from './audit-blocks.ts';
import { findCorrectionStep } from './corrections.ts';
import { compareDecisionRow } from './decisions.ts';
import { RowCursor } from './cursor.ts';
import { LineComparison, compareEventRow, compareProvenances } from './event-rows.ts';
import { codesConcernedBy, codesNamedBefore, codesNamedBy, compareMentions } from './mentions.ts';
import type { Findings, LedgerMismatch } from '../mismatch.ts';
import { PrivateComparison } from './private.ts';
import type {
  AuditBlockRow,
  CorrectionRow,
  DecisionRow,
  EventRow,
  ImportKeyRow,
  MentionRow,
  NamedLot,
  ProvenanceRow,
  SliceRows,
} from './stored-rows.ts';
import type { NamedAt, RoundTotals } from '../totals.ts';
import type { Openings } from '../../record/decisions/contents.ts';

/**
 * Compares the rows of a slice with its blocks, whose hashes and links have been found good.
 *
 * @returns the first block that was never sealed here; nothing can be compared from there on
 */
export function compareRows(
  slice: ReadBlocks & {
    readonly rows: SliceRows;
    readonly totals: RoundTotals;
    readonly findings: Findings;
  },
): LedgerMismatch | undefined {
  return new SliceComparison(slice.rows, slice.totals, slice.findings).compare(slice);
}

interface ReadBlocks {
  readonly blocks: readonly StoredBlockRow[];
  /** Payloads of the blocks, already parsed; empty at the depth `links`. */
  readonly payloads: readonly JsonObject[];
}

/** Columns of a lot that follow from the first block that names it. */
const FIRST_NAME = ['first_height', 'first_sku'] as const;

const NO_CODES: ReadonlySet<string> = new Set();

class SliceComparison {
  readonly #histories: SliceRows['histories'];
  readonly #events: RowCursor<EventRow>;
  readonly #lines: LineComparison;
  readonly #provenances: RowCursor<ProvenanceRow>;
  readonly #corrections: RowCursor<CorrectionRow>;
  readonly #decisions: RowCursor<DecisionRow>;
  readonly #auditBlocks: RowCursor<AuditBlockRow>;
  readonly #decided: SliceRows['decided'];
  readonly #opened: ReadonlyMap<number, Openings>;
  readonly #mentions: RowCursor<MentionRow>;
  readonly #importKeys: RowCursor<ImportKeyRow>;
  readonly #private: PrivateComparison;
  readonly #erased: SliceRows['erased'];
  readonly #totals: RoundTotals;
  readonly #findings: Findings;

  constructor(rows: SliceRows, totals: RoundTotals, findings: Findings) {
    this.#histories = rows.histories;
    this.#events = new RowCursor(rows.events);
    this.#lines = new LineComparison(rows.lines, findings);
    this.#provenances = new RowCursor(rows.provenances);
    this.#corrections = new RowCursor(rows.corrections);
    this.#decisions = new RowCursor(rows.decisions);
    this.#auditBlocks = new RowCursor(rows.auditBlocks);
    this.#decided = rows.decided;
    this.#opened = openedBy(rows.privateDecisions);
    this.#mentions = new RowCursor(rows.mentions);
    this.#importKeys = new RowCursor(rows.importKeys);
    this.#private = new PrivateComparison(rows, findings);
    this.#erased = rows.erased;
    this.#totals = totals;
    this.#findings = findings;
  }

  compare(read: ReadBlocks): LedgerMismatch | undefined {
    const decisions: DecidedPayload[] = [];
    const foreign = this.#compareBlocks(read, decisions);
    const last = foreign === undefined ? read.blocks.at(-1)?.height : foreign.height - 1;
    if (last === undefined) return undefined;
    const slice = { through: last, decisions, findings: this.#findings };
    for (const compareDecided of this.#decided) compareDecided(slice);
    return foreign;
  }

  #compareBlocks(
    { blocks, payloads }: ReadBlocks,
    decisions: DecidedPayload[],
  ): LedgerMismatch | undefined {
    for (const [index, { height, canonical }] of blocks.entries()) {
      const parsed = payloads[index];
      const payload = parsed === undefined ? findPayload(canonical) : payloadIn(parsed);
      if (payload === undefined) {
        const message = `block ${height} has a text that was never sealed here`;
        return { height, code: 'payload_unreadable', message };
      }
      this.#totals.recordedAt = payload.recorded_at;
      switch (payload.type) {
        case 'genesis':
          this.#refuseOthers(height);
          break;
        case 'event':
          this.#refuseCorrection(height);
          this.#compareEvent(height, payload);
          break;
        case 'correction':
          this.#refuseEvent(height);
          this.#compareCorrection(height, payload);
          this.#totals.takeAudited(height);
          break;
        case 'audit':
          this.#refuseOthers(height);
          compareAuditBlock(
            { height, payload, row: this.#auditBlocks.take(height) },
            this.#findings,
          );
          break;
        default:
          this.#refuseOthers(height);
          this.#compareDecision(height, payload, decisions);
      }
      this.#refuseDecision(height);
      this.#refuseAuditBlock(height);
      this.#comparePrivate(height, payload);
      this.#compareImportKey(height, payload);
    }
    return undefined;
  }

  #compareEvent(height: number, payload: EventPayload): void {
    const { event, brand: tenantId } = payload;
    const isFirst = this.#totals.takeEvent({ height, tenantId, lines: event.lines });
    const row = this.#events.take(height);
    const history = this.#histories.applyHistory(height, payload);
    if (history === 'unsound') {
      this.#passEvent(height, payload);
      return;
    }
    const effective = history?.effective ?? asSealed(event);
    const linkBasis = deriveEffectiveLinkBasis(effective);
    const counting = { height, tenantId, tenantNo: row?.tenant_no, effective, linkBasis };
    if (row === undefined) {
      this.#add(height, 'event_row_missing', `the row of the event in block ${height} is gone`);
    } else {
      compareEventRow(row, counting, this.#findings);
      this.#compareTenant(row, isFirst);
    }
    const lots = this.#lines.compare(counting);
    const rows = this.#provenances.takeAll(height);
    compareProvenances(counting, { rows, lots, findings: this.#findings });
    const codes = history === undefined ? NO_CODES : codesNamedBefore(history);
    const mentioned = this.#compareMentions(height, tenantId, codes);
    if (history === undefined) {
      for (const [lineNo, { product_sku: sku }] of event.lines.entries()) {
        this.#compareFirstName(height, tenantId, { lot: lots[lineNo], sku });
      }
      return;
    }
    // After corrections a line may name another lot than the block does, and another line may name
    // this one.
    const named = new Map(mentioned);
    for (const [lineNo, { lot_code: code }] of effective.event.lines.entries()) {
      const lot = lots[lineNo];
      if (lot !== undefined) named.set(code, lot);
    }
    this.#compareFirstNames(height, payload.brand, { lines: event.lines, named });
  }

  /**
   * If the block of a correction is not as it was sealed, the expected rows of the event are
   * unknown. The fault is reported at the correction.
   */
  #passEvent(height: number, { event, brand: tenantId }: EventPayload): void {
    this.#provenances.takeAll(height);
    const codes = new Set(event.lines.map((line) => line.lot_code));
    const lots = [...this.#lines.pass(height), ...this.#mentions.takeAll(height)];
    this.#takeUncompared({ height, tenantId }, codes, lots);
  }

  #compareCorrection(height: number, payload: CorrectionPayload): void {
    const { brand: tenantId, correction } = payload;
    this.#totals.takeCorrection({ height, tenantId, changes: correction.changes.length });
    const step = findCorrectionStep(height, payload, {
      row: this.#corrections.take(height),
      histories: this.#histories,
      findings: this.#findings,
    });
    if (step === undefined) {
      const codes = codesNamedBy(correction);
      this.#takeUncompared({ height, tenantId }, codes, this.#mentions.takeAll(height));
      return;
    }
    const named = this.#compareMentions(height, tenantId, codesConcernedBy(step));
    this.#compareFirstNames(height, tenantId, { lines: step.after.event.lines, named });
  }

  #compareDecision(height: number, payload: DecisionPayload, decisions: DecidedPayload[]): void {
    const expected = decisionRow(height, payload);
    compareDecisionRow(expected, this.#decisions.take(height), this.#findings);
    decisions.push({ height, payload, opened: this.#opened.get(height) ?? {} });
    if (payload.decision.migrated === true) return;
    this.#totals.takeDecision({ height, subject: expected.subject, payload });
  }

  /** Rows of events and corrections, and mentions, at a block that is neither. */
  #refuseOthers(height: number): void {
    this.#refuseEvent(height);
    this.#refuseCorrection(height);
    this.#compareMentions(height, '', NO_CODES);
  }

  #refuseAuditBlock(height: number): void {
    if (this.#auditBlocks.take(height) === undefined) return;
    const message = `block ${height} is not of the audit but has a row of one`;
    this.#add(height, 'audit_block_row_extra', message);
  }

  /** Takes what is left at a height: rows of a decision where there is none. */
  #refuseDecision(height: number): void {
    if (this.#decisions.take(height) === undefined) return;
    const message = `block ${height} is no decision but has a row of one`;
    this.#add(height, 'decision_row_extra', message);
  }

  /** Missing private values must be erased ones, which a later block names. */
  #comparePrivate(height: number, payload: Payload): void {
    const isGone = this.#private.compare(height, payload);
    const { isPastSealed, heights } = this.#erased;
    if (!isGone || !isPastSealed || heights.has(height)) return;
    const message = `private values of block ${height} are gone, and no block says that they were erased`;
    this.#add(height, 'private_row_missing', message);
  }

  #compareMentions(
    height: number,
    tenantId: string,
    codes: ReadonlySet<string>,
  ): ReadonlyMap<string, NamedLot> {
    const rows = this.#mentions.takeAll(height);
    return compareMentions({ height, tenantId, codes, rows, findings: this.#findings });
  }

  #compareFirstNames(
    height: number,
    tenantId: string,
    {
      lines,
      named,
    }: { readonly lines: readonly ChainLine[]; readonly named: ReadonlyMap<string, NamedLot> },
  ): void {
    for (const { lot_code: code, product_sku: sku } of lines) {
      this.#compareFirstName(height, tenantId, { lot: named.get(code), sku });
    }
  }

  /** Lots that a block names whose rows cannot be compared; they are named nevertheless. */
  #takeUncompared(named: NamedAt, codes: ReadonlySet<string>, lots: readonly NamedLot[]): void {
    for (const lot of lots) {
      const { lot_code: code } = lot;
      if (code !== null && codes.has(code)) this.#totals.takeLot(lot, named);
    }
  }

  /** Compares what a lot says of the first block that named it, when it is this one. */
  #compareFirstName(
    height: number,
    tenantId: string,
    { lot, sku }: { readonly lot: NamedLot | undefined; readonly sku: string },
  ): void {
    if (lot === undefined || !this.#totals.takeLot(lot, { height, tenantId })) return;
    const { lot_first_height: first_height, lot_first_sku: first_sku } = lot;
    const expected = { first_height: height, first_sku: sku };
    const differing = differingColumns(FIRST_NAME, { first_height, first_sku }, expected);
    if (differing.length === 0) return;
    const names = differing.join(', ');
    const message = `a lot that block ${height} is the first to name differs: ${names}`;
    this.#add(height, 'lot_row_differs', message);
  }

  #compareTenant(row: EventRow, isFirst: boolean): void {
    const { height } = row;
    if (row.tenant_id === null) {
      this.#add(height, 'tenant_row_missing', `the tenant of block ${height} is not listed`);
    } else if (isFirst && row.tenant_first_height !== height) {
      const message = `the tenant of block ${height} has its first event there: first_height`;
      this.#add(height, 'tenant_row_differs', message);
    }
  }

  #refuseEvent(height: number): void {
    if (this.#events.take(height) !== undefined) {
      this.#add(height, 'event_row_extra', `block ${height} is no event but has a row of one`);
    }
    this.#lines.refuse(height);
    for (const { line_no: lineNo } of this.#provenances.takeAll(height)) {
      const message = `block ${height} is no event but has a row of where line ${lineNo} came from`;
      this.#add(height, 'provenance_row_extra', message);
    }
  }

  #refuseCorrection(height: number): void {
    if (this.#corrections.take(height) === undefined) return;
    const message = `block ${height} is no correction but has a row of one`;
    this.#add(height, 'correction_row_extra', message);
  }

  /** Not every event without an external id was imported, so a key may be absent, but not wrong. */
  #compareImportKey(height: number, payload: Payload): void {
    const row = this.#importKeys.take(height);
    if (row === undefined) return;
    if (payload.type !== 'event') {
      this.#add(height, 'import_key_extra', `block ${height} is no event but has an import key`);
    } else if (payload.event.external_id !== undefined) {
      const message = `block ${height} has an external id and still an import key`;
      this.#add(height, 'import_key_extra', message);
    } else if (row.tenant_id !== payload.brand || row.group_key !== buildGroupKey(payload.event)) {
      const message = `the import key of block ${height} is not that of its content`;
      this.#add(height, 'import_key_differs', message);
    }
  }

  #add(height: number, code: LedgerMismatch['code'], message: string): void {
    this.#findings.add({ height, code, message });
  }
}
