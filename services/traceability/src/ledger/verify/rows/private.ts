// Private rows against the commitments of the blocks they belong to. Private values are there or
// erased; what is there must open the commitment in the block.
import {
  changeCommitment,
  commitmentOfLine,
  lineCommitment,
  notesCommitment,
  requestCommitment,
} from '../../record/commitment.ts';
import { decisionCommitment } from '../../decisions/draft.ts';
import {
  CONFIDENTIAL_PARTS,
  findParts,
  isConfidential,
} from '../../record/decisions/confidential.ts';
import type { Commitments } from '../../record/decisions/contents.ts';
import type { Payload } from '../../record/payload.ts';
import type {
  PrivateChangeRow,
  PrivateDecisionRow,
  PrivateLineRow,
  PrivateNotesRow,
  PrivateRequestRow,
} from '../../tables/private.ts';
import { findHash } from '../find-hash.ts';
import { RowCursor } from './cursor.ts';
import type { Findings } from '../mismatch.ts';
import type { PrivateRows } from './stored-rows.ts';

export class PrivateComparison {
  readonly #lines: RowCursor<PrivateLineRow>;
  readonly #notes: RowCursor<PrivateNotesRow>;
  readonly #requests: RowCursor<PrivateRequestRow>;
  readonly #changes: RowCursor<PrivateChangeRow>;
  readonly #decisions: RowCursor<PrivateDecisionRow>;
  readonly #findings: Findings;

  constructor(rows: PrivateRows, findings: Findings) {
    this.#lines = new RowCursor(rows.privateLines);
    this.#notes = new RowCursor(rows.privateNotes);
    this.#requests = new RowCursor(rows.privateRequests);
    this.#changes = new RowCursor(rows.privateChanges);
    this.#decisions = new RowCursor(rows.privateDecisions);
    this.#findings = findings;
  }

  /**
   * Takes the private rows of a block. A block without commitments has none.
   * @returns whether values of a commitment of the block are missing
   */
  compare(height: number, payload: Payload): boolean {
    let openings = 0;
    const event = payload.type === 'event' ? payload.event : undefined;
    for (let row = this.#lines.take(height); row !== undefined; row = this.#lines.take(height)) {
      const { line_no: lineNo } = row;
      openings += 1;
      this.#judge(height, {
        place: `line ${lineNo} of block ${height}`,
        commitment: commitmentOfLine(event?.lines[lineNo]),
        opening: findHash(() => lineCommitment(row)),
      });
    }
    const place = `block ${height}`;
    const notes = this.#notes.take(height);
    if (notes !== undefined) {
      openings += 1;
      const opening = findHash(() => notesCommitment(notes));
      this.#judge(height, { place, commitment: event?.private, opening });
    }
    const correction = payload.type === 'correction' ? payload.correction : undefined;
    const request = this.#requests.take(height);
    if (request !== undefined) {
      openings += 1;
      const opening = findHash(() => requestCommitment(request));
      this.#judge(height, { place, commitment: correction?.private, opening });
    }
    const rows = this.#decisions.takeAll(height);
    const committed = committedBy(payload, rows);
    for (const row of rows) {
      openings += committed[row.name] === undefined ? 0 : 1;
      this.#judge(height, {
        place: `${row.name} of block ${height}`,
        commitment: committed[row.name],
        opening: findHash(() => decisionCommitment(row)),
      });
    }
    for (const row of this.#changes.takeAll(height)) {
      const { change_no: changeNo } = row;
      openings += 1;
      this.#judge(height, {
        place: `change ${changeNo} of block ${height}`,
        commitment: correction?.changes[changeNo]?.private,
        opening: findHash(() => changeCommitment(row)),
      });
    }
    // A row too many is a finding of its own.
    return openings < countCommitments(payload, Object.keys(committed).length);
  }

  #judge(
    height: number,
    {
      place,
      commitment,
      opening,
    }: {
      readonly place: string;
      readonly commitment: string | undefined;
      readonly opening: string | undefined;
    },
  ): void {
    if (commitment === undefined) {
      const message = `there are private values for ${place}, which commits to none`;
      this.#findings.add({ height, code: 'private_row_extra', message });
    } else if (commitment !== opening) {
      const message = `the private values of ${place} are not the ones it commits to`;
      this.#findings.add({ height, code: 'private_row_differs', message });
    }
  }
}

/** @param decided commitments of a decision */
function countCommitments(payload: Payload, decided: number): number {
  switch (payload.type) {
    case 'genesis':
      return 0;
    case 'event': {
      const { event } = payload;
      const lines = event.lines.filter((line) => commitmentOfLine(line) !== undefined);
      return lines.length + Number(event.private !== undefined);
    }
    case 'correction': {
      const { correction } = payload;
      const changes = correction.changes.filter((change) => change.private !== undefined);
      return changes.length + Number(correction.private !== undefined);
    }
    default:
      return decided;
  }
}

/** @param rows of the block; the parts that those of a confidential block open commit to further values */
function committedBy(payload: Payload, rows: readonly PrivateDecisionRow[]): Commitments {
  switch (payload.type) {
    case 'genesis':
    case 'event':
    case 'correction':
    case 'audit':
      return {};
    case 'recall': {
      const { decision } = payload;
      const inside = isConfidential(decision) ? committedInside(rows) : {};
      return { ...inside, ...decision.committed };
    }
    default:
      return payload.decision.committed ?? {};
  }
}

/**
 * Returns the persons of a step, to whom its parts commit. Parts that do not open their block have
 * a finding of their own.
 */
function committedInside(rows: readonly PrivateDecisionRow[]): Commitments {
  const parts = rows.find(({ name }) => name === CONFIDENTIAL_PARTS);
  if (typeof parts?.value !== 'string') return {};
  return findParts(parts.value)?.[0]?.committed ?? {};
}
