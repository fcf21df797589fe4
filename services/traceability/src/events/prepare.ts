// From an event as sent to a draft ready for sealing: normalises time and quantities, takes private
// values off, writes the canonical text. Pure but for the salts, which are an argument.
import type { FieldError, Loc } from '@lothub/kit/field-errors';
import { INEXACT_NUMBER } from '@lothub/kit/field-errors';
import { lineCommitment, notesCommitment } from '../ledger/commitment.ts';
import type { PrivateLine, PrivateNotes } from '../ledger/commitment.ts';
import type { Draft } from '../ledger/draft.ts';
import { groupKeyOf } from '../ledger/group-key.ts';
import type { EventType } from '../ledger/payload.ts';
import { channelClass } from './channel-class.ts';
import { readOccurredAt } from './occurred-at.ts';
import { quantityText } from './quantity.ts';
import type { EventInput, LineInput } from './schema.ts';

export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

export type WarningCode =
  | 'no_offset'
  | 'private_field_dropped'
  | 'occurred_in_future'
  | 'unusual_direction'
  | 'correction_without_target'
  | 'lot_on_hold';

export type Prepared =
  | {
      readonly kind: 'ready';
      readonly event: EventInput;
      readonly draft: Draft;
      readonly warnings: readonly Warning[];
    }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export interface PrepareOptions {
  /** Path of the event in the request, such as `['body', 'events', 3]`. */
  readonly root: Loc;
  readonly nowMs: number;
  /** A fresh 256-bit salt, hex. */
  readonly newSalt: () => string;
  /** `group`: an event without an external id is known by its group key (imported files). */
  readonly identity: 'external_id' | 'group';
}

/** How far ahead of the server's clock an event may have occurred without a warning. */
const FUTURE_MS = 24 * 60 * 60 * 1_000;

/** Prepares an event whose shape (`EventSchema`) has been checked. */
export function prepareEvent(input: EventInput, options: PrepareOptions): Prepared {
  const errors: FieldError[] = [];
  const warnings: Warning[] = [];
  const occurredAt = readOccurredAt(input.occurred_at);
  if (occurredAt.kind === 'invalid') {
    errors.push(invalidOccurredAt(options.root, occurredAt.msg));
  }
  const quantities = input.lines.map((line, index) => {
    const text = quantityText(line.quantity);
    if (text === undefined) {
      errors.push(inexactQuantity(options.root, index));
    }
    return text ?? '';
  });
  if (occurredAt.kind === 'invalid' || errors.length > 0) return { kind: 'invalid', errors };

  const sell = input.event_type === 'SELL';
  const privateLines: PrivateLine[] = [];
  let privateDropped = false;
  const lines = input.lines.map((line, lineNo): string => {
    const customerRef = line.customer_ref ?? null;
    const channel = line.channel ?? null;
    if (customerRef === null && channel === null) {
      return lineText(line, quantities[lineNo] ?? '', undefined, undefined);
    }
    if (!sell) {
      privateDropped = true;
      return lineText(line, quantities[lineNo] ?? '', undefined, undefined);
    }
    const secret: PrivateLine = { lineNo, customerRef, channel, salt: options.newSalt() };
    privateLines.push(secret);
    return lineText(
      line,
      quantities[lineNo] ?? '',
      channel === null ? undefined : channelClass(channel),
      lineCommitment(secret),
    );
  });
  const notes = input.notes ?? null;
  const privateNotes: PrivateNotes | null =
    sell && notes !== null ? { notes, salt: options.newSalt() } : null;

  if (occurredAt.assumedUtc) warnings.push(NO_OFFSET);
  if (privateDropped) warnings.push(PRIVATE_DROPPED);
  if (Date.parse(occurredAt.text) > options.nowMs + FUTURE_MS) warnings.push(IN_FUTURE);
  if (input.event_type === 'CORRECTION') warnings.push(CORRECTION_WITHOUT_TARGET);
  const unusual = unusualDirection(input.event_type, input.lines);
  if (unusual !== undefined) warnings.push(unusual);

  const externalId = input.external_id ?? null;
  const isKnownByGroup = externalId === null && options.identity === 'group';
  return {
    kind: 'ready',
    event: input,
    warnings,
    draft: {
      externalId,
      eventText: eventText({
        input,
        occurredAt: occurredAt.text,
        lines,
        notes: sell ? null : notes,
        commitment: privateNotes === null ? undefined : notesCommitment(privateNotes),
      }),
      groupKey: isKnownByGroup ? groupKeyOf({ ...input, occurred_at: occurredAt.text }) : null,
      privateLines,
      privateNotes,
    },
  };
}

