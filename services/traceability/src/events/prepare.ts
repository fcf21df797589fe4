// Makes a draft for sealing from an event as it was sent: normalises time and quantities, removes
// private values, writes the canonical text. Pure but for the salts, which are an argument.
import type { FieldError, Loc } from '@lothub/kit/http/field-errors';
import { FIELD_ERRORS_MAX, INEXACT_NUMBER } from '@lothub/kit/http/field-errors';
import { lineCommitment, notesCommitment } from '../ledger/record/commitment.ts';
import type { PrivateLine, PrivateNotes } from '../ledger/record/commitment.ts';
import type { Draft } from '../ledger/draft.ts';
import { buildGroupKey } from '../ledger/record/group-key.ts';
import { eventText, lineText, type SealedLine } from '../ledger/record/canonical-event.ts';
import { buildRecord } from '@lothub/kit/build-record';
import {
  DELIVERY_TYPES,
  PRIVATE_TYPES,
  getFacts,
  typeNames,
} from '../ledger/record/event-types.ts';
import type { EventType } from '../ledger/record/event-types.ts';
import { codeFault } from '../ledger/record/code-text.ts';
import {
  KEY_EVENT_NAMES,
  KEY_LINE_NAMES,
  LINE_FIELD_LIST,
  PRIVATE_LINE_NAMES,
  isKept,
} from '../ledger/record/fields.ts';
import type { LineFieldName, PrivateLineName } from '../ledger/record/fields.ts';
import { knownChannelClass } from './channel-class.ts';
import { readOccurredAt } from './occurred-at.ts';
import { decimalText } from '../ledger/record/decimal-text.ts';
import type { EventInput, LineInput } from './schema.ts';

export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  /** Index of the line that it is about, if it is about one; imports name its row. */
  readonly line?: number;
}

export type WarningCode =
  | 'no_offset'
  | 'private_field_dropped'
  | 'channel_unknown'
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
      /**
       * The faults that prevent storing it as a new event: codes and ids that earlier versions
       * accepted. A replay of a stored event may have them.
       */
      readonly unfit: readonly FieldError[];
    }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export interface PrepareOptions {
  /** Path of the event in the request, such as `['body', 'events', 3]`. */
  readonly root: Loc;
  readonly nowMs: number;
  /** A fresh 256-bit salt, hex. */
  readonly newSalt: () => string;
  /** `group`: an event without an external id is identified by its group key (imported files). */
  readonly identity: 'external_id' | 'group';
}

/** The error type of an unfit code or id. */
export const CODE_INVALID = 'code_invalid';

/** An event may occur this long after the server's present time without a warning. */
const FUTURE_MS = 24 * 60 * 60 * 1_000;

/** Prepares an event whose shape (`EventSchema`) has been checked. */
export function prepareEvent(input: EventInput, options: PrepareOptions): Prepared {
  const errors: FieldError[] = [];
  const warnings: Warning[] = [];
  const occurredAt = readOccurredAt(input.occurred_at);
  if (occurredAt.kind === 'invalid') {
    errors.push(invalidOccurredAt(options.root, occurredAt.msg));
  }
  input.lines.forEach((line, index) => {
    for (const { name } of DECIMAL_FIELDS) {
      const number = line[name];
      if (typeof number !== 'number' || decimalText(number) !== undefined) continue;
      errors.push(inexactNumber(options.root, index, name));
    }
  });
  if (occurredAt.kind === 'invalid' || errors.length > 0) return { kind: 'invalid', errors };

  const { keepsPrivate, counts } = getFacts(input.event_type);
  const privateLines: PrivateLine[] = [];
  let unknownChannelLine: number | undefined;
  const dropped = new Map<PrivateLineName, number>();
  const lines = input.lines.map((line, lineNo): string => {
    const values = keptValues(input.event_type, line, (name) => {
      if (!dropped.has(name)) dropped.set(name, lineNo);
    });
    if (values === undefined) return lineText(line, PUBLIC_LINE);
    const secret: PrivateLine = { line_no: lineNo, ...values, salt: options.newSalt() };
    privateLines.push(secret);
    const { channel, consignee_ref: consigneeRef } = values;
    const commitment = lineCommitment(secret);
    if (consigneeRef !== null) return lineText(line, { ...PUBLIC_LINE, consignee: commitment });
    const known = channel === null ? null : knownChannelClass(channel);
    if (known === undefined) unknownChannelLine ??= lineNo;
    return lineText(line, {
      ...PUBLIC_LINE,
      channel: known === null ? undefined : (known ?? 'other'),
      private: commitment,
    });
  });
  const notes = input.notes ?? null;
  const privateNotes: PrivateNotes | null =
    keepsPrivate && notes !== null ? { notes, salt: options.newSalt() } : null;

  if (occurredAt.assumedUtc) warnings.push(NO_OFFSET);
  warnings.push(...droppedWarnings(input.event_type, dropped));
  if (unknownChannelLine !== undefined) {
    warnings.push({ ...channelUnknown(unknownChannelLine), line: unknownChannelLine });
  }
  if (Date.parse(occurredAt.text) > options.nowMs + FUTURE_MS) warnings.push(IN_FUTURE);
  if (!counts) warnings.push(CORRECTION_WITHOUT_TARGET);
  const unusual = unusualDirection(input.event_type, input.lines);
  if (unusual !== undefined) warnings.push(unusual);

  const externalId = input.external_id ?? null;
  const isKnownByGroup = externalId === null && options.identity === 'group';
  return {
    kind: 'ready',
    event: input,
    warnings,
    unfit: unfitKeys(input, options.root),
    draft: {
      warnings: warnings.map(({ code, line }) => (line === undefined ? { code } : { code, line })),
      externalId,
      eventText: eventText(input, {
        occurredAt: occurredAt.text,
        lines,
        hasOpenNotes: !keepsPrivate,
        private: privateNotes === null ? undefined : notesCommitment(privateNotes),
      }),
      groupKey: isKnownByGroup ? buildGroupKey({ ...input, occurred_at: occurredAt.text }) : null,
      privateLines,
      privateNotes,
    },
  };
}

