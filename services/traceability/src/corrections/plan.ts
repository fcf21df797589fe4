// Plans a correction for sealing, or refuses it, from a request and the event as it counts now
// (docs/interface/traceability.md#what-may-be-corrected; docs/chain-format.md#correction). Pure but
// for the salts.
import { canonicalize } from '@lothub/chain';
import { Refusal } from '../errors.ts';
import { channelClass, knownChannelClass } from '../events/channel-class.ts';
import { NO_OFFSET, channelUnknown, type Warning } from '../events/prepare.ts';
import { changeCommitment, requestCommitment } from '../ledger/record/commitment.ts';
import type { PrivateChange } from '../ledger/record/commitment.ts';
import type { CorrectionDraft } from '../ledger/draft.ts';
import { applyCorrection, statedStatus, type EffectiveEvent } from '../ledger/record/effective.ts';
import { isCorrectionBlock, isEventBlock, type EventBlock } from '../ledger/effective-reader.ts';
import { fieldPathText, type FieldPath, type LineField } from '../ledger/record/field-path.ts';
import type { ChainChange, ChainCorrection } from '../ledger/record/payload.ts';
import { privateText, withChanges, type PrivateEventValues } from '../ledger/private-values.ts';
import type { Block } from '../ledger/read.ts';
import {
  DELIVERY_TYPES,
  PRIVATE_TYPES,
  getFacts,
  mayDeliver,
  typeNames,
} from '../ledger/record/event-types.ts';
import {
  EVENT_FIELDS,
  LINE_FIELDS,
  NAMED,
  isKept,
  isPrivateLineField,
} from '../ledger/record/fields.ts';
import { readField, type RequestedField } from './fields.ts';
import type { ChangeValue, CorrectionInput } from './schema.ts';
import { shownValue, toNewText, toOldText } from './values.ts';

/** The event to correct, as it counts now. */
export interface CorrectionTarget {
  readonly height: number;
  readonly hash: string;
  readonly effective: EffectiveEvent;
  /** The values that count now. */
  readonly privateValues: PrivateEventValues;
}

export interface CorrectionPlan {
  readonly submission: CorrectionDraft;
  /** The changes in the order and with the spelling that they have on the chain. */
  readonly changes: readonly PlannedChange[];
  readonly warnings: readonly Warning[];
}

/** A change as its tenant is shown it. */
export interface PlannedChange {
  readonly field: string;
  readonly old_value: ChangeValue;
  readonly new_value: ChangeValue;
}

/**
 * The block of an event that a tenant may correct.
 * @throws Refusal `rule_broken`; of another tenant's block it says no more than of none
 */
export function refuseUncorrectable(block: Block | undefined, tenantId: string): EventBlock {
  if (block !== undefined && (isEventBlock(block) || isCorrectionBlock(block))) {
    const isOwn = block.payload.brand === tenantId;
    if (isOwn && isEventBlock(block) && getFacts(block.payload.event.event_type).counts) {
      return block;
    }
    if (isOwn) throw refusal('corrects_event_id names a CORRECTION, which cannot be corrected');
  }
  throw refusal('corrects_event_id names no event of this tenant');
}

/** Applies a planned correction to a target. */
export function targetAfter(
  target: CorrectionTarget,
  { correctionText, privateChanges }: CorrectionDraft,
): CorrectionTarget {
  const correction = JSON.parse(correctionText) as ChainCorrection;
  const changes = new Map(privateChanges.map((change) => [change.change_no, change.to_text]));
  return {
    ...target,
    effective: applyCorrection(target.effective, { height: NOT_SEALED, correction }),
    privateValues: withChanges(
      target.privateValues,
      correction.changes,
      (changeNo) => changes.get(changeNo) ?? null,
    ),
  };
}

/** The height of a correction that has none yet. */
const NOT_SEALED = -1;

/**
 * Plans a correction whose shape and values have been checked (`checkRequest`).
 * @throws Refusal `rule_broken` naming the first change that cannot be made
 */
