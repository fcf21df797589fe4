// Lists the lots that a correction concerns. Pure; the writer derives rows by it and the verifier
// compares them by it.
import type { EffectiveEvent } from './effective.ts';
import { findFieldPath } from './field-path.ts';
import type { ChainCorrection } from './payload.ts';

export interface LotsConcerned {
  /** Codes of the lots whose lines changed, before and after; all of the event's for its own fields. */
  readonly mentionedByCorrection: readonly string[];
  /** Codes that the event's lines named before and do not name any more. */
  readonly noLongerNamed: readonly string[];
}

export function lotCodesConcerned(
  before: EffectiveEvent,
  after: EffectiveEvent,
  correction: ChainCorrection,
): LotsConcerned {
  const mentioned = new Set<string>();
  for (const { field } of correction.changes) {
    const path = findFieldPath(field);
    if (path?.kind === 'line') {
      for (const { event } of [before, after]) {
        const line = event.lines[path.lineNo];
        if (line !== undefined) mentioned.add(line.lot_code);
      }
    } else {
      for (const { event } of [before, after]) {
        for (const line of event.lines) mentioned.add(line.lot_code);
      }
    }
  }
  const named = new Set(after.event.lines.map((line) => line.lot_code));
  const gone = new Set(
    before.event.lines.map((line) => line.lot_code).filter((code) => !named.has(code)),
  );
  return { mentionedByCorrection: [...mentioned], noLongerNamed: [...gone] };
}
