// An event as it counts: as it was sealed, with its corrections applied in the order of their blocks
// (docs/interface/traceability.md#effective-values). Pure; the sealed event itself is never changed.
import { VOIDED, type EventStatus, type StatedStatus } from '../../terms.ts';
import { findFieldPath, type EventField, type LineField } from './field-path.ts';
import type { ChainChange, ChainCorrection, ChainEvent, ChainLine } from './payload.ts';
import { LINE_FIELDS, isShownLineField } from './fields.ts';

export interface EffectiveEvent {
  readonly event: ChainEvent;
  /** A correction says that it did not happen: it moves nothing and links nothing. */
  readonly voided: boolean;
  /** Heights of the corrections applied, ascending. */
  readonly correctedBy: readonly number[];
}

export function asSealed(event: ChainEvent): EffectiveEvent {
  return { event, voided: false, correctedBy: [] };
}

export function deriveEventStatus({ voided, correctedBy }: EffectiveEvent): EventStatus {
  return eventStatus({ isVoided: voided, corrections: correctedBy.length });
}

export function eventStatus(event: {
  readonly isVoided: boolean;
  readonly corrections: number;
}): EventStatus {
  const stated = statedStatus(event);
  return stated === VOIDED || event.corrections === 0 ? stated : 'corrected';
}

/** Returns the status that a correction may state for the event. */
export function statedStatus({ isVoided }: { readonly isVoided: boolean }): StatedStatus {
  return isVoided ? VOIDED : 'accepted';
}

/** Returns whether the event has every line that the correction names. */
export function fitsEvent(correction: ChainCorrection, event: ChainEvent): boolean {
  return correction.changes.every(({ field }) => {
    const path = findFieldPath(field);
    return path !== undefined && (path.kind === 'event' || path.lineNo < event.lines.length);
  });
}

/** Applies one more correction; changes of fields that the event does not have are passed over. */
export function applyCorrection(
  before: EffectiveEvent,
  correction: { readonly height: number; readonly correction: ChainCorrection },
): EffectiveEvent {
  let { event, voided } = before;
  // Copied once: a correction may change a thousand lines.
  const lines = [...event.lines];
  for (const change of correction.correction.changes) {
    const path = findFieldPath(change.field);
    if (path === undefined) continue;
    if (path.kind === 'line') {
      const line = lines[path.lineNo];
      if (line !== undefined) lines[path.lineNo] = changedLine(line, path.field, change);
    } else if (path.field === 'status') {
      voided ||= change.to === VOIDED;
    } else {
      event = changedEvent(event, path.field, change);
    }
  }
  return {
    event: { ...event, lines },
    voided,
    correctedBy: [...before.correctedBy, correction.height],
  };
}

function changedEvent(
  event: ChainEvent,
  field: Exclude<EventField, 'status'>,
  change: ChainChange,
): ChainEvent {
  // The notes of a SELL are private: the chain says that they changed, not to what.
  if (change.private !== undefined) return event;
  const { [field]: _before, ...rest } = event;
  return { ...rest, ...(change.to === undefined ? {} : { [field]: change.to }) } as ChainEvent;
}

function changedLine(line: ChainLine, field: LineField, change: ChainChange): ChainLine {
  if (LINE_FIELDS[field].privacy === 'apart') return lineDeliveredBy(line, change);
  // The chain shows only a commitment of such a field, so the line stays as it is. A `class` field
  // is shown by its class.
  if (!isShownLineField(field)) return line;
  const { [field]: _before, ...rest } = line;
  return { ...rest, ...(change.to === undefined ? {} : { [field]: change.to }) } as ChainLine;
}

/** The commitment of the change is the one to the consignee from now on, if there is one any more. */
function lineDeliveredBy(line: ChainLine, { to, private: commitment }: ChainChange): ChainLine {
  const { consignee: _before, ...rest } = line;
  return to === undefined || commitment === undefined ? rest : { ...rest, consignee: commitment };
}
