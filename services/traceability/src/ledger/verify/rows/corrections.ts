// Compares the row of a correction with its block, and derives the change that the block makes to its event.
// Pure.
import { differingColumns } from '@lothub/kit/rows/stored-table';
import { fitsEvent } from '../../record/effective.ts';
import type { CorrectionPayload, EventPayload } from '../../record/payload.ts';
import { COMPARED_OF_CORRECTION, correctionRow } from '../../rows-of-blocks.ts';
import { soundPayload } from './histories.ts';
import type { CorrectionHistories, CorrectionStep, SoundPayload } from './histories.ts';
import type { Findings } from '../mismatch.ts';
import type { CorrectionRow } from './stored-rows.ts';

/**
 * Compares the row of a correction; the chain has been found good through its block.
 *
 * @returns the change that the block makes to the event; undefined when it cannot be derived, with
 * a finding at the faulty block
 */
export function findCorrectionStep(
  height: number,
  payload: CorrectionPayload,
  stored: {
    readonly row: CorrectionRow | undefined;
    readonly histories: CorrectionHistories;
    readonly findings: Findings;
  },
): CorrectionStep | undefined {
  const { row, histories, findings } = stored;
  const { correction } = payload;
  const targetHeight = correction.corrects_block_height;
  // Only the target that the row names has been read.
  if (!namesTarget(height, payload, row, findings)) return undefined;
  const target = targetHeight < height ? histories.target(targetHeight) : undefined;
  const found = target === undefined ? 'unreadable' : soundPayload(target);
  if (found === 'unsound') {
    const message = `block ${targetHeight} is not the text that was hashed`;
    findings.add({ height: targetHeight, code: 'hash_mismatch', message });
    return undefined;
  }
  if (target?.hash !== correction.corrects_block_hash || !isCorrectable(found, payload)) {
    const message = `block ${height} corrects nothing that can be corrected`;
    findings.add({ height, code: 'correction_invalid', message });
    return undefined;
  }
  const history = histories.applyHistory(targetHeight, found);
  return typeof history === 'object' ? history.steps.get(height) : undefined;
}

/** Compares the row. @returns true when it names the event that the block corrects */
function namesTarget(
  height: number,
  { brand, correction }: CorrectionPayload,
  row: CorrectionRow | undefined,
  findings: Findings,
): boolean {
  if (row === undefined) {
    const message = `the row of the correction in block ${height} is gone`;
    findings.add({ height, code: 'correction_row_missing', message });
    return false;
  }
  if (row.tenant_id === null) {
    const message = `the tenant of block ${height} is not listed`;
    findings.add({ height, code: 'tenant_row_missing', message });
  }
  const { height: rowHeight, tenant_no: tenantNo } = row;
  const expected = correctionRow({ height: rowHeight, tenantNo, correction });
  const isTenant = row.tenant_id === brand || row.tenant_id === null;
  const differing = differingColumns(COMPARED_OF_CORRECTION, row, expected);
  if (!isTenant || differing.length > 0) {
    const names = [...(isTenant ? [] : ['tenant']), ...differing].join(', ');
    const message = `the row of the correction in block ${height} differs: ${names}`;
    findings.add({ height, code: 'correction_row_differs', message });
  }
  return row.corrects_height === expected.corrects_height;
}

function isCorrectable(
  target: SoundPayload,
  { brand, correction }: CorrectionPayload,
): target is EventPayload {
  return (
    typeof target === 'object' &&
    target.type === 'event' &&
    target.brand === brand &&
    fitsEvent(correction, target.event)
  );
}
