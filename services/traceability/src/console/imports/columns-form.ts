// What the hub has understood of a file, and the form in which a person maps its columns.
import { EMPTY_FORM, choice, field, flag, message } from '@lothub/design/desk-parts';
import type { Choice, FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { COLUMNS, REQUIRED_COLUMNS } from '../../csv-import/columns.ts';
import type { Column } from '../../csv-import/form/header-names.ts';
import {
  AUTO,
  DATE_ORDERS,
  DECIMAL_MARKS,
  DELIMITERS,
  ENCODINGS,
} from '../../csv-import/form/options.ts';
import type { DateOrder, DecimalMark, DelimiterName } from '../../csv-import/form/options.ts';
import type { ValueForm } from '../../csv-import/form/value-form.ts';
import { USUAL_DIRECTION } from '../../csv-import/mapping/row-reading.ts';
import type { Survey } from '../../csv-import/mapping/survey.ts';
import type { KeptImport } from '../../csv-import/kept/imports.ts';
import { DIRECTIONS, EVENT_TYPES, getFacts } from '../../ledger/record/event-types.ts';
import type { Reader } from '../../web/words/reader.ts';
import { renderProblem } from '../parts.ts';
import { offeredTimeZones } from '../time-zones.ts';
import { importPath } from './import-paths.ts';
import { columnField, sameField } from './said-form.ts';
import type { SaidForm } from './parts-on-disk.ts';
import { columnLabel } from './error-words.ts';

/** First values of a column that are shown, and characters of each. */
const SAMPLE_VALUES = 3;
const SAMPLE_CHARACTERS = 24;

export interface ColumnsView {
  readonly brand: string;
  readonly row: KeptImport;
  readonly survey: Survey;
  readonly form: SaidForm;
  /** Result of the check of the whole file; undefined before a check. */
  readonly found: ValueForm | undefined;
  /** Codes of places that events of the brand name. */
  readonly locations: readonly string[];
  readonly state: FormState;
}

export function columnsForm(view: ColumnsView, reader: Reader): Html {
  const { columns: words } = reader.words.console.imports;
  const { brand, row, state } = view;
  return html`<form
    class="columns-form"
    method="post"
    action="${importPath(brand, row.import_id)}/columns"
  >
    ${renderProblem(state, reader)}
    <section class="card" aria-labelledby="columns-title">
      <h2 id="columns-title">${words.title}</h2>
      ${renderNote(view, reader)}
      <div class="column-list">
        ${view.survey.headers.map((name, place) => columnRow(view, { name, place }, reader))}
      </div>
    </section>
    ${missingSection(view, reader)} ${readSection(view, reader)}
    <p class="form-actions"><button type="submit">${icon('check')}${words.check}</button></p>
  </form>`;
}

function renderNote({ form }: ColumnsView, reader: Reader): Html {
  const { columns: words } = reader.words.console.imports;
  switch (form.from) {
    case 'kept':
      return message('good', words.kept);
    case 'guess':
      return html`<p>${words.lead} ${words.guessed}</p>`;
    case 'person':
      return html`<p>${words.lead}</p>`;
  }
}

function columnRow(
  { survey, form, state }: ColumnsView,
  { name, place }: { readonly name: string; readonly place: number },
  reader: Reader,
): Html {
  const { columns: words } = reader.words.console.imports;
  const control = columnField(place);
  const chosen = state.values[control] ?? form.mapping?.columns[place] ?? '';
  const values = survey.sample
    .map(({ cells }) => cells[place] ?? '')
    .filter((cell) => cell !== '')
    .slice(0, SAMPLE_VALUES)
    .map((cell) =>
      cell.length > SAMPLE_CHARACTERS ? `${cell.slice(0, SAMPLE_CHARACTERS)}…` : cell,
    );
  const error = state.errors[control];
  return html`<div class="column-row ${chosen === '' ? 'left-out' : ''}">
    <label for="${control}"><bdi>${name === '' ? String(place + 1) : name}</bdi></label>
    <p class="sample">
      <span class="hidden">${words.sample}</span>
      ${values.map((value) => html`<bdi class="sample-value">${value}</bdi>`)}
    </p>
    <div>
      <select
        id="${control}"
        name="${control}"
        ${error === undefined ? '' : html`aria-invalid="true" aria-describedby="${control}-error"`}
      >
        <option value="">${words.leaveOut}</option>
        ${COLUMNS.map(
          (column) =>
            html`<option value="${column}" ${flag(' selected', chosen === column)}>
              ${columnLabel(column, reader)}
            </option>`,
        )}
      </select>
      ${
        error === undefined
          ? ''
          : html`<p class="field-error" id="${control}-error">${icon('warning')}${error}</p>`
      }
    </div>
  </div>`;
}

/** Columns that each event needs and that the file does not have. */
export function missingColumns(form: SaidForm): readonly Column[] {
  const mapped = form.mapping?.columns ?? [];
  return REQUIRED_COLUMNS.filter((column) => !mapped.includes(column));
}

function missingSection(view: ColumnsView, reader: Reader): Html {
  const { columns: words } = reader.words.console.imports;
  const typed = new Set(Object.keys(view.state.errors));
  const shown = REQUIRED_COLUMNS.filter(
    (column) => missingColumns(view.form).includes(column) || typed.has(sameField(column)),
  );
  if (shown.length === 0) return html``;
  return html`<section class="card" aria-labelledby="missing-title">
    <h2 id="missing-title">${words.missingTitle}</h2>
    <p>${words.missingLead}</p>
    <div class="field-grid">${shown.map((column) => missingField(column, view, reader))}</div>
  </section>`;
}

function missingField(
  column: Column,
  { form, state, locations }: ColumnsView,
  reader: Reader,
): Html {
  const { columns: words } = reader.words.console.imports;
  const name = sameField(column);
  const label = columnLabel(column, reader);
  const value = form.mapping?.same[column] ?? '';
  if (column === 'event_type')
    return choice({ name, label, form: state, value, choices: typeChoices(reader) });
  if (column === 'direction') {
    const choices = [
      { value: USUAL_DIRECTION, label: words.usual },
      ...DIRECTIONS.map((one) => ({ value: one, label: words.directions[one] })),
    ];
    return choice({ name, label, form: state, value, choices });
  }
  const usual = column === 'location' && value === '' ? (locations[0] ?? '') : value;
  return field({
    ...{ name, label, form: state },
    value: usual,
    ...(column === 'reference' ? { hint: words.referenceHint } : {}),
  });
}

export function typeChoices({ words }: Reader): readonly Choice[] {
  return [
    { value: '', label: '–' },
    ...EVENT_TYPES.filter((type) => getFacts(type).counts).map((type) => ({
      value: type,
      label: words.labels.eventTypes[type],
    })),
  ];
}

function readSection(view: ColumnsView, reader: Reader): Html {
  const { read: words } = reader.words.console.imports;
  const { survey, form, row, state } = view;
  const { query } = form;
  const at = (column: Column) => {
    const place = form.mapping?.columns.indexOf(column) ?? -1;
    return survey.columns[place];
  };
  const decimal = view.found?.decimal ?? at('quantity')?.decimal;
  const dates = view.found?.dateOrder ?? at('occurred_at')?.dates;
  const mark = decimal?.kind === 'found' ? words.found(words.marks[decimal.mark]) : undefined;
  const order = dates?.kind === 'found' ? words.found(words.orders[dates.order]) : undefined;
  const auto = (found: string | undefined): Choice => ({ value: AUTO, label: found ?? words.auto });
  const foundEncoding = survey.encoding === null ? undefined : words.found(survey.encoding);
  const foundDelimiter =
    survey.delimiter === null ? undefined : words.found(words.delimiters[survey.delimiter]);
  const isText = row.file_kind === 'csv';
  return html`<section class="card" aria-labelledby="read-title">
    <h2 id="read-title">${words.title}</h2>
    <div class="field-grid">
      ${
        isText
          ? html`${choice({
              ...{ name: 'encoding', label: words.encoding, form: state },
              value: query.encoding ?? AUTO,
              choices: [
                auto(foundEncoding),
                ...ENCODINGS.map((one) => ({ value: one, label: one })),
              ],
            })}
            ${choice({
              ...{ name: 'delimiter', label: words.delimiter, form: state },
              value: query.delimiter ?? AUTO,
              choices: [
                auto(foundDelimiter),
                ...delimiterNames().map((one) => ({ value: one, label: words.delimiters[one] })),
              ],
            })}`
          : choice({
              ...{ name: 'sheet', label: words.sheet, form: state },
              value: form.sheet ?? survey.sheets[0] ?? '',
              choices: survey.sheets.map((one) => ({ value: one, label: one })),
            })
      }
      ${choice({
        ...{ name: 'decimal', label: words.decimal, form: state },
        value: query.decimal ?? AUTO,
        choices: [
          auto(mark),
          ...DECIMAL_MARKS.map((one: DecimalMark) => ({ value: one, label: words.marks[one] })),
        ],
      })}
      ${choice({
        ...{ name: 'date_order', label: words.dates, form: state },
        value: query.date_order ?? AUTO,
        choices: [
          auto(order),
          ...DATE_ORDERS.map((one: DateOrder) => ({ value: one, label: words.orders[one] })),
        ],
      })}
      ${choice({
        ...{ name: 'timezone', label: words.timeZone, form: state, hint: words.timeZoneHint },
        value: query.timezone ?? 'UTC',
        choices: offeredTimeZones(query.timezone).map((one) => ({ value: one, label: one })),
      })}
      ${field({
        ...{ name: 'time_of_day', label: words.timeOfDay, form: state },
        value: form.mapping?.timeOfDay ?? '',
        maxLength: 5,
      })}
    </div>
    <p>
      <button class="quiet" type="submit" name="again" value="yes">${words.again}</button>
    </p>
  </section>`;
}

function delimiterNames(): readonly DelimiterName[] {
  return Object.keys(DELIMITERS) as readonly DelimiterName[];
}

/** The form for a file whose header was not found: a person sets how it is read. */
export function rereadForm(
  { brand, row, form }: Pick<ColumnsView, 'brand' | 'row' | 'form'>,
  reader: Reader,
): Html {
  const { read: words } = reader.words.console.imports;
  if (row.file_kind !== 'csv') return html``;
  const auto = { value: AUTO, label: words.auto };
  return html`<form class="card" method="post" action="${importPath(brand, row.import_id)}/columns">
    <h2>${words.title}</h2>
    <div class="field-grid">
      ${choice({
        ...{ name: 'encoding', label: words.encoding, form: EMPTY_FORM },
        value: form.query.encoding ?? AUTO,
        choices: [auto, ...ENCODINGS.map((one) => ({ value: one, label: one }))],
      })}
      ${choice({
        ...{ name: 'delimiter', label: words.delimiter, form: EMPTY_FORM },
        value: form.query.delimiter ?? AUTO,
        choices: [
          auto,
          ...delimiterNames().map((one) => ({ value: one, label: words.delimiters[one] })),
        ],
      })}
    </div>
    <button type="submit" name="again" value="yes">${words.again}</button>
  </form>`;
}
