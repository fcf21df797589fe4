// Where the lots of an event came from, as far as its lines say so and count. Pure.
import type { EffectiveEvent } from './effective.ts';
import { factsOf } from './event-types.ts';

export interface Provenance {
  readonly lineNo: number;
  readonly lotCode: string;
  /** Of a RECEIVE, and so an upstream leaf in the genealogy (service page, section 5). */
  readonly isLeaf: boolean;
  readonly supplierName: string | null;
  readonly originFacility: string | null;
  readonly supplierLotCode: string | null;
}

/** Nothing of an event that did not happen, nor of one of the type CORRECTION, which moves nothing. */
export function provenancesOf({ event, voided }: EffectiveEvent): readonly Provenance[] {
  const { counts, isOrigin } = factsOf(event.event_type);
  if (voided || !counts) return [];
  return event.lines.flatMap((line, lineNo): readonly Provenance[] => {
    const { supplier_name, origin_facility, supplier_lot_code } = line;
    if (
      supplier_name === undefined &&
      origin_facility === undefined &&
      supplier_lot_code === undefined
    ) {
      return [];
    }
    return [
      {
        lineNo,
        lotCode: line.lot_code,
        isLeaf: isOrigin,
        supplierName: supplier_name ?? null,
        originFacility: origin_facility ?? null,
        supplierLotCode: supplier_lot_code ?? null,
      },
    ];
  });
}
