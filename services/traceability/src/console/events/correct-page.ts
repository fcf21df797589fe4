// The form that corrects an event: fields with the values that count now, and the reason. A second form says
// that the event did not happen.
import { attribute, choice, renderError, field, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { REASON_MAX } from '../../corrections/schema.ts';
import { DIRECTIONS } from '../../ledger/record/event-types.ts';
import type { RecordedEvent } from '../../lots/chain/recorded-event.ts';
import { eventWords } from '../../web/labels.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { renderProblem } from '../parts.ts';
import { eventPagePath } from '../paths.ts';
import {
  LINES_PER_FORM,
  correctableValues,
  getCharsMax,
  isLong,
  seenName,
  typedText,
} from './correction-values.ts';
import type { CorrectableValue } from './correction-values.ts';

export interface CorrectPageView {
  readonly brand: string;
  readonly event: RecordedEvent;
  /** The first line whose fields the form has, from 0. */
  readonly firstLine: number;
  readonly form: FormState;
}

export function correctPage(view: CorrectPageView, reader: Reader): Html {
  const { brand, event, form } = view;
  const { events: words } = reader.words.console;
  const { height, payload } = event.block;
  const path = eventPagePath(brand, String(height));
  const type = eventWords(payload.event.event_type, reader);
  return headed({
    crumbs: [{ href: path, label: html`${type} · ${words.numbered(String(height))}` }],
    heading: words.correctTitle,
    summary: words.correctLead,
    body: html`${renderProblem(form, reader)} ${correctForm(view, reader)} ${voidForm(view, reader)}`,
  });
}

function correctForm(view: CorrectPageView, reader: Reader): Html {
  const { brand, event, firstLine, form } = view;
  const { events: words, filters } = reader.words.console;
  const path = `${eventPagePath(brand, String(event.block.height))}/correct`;
  const values = correctableValues(event, { firstLine });
  const ofEvent = values.filter((value) => value.path.kind === 'event');
  const byLine = Map.groupBy(
    values.flatMap((value) =>
      value.path.kind === 'line' ? [{ value, lineNo: value.path.lineNo }] : [],
    ),
    ({ lineNo }) => lineNo,
  );
  const lines = event.effective.event.lines.length;
  const next = firstLine + LINES_PER_FORM;
  return html`<form class="card correct" method="post" action="${path}">
    <input type="hidden" name="first_line" value="${firstLine}" />
    <fieldset>
      <legend>${words.facts}</legend>
      <div class="correct-fields">${ofEvent.map((value) => valueField(value, form, reader))}</div>
    </fieldset>
    ${[...byLine].map(
      ([lineNo, all]) =>
        html`<fieldset>
          <legend>${words.lineNumbered(reader.formats.number(lineNo + 1))}</legend>
          <div class="correct-fields">
            ${all.map(({ value }) => valueField(value, form, reader))}
          </div>
        </fieldset>`,
    )}
    ${
      lines <= LINES_PER_FORM
        ? ''
        : html`<p class="hint">${words.otherLines}</p>
            <nav class="pager" aria-label="${filters.pages}">
              ${firstLine === 0 ? '' : html`<a href="${path}">${icon('back')} ${filters.first}</a>`}
              ${next < lines ? html`<a href="${path}?line=${next}">${filters.next} ${icon('next')}</a>` : ''}
            </nav>`
    }
    ${reasonField('reason', form, reader)}
    <button type="submit" name="step" value="preview">${words.preview}</button>
  </form>`;
}

/**
 * Writes a field with the value that counts now. Beside it the form contains the value that its reader saw.
 */
function valueField(value: CorrectableValue, form: FormState, reader: Reader): Html {
  const { fields } = reader.words.labels;
  const { events: words } = reader.words.console;
  const { name, facts, path } = value;
  const label = fields[path.field];
  const seen = html`<input type="hidden" name="${seenName(name)}" value="${value.text}" />`;
  const shown = typedText(value, reader);
  const options = { name, label, form, value: shown };
  const hint = facts.kind === 'instant' ? { hint: words.instantHint } : {};
  if (path.field === 'direction') {
    const choices = DIRECTIONS.map((one) => ({ value: one, label: words.directions[one] }));
    return html`${seen}${choice({ ...options, choices })}`;
  }
  if (isLong(value)) return html`${seen}${textArea({ ...options, maxLength: getCharsMax(facts) })}`;
  const max = getCharsMax(facts);
  return html`${seen}${field({
    ...options,
    ...hint,
    required: facts.required,
    ...(max === undefined ? {} : { maxLength: max }),
  })}`;
}

function textArea(options: {
  readonly name: string;
  readonly label: string;
  readonly form: FormState;
  readonly value: string;
  readonly maxLength: number | undefined;
}): Html {
  const { name, label, form, value, maxLength } = options;
  const isWrong = form.errors[name] !== undefined;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <textarea
      id="${name}"
      name="${name}"
      rows="3"
      ${attribute('maxlength', maxLength)}
      ${isWrong ? html`aria-invalid="true" aria-describedby="${name}-error"` : ''}
    >
${form.values[name] ?? value}</textarea>
    ${renderError(name, { name, label, form })}
  </div>`;
}

function reasonField(scope: string, form: FormState, reader: Reader): Html {
  const { events: words } = reader.words.console;
  return field({
    name: 'reason',
    label: words.reason,
    hint: words.reasonHint,
    form,
    required: true,
    maxLength: REASON_MAX,
    scope,
  });
}

function voidForm({ brand, event, form }: CorrectPageView, reader: Reader): Html {
  const { events: words } = reader.words.console;
  const isRefused = form.values['void'] === 'yes';
  return html`<details class="fold" ${isRefused ? html`open` : ''}>
    <summary>${icon('close')} ${words.voidTitle}</summary>
    <p>${words.voidLead}</p>
    <form method="post" action="${eventPagePath(brand, String(event.block.height))}/correct">
      <input type="hidden" name="void" value="yes" />
      ${reasonField('void', isRefused ? form : { ...form, values: {}, errors: {} }, reader)}
      <button class="danger" type="submit" name="step" value="preview">${words.preview}</button>
    </form>
  </details>`;
}

/** Replaces the form for an event that does not count any more. */
export function voidedPage({ brand, event }: CorrectPageView, reader: Reader): Html {
  const { events: words } = reader.words.console;
  const path = eventPagePath(brand, String(event.block.height));
  return headed({
    heading: words.correctTitle,
    body: html`<section class="card">
      <p>${words.voidedAlready}</p>
      <p><a class="button quiet" href="${path}">${said(words.toEvent)}</a></p>
    </section>`,
  });
}
