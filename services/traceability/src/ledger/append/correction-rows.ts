// Applies a correction to the derived rows: writes the effective values of the corrected event, and
// recounts the lots that the correction concerns.
import { applyCorrection, asSealed, type EffectiveEvent } from '../record/effective.ts';
import { lotCodesConcerned } from '../record/effective-lots.ts';
import { correctionRow, eventRow, lineRow, provenanceRow } from '../rows-of-blocks.ts';
import { deriveEffectiveLinkBasis } from '../record/link-basis.ts';
import { findPayload } from '../record/payload-shape.ts';
import type { ChainCorrection } from '../record/payload.ts';
import { listProvenances } from '../record/provenance.ts';
import type { ChainRows } from './group-rows.ts';
import type { LotRows } from './lot-rows.ts';

/** An event as it counts before a correction that is about to be applied. */
export interface CorrectionTarget {
  readonly brand: string;
  readonly effective: EffectiveEvent;
}

/** @returns undefined when there is no event of this height */
export function findCorrectionTarget(
  rows: Pick<ChainRows, 'findCanonical' | 'listCorrections'>,
  height: number,
): CorrectionTarget | undefined {
  const canonical = rows.findCanonical(height);
  const payload = canonical === undefined ? undefined : findPayload(canonical);
  if (payload?.type !== 'event') return undefined;
  let effective = asSealed(payload.event);
  for (const correction of rows.listCorrections(height)) {
    const found = findPayload(correction.canonical);
    if (found?.type !== 'correction') continue;
    effective = applyCorrection(effective, {
      height: correction.height,
      correction: found.correction,
    });
  }
  return { brand: payload.brand, effective };
}

/** @returns how many lots were named for the first time, and how the event counts now */
export function insertCorrectionRows(
  deps: { readonly rows: ChainRows; readonly lots: LotRows },
  row: {
    readonly height: number;
    readonly tenantNo: number;
    readonly before: EffectiveEvent;
    readonly correction: ChainCorrection;
  },
): { readonly newLots: number; readonly after: EffectiveEvent } {
  const { rows, lots } = deps;
  const { height, tenantNo, before, correction } = row;
  const target = correction.corrects_block_height;
  const after = applyCorrection(before, { height, correction });
  rows.insertCorrection(correctionRow({ height, tenantNo, correction }));

  const linkBasis = deriveEffectiveLinkBasis(after);
  rows.updateEvent(eventRow({ height: target, tenantNo, effective: after, linkBasis }));
  const linksChange = linkBasis !== deriveEffectiveLinkBasis(before);
  const { event_type: eventType } = after.event;
  let newLots = 0;
  for (const [lineNo, line] of after.event.lines.entries()) {
    if (line === before.event.lines[lineNo] && !linksChange) continue;
    const { lot_code: lotCode, product_sku: productSku } = line;
    const { lotNo, isNew } = lots.getOrNumber(tenantNo, lotCode);
    if (isNew) {
      newLots += 1;
      lots.insert({ lotNo, tenantNo, lotCode, productSku, height, terms: [] });
    }
    rows.updateLine(lineRow({ height: target, lineNo, lotNo, line, eventType, linkBasis }));
  }
  rows.deleteProvenances(target);
  for (const provenance of listProvenances(after)) {
    const lotNo = getLot(lots, row, provenance.lotCode);
    rows.insertProvenance(provenanceRow({ height: target, tenantNo, lotNo, provenance }));
  }

  const concerned = lotCodesConcerned(before, after, correction);
  for (const lotCode of concerned.mentionedByCorrection) {
    const lotNo = getLot(lots, row, lotCode);
    rows.insertMention({ height, lot_no: lotNo });
    lots.recount(tenantNo, lotNo);
  }
  for (const lotCode of concerned.noLongerNamed) {
    const lotNo = lots.find(tenantNo, lotCode);
    if (lotNo !== undefined) rows.insertMention({ height: target, lot_no: lotNo });
  }
  return { newLots, after };
}

function getLot(
  lots: LotRows,
  { tenantNo, height }: { readonly tenantNo: number; readonly height: number },
  lotCode: string,
): number {
  const lotNo = lots.find(tenantNo, lotCode);
  if (lotNo === undefined) throw new Error(`applying block ${height}: a lot is not listed`);
  return lotNo;
}