export function invalidOccurredAt(root: Loc, msg: string): FieldError {
  return { loc: [...root, 'occurred_at'], msg, type: 'datetime_parsing' };
}

export function inexactQuantity(root: Loc, index: number): FieldError {
  return { loc: [...root, 'lines', index, 'quantity'], ...INEXACT_NUMBER };
}

function lineText(
  line: LineInput,
  quantity: string,
  channel: string | undefined,
  commitment: string | undefined,
): string {
  return (
    (channel === undefined ? '{' : `{"channel":"${channel}",`) +
    `"direction":"${line.direction}","lot_code":${JSON.stringify(line.lot_code)}` +
    optional('origin_facility', line.origin_facility) +
    optional('private', commitment) +
    `,"product_sku":${JSON.stringify(line.product_sku)},"quantity":"${quantity}"` +
    optional('supplier_lot_code', line.supplier_lot_code) +
    optional('supplier_name', line.supplier_name) +
    `,"unit":${JSON.stringify(line.unit)}}`
  );
}

/**
 * Canonical JSON of an event, written key by key in the order RFC 8785 demands. JSON.stringify of a
 * well-formed string is its RFC 8785 form. A property test compares this with a generic serialiser.
 */
function eventText(parts: {
  readonly input: EventInput;
  readonly occurredAt: string;
  readonly lines: readonly string[];
  readonly notes: string | null;
  readonly commitment: string | undefined;
}): string {
  const { input } = parts;
  return (
    `{"event_type":"${input.event_type}"` +
    optional('external_id', input.external_id) +
    `,"lines":[${parts.lines.join(',')}],"location":${JSON.stringify(input.location)}` +
    optional('notes', parts.notes) +
    `,"occurred_at":"${parts.occurredAt}"` +
    optional('private', parts.commitment) +
    `,"reference":${JSON.stringify(input.reference)}}`
  );
}

function optional(key: string, value: string | null | undefined): string {
  return value === null || value === undefined ? '' : `,"${key}":${JSON.stringify(value)}`;
}

/** Directions the lines of each type usually have; `both` when either is ordinary. */
const USUAL_DIRECTION: Readonly<Record<EventType, 'in' | 'out' | 'both'>> = {
  RECEIVE: 'in',
  PRODUCE: 'both',
  CONSUME: 'both',
  PACK: 'both',
  TRANSFER: 'both',
  SHIP: 'out',
  SELL: 'out',
  DISPOSE: 'both',
  CORRECTION: 'both',
};

function unusualDirection(type: EventType, lines: readonly LineInput[]): Warning | undefined {
  const usual = USUAL_DIRECTION[type];
  if (usual === 'both') return undefined;
  const index = lines.findIndex((line) => line.direction !== usual);
  if (index < 0) return undefined;
  return {
    code: 'unusual_direction',
    message: `lines[${index}]: the lines of a ${type} usually have direction ${usual}`,
  };
}

export const NO_OFFSET: Warning = {
  code: 'no_offset',
  message: 'occurred_at has no offset and was read as UTC',
};
const PRIVATE_DROPPED: Warning = {
  code: 'private_field_dropped',
  message: 'customer_ref and channel are kept only for SELL events and were dropped',
};
const IN_FUTURE: Warning = {
  code: 'occurred_in_future',
  message: 'occurred_at is more than 24 hours ahead of the server clock',
};
const CORRECTION_WITHOUT_TARGET: Warning = {
  code: 'correction_without_target',
  message: 'use POST /v1/corrections to correct an event',
};
