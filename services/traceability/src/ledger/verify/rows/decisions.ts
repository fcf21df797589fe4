// The rows of decisions against their blocks. Pure.
import { differingColumns, type ReadRowOf } from '@lothub/kit/rows/stored-table';
import { COMPARED_OF_DECISION } from '../../rows-of-blocks.ts';
import type { DECISIONS, DecisionRow } from '../../tables/chain.ts';
import type { Findings } from '../mismatch.ts';

export function compareDecisionRow(
  expected: DecisionRow,
  row: ReadRowOf<typeof DECISIONS> | undefined,
  findings: Findings,
): void {
  const { height } = expected;
  if (row === undefined) {
    const message = `the row of the decision in block ${height} is gone`;
    findings.add({ height, code: 'decision_row_missing', message });
    return;
  }
  const differing = differingColumns(COMPARED_OF_DECISION, row, expected);
  if (differing.length === 0) return;
  const message = `the row of the decision in block ${height} differs: ${differing.join(', ')}`;
  findings.add({ height, code: 'decision_row_differs', message });
}
