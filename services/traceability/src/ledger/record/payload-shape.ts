// Checks that a parsed payload has the shape that is sealed here. A person who can write to the
// database can store any text under a hash that fits it, so a fitting hash does not prove a
// payload.
import { isSha256Hex } from '@lothub/chain';
import { VOIDED } from '../../terms.ts';
import { findFacts, findFieldPath } from './field-path.ts';
import { parsePayload, versionOfCorrection, versionOfEvent } from './payload.ts';
import type { DecisionPayload, Payload, Version } from './payload.ts';
import { DECISION_FACTS, isDecisionType } from './decisions/facts.ts';
import type { DecisionType } from './decisions/contents.ts';
import { isChainValue } from './chain-value.ts';
import { isEventType, mayDeliver, type EventType } from './event-types.ts';
import { EVENT_FIELD_LIST, LINE_FIELD_LIST, NAMED, isHidden, type Field } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * One check for each type, so that a new type of payload does not compile without its own; those of
 * decisions are in `decisions/facts.ts`.
 */
const SHAPES: Readonly<
  Record<Exclude<Payload['type'], DecisionType>, (payload: Fields) => boolean>
> = {
  genesis: (payload) => hasTexts(payload, ['hub', 'nonce', 'recorded_at']),
  event: (payload) =>
    hasTexts(payload, ['brand', 'recorded_at']) &&
    isFields(payload['event']) &&
    isEvent(payload['event']),
  correction: (payload) =>
    hasTexts(payload, ['brand', 'recorded_at']) &&
    isFields(payload['correction']) &&
    isCorrection(payload['correction']),
  audit: (payload) =>
    hasTexts(payload, ['recorded_at']) && isFields(payload['audit']) && isSeal(payload['audit']),
};

/** Returns the payload of a stored canonical text; undefined when this service never seals such a payload. */
export function findPayload(canonical: string): Payload | undefined {
  return unlessItThrows(() => payloadIn(parsePayload(canonical)));
}

/** Returns the payload that a block was parsed to; undefined when this service never seals such a payload. */
export function payloadIn(parsed: unknown): Payload | undefined {
  return unlessItThrows(() => (isPayload(parsed) ? parsed : undefined));
}

/** A tampered text may be no JSON, or have no canonical form. The caller reports a text without a payload. */
function unlessItThrows(find: () => Payload | undefined): Payload | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

export function isDecisionPayload(payload: Payload): payload is DecisionPayload {
  return isDecisionType(payload.type);
}

export function isPayload(value: unknown): value is Payload {
  if (!isFields(value)) return false;
  const { type, v: version } = value;
  if (typeof type !== 'string' || !hasShape(type, value)) return false;
  // A payload has one version only: members may mean something else in a later one.
  return version === chooseVersion(value as unknown as Payload);
}

/** Returns the version in which a payload is sealed. */
function chooseVersion(payload: Payload): Version {
  switch (payload.type) {
    case 'genesis':
      return 1;
    case 'event':
      return versionOfEvent(payload.event);
    case 'correction':
      return versionOfCorrection(payload.correction);
    default:
      return 2;
  }
}

function hasShape(type: string, payload: Fields): boolean {
  if (isDecisionType(type)) {
    const { decision } = payload;
    return (
      hasTexts(payload, ['brand', 'recorded_at']) &&
      isFields(decision) &&
      DECISION_FACTS[type].isContent(decision)
    );
  }
  return isOldType(type) && SHAPES[type](payload);
}

function isOldType(type: string): type is keyof typeof SHAPES {
  return Object.hasOwn(SHAPES, type);
}

function isEvent(event: Fields): boolean {
  const { lines } = event;
  return (
    hasMembers(event, EVENT_MEMBERS) &&
    Array.isArray(lines) &&
    lines.length > 0 &&
    lines.every(
      (line: unknown) =>
        isFields(line) && hasMembers(line, LINE_MEMBERS) && isConsigneeKept(event, line),
    )
  );
}

/** Only a line that may be a delivery has a consignee, and then it has no other commitment. */
function isConsigneeKept({ event_type: eventType }: Fields, line: Fields): boolean {
  if (line['consignee'] === undefined) return true;
  return (
    line['private'] === undefined &&
    isEventType(String(eventType)) &&
    mayDeliver(eventType as EventType, String(line['direction']))
  );
}

/** The rule for a member of an event or a line on the chain. */
interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly allows: (value: unknown) => boolean;
}

const EVENT_MEMBERS = listMembers(EVENT_FIELD_LIST, ['private']);
const LINE_MEMBERS = listMembers(LINE_FIELD_LIST, ['consignee', 'private']);

function listMembers(
  fields: readonly Field[],
  commitments: readonly ('consignee' | 'private')[],
): readonly Member[] {
  const own = fields
    .filter(({ facts }) => !isHidden(facts))
    .map(({ name, facts }) => ({
      name,
      required: facts.required,
      allows: (value: unknown) => isChainValue(facts, value),
    }));
  return [...own, ...commitments.map((name) => ({ name, required: false, allows: isText }))];
}

function hasMembers(fields: Fields, members: readonly Member[]): boolean {
  return members.every(({ name, required, allows }) => {
    const value = fields[name];
    return value === undefined ? !required : allows(value);
  });
}

function isCorrection(correction: Fields): boolean {
  const { changes, corrects_block_height: height } = correction;
  return (
    hasTexts(correction, ['corrects_block_hash', 'reason']) &&
    mayHaveTexts(correction, ['external_id', 'private']) &&
    Number.isSafeInteger(height) &&
    height === correction['corrects_event_id'] &&
    Array.isArray(changes) &&
    changes.length > 0 &&
    changes.every((change: unknown) => isFields(change) && isChange(change))
  );
}

function isSeal({ hash, sequence, ...others }: Fields): boolean {
  return (
    typeof hash === 'string' &&
    isSha256Hex(hash) &&
    Number.isSafeInteger(sequence) &&
    Number(sequence) > 0 &&
    Object.keys(others).length === 0
  );
}

function isChange(change: Fields): boolean {
  if (!hasTexts(change, ['field']) || !mayHaveTexts(change, ['from', 'private', 'to']))
    return false;
  const path = findFieldPath(String(change['field']));
  if (path === undefined) return false;
  const { to } = change;
  const facts = findFacts(path);
  if (facts === undefined) return to === VOIDED;
  const { from } = change;
  if (facts.privacy === 'committed') return to === undefined && from === undefined;
  if (facts.privacy === 'apart') {
    return (
      isText(change['private']) && [from, to].every((one) => one === undefined || one === NAMED)
    );
  }
  return to === undefined ? !facts.required : isChainValue(facts, to);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function hasTexts(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => isText(fields[name]));
}

function mayHaveTexts(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => fields[name] === undefined || isText(fields[name]));
}
