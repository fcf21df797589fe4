// The form for one event: first its type, then the fields of this type, and the events that wait on this
// device.
import { attribute, choice, field, message, said, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { DIRECTIONS, EVENT_TYPES, getFacts } from '../../ledger/record/event-types.ts';
import type { EventType } from '../../ledger/record/event-types.ts';
import { EVENT_FIELDS, LINE_FIELDS } from '../../ledger/record/fields.ts';
import type { FieldFacts, LineFieldName } from '../../ledger/record/fields.ts';
import { blockPath } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { renderProblem } from '../parts.ts';
import { brandPath, loginPath } from '../paths.ts';
import { offeredTimeZones, usualTimeZone } from '../time-zones.ts';
import type { CheckedCode } from './codes.ts';
import { countLines, lineField, listLineFields } from './event-form.ts';
import { term } from '../help/terms.ts';

export interface RecordView {
  readonly brand: string;
  readonly name: string;
  /** Undefined: it has to be chosen first. */
  readonly type: EventType | undefined;
  readonly form: FormState;
  /** Results of the look-up of codes, by the names of their fields. */
  readonly notes: Readonly<Record<string, CodeNote>>;
  readonly externalId: string;
  /** The person: several may use a device, and each sends only their own events. */
  readonly accountId: string;
  /** Address of the worker that opens this page without a connection. */
  readonly worker: string;
  /** Block of the event that was stored just now. */
  readonly stored: number | undefined;
}

export interface CodeNote {
  readonly kind: 'good' | 'bad' | 'note';
  readonly words: string;
}

/** @returns undefined when there is nothing to show */
export function noteOfCode(
  { lot, unknownGtin }: Pick<CheckedCode, 'lot' | 'unknownGtin'>,
  { words }: Reader,
): CodeNote | undefined {
  const { codes } = words.console.record;
  if (unknownGtin !== undefined) return { kind: 'bad', words: codes.unknownGtin(unknownGtin) };
  switch (lot) {
    case undefined:
      return undefined;
    case 'known':
      return { kind: 'good', words: codes.known };
    case 'on_hold':
      return { kind: 'bad', words: codes.on_hold };
    case 'unknown':
      return { kind: 'note', words: codes.unknown };
  }
}

export function recordPage(view: RecordView, reader: Reader): Html {
  const { record: words } = reader.words.console;
  const { type, name, brand, stored } = view;
  const path = brandPath(brand, 'record');
  if (type === undefined) {
    return headed({
      heading: words.title,
      summary: html`${said(name)} · ${words.lead}`,
      body: typeChoice(path, reader),
    });
  }
  return headed({
    crumbs: [{ href: path, label: words.title }],
    heading: reader.words.labels.eventTypes[type],
    actions: html`<a class="button quiet" href="${path}">${words.otherType}</a>`,
    body: html`${stored === undefined ? '' : storedNote(stored, reader)}
    ${eventForm(view, type, reader)} ${queueSection(reader)}`,
  });
}

function typeChoice(path: string, reader: Reader): Html {
  const { labels } = reader.words;
  const { record: words } = reader.words.console;
  return html`<section aria-labelledby="type-title">
    <h2 id="type-title">${term('event', reader, words.typeTitle)}</h2>
    <ul class="type-list">
      ${EVENT_TYPES.filter((type) => getFacts(type).counts).map(
        (type) =>
          html`<li>
            <a class="card" href="${path}?type=${type}">
              <span>${labels.eventTypes[type]} <small>${labels.eventNotes[type]}</small></span>
              ${icon('next')}
            </a>
          </li>`,
      )}
    </ul>
  </section>`;
}

function storedNote(height: number, reader: Reader): Html {
  const { record: words } = reader.words.console;
  const number = reader.formats.number(height);
  return message(
    'good',
    html`${words.stored} <a href="${blockPath(height)}">${words.storedIn(number)}</a>`,
  );
}

function eventForm(view: RecordView, type: EventType, reader: Reader): Html {
  const { record: words } = reader.words.console;
  const { brand, form, externalId, accountId, worker } = view;
  const { labels } = reader.words;
  const path = brandPath(brand, 'record');
  const count = countLines(form.values);
  const lines = Array.from({ length: count }, (_, line) =>
    lineFields(view, { type, line, count }, reader),
  );
  return html`<form
    class="record"
    method="post"
    action="${path}"
    data-record
    data-brand="${brand}"
    data-who="${accountId}"
    data-worker="${worker}"
    data-login="${loginPath(path)}"
    data-type="${labels.eventTypes[type]}"
    data-words="${JSON.stringify(words.queue)}"
  >
    ${renderProblem(form, reader)}
    <input type="hidden" name="type" value="${type}" />
    <input type="hidden" name="lines" value="${count}" />
    <input type="hidden" name="external_id" value="${form.values['external_id'] ?? externalId}" />
    <button class="hidden" type="submit" name="check" value="yes" tabindex="-1">
      ${words.check}
    </button>
    <section class="card" aria-label="${labels.eventTypes[type]}">
      <div class="field-grid">
        ${field({
          ...{ name: 'location', label: labels.fields.location, form },
          required: true,
          maxLength: EVENT_FIELDS.location.charsMax,
        })}
        ${field({
          ...{ name: 'reference', label: labels.fields.reference, form },
          required: true,
          maxLength: EVENT_FIELDS.reference.charsMax,
        })}
      </div>
      <details
        class="fold"
        ${attribute('open', isOpen(form, ['occurred_at', 'notes', 'timezone']) ? '' : undefined)}
      >
        <summary><h2>${words.moreOfEvent}</h2></summary>
        <div class="field-grid">
          ${field({ ...{ name: 'occurred_at', label: words.when, form }, type: 'datetime-local', hint: words.whenHint })}
          ${choice({
            ...{ name: 'timezone', label: words.timeZone, form },
            value: usualTimeZone(reader.language),
            choices: offeredTimeZones(form.values['timezone']).map((one) => ({
              value: one,
              label: one,
            })),
          })}
          ${field({ ...{ name: 'notes', label: labels.fields.notes, form }, maxLength: EVENT_FIELDS.notes.charsMax })}
        </div>
      </details>
    </section>
    <section class="card" aria-labelledby="lines-title">
      <h2 id="lines-title">${words.lines}</h2>
      ${lines}
      <p class="form-actions">
        <button class="quiet" type="submit" name="add" value="yes" formnovalidate>
          ${icon('plus')}${words.addLine}
        </button>
      </p>
    </section>
    <p class="form-actions">
      <button type="submit" name="store" value="yes">${icon('check')}${words.store}</button>
      <button class="quiet" type="submit" name="check" value="yes" formnovalidate>
        ${words.check}
      </button>
    </p>
  </form>`;
}

/** Returns whether one of these fields has a value or an error. */
function isOpen({ values, errors }: FormState, names: readonly string[]): boolean {
  return names.some(
    (name) => errors[name] !== undefined || (name !== 'timezone' && (values[name] ?? '') !== ''),
  );
}

const FIRST_FIELDS: readonly LineFieldName[] = [
  'lot_code',
  'product_sku',
  'direction',
  'quantity',
  'unit',
];

function lineFields(
  view: RecordView,
  {
    type,
    line,
    count,
  }: { readonly type: EventType; readonly line: number; readonly count: number },
  reader: Reader,
): Html {
  const { record: words } = reader.words.console;
  const { form } = view;
  const names = listLineFields(type);
  const first = names.filter((name) => FIRST_FIELDS.includes(name));
  const more = names.filter((name) => !FIRST_FIELDS.includes(name));
  const isFocused = (name: LineFieldName): boolean =>
    line === count - 1 && name === firstEmpty(first, line, form);
  const shown = (name: LineFieldName): Html =>
    lineInput(view, { line, name, isFocused: isFocused(name) }, reader);
  return html`<fieldset class="record-line" data-line>
    <legend data-legend="${words.line('#')}">${words.line(reader.formats.number(line + 1))}</legend>
    <div class="field-grid">${first.map(shown)}</div>
    ${
      more.length === 0
        ? ''
        : html`<details
            class="fold"
            ${attribute(
              'open',
              isOpen(
                form,
                more.map((name) => lineField(line, name)),
              )
                ? ''
                : undefined,
            )}
          >
            <summary><h3>${words.more}</h3></summary>
            <div class="field-grid">${more.map(shown)}</div>
          </details>`
    }
    <button
      class="quiet"
      type="submit"
      name="remove"
      value="${line}"
      formnovalidate
      ${count === 1 ? html`hidden` : ''}
    >
      ${icon('close')}${words.removeLine}
    </button>
  </fieldset>`;
}

function firstEmpty(
  names: readonly LineFieldName[],
  line: number,
  { values }: FormState,
): LineFieldName | undefined {
  return names.find((name) => name !== 'direction' && (values[lineField(line, name)] ?? '') === '');
}

function lineInput(
  { form, notes }: RecordView,
  cell: { readonly line: number; readonly name: LineFieldName; readonly isFocused: boolean },
  reader: Reader,
): Html {
  const { record: words } = reader.words.console;
  const name = lineField(cell.line, cell.name);
  const label = reader.words.labels.fields[cell.name];
  const { isFocused } = cell;
  if (cell.name === 'direction') {
    const choices = DIRECTIONS.map((one) => ({ value: one, label: words.directions[one] }));
    return choice({ name, label, form, choices });
  }
  const facts = findFacts(cell.name);
  const { required } = facts;
  if (facts.kind === 'decimal') {
    const hint = cell.name === 'quantity' ? { hint: words.quantityHint } : {};
    return field({ name, label, form, isFocused, required, inputMode: 'decimal', ...hint });
  }
  const length = facts.kind === 'choice' ? {} : { maxLength: facts.charsMax };
  const isCode = cell.name === 'lot_code' || cell.name === 'product_sku';
  const input = field({
    ...{ name, label, form, required, isFocused, ...length },
    ...(cell.name === 'lot_code' ? { hint: words.lotHint } : {}),
  });
  if (!isCode) return input;
  const note = notes[name];
  return html`<div data-code="${cell.name}">
    ${input}
    <p class="code-note ${note?.kind ?? ''}" role="status" data-note>${note?.words ?? ''}</p>
  </div>`;
}

function findFacts(name: LineFieldName): FieldFacts {
  return LINE_FIELDS[name];
}

/** The module fills it: without scripts no event waits on a device. */
function queueSection({ words }: Reader): Html {
  const { queue } = words.console.record;
  return html`<section class="card record-queue" aria-labelledby="queue-title" data-queue hidden>
    <h2 id="queue-title">${queue.title}</h2>
    <p class="notice note" role="status" data-queue-state hidden></p>
    <ol data-queue-list></ol>
  </section>`;
}