export function invalidOccurredAt(root: Loc, msg: string): FieldError {
  return { loc: [...root, 'occurred_at'], msg, type: 'datetime_parsing' };
}

/** Fields of a line whose numbers are hashed as decimal texts. */
export const DECIMAL_FIELDS = LINE_FIELD_LIST.filter(({ facts }) => facts.kind === 'decimal');

/** A number that a double does not hold exactly, in a field of a line. */
export function inexactNumber(root: Loc, index: number, field: LineFieldName): FieldError {
  return { loc: [...root, 'lines', index, field], ...INEXACT_NUMBER };
}

const PUBLIC_LINE: SealedLine = { channel: undefined, private: undefined, consignee: undefined };

/** The private values that are kept of a line; undefined without any. */
function keptValues(
  eventType: EventType,
  line: LineInput,
  drop: (name: PrivateLineName) => void,
): Readonly<Record<PrivateLineName, string | null>> | undefined {
  let isAnyKept = false;
  const values = buildRecord(PRIVATE_LINE_NAMES, (name): string | null => {
    const text = line[name] ?? null;
    if (text === null) return null;
    if (!isKept(name, { eventType, direction: line.direction })) {
      drop(name);
      return null;
    }
    isAnyKept = true;
    return text;
  });
  return isAnyKept ? values : undefined;
}

function droppedWarning(line: number, message: string): Warning {
  return { code: 'private_field_dropped', line, message };
}

/** One warning for the values of sales and one for consignees, each with the first line that had some. */
function droppedWarnings(
  eventType: EventType,
  dropped: ReadonlyMap<PrivateLineName, number>,
): readonly Warning[] {
  const warnings: Warning[] = [];
  const ofSales = [...dropped].filter(([name]) => name !== 'consignee_ref');
  const first = Math.min(...ofSales.map(([, lineNo]) => lineNo));
  if (Number.isFinite(first)) {
    const isDelivery = DELIVERY_TYPES.includes(eventType);
    warnings.push(
      droppedWarning(first, isDelivery ? SALE_VALUES_OF_DELIVERY : SALE_VALUES_DROPPED),
    );
  }
  const line = dropped.get('consignee_ref');
  if (line !== undefined) warnings.push(droppedWarning(line, CONSIGNEE_DROPPED));
  return warnings;
}

function unfitKeys(input: EventInput, root: Loc): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of KEY_EVENT_NAMES) {
    const msg = findFault(input[name]);
    if (msg !== undefined) errors.push({ loc: [...root, name], msg, type: CODE_INVALID });
  }
  for (const [index, line] of input.lines.entries()) {
    for (const name of KEY_LINE_NAMES) {
      const msg = findFault(line[name]);
      if (msg === undefined) continue;
      if (errors.length >= FIELD_ERRORS_MAX) return errors;
      errors.push({ loc: [...root, 'lines', index, name], msg, type: CODE_INVALID });
    }
  }
  return errors;
}

function findFault(value: unknown): string | undefined {
  return typeof value === 'string' ? codeFault(value) : undefined;
}

function unusualDirection(type: EventType, lines: readonly LineInput[]): Warning | undefined {
  const usual = getFacts(type).usualDirection;
  if (usual === null) return undefined;
  const index = lines.findIndex((line) => line.direction !== usual);
  if (index < 0) return undefined;
  return {
    code: 'unusual_direction',
    line: index,
    message: `lines[${index}]: the lines of a ${type} usually have direction ${usual}`,
  };
}

/** Names the line and not the text, which is private. */
export function channelUnknown(lineNo: number): Warning {
  return {
    code: 'channel_unknown',
    message:
      `lines[${lineNo}].channel: the public class is "other", as no word of it is known; ` +
      'the guide lists the words of each class',
  };
}

export const NO_OFFSET: Warning = {
  code: 'no_offset',
  message: 'occurred_at has no offset and was read as UTC',
};
const SALE_VALUES_DROPPED = `customer_ref and channel are kept only for ${typeNames(PRIVATE_TYPES)} events and were dropped`;
const SALE_VALUES_OF_DELIVERY = `${SALE_VALUES_DROPPED}; consignee_ref names whom a line is delivered to`;
const CONSIGNEE_DROPPED = `consignee_ref is kept only for out lines of ${typeNames(DELIVERY_TYPES)} events and was dropped`;
const IN_FUTURE: Warning = {
  code: 'occurred_in_future',
  message: 'occurred_at is more than 24 hours ahead of the server clock',
};
const CORRECTION_WITHOUT_TARGET: Warning = {
  code: 'correction_without_target',
  message: 'use POST /v1/corrections to correct an event',
};
