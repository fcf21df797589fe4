// Events and corrections as a block's payload contains them, and the texts that are derived from
// them. Appending, checking and rebuilding all derive from the hashed text, through this one file.
import type { Direction } from './event-types.ts';
import { summaryOfDecision } from './decisions/facts.ts';
import type { WholeStep } from './decisions/recall.ts';
import type { DecisionContents, DecisionType } from './decisions/contents.ts';
import { findFieldPath } from './field-path.ts';
import { LINE_FIELDS, type EventTable, type LineTable } from './fields.ts';
import type { ChainMembers } from './members.ts';

/** One line of an event on the chain; members that were not sent are absent. */
export interface ChainLine extends ChainMembers<LineTable> {
  /** Commitment to what only the tenant keeps. */
  readonly private?: string;
  /** Commitment to the consignee of the line; in the effective event, the newest one. Version 2. */
  readonly consignee?: string;
}

export interface ChainEvent extends ChainMembers<EventTable> {
  readonly lines: readonly ChainLine[];
  /** Commitment to the notes, where they are private. */
  readonly private?: string;
}

/**
 * Version of the chain format. Version 2 is written for a payload with a member that version 1 does
 * not have.
 */
export type Version = 1 | 2;

export interface GenesisPayload {
  readonly hub: string;
  readonly nonce: string;
  readonly recorded_at: string;
  readonly type: 'genesis';
  readonly v: 1;
}

export interface EventPayload {
  readonly brand: string;
  readonly event: ChainEvent;
  readonly recorded_at: string;
  readonly type: 'event';
  readonly v: Version;
}

/** One field of a corrected event; amounts and instants in the form they have in an event. */
export interface ChainChange {
  /** `location` or `lines[0].quantity`: `field-path.ts` lists them. */
  readonly field: string;
  readonly from?: string;
  readonly private?: string;
  readonly to?: string;
}

/** The changes to an earlier event; keys are absent when there is no such value. */
export interface ChainCorrection {
  readonly changes: readonly ChainChange[];
  readonly corrects_block_hash: string;
  readonly corrects_block_height: number;
  readonly corrects_event_id: number;
  /** Version 2. */
  readonly external_id?: string;
  readonly private?: string;
  readonly reason: string;
}

export interface CorrectionPayload {
  readonly brand: string;
  readonly correction: ChainCorrection;
  readonly recorded_at: string;
  readonly type: 'correction';
  readonly v: Version;
}

export interface DecisionPayloadOf<Type extends DecisionType> {
  readonly brand: string;
  readonly decision: DecisionContents[Type];
  readonly recorded_at: string;
  readonly type: Type;
  readonly v: 2;
}

/** The newest place and hash of the chain of the audit, which is that of the whole hub. */
export interface AuditPayload {
  readonly audit: AuditSeal;
  readonly recorded_at: string;
  readonly type: 'audit';
  readonly v: 2;
}

export interface AuditSeal {
  readonly hash: string;
  /** From 1. */
  readonly sequence: number;
}

export type DecisionPayload = { [Type in DecisionType]: DecisionPayloadOf<Type> }[DecisionType];

export type Payload =
  GenesisPayload | EventPayload | CorrectionPayload | AuditPayload | DecisionPayload;

/** The payload of a stored canonical text; the caller has checked the hash, so the shape is ours. */
export function parsePayload(canonical: string): Payload {
  const block = JSON.parse(canonical) as { readonly payload: Payload };
  return block.payload;
}

/** The least version that has all members of an event. Every field that is added to a line is named here. */
export function versionOfEvent({ lines }: Pick<ChainEvent, 'lines'>): Version {
  return lines.some((line) => line.consignee !== undefined) ? 2 : 1;
}

/** The least version that has all members of a correction, and all fields that it changes. */
export function versionOfCorrection(
  correction: Pick<ChainCorrection, 'changes' | 'external_id'>,
): Version {
  const isLater = correction.changes.some(({ field }) => isFieldOfVersion2(field));
  return isLater || correction.external_id !== undefined ? 2 : 1;
}

/** Whether a correction may change the field in version 2 alone. */
function isFieldOfVersion2(field: string): boolean {
  const path = findFieldPath(field);
  return path?.kind === 'line' && LINE_FIELDS[path.field].privacy === 'apart';
}

