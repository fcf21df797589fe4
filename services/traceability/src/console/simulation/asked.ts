// The query of a simulation in the address of its page: the same address gives the same query.
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { TICKED } from '@lothub/design/desk-parts';
import { instantText } from '@lothub/kit/clock';
import { toFieldProblems } from '@lothub/kit/http/field-problems';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { fieldsProblem } from '@lothub/people/errors';
import { lastHeightBefore } from '../../ledger/recorded-at.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { SimulationRequestSchema, type SimulationRequest } from '../../recall/simulation/schema.ts';
import { addressWith } from '../filters.ts';
import { brandPath } from '../paths.ts';

/** The query of the address. Its values are texts, so that each error can be shown at its field. */
export const ASKED_QUERY = {
  lot_code: Type.Optional(Type.String()),
  supplier_name: Type.Optional(Type.String()),
  direction: Type.Optional(Type.String()),
  as_of: Type.Optional(Type.String()),
  disposed: Type.Optional(Type.String()),
};

export interface Asked {
  readonly lotCode: string;
  readonly supplierName: string | undefined;
  readonly direction: NonNullable<SimulationRequest['direction']>;
  /** The typed moment; undefined: now. */
  readonly asOf: string | undefined;
  readonly disposed: 'shown' | 'left_out';
}

const DIRECTION_DEFAULT = 'both';
const checkRequest = compileValueSchema<SimulationRequest>(SimulationRequestSchema);

/**
 * @returns undefined while no lot is named
 * @throws PeopleProblem `fields_invalid`
 */
export function readAsked(values: FormValues): Asked | undefined {
  const lotCode = textOrNothing(values['lot_code'])?.trim();
  if (lotCode === undefined) return undefined;
  const supplierName = textOrNothing(values['supplier_name'])?.trim();
  const checked = checkRequest({
    lot_code: lotCode,
    ...(supplierName === undefined ? {} : { supplier_name: supplierName }),
    direction: textOrNothing(values['direction']) ?? DIRECTION_DEFAULT,
  });
  if (checked.kind !== 'valid') throw fieldsProblem(toFieldProblems(checked.errors, 'body'));
  return {
    ...{ lotCode, supplierName },
    direction: checked.value.direction ?? DIRECTION_DEFAULT,
    asOf: textOrNothing(values['as_of'])?.trim(),
    disposed: values['disposed'] === TICKED ? 'shown' : 'left_out',
  };
}

/** Returns the query as values of a form or an address. */
export function askedValues(asked: Asked): FormValues {
  const { lotCode, supplierName, direction, asOf, disposed } = asked;
  return {
    lot_code: lotCode,
    ...(supplierName === undefined ? {} : { supplier_name: supplierName }),
    ...(direction === DIRECTION_DEFAULT ? {} : { direction }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
    ...(disposed === 'shown' ? { disposed: TICKED } : {}),
  };
}

/** Returns the path of the page of a simulation, or of one below it. */
export function askedPath(brand: string, asked: Partial<Asked>, below = ''): string {
  const path = `${brandPath(brand, 'simulation')}${below}`;
  const { lotCode = '', direction = DIRECTION_DEFAULT, disposed = 'left_out' } = asked;
  const { supplierName, asOf } = asked;
  return addressWith(path, askedValues({ lotCode, supplierName, direction, asOf, disposed }));
}

/** `2026-03-02T18:00`, optionally with seconds and milliseconds; in UTC. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;

/** The reasons why a moment has no newest block. */
export type NoHeight = 'malformedAsOf' | 'futureAsOf' | 'earlyAsOf';

/** Finds the newest block that was recorded by a moment. */
export async function findHeightAt(
  reader: LedgerReader,
  given: { readonly asOf: string; readonly nowMs: number },
): Promise<number | NoHeight> {
  const momentMs = MOMENT.test(given.asOf) ? Date.parse(`${given.asOf}Z`) : Number.NaN;
  if (Number.isNaN(momentMs)) return 'malformedAsOf';
  if (momentMs > given.nowMs) return 'futureAsOf';
  const head = await reader.head();
  const height = await lastHeightBefore(reader.database, {
    // The next millisecond is the limit, because blocks of the moment itself were known by then.
    moment: instantText(momentMs + 1),
    headHeight: head.height,
  });
  return height < 0 ? 'earlyAsOf' : height;
}

/** Writes a moment for the field of a form. */
export function fieldMoment(instant: string): string {
  return instant.replace(/Z$/, '');
}
