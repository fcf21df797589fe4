// Rows of recall cases against the blocks of each case. A case is compared as a whole where its newest block
// is: what its rows say follows from all of its blocks.
import { Disclosures, type JsonObject } from '@lothub/chain';
import { differingColumns } from '@lothub/kit/rows/stored-table';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import sql from 'sql-template-tag';
import { stepsOfBlock } from '../../../decisions/confidential.ts';
import { partRow, partsOfBlock } from '../../../decisions/recall-parts.ts';
import { recipientCommitment } from '../../../decisions/recipient.ts';
import { findHash } from '../../find-hash.ts';
import type { Findings } from '../../mismatch.ts';
import type { HeightRange, SnapshotReader } from '../../snapshot-reader.ts';
import type { CompareDecided } from '../check.ts';
import { ExpectedRows, keyOfNamed } from './expected.ts';
import type { Said } from './expected-edits.ts';
import { readCase } from './read.ts';
import type { CaseBlock, HoldRow, LotRow, NotificationRow, StoredCase } from './read.ts';

export async function readRecallComparison(
  reader: SnapshotReader,
  { after, through }: HeightRange,
): Promise<CompareDecided> {
  const newest = await reader.all<{ readonly brand: string; readonly caseNo: string }>(sql`
    select d.tenant_id as brand, d.subject as "caseNo"
    from decisions d
    where d.type = 'recall' and d.height > ${after} and d.height <= ${through}
      and not exists (
        select 1
        from decisions n
        where n.tenant_id = d.tenant_id and n.type = d.type and n.subject = d.subject
          and n.height > ${through}
      )`);
  const cases: StoredCase[] = [];
  const byCase = new Map(newest.map((one) => [`${one.brand} ${one.caseNo}`, one]));
  for (const one of byCase.values()) cases.push(await readCase(reader, one));
  return ({ through: last, findings }) => {
    for (const stored of cases) {
      const newestHeight = stored.blocks?.at(-1)?.height ?? Infinity;
      if (newestHeight <= last) new CaseComparison(stored, findings).compare();
    }
  };
}

type Values = Readonly<Record<string, unknown>>;

class CaseComparison {
  readonly #stored: StoredCase;
  readonly #findings: Findings;
  readonly #expected: ExpectedRows;
  readonly #newest: number;

  constructor(stored: StoredCase, findings: Findings) {
    this.#stored = stored;
    this.#findings = findings;
    this.#expected = new ExpectedRows(stored.holds);
    this.#newest = stored.blocks?.at(-1)?.height ?? 0;
  }

  compare(): void {
    const { blocks = [], brand } = this.#stored;
    this.#followDisclosures(brand, blocks);
    for (const step of blocks.flatMap((block) => stepsOfBlock(block))) {
      this.#expected.take(brand, step);
    }
    this.#compareCase();
    this.#compareMoves();
    this.#compareEdits();
    this.#compareLots();
    this.#compareNamed();
    this.#compareParts(blocks);
    this.#compareByHand();
    this.#compareHolds();
    this.#compareNotifications();
  }

