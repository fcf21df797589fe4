// Blocks of the audit: their rows, and whether the chain of the audit is still the one that they sealed. Pure.
import { differingColumns } from '@lothub/kit/rows/stored-table';
import type { AuditPayload } from '../../record/payload.ts';
import { COMPARED_OF_AUDIT_BLOCK, auditBlockRow } from '../../rows-of-blocks.ts';
import type { Findings } from '../mismatch.ts';
import type { AuditBlockRow } from './stored-rows.ts';

export function compareAuditBlock(
  {
    height,
    payload,
    row,
  }: {
    readonly height: number;
    readonly payload: AuditPayload;
    readonly row: AuditBlockRow | undefined;
  },
  findings: Findings,
): void {
  if (row === undefined) {
    const message = `the row of the block of the audit ${height} is gone`;
    findings.add({ height, code: 'audit_block_row_missing', message });
    return;
  }
  const expected = auditBlockRow(height, payload);
  const differing = differingColumns(COMPARED_OF_AUDIT_BLOCK, row, expected);
  if (differing.length > 0) {
    const message = `the row of the block of the audit ${height} differs: ${differing.join(', ')}`;
    findings.add({ height, code: 'audit_block_row_differs', message });
    return;
  }
  if (row.chained_hash === expected.hash) return;
  const what = row.chained_hash === null ? 'is gone' : 'has another hash';
  findings.add({
    height,
    code: 'audit_chain_differs',
    message: `entry ${expected.sequence} of the audit, which block ${height} sealed, ${what}`,
  });
}
