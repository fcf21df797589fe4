// Reads the form of columns, and makes a proposal for a file that has no settings yet.
import { findColumn, type Column } from '../../csv-import/form/header-names.ts';
import { COLUMNS, REQUIRED_COLUMNS } from '../../csv-import/columns.ts';
import { AUTO, FORM_OPTIONS, type FormQuery } from '../../csv-import/form/options.ts';
import { namesOfHeaders, type KeptMapping } from '../../csv-import/kept/mappings.ts';
import { USUAL_DIRECTION } from '../../csv-import/mapping/row-reading.ts';
import type { FileMapping } from '../../csv-import/form/file-mapping.ts';
import { suggestColumns } from '../../csv-import/mapping/suggest.ts';
import type { Survey } from '../../csv-import/mapping/survey.ts';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { at } from '@lothub/kit/present';
import { isTimeZone, type Language } from '@lothub/languages';
import type { Reader } from '../../web/words/reader.ts';
import { usualTimeZone } from '../time-zones.ts';
import { columnLabel } from './error-words.ts';
import type { SaidForm } from './parts-on-disk.ts';

/** A date without a time is most often a working day. */
const NOON = '12:00';
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
export function columnField(place: number): string {
  return `column_${place}`;
}

export function sameField(column: Column): string {
  return `same_${column}`;
}

function isColumn(text: string): text is Column {
  return COLUMNS.some((column) => column === text);
}

/** @param kept the settings of an earlier file with the same column names; undefined: there are none */
export function proposeForm(
  survey: Survey,
  said: Pick<SaidForm, 'query' | 'sheet'>,
  { kept, language }: { readonly kept: KeptMapping | undefined; readonly language: Language },
): SaidForm {
  const { sheet } = said;
  if (kept !== undefined) {
    const names = namesOfHeaders(survey.headers);
    const mapping: FileMapping = {
      columns: names.map((name) => kept.columns[name] ?? null),
      ...{ same: kept.same, timeOfDay: kept.timeOfDay, mended: {} },
    };
    return { query: { ...kept.form, ...said.query }, sheet, mapping, from: 'kept' };
  }
  const columns = suggestColumns(survey.headers);
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  const dates = survey.columns[columns.indexOf('occurred_at')];
  const hasBareDates = dates?.hasBareDates === true;
  // In dates with dots the day comes first in every language; with slashes in every language except English.
  const isDayFirst =
    dates?.dates.kind === 'open' &&
    (dates.yearLast === 'points' || (dates.yearLast === 'slashes' && language !== 'en'));
  return {
    query: {
      timezone: usualTimeZone(language),
      ...(isDayFirst ? { date_order: 'dmy' } : {}),
      ...said.query,
    },
    sheet,
    mapping: {
      columns,
      same: missing.includes('direction') ? { direction: USUAL_DIRECTION } : {},
      timeOfDay: hasBareDates ? NOON : null,
      mended: {},
    },
    from: 'guess',
  };
}

/**
 * Returns whether the mapping is complete: the header has the names of the interface, or was mapped before.
 */
export function isComplete({ mapping, from }: SaidForm, survey: Survey): boolean {
  if (mapping === null) return false;
  const isSure = from === 'kept' || survey.headers.every((name) => findColumn(name) !== undefined);
  return (
    isSure &&
    REQUIRED_COLUMNS.every(
      (one) => mapping.columns.includes(one) || mapping.same[one] !== undefined,
    )
  );
}

/** Reads the settings that decide how the text is divided into columns. */
export function readReading(
  values: FormValues,
  before: SaidForm,
): Pick<SaidForm, 'query' | 'sheet'> {
  const given = FORM_OPTIONS.flatMap((name) => {
    const text = textOrNothing(values[name]);
    return text === undefined || text === AUTO ? [] : [[name, text] as const];
  });
  const query: FormQuery = Object.fromEntries(given);
  return { query, sheet: textOrNothing(values['sheet']) ?? before.sheet };
}

/** Returns whether a file has to be read again before its columns can be mapped. */
export function isReadOtherwise(
  after: Pick<SaidForm, 'query' | 'sheet'>,
  before: SaidForm,
  firstSheet: string | undefined,
): boolean {
  return (
    after.query.encoding !== before.query.encoding ||
    after.query.delimiter !== before.query.delimiter ||
    (after.sheet ?? firstSheet) !== (before.sheet ?? firstSheet)
  );
}

export type FormReading =
  | { readonly kind: 'said'; readonly form: SaidForm }
  | {
      readonly kind: 'wrong';
      readonly form: SaidForm;
      readonly errors: Readonly<Record<string, string>>;
    };

/** Reads the form of columns, with its errors by field. */
export function readForm(
  values: FormValues,
  { survey, before }: { readonly survey: Survey; readonly before: SaidForm },
  reader: Reader,
): FormReading {
  const { columns: words } = reader.words.console.imports;
  const errors: Record<string, string> = {};
  const columns = survey.headers.map((_, place): Column | null => {
    const text = values[columnField(place)] ?? '';
    return isColumn(text) ? text : null;
  });
  for (const [place, column] of columns.entries()) {
    if (column !== null && columns.indexOf(column) < place) {
      errors[columnField(place)] = words.twice(columnLabel(column, reader));
    }
  }
  const same: Partial<Record<Column, string>> = {};
  for (const column of REQUIRED_COLUMNS.filter((one) => !columns.includes(one))) {
    const text = textOrNothing(values[sameField(column)])?.trim();
    if (text === undefined) errors[sameField(column)] = words.missing(columnLabel(column, reader));
    else same[column] = text;
  }
  const time = textOrNothing(values['time_of_day'])?.trim();
  const padded = time?.padStart('00:00'.length, '0');
  if (padded !== undefined && !TIME_OF_DAY.test(padded)) errors['time_of_day'] = words.notATime;
  const reading = readReading(values, before);
  const zone = reading.query.timezone;
  if (zone !== undefined && !isTimeZone(zone)) errors['timezone'] = words.notAZone;
  const form: SaidForm = {
    ...reading,
    mapping: { columns, same, timeOfDay: padded ?? null, mended: before.mapping?.mended ?? {} },
    from: 'person',
  };
  return Object.keys(errors).length === 0
    ? { kind: 'said', form }
    : { kind: 'wrong', form, errors };
}

/** Returns the mapping that is stored for the next file with the same column names. */
export function mappingToKeep({ mapping, query }: SaidForm, survey: Survey): KeptMapping {
  const names = namesOfHeaders(survey.headers);
  const { encoding: _encoding, delimiter: _delimiter, ...form } = query;
  // A reference belongs to one file only; the rest is kept for the next one.
  const { reference: _reference, ...same } = mapping?.same ?? {};
  return {
    columns: Object.fromEntries(
      names.map((name, place) => [name, at(mapping?.columns ?? [], place)] as const),
    ),
    ...{ same, timeOfDay: mapping?.timeOfDay ?? null, form },
  };
}
