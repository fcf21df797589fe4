// The question of a simulation, as the address of its page has it: the same address is the same question.
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

/** Names of the address; texts, so that whatever is wrong is said at its field. */
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
  /** As it was typed; undefined: now. */
  readonly asOf: string | undefined;
  readonly disposed: 'shown' | 'left_out';
}

const DIRECTION_DEFAULT = 'both';
const checkRequest = compileValueSchema<SimulationRequest>(SimulationRequestSchema);

/**
 * @returns undefined as long as no lot is named
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

/** As forms and addresses name it. */
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

/** The page of a simulation, or one below it. */
export function askedPath(brand: string, asked: Partial<Asked>, below = ''): string {
  const path = `${brandPath(brand, 'simulation')}${below}`;
  const { lotCode = '', direction = DIRECTION_DEFAULT, disposed = 'left_out' } = asked;
  const { supplierName, asOf } = asked;
  return addressWith(path, askedValues({ lotCode, supplierName, direction, asOf, disposed }));
}

/** `2026-03-02T18:00`, with seconds and their parts when they are given; in UTC. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;

/** Why a moment has no newest block. */
export type NoHeight = 'malformedAsOf' | 'futureAsOf' | 'earlyAsOf';

/** The newest block that was recorded by a moment. */
export async function findHeightAt(
  reader: LedgerReader,
  given: { readonly asOf: string; readonly nowMs: number },
): Promise<number | NoHeight> {
  const momentMs = MOMENT.test(given.asOf) ? Date.parse(`${given.asOf}Z`) : Number.NaN;
  if (Number.isNaN(momentMs)) return 'malformedAsOf';
  if (momentMs > given.nowMs) return 'futureAsOf';
  const head = await reader.head();
  const height = await lastHeightBefore(reader.database, {
    // Before the next millisecond: what was recorded at the moment itself was known by then.
    moment: instantText(momentMs + 1),
    headHeight: head.height,
  });
  return height < 0 ? 'earlyAsOf' : height;
}

/** A moment as the field of a form has it. */
export function fieldMoment(instant: string): string {
  return instant.replace(/Z$/, '');
}
