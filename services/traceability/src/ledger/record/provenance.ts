// Lists where the lots of an event came from, by the effective values of its lines. Pure.
import { buildRecord } from '@lothub/kit/build-record';
import type { EffectiveEvent } from './effective.ts';
import { getFacts } from './event-types.ts';
import { PROVENANCE_NAMES, type ProvenanceValues } from './fields.ts';

export interface Provenance extends ProvenanceValues {
  readonly lineNo: number;
  readonly lotCode: string;
  /**
   * True if the event's type brings lots in from outside: an upstream leaf in the genealogy
   * (docs/interface/traceability.md#links).
   */
  readonly isLeaf: boolean;
}

/** Returns nothing for a voided event, and for a type of event that does not count. */
export function listProvenances({ event, voided }: EffectiveEvent): readonly Provenance[] {
  const { counts, isOrigin } = getFacts(event.event_type);
  if (voided || !counts) return [];
  const found: Provenance[] = [];
  for (const [lineNo, line] of event.lines.entries()) {
    if (PROVENANCE_NAMES.every((name) => line[name] === undefined)) continue;
    const values = buildRecord(PROVENANCE_NAMES, (name) => line[name] ?? null);
    found.push({ lineNo, lotCode: line.lot_code, isLeaf: isOrigin, ...values });
  }
  return found;
}