export function planCorrection(
  request: CorrectionInput,
  options: {
    readonly target: CorrectionTarget;
    /** A fresh 256-bit salt, hex. */
    readonly newSalt: () => string;
  },
): CorrectionPlan {
  const { target, newSalt } = options;
  const externalId = request.external_id ?? null;
  if (target.effective.voided) throw refusal('The event is voided and cannot be corrected further');
  const resolved = resolveChanges(request.changes, target);
  const privateRequest = { requested_by: request.requested_by, salt: newSalt() };
  const privateChanges: PrivateChange[] = [];
  const chainChanges = resolved.map((change, changeNo): ChainChange => {
    if (!isPrivate(change.path, target)) {
      return chainChange(change.path, { from: change.from, to: change.to });
    }
    const { from, to } = change;
    const secret = { change_no: changeNo, from_text: from, to_text: to, salt: newSalt() };
    privateChanges.push(secret);
    return {
      ...chainChange(change.path, shownInClear(change, target)),
      private: changeCommitment(secret),
    };
  });
  return {
    submission: {
      correctsHeight: target.height,
      afterCount: target.effective.correctedBy.length,
      externalId,
      correctionText: canonicalize({
        changes: chainChanges.map((change) => ({ ...change })),
        corrects_block_hash: target.hash,
        corrects_block_height: target.height,
        corrects_event_id: target.height,
        ...(externalId === null ? {} : { external_id: externalId }),
        private: requestCommitment(privateRequest),
        reason: request.reason,
      }),
      privateRequest,
      privateChanges,
    },
    changes: resolved.map(({ path, from, to }) => ({
      field: fieldPathText(path),
      old_value: shownValue(path.field, from),
      new_value: shownValue(path.field, to),
    })),
    warnings: listWarnings(resolved),
  };
}

function listWarnings(changes: readonly ResolvedChange[]): readonly Warning[] {
  const warnings: Warning[] = [];
  if (changes.some((change) => change.assumedUtc)) warnings.push(NO_OFFSET);
  const unknown = changes.find(
    ({ path, to }) => isClass(path) && to !== null && knownChannelClass(to) === undefined,
  );
  if (unknown?.path.kind === 'line') warnings.push(channelUnknown(unknown.path.lineNo));
  return warnings;
}

function isClass(path: FieldPath): boolean {
  return path.kind === 'line' && LINE_FIELDS[path.field].privacy === 'class';
}

interface ResolvedChange {
  readonly path: FieldPath;
  /** Texts of the chain, or of the tenant where they are private; null when there is no value. */
  readonly from: string | null;
  readonly to: string | null;
  readonly assumedUtc: boolean;
}

function resolveChanges(
  changes: CorrectionInput['changes'],
  target: CorrectionTarget,
): readonly ResolvedChange[] {
  const seen = new Set<string>();
  return changes.map((change, index) => {
    const place = `changes[${index}]`;
    const oldValue = change.old_value ?? null;
    const path = resolvePath(readField(change.field), { oldValue, target, place });
    const name = fieldPathText(path);
    if (seen.has(name)) throw refusal(`${place}.field: ${name} is changed twice`);
    seen.add(name);
    const from = effectiveText(path, target);
    if (claimedText(path, oldValue, target) !== from) {
      throw refusal(`${place}.old_value is not the value that ${name} has now`);
    }
    const { text: to, assumedUtc } = toNewText(path.field, change.new_value ?? null);
    if (to === from) throw refusal(`${place}.new_value is the value that ${name} has already`);
    return { path, from, to, assumedUtc };
  });
}

type LinePath = Extract<FieldPath, { readonly kind: 'line' }>;

interface Claim {
  readonly oldValue: ChangeValue;
  readonly target: CorrectionTarget;
  /** The place of the change in the request, such as `changes[0]`. */
  readonly place: string;
}

/** The one field of the event that a request means. */
function resolvePath(field: RequestedField, claim: Claim): FieldPath {
  const { target, place } = claim;
  switch (field.kind) {
    case 'unknown':
      throw refusal(`${place}.field names no field of an event that can be corrected`);
    case 'fixed':
      throw refusal(
        `${place}.field: ${field.field} cannot be corrected; void the event and post it anew`,
      );
    case 'event':
      return field;
    case 'line':
      refuseUnlessKept(field.field, claim);
      if (field.lineNo < target.effective.event.lines.length) {
        refuseUnlessDelivered(field, claim);
        return field;
      }
      throw refusal(`${place}.field names a line that the event does not have`);
    case 'bare': {
      refuseUnlessKept(field.field, claim);
      const lineNo = lineWithValue(field.field, claim);
      const path: LinePath = { kind: 'line', lineNo, field: field.field };
      refuseUnlessDelivered(path, claim);
      return path;
    }
  }
}

