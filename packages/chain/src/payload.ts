/**
 * The envelope of a payload: what every verifier demands of it (docs/chain-format.md#payloads).
 *
 * What an event or a correction says inside is not judged here: that is the business of whoever
 * wrote it, and a verifier proves what was said, not that it is true.
 */
import { isJsonObject } from './block.ts';
import type { JsonObject, JsonValue } from './canonical.ts';
import { isSha256Hex } from './sha256.ts';

/** What people decided. Types of version 2; what each says is in its member `decision`. */
const DECISION_TYPES: readonly string[] = [
  'brand',
  'drill',
  'erasure',
  'hold',
  'recall',
  'response',
];

/**
 * The types of payload that this package knows, by versions after 1. An event and a correction have the
 * members that they have in version 1.
 */
const KNOWN_TYPES: Readonly<Record<number, readonly string[]>> = {
  2: ['event', 'correction', 'audit', ...DECISION_TYPES],
};

export interface PayloadFault {
  readonly code: 'genesis_invalid' | 'payload_invalid';
  readonly message: string;
}

const GENESIS_MEMBERS = ['hub', 'nonce', 'recorded_at', 'type', 'v'];
const EVENT_MEMBERS = ['brand', 'event', 'recorded_at', 'type', 'v'];
const CORRECTION_MEMBERS = ['brand', 'correction', 'recorded_at', 'type', 'v'];
const DECISION_MEMBERS = ['brand', 'decision', 'recorded_at', 'type', 'v'];
/** The audit is that of the hub. */
const AUDIT_MEMBERS = ['audit', 'recorded_at', 'type', 'v'];

/** A tenant id: 1 to 64 characters, the first a letter or digit. */
const BRAND = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const RECORDED_AT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;

/** What is known of a payload without a fault. */
export type PayloadFinding =
  | { readonly version: 'known'; readonly recordedAt: string; readonly payload: JsonObject }
  /** A later version, or a later type of one, than this package knows: it cannot be judged here. */
  | { readonly version: 'later'; readonly payload: JsonObject };

/** Judges the payload of a canonical block; answers its time when the envelope is good. */
export function findPayloadFault(
  payload: JsonValue | undefined,
  height: number,
): PayloadFault | PayloadFinding {
  const code = height === 0 ? 'genesis_invalid' : 'payload_invalid';
  const fault = (what: string): PayloadFault => ({
    code,
    message: `The payload of block ${height} ${what}.`,
  });
  if (!isJsonObject(payload)) return fault('is not an object');
  const version = payload['v'];
  if (typeof version !== 'number' || version < 1) return fault('names no version that there is');
  if (version > 1 && !isKnownType(version, payload['type'])) return { version: 'later', payload };
  const recordedAt = payload['recorded_at'];
  if (typeof recordedAt !== 'string' || !isRecordedAt(recordedAt)) {
    return fault('has no well-formed recorded_at');
  }
  const wrong = height === 0 ? findGenesisFault(payload) : findEntryFault(payload);
  return wrong === undefined ? { version: 'known', recordedAt, payload } : fault(wrong);
}

/** Version 1 is complete: another type in it is a fault, and not a later one. */
function isKnownType(version: number, type: JsonValue | undefined): boolean {
  return typeof type === 'string' && KNOWN_TYPES[version]?.includes(type) === true;
}

function findGenesisFault(payload: JsonObject): string | undefined {
  if (payload['type'] !== 'genesis')
    return 'is not of the type genesis, as that of block 0 must be';
  if (!hasExactly(payload, GENESIS_MEMBERS)) return 'has not exactly the members of a genesis';
  const { hub, nonce } = payload;
  if (typeof hub !== 'string' || hub === '') return 'does not name a hub';
  if (typeof nonce !== 'string' || !isSha256Hex(nonce)) {
    return 'has no nonce of 64 lower-case hex digits';
  }
  return undefined;
}

function findEntryFault(payload: JsonObject): string | undefined {
  const { type, brand } = payload;
  if (typeof type !== 'string') return 'names no type';
  const members = findEntryMembers(type, payload['v']);
  if (members === undefined) return 'is of no type that belongs there';
  if (!hasExactly(payload, members.all)) return `has not exactly the members of the type ${type}`;
  const isOfBrand = members.all.includes('brand');
  if (isOfBrand && !(typeof brand === 'string' && BRAND.test(brand)))
    return 'does not name a brand';
  return isJsonObject(payload[members.content])
    ? undefined
    : `has no object named ${members.content}`;
}

interface EntryMembers {
  /** Names of all members. */
  readonly all: readonly string[];
  /** What the type says is in it. */
  readonly content: string;
}

function findEntryMembers(type: string, version: JsonValue | undefined): EntryMembers | undefined {
  if (type === 'event') return { all: EVENT_MEMBERS, content: 'event' };
  if (type === 'correction') return { all: CORRECTION_MEMBERS, content: 'correction' };
  if (version === 1) return undefined;
  if (type === 'audit') return { all: AUDIT_MEMBERS, content: 'audit' };
  return DECISION_TYPES.includes(type) ? { all: DECISION_MEMBERS, content: 'decision' } : undefined;
}

function hasExactly(payload: JsonObject, names: readonly string[]): boolean {
  const members = Object.keys(payload);
  return members.length === names.length && names.every((name) => Object.hasOwn(payload, name));
}

/**
 * A real instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`, from year 0001. In this one form the order of the
 * texts is the order of the instants.
 */
function isRecordedAt(text: string): boolean {
  if (!RECORDED_AT.test(text)) return false;
  const year = Number(text.slice(0, YEAR_DIGITS));
  const month = twoDigits(text, PLACES.month);
  const day = twoDigits(text, PLACES.day);
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    twoDigits(text, PLACES.hour) <= 23 &&
    twoDigits(text, PLACES.minute) <= 59 &&
    twoDigits(text, PLACES.second) <= 59
  );
}

const YEAR_DIGITS = 4;
/** Where the parts after the year begin. */
const PLACES = { month: 5, day: 8, hour: 11, minute: 14, second: 17 } as const;
const ZERO_CODE = '0'.charCodeAt(0);

function twoDigits(text: string, start: number): number {
  const [tens, ones] = [text.charCodeAt(start), text.charCodeAt(start + 1)];
  return (tens - ZERO_CODE) * 10 + ones - ZERO_CODE;
}

const THIRTY_DAY_MONTHS: ReadonlySet<number> = new Set([4, 6, 9, 11]);

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return THIRTY_DAY_MONTHS.has(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