/** Canonical payload text around an event's canonical text. All texts are already JSON. */
export function eventPayloadText(parts: {
  readonly brand: string;
  readonly eventText: string;
  readonly recordedAt: string;
  readonly version: Version;
}): string {
  return `{"brand":${JSON.stringify(parts.brand)},"event":${parts.eventText},"recorded_at":"${parts.recordedAt}","type":"event","v":${parts.version}}`;
}

/** Canonical payload text around a correction's canonical text. */
export function correctionPayloadText(parts: {
  readonly brand: string;
  readonly correctionText: string;
  readonly recordedAt: string;
  readonly version: Version;
}): string {
  return `{"brand":${JSON.stringify(parts.brand)},"correction":${parts.correctionText},"recorded_at":"${parts.recordedAt}","type":"correction","v":${parts.version}}`;
}

/** Canonical payload text around a decision's canonical text. */
export function decisionPayloadText(parts: {
  readonly brand: string;
  readonly decisionText: string;
  readonly recordedAt: string;
  readonly type: DecisionType;
}): string {
  return `{"brand":${JSON.stringify(parts.brand)},"decision":${parts.decisionText},"recorded_at":"${parts.recordedAt}","type":"${parts.type}","v":2}`;
}

/** Canonical payload text of a block of the audit. */
export function auditPayloadText({
  audit,
  recordedAt,
}: {
  readonly audit: AuditSeal;
  readonly recordedAt: string;
}): string {
  return `{"audit":{"hash":"${audit.hash}","sequence":${audit.sequence}},"recorded_at":"${recordedAt}","type":"audit","v":2}`;
}

/** The values that a summary is made of: the same in an event as sent and as the chain has it. */
export interface SummarySource {
  readonly event_type: string;
  readonly location: string;
  readonly reference: string;
  readonly lines: readonly Pick<ChainLine, 'direction' | 'lot_code'>[];
}

/** One stable English line about an event, without quantities, notes or private values. */
export function eventSummary(event: SummarySource): string {
  const codes = (direction: Direction): readonly string[] => [
    ...new Set(
      event.lines.filter((line) => line.direction === direction).map((line) => line.lot_code),
    ),
  ];
  const count = (direction: Direction): number =>
    event.lines.filter((line) => line.direction === direction).length;
  const ins = shortList(codes('in'));
  const outs = shortList(codes('out'));
  const lots =
    ins !== '' && outs !== '' ? `${ins} -> ${outs}` : ins !== '' ? `${ins} ->` : `-> ${outs}`;
  return `${event.event_type} at ${event.location}, ref ${event.reference}: ${count('in')} in, ${count('out')} out (${lots})`;
}

/** Lot codes (of each direction) or fields named in a summary; the rest is counted. */
const SUMMARY_NAMES_MAX = 3;

function shortList(codes: readonly string[]): string {
  const shown = codes.slice(0, SUMMARY_NAMES_MAX).join(', ');
  const more = codes.length - SUMMARY_NAMES_MAX;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

export function summarizePayload(payload: Payload, whole?: WholeStep): string {
  switch (payload.type) {
    case 'genesis':
      return `Genesis of ${payload.hub}`;
    case 'event':
      return eventSummary(payload.event);
    case 'correction':
      return correctionSummary(payload.correction);
    case 'audit':
      return `Audit sealed through entry ${payload.audit.sequence}`;
    default:
      return summaryOfDecision(payload, whole);
  }
}

/** One stable English line about a correction: which fields of which event, never their values. */
export function correctionSummary(
  correction: Pick<ChainCorrection, 'changes' | 'corrects_event_id'>,
): string {
  const fields = shortList(correction.changes.map((change) => change.field));
  return `CORRECTION of event ${correction.corrects_event_id}: ${fields}`;
}

/** Number of transactions of a block: an event's lines, a correction's changes. Others have none. */
export function countTransactions(payload: Payload): number {
  switch (payload.type) {
    case 'genesis':
      return 0;
    case 'event':
      return payload.event.lines.length;
    case 'correction':
      return payload.correction.changes.length;
    default:
      return 0;
  }
}
