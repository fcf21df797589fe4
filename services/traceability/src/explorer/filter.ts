// What a list of blocks is narrowed to: a brand, a type, days on which blocks were recorded.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { FieldsRefusal } from '../errors.ts';
import { BrandQuery } from '../http.ts';
import { DECISION_TYPES } from '../ledger/record/decisions/facts.ts';
import { EVENT_TYPES } from '../ledger/record/event-types.ts';

/** Types of blocks as answers say them; an unreadable block is of none. */
export const BLOCK_TYPES = [
  ...EVENT_TYPES,
  ...DECISION_TYPES.map(toBlockType),
  'AUDIT',
  'GENESIS',
] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

/** `hold` as `HOLD`. */
export function toBlockType<Type extends string>(type: Type): Uppercase<Type> {
  // `toUpperCase` has the type `string`; the words of types are ASCII.
  return type.toUpperCase() as Uppercase<Type>;
}

export interface BlockFilter {
  /** Tenant id. */
  readonly brand?: string | undefined;
  readonly type?: BlockType | undefined;
  /** First and last day, UTC, `2026-03-02`. */
  readonly recordedFrom?: string | undefined;
  readonly recordedTo?: string | undefined;
}

export const DAY_PATTERN = '^\\d{4}-\\d{2}-\\d{2}$';

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: DAY_PATTERN, description, examples: ['2026-03-02'] }));

/** Parameters of a request. */
export const BlockFilterQuery = {
  brand: BrandQuery,
  event_type: Type.Optional(
    Type.Enum([...BLOCK_TYPES], {
      description: 'Only blocks of this type, as `event_type` says it',
    }),
  ),
  recorded_from: Day('Only blocks recorded on this day, UTC, or later'),
  recorded_to: Day('Only blocks recorded on this day, UTC, or earlier'),
};

type Sent = Static<ReturnType<typeof Type.Object<typeof BlockFilterQuery>>>;

type Asked<Name extends keyof Sent> = { readonly [One in Name]?: Sent[One] | undefined };

/** @throws FieldsRefusal when a day is in no calendar */
export function readBlockFilter(query: Asked<keyof Sent>): BlockFilter {
  return { brand: query.brand, type: query.event_type, ...readDays(query) };
}

/** @throws FieldsRefusal when a day is in no calendar */
export function readDays(
  query: Asked<'recorded_from' | 'recorded_to'>,
): Pick<BlockFilter, 'recordedFrom' | 'recordedTo'> {
  for (const name of ['recorded_from', 'recorded_to'] as const) {
    const day = query[name];
    if (day === undefined || isDay(day)) continue;
    throw FieldsRefusal.of(
      ['query', name],
      'Input should be a day of the calendar',
      'date_parsing',
    );
  }
  return { recordedFrom: query.recorded_from, recordedTo: query.recorded_to };
}

export function isNarrowed(filter: BlockFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** The first moment of a day, as blocks carry moments. */
export function startOfDay(day: string): string {
  return `${day}T00:00:00.000Z`;
}

/** Above every moment of the day, and below those of the next one. */
export function endOfDay(day: string): string {
  return `${day}T24:00:00.000Z`;
}

/** `2026-02-30` is parsed by none, or as a day of March. */
function isDay(day: string): boolean {
  const ms = Date.parse(startOfDay(day));
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