  /**
   * Checks that confidential steps are disclosed word by word, before anything else of the case is
   * public.
   */
  #followDisclosures(brand: string, blocks: readonly CaseBlock[]): void {
    const disclosures = new Disclosures({ hash: sha256Hex, after: -1 });
    for (const { height, decision } of blocks) {
      const payload = { brand, decision: decision as unknown as JsonObject };
      const fault = disclosures.take(height, payload);
      if (fault === undefined) continue;
      this.#findings.add({ height, ...fault });
      return;
    }
  }

  #compareCase(): void {
    const { case: expected } = this.#expected;
    // A missing opening is reported at its block.
    if (expected === undefined) return;
    const { row } = this.#stored;
    this.#compareRow('the case', row, expected);
    if (row === undefined) return;
    // A seed that names no lot is one of a supplier.
    const isOwn = row.seedLotNo !== null;
    if (isOwn !== (expected.seedCode !== null))
      this.#differs('the case', expected.saidAt, ['seed_lot_no']);
  }

  #compareMoves(): void {
    const stored = new Map(this.#stored.moves.map((move) => [move.moveNo, move]));
    for (const expected of this.#expected.moves) {
      this.#compareRow('a move', stored.get(expected.moveNo), expected);
      stored.delete(expected.moveNo);
    }
    if (stored.size > 0) this.#extra('a move', this.#newest);
  }

  #compareEdits(): void {
    const stored = new Map(this.#stored.edits.map((edit) => [edit.stepNo, edit]));
    for (const expected of this.#expected.edits.values()) {
      const { stepNo, blockHeight: height } = expected;
      this.#compareRow('an edit', stored.get(stepNo), { ...expected, saidAt: height });
      stored.delete(stepNo);
    }
    if (stored.size > 0) this.#extra('an edit', this.#newest);
  }

  #compareByHand(): void {
    const what = 'a lot by hand';
    const stored = Map.groupBy(this.#stored.byHand, (lot) => this.#formatCode(lot));
    for (const [code, { height, row: expected }] of this.#expected.byHand) {
      const row = stored.get(code)?.[0];
      stored.delete(code);
      if (row === undefined) this.#missing(what, height);
      else {
        const differing = differingColumns(Object.keys(expected), row, expected);
        if (differing.length > 0) this.#differs(what, height, differing);
      }
    }
    if (stored.size > 0) this.#extra(what, this.#newest);
  }

  #compareLots(): void {
    const stored = Map.groupBy(this.#stored.lots, (lot) => this.#formatCode(lot));
    for (const [code, expected] of this.#expected.lots) {
      this.#compareRow('a lot', stored.get(code)?.[0], expected);
      stored.delete(code);
    }
    if (stored.size > 0) this.#extra('a lot', this.#newest);
  }

  #compareNamed(): void {
    const what = 'a part that names a lot';
    const stored = new Set(
      this.#stored.named.map((row) => keyOfNamed({ ...row, lotCode: this.#formatCode(row) })),
    );
    for (const [key, { saidAt }] of this.#expected.named) {
      if (!stored.delete(key)) this.#missing(what, saidAt);
    }
    if (stored.size > 0) this.#extra(what, this.#newest);
  }

  #compareParts(blocks: readonly CaseBlock[]): void {
    const what = 'a part of a step';
    const stored = new Map(this.#stored.parts.map((row) => [`${row.height} ${row.part}`, row]));
    for (const expected of blocks.flatMap(partsOfBlock).map(partRow)) {
      const { height, part } = expected;
      this.#compareRow(what, stored.get(`${height} ${part}`), { ...expected, saidAt: height });
      stored.delete(`${height} ${part}`);
    }
    if (stored.size > 0) this.#extra(what, this.#newest);
  }

  /** A block cannot name a lot of another tenant. */
  #formatCode({ lotCode, lotTenantNo }: Pick<LotRow, 'lotCode' | 'lotTenantNo'>): string {
    const { row } = this.#stored;
    return row !== undefined && lotTenantNo !== row.tenantNo ? '' : (lotCode ?? '');
  }

  #compareHolds(): void {
    const stored = Map.groupBy(this.#stored.holds, (hold) => this.#formatCode(hold));
    for (const [code, holds] of this.#expected.holds) {
      const rows = stored.get(code) ?? [];
      stored.delete(code);
      for (const [index, expected] of holds.entries()) this.#compareHold(rows[index], expected);
      if (rows.length > holds.length) this.#extra('a hold', this.#newest);
    }
    if (stored.size > 0) this.#extra('a hold', this.#newest);
  }

  #compareHold(row: HoldRow | undefined, expected: Said<Pick<HoldRow, 'releasedAt'>>): void {
    if (row === undefined) {
      this.#missing('a hold', expected.saidAt);
      return;
    }
    const { releasedAt, releasedBy } = row;
    // A hold that was ended by hand is compared with the block of that decision.
    const isByHand =
      row.releasedHeight !== null && releasedAt !== null && expected.releasedAt === null;
    const said = isByHand ? { ...expected, releasedAt, releasedBy } : expected;
    this.#compareRow('a hold', row, {
      ...said,
      // Lists of open holds leave out holds without a number above 0.
      holdNo: Math.max(1, row.holdNo),
      tenantNo: row.lotTenantNo,
      heldHeight: null,
      ...(isByHand ? {} : { releasedHeight: null }),
    });
  }

  #compareNotifications(): void {
    const stored = new Map(this.#stored.notifications.map((row) => [row.id, row]));
    const kept = new Map(this.#stored.recipients.map((row) => [row.notification_id, row]));
    for (const { commitment, ...expected } of this.#expected.notifications.values()) {
      const { id, saidAt: height } = expected;
      const row = stored.get(id);
      const opening = kept.get(id);
      stored.delete(id);
      // A missing row has a finding already; its recipient is not searched.
      if (row !== undefined && opening === undefined && commitment !== undefined) {
        this.#missesRecipient(height);
      }
      if (opening !== undefined && commitment !== findHash(() => recipientCommitment(opening))) {
        const code = commitment === undefined ? 'private_row_extra' : 'private_row_differs';
        const message = `what is kept of a recipient of block ${height} does not open its commitment`;
        this.#findings.add({ height, code, message });
      }
      const audience = opening?.audience ?? 'customer';
      const recipient = opening?.recipient ?? null;
      const said = { ...expected, audience, recipient, ...expectUnanswered(row, expected) };
      this.#compareRow('a notification', row, said);
      if (row !== undefined && (row.status === 'pending') !== (row.readyAt === null)) {
        this.#differs('a notification', height, ['status']);
      }
    }
    if (stored.size > 0) this.#extra('a notification', this.#newest);
  }

  #missesRecipient(height: number): void {
    const { isPastSealed, heights } = this.#stored.erased;
    if (!isPastSealed || heights.has(height)) return;
    const message = `a recipient of block ${height} is gone, and no block says that it was erased`;
    this.#findings.add({ height, code: 'private_row_missing', message });
  }

  #compareRow(what: string, row: Values | undefined, { saidAt, ...expected }: Said<Values>): void {
    if (row === undefined) {
      this.#missing(what, saidAt);
      return;
    }
    const differing = differingColumns(Object.keys(expected), row, expected);
    if (differing.length > 0) this.#differs(what, saidAt, differing);
  }

  #missing(what: string, height: number): void {
    const message = `the row of ${what} of ${this.#stored.caseNo} in block ${height} is gone`;
    this.#findings.add({ height, code: 'case_row_missing', message });
  }

  #differs(what: string, height: number, columns: readonly string[]): void {
    const message = `the row of ${what} of ${this.#stored.caseNo} in block ${height} differs: ${columns.join(', ')}`;
    this.#findings.add({ height, code: 'case_row_differs', message });
  }

  #extra(what: string, height: number): void {
    const message = `there is a row of ${what} of ${this.#stored.caseNo} that no block up to ${height} names`;
    this.#findings.add({ height, code: 'case_row_extra', message });
  }
}

/**
 * Returns the columns of a notification without an answer; those of others are compared with the
 * blocks of the answers.
 */
function expectUnanswered(
  row: NotificationRow | undefined,
  { readyAt }: Pick<NotificationRow, 'readyAt'>,
): Partial<NotificationRow> {
  if (row?.responseHeight !== null) return {};
  return {
    status: readyAt === null ? 'pending' : 'ready',
    ...{ sentAt: null, acknowledgedAt: null, resolvedAt: null, response: null },
  };
}
