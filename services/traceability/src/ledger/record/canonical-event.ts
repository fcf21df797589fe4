// The canonical text of an event and of its lines (RFC 8785), written from what was sent, member by
// member in the order that the tables of fields give once. JSON.stringify of a well-formed string is
// its RFC 8785 form. A property test compares the text with a generic serialiser, which takes thirty
// times as long; an object of the members between the two would cost a quarter of the time again.
import { decimalText } from './decimal-text.ts';
import { EVENT_FIELD_LIST, LINE_FIELD_LIST, isHidden } from './fields.ts';
import type { EventFieldName, EventTable, Field, LineFieldName, LineTable } from './fields.ts';
import type { SentMembers } from './members.ts';

/** Members of a sealed line that no sender sends: the hub computes them. */
export interface SealedLine {
  /** The class of the channel; undefined when there is none, or when it is not kept. */
  readonly channel: string | undefined;
  /** The commitment to what is private. */
  readonly private: string | undefined;
  /** The commitment to the consignee of a delivery. */
  readonly consignee: string | undefined;
}

export interface SealedEvent {
  /** UTC, as the chain has it. */
  readonly occurredAt: string;
  /** Undefined: the notes are open. */
  readonly private: string | undefined;
  readonly hasOpenNotes: boolean;
  /** The texts of the lines, as {@link lineText} writes them. */
  readonly lines: readonly string[];
}

/** A member of the text; `prefix` is `"lot_code":`, so that it is not made again for each line. */
type Member<Name extends string> = { readonly prefix: string } & (
  | { readonly source: 'private' | 'consignee' | 'lines' }
  | { readonly source: 'field'; readonly name: Name; readonly facts: Field['facts'] }
);

const LINE_MEMBERS = listMembers(LINE_FIELD_LIST, ['consignee', 'private']);
const EVENT_MEMBERS = listMembers(EVENT_FIELD_LIST, ['lines', 'private']);

/** @param line its numbers are such that {@link decimalText} returns a text */
export function lineText(line: Readonly<SentMembers<LineTable>>, sealed: SealedLine): string {
  let text = '';
  for (const member of LINE_MEMBERS) {
    const json =
      member.source === 'field'
        ? lineMember(line, member, sealed.channel)
        : quoted(member.source === 'consignee' ? sealed.consignee : sealed.private);
    if (json !== undefined) text += (text === '' ? '{' : ',') + member.prefix + json;
  }
  return `${text}}`;
}

function lineMember(
  line: Readonly<SentMembers<LineTable>>,
  { name, facts }: Pick<Field<LineFieldName>, 'name' | 'facts'>,
  channel: string | undefined,
): string | undefined {
  if (facts.privacy === 'class') return quoted(channel);
  const value = line[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return quoted(decimalText(value));
  return facts.kind === 'choice' ? `"${value}"` : JSON.stringify(value);
}

export function eventText(event: Readonly<SentMembers<EventTable>>, sealed: SealedEvent): string {
  let text = '';
  for (const member of EVENT_MEMBERS) {
    const json = eventMember(event, member, sealed);
    if (json !== undefined) text += (text === '' ? '{' : ',') + member.prefix + json;
  }
  return `${text}}`;
}

function eventMember(
  event: Readonly<SentMembers<EventTable>>,
  member: Member<EventFieldName>,
  sealed: SealedEvent,
): string | undefined {
  if (member.source === 'lines') return `[${sealed.lines.join(',')}]`;
  if (member.source !== 'field') return quoted(sealed.private);
  const { name, facts } = member;
  if (facts.kind === 'instant') return quoted(sealed.occurredAt);
  if (facts.privacy === 'open_unless_private' && !sealed.hasOpenNotes) return undefined;
  const value = event[name];
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

/** Text that needs no escape: a hash, a word of a closed list, an instant, a decimal. */
function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `"${text}"`;
}

/**
 * The members that an event or a line may have on the chain, in the order of their names, as RFC
 * 8785 requires.
 */
function listMembers<Name extends string>(
  fields: readonly Field<Name>[],
  others: readonly ('private' | 'consignee' | 'lines')[],
): readonly Member<Name>[] {
  const own = fields
    .filter(({ facts }) => !isHidden(facts))
    .map(({ name, facts }) => ({ name, facts, key: name, source: 'field' as const }));
  return [...own, ...others.map((source) => ({ key: source, source }))]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, ...member }) => ({ ...member, prefix: `"${key}":` }));
}
