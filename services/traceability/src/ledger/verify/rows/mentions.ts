// Compares the rows of `lot_mentions`, the lots that a block concerns besides those of its lines,
// with the corrections. Pure.
import { lotCodesConcerned } from '../../record/effective-lots.ts';
import { findFieldPath } from '../../record/field-path.ts';
import type { ChainCorrection } from '../../record/payload.ts';
import type { CorrectionStep, EventHistory } from './histories.ts';
import type { Findings } from '../mismatch.ts';
import type { MentionRow, NamedLot } from './stored-rows.ts';

/** Codes of the lots that a correction concerns. */
export function codesConcernedBy(step: CorrectionStep): ReadonlySet<string> {
  const { before, after, correction } = step;
  return new Set(lotCodesConcerned(before, after, correction).mentionedByCorrection);
}

/** Codes of the lots that a correction puts in place of others. */
export function codesNamedBy(correction: ChainCorrection): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const { field, to } of correction.changes) {
    if (to !== undefined && findFieldPath(field)?.field === 'lot_code') codes.add(to);
  }
  return codes;
}

/** Codes of the lots that an event named until it was corrected; some may have come back since. */
export function codesNamedBefore(history: EventHistory): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const { before, after, correction } of history.steps.values()) {
    for (const code of lotCodesConcerned(before, after, correction).noLongerNamed) codes.add(code);
  }
  return codes;
}

const NO_LOTS: ReadonlyMap<string, NamedLot> = new Map();

/**
 * Compares the mentions of one block.
 *
 * @param block `codes` of the tenant's lots that the block must be listed for, no more and no less
 * @returns the lots that are rightly listed, by their codes
 */
export function compareMentions(block: {
  readonly height: number;
  readonly tenantId: string;
  readonly codes: ReadonlySet<string>;
  readonly rows: readonly MentionRow[];
  readonly findings: Findings;
}): ReadonlyMap<string, NamedLot> {
  const { height, codes, rows, findings } = block;
  if (rows.length === 0 && codes.size === 0) return NO_LOTS;
  const found = new Map<string, NamedLot>();
  for (const row of rows) {
    const { lot_code: code } = row;
    if (code === null) {
      const message = `a lot that block ${height} is listed for is not listed itself`;
      findings.add({ height, code: 'lot_row_missing', message });
    } else if (row.lot_tenant_id === block.tenantId && codes.has(code)) {
      found.set(code, row);
    } else {
      const message = `block ${height} is listed for a lot that it does not concern`;
      findings.add({ height, code: 'mention_row_extra', message });
    }
  }
  for (let missing = codes.size - found.size; missing > 0; missing -= 1) {
    const message = `block ${height} is not listed for a lot that it concerns`;
    findings.add({ height, code: 'mention_row_missing', message });
  }
  return found;
}