/**
 * Refuses values that are not stored: a customer and a channel are stored only of sales, a
 * consignee only of deliveries.
 */
function refuseUnlessKept(field: LineField, { target, place }: Claim): void {
  if (!isPrivateLineField(field)) return;
  const { event_type: eventType } = target.effective.event;
  if (isKept(field, { eventType, direction: DELIVERY_SIDE })) return;
  const types = isConsignee(field) ? DELIVERY_TYPES : PRIVATE_TYPES;
  throw refusal(`${place}.field: only ${typeNames(types)} events have a ${field}`);
}

/** A line on the other side has no consignee, but for one that it had before its side was corrected. */
function refuseUnlessDelivered({ lineNo, field }: LinePath, { target, place }: Claim): void {
  const line = target.effective.event.lines[lineNo];
  if (!isConsignee(field) || line === undefined || line.consignee !== undefined) return;
  if (mayDeliver(target.effective.event.event_type, line.direction)) return;
  throw refusal(`${place}.field: only ${DELIVERY_SIDE} lines have a ${field}`);
}

const DELIVERY_SIDE = 'out';

function isConsignee(field: LineField): boolean {
  return LINE_FIELDS[field].privacy === 'apart';
}

function lineWithValue(field: LineField, { oldValue, target, place }: Claim): number {
  const claimed = toOldText(field, oldValue);
  const found = target.effective.event.lines.flatMap((_line, lineNo) =>
    effectiveText({ kind: 'line', lineNo, field }, target) === claimed ? [lineNo] : [],
  );
  const [lineNo] = found;
  if (lineNo === undefined) throw refusal(`${place}.old_value is the ${field} of no line`);
  if (found.length === 1) return lineNo;
  throw refusal(
    `${place}.old_value is the ${field} of ${found.length} lines; ` +
      `name the one to correct, such as lines[${lineNo}].${field}`,
  );
}

/** The text of a claimed old value; of a status also by the word that it is shown with. */
function claimedText(
  path: FieldPath,
  oldValue: ChangeValue,
  target: CorrectionTarget,
): string | null | undefined {
  const isShownAs =
    path.field === 'status' && oldValue === 'corrected' && target.effective.correctedBy.length > 0;
  return isShownAs ? statedText(target) : toOldText(path.field, oldValue);
}

function statedText({ effective }: CorrectionTarget): string {
  return statedStatus({ isVoided: effective.voided });
}

function effectiveText(path: FieldPath, target: CorrectionTarget): string | null {
  const { event } = target.effective;
  if (path.kind === 'event') {
    if (path.field === 'status') return statedText(target);
    return isPrivate(path, target) ? target.privateValues.notes : (event[path.field] ?? null);
  }
  return isPrivateLineField(path.field)
    ? privateText(target.privateValues.lines.get(path.lineNo), path.field)
    : (event.lines[path.lineNo]?.[path.field] ?? null);
}

function keepsPrivate(target: CorrectionTarget): boolean {
  return getFacts(target.effective.event.event_type).keepsPrivate;
}

/** Whether the chain contains only a commitment to the value of the field. */
function isPrivate(path: FieldPath, target: CorrectionTarget): boolean {
  if (path.kind === 'line') return isPrivateLineField(path.field);
  if (path.field === 'status') return false;
  return EVENT_FIELDS[path.field].privacy === 'open_unless_private' && keepsPrivate(target);
}

interface FromTo {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Returns the public part of a private change: the classes of a channel, whether there is a
 * consignee, else nothing. It is not made from the text before, which may have been erased; the
 * chain still contains it.
 */
function shownInClear({ path, to }: ResolvedChange, target: CorrectionTarget): FromTo {
  if (path.kind !== 'line') return { from: null, to: null };
  const line = target.effective.event.lines[path.lineNo];
  if (isConsignee(path.field)) {
    return {
      from: line?.consignee === undefined ? null : NAMED,
      to: to === null ? null : NAMED,
    };
  }
  if (!isClass(path)) return { from: null, to: null };
  return { from: line?.channel ?? null, to: to === null ? null : channelClass(to) };
}

function chainChange(path: FieldPath, { from, to }: FromTo): ChainChange {
  return {
    field: fieldPathText(path),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

function refusal(message: string): Refusal {
  return new Refusal('rule_broken', message);
}
