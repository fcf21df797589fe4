// The page of one import, by its progress: columns to map, a check, wrong rows, the stored rows.
import { actionButton, message, moreLink, said, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { BLOCKS_KEPT_MAX, type KeptImport } from '../../csv-import/kept/imports.ts';
import type { SurveyResult } from '../../csv-import/mapping/survey.ts';
import { blockPath, time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { askedBefore, figureRow } from '../parts.ts';
import { brandPath, eventPagePath } from '../paths.ts';
import { columnsForm, rereadForm } from './columns-form.ts';
import { columnLabel, errorWords, findNamedColumn } from './error-words.ts';
import { importPath } from './import-paths.ts';
import { count, fileName, stateChip } from './imports-page.ts';
import { isSurvey, type CheckedParts, type SaidForm } from './parts-on-disk.ts';
import { sizeText } from './size-text.ts';
import { wrongRows } from './wrong-rows.ts';
import { term } from '../help/terms.ts';

export interface ImportView {
  readonly brand: string;
  readonly row: KeptImport;
  /** True if the file is on this machine. */
  readonly isHere: boolean;
  readonly mayImport: boolean;
  readonly form: SaidForm;
  readonly survey: SurveyResult | undefined;
  readonly check: CheckedParts | undefined;
  /** True if the columns are shown to be mapped again. */
  readonly isColumns: boolean;
  /** How many wrong rows are on earlier pages. */
  readonly offset: number;
  readonly locations: readonly string[];
  readonly state: FormState;
  readonly problem: HtmlValue | undefined;
}

export function importPage(view: ImportView, reader: Reader): Html {
  const { imports: words } = reader.words.console;
  const { row, brand } = view;
  return headed({
    crumbs: [{ href: brandPath(brand, 'imports'), label: words.title }],
    heading: fileName(row, reader),
    summary: summary(row, reader),
    body: html`${view.problem === undefined ? '' : message('bad', view.problem, 'alert')}
    ${elsewhere(view, reader)} ${content(view, reader)}`,
  });
}

function summary(row: KeptImport, reader: Reader): Html {
  const size = row.file_bytes === null ? '' : html` · ${sizeText(row.file_bytes, reader)}`;
  return html`${stateChip(row.state, reader)} ${time(row.created_at, reader)} ·
  ${said(row.actor)}${size}`;
}

/** The file is on one machine, and this may be another one. */
function elsewhere({ row, isHere }: ImportView, reader: Reader): Html {
  if (row.machine === null || isHere || row.state === 'imported') return html``;
  return message('note', reader.words.console.imports.refused.elsewhere(said(row.machine)));
}

function content(view: ImportView, reader: Reader): Html {
  const { row } = view;
  switch (row.state) {
    case 'checking':
    case 'importing':
      return running(view, reader);
    case 'open':
      return html`${problemNote(view, reader)} ${columns(view, reader)} ${removal(view, reader)}`;
    case 'checked':
      return view.isColumns
        ? html`${columns(view, reader)} ${removal(view, reader)}`
        : checked(view, reader);
    case 'imported':
      return imported(view, reader);
    case 'stopped':
      return stopped(view, reader);
    case 'failed':
      return failed(view, reader);
    case 'removed':
      return html`${message('note', reader.words.console.imports.removed.title)}
      ${another(view, reader)}`;
  }
}

function columns(view: ImportView, reader: Reader): Html {
  const { survey, form, brand, row, check, locations, state } = view;
  if (!view.mayImport || !view.isHere) return html``;
  if (!isSurvey(survey)) {
    return html`${survey === undefined ? '' : errorList(survey.errors, reader)}
    ${rereadForm({ brand, row, form }, reader)}`;
  }
  return columnsForm({ brand, row, survey, form, locations, state, found: check?.form }, reader);
}

/** Writes why the last check has no result about rows, or what happened since. */
function problemNote({ row }: ImportView, reader: Reader): Html {
  const { problem, errors } = row.report;
  if (problem === null) return html``;
  return html`${message('bad', reader.words.console.imports.problems[problem], 'alert')}
  ${errorList(errors, reader)}`;
}

export function errorList(errors: KeptImport['report']['errors'], reader: Reader): Html {
  const { wrong } = reader.words.console.imports;
  if (errors.length === 0) return html``;
  return html`<ul class="import-errors">
    ${errors.map((error) => {
      const column = findNamedColumn(error.column);
      const name = column === undefined ? '' : html` · ${columnLabel(column, reader)}`;
      return html`<li>
        ${icon('warning')}
        <span
          ><strong>${wrong.row(reader.formats.number(error.row))}${name}</strong>
          ${errorWords(error, reader)}</span
        >
      </li>`;
    })}
  </ul>`;
}

function running({ row }: ImportView, reader: Reader): Html {
  const { running: words } = reader.words.console.imports;
  const all = row.event_count ?? 0;
  const done = Math.min(row.done_count ?? 0, all);
  const isImport = row.state === 'importing';
  return html`<section class="card running" data-running aria-live="polite">
    <h2>${isImport ? words.importing : words.checking}</h2>
    ${
      isImport && all > 0
        ? html`<progress max="${all}" value="${done}" aria-label="${words.importing}"></progress>
            <p>${words.progress(reader.formats.number(done), reader.formats.number(all))}</p>`
        : html`<progress aria-label="${words.checking}"></progress>`
    }
    <p class="hint">${words.waits}</p>
    <noscript><meta http-equiv="refresh" content="2" /></noscript>
  </section>`;
}

function figures(row: KeptImport, reader: Reader): Html {
  const { facts } = reader.words.console.imports;
  const isStored = row.state === 'imported' || row.state === 'stopped';
  const shown: readonly (readonly [string, number | null])[] = [
    [facts.rows, row.row_count],
    [facts.events, row.event_count],
    [isStored ? facts.stored : facts.wouldBeStored, row.accepted],
    [facts.duplicates, row.duplicates],
    [facts.wrong, row.rejected],
  ];
  const { title } = reader.words.console.imports;
  return figureRow(
    title,
    shown.flatMap(([label, number]) => {
      const value = count(number, reader);
      return value === null ? [] : [{ label, value }];
    }),
  );
}

function checked(view: ImportView, reader: Reader): Html {
  const { checked: words } = reader.words.console.imports;
  const { row } = view;
  const accepted = row.accepted ?? 0;
  const rejected = row.rejected ?? 0;
  const number = (value: number): string => reader.formats.number(value);
  const [kind, title] =
    rejected > 0
      ? (['bad', accepted > 0 ? words.some(number(rejected)) : words.noneGood] as const)
      : (['good', accepted > 0 ? words.good(number(accepted)) : words.nothing] as const);
  return html`${row.report.problem === 'refused' ? message('bad', words.refused, 'alert') : ''}
    ${view.form.from === 'kept' ? message('note', reader.words.console.imports.columns.kept) : ''}
    <section class="card" aria-labelledby="verdict-title">
      <div class="verdict ${kind}">
        ${icon(kind)}
        <h2 id="verdict-title">${title}</h2>
      </div>
      ${figures(row, reader)} ${view.mayImport && view.isHere ? actions(view, reader) : ''}
    </section>
    ${wrongSection(view, reader)} ${warnings(row, reader)}`;
}

function actions(view: ImportView, reader: Reader): Html {
  const { checked: words, columns: ofColumns } = reader.words.console.imports;
  const { row, brand } = view;
  const path = importPath(brand, row.import_id);
  const accepted = row.accepted ?? 0;
  const rejected = row.rejected ?? 0;
  const number = (value: number): string => reader.formats.number(value);
  const start = (label: string, onError: string, kind: 'plain' | 'quiet'): Html =>
    actionButton({ action: `${path}/start`, label, kind, fields: { on_error: onError } });
  return html`<div class="import-actions">
    ${accepted > 0 && rejected === 0 ? start(words.importNow, 'abort', 'plain') : ''}
    ${
      accepted > 0 && rejected > 0
        ? askedBefore({
            label: words.importGood(number(accepted)),
            about: '',
            advice: words.importGoodLead(number(rejected)),
            form: start(words.importNow, 'proceed', 'plain'),
          })
        : ''
    }
    <a class="button quiet" href="${path}?columns=yes">${ofColumns.change}</a>
    ${removal(view, reader)}
  </div>`;
}

function removal({ row, brand, mayImport, isHere }: ImportView, reader: Reader): Html {
  const { checked: words } = reader.words.console.imports;
  if (!mayImport || !isHere) return html``;
  return askedBefore({
    label: words.remove,
    about: '',
    advice: words.removeLead,
    form: actionButton({
      action: `${importPath(brand, row.import_id)}/remove`,
      label: words.removeNow,
      kind: 'danger',
    }),
  });
}

function wrongSection(view: ImportView, reader: Reader): Html {
  const { wrong } = reader.words.console.imports;
  const { row, check, survey } = view;
  if ((row.rejected ?? 0) === 0 || row.report.errors.length === 0) return html``;
  if (check === undefined || !view.isHere) {
    return html`<section class="card" aria-labelledby="wrong-title">
      <h2 id="wrong-title">${wrong.title}</h2>
      ${errorList(row.report.errors, reader)}
      <p class="hint">${wrong.noCells}</p>
    </section>`;
  }
  return wrongRows(
    {
      brand: view.brand,
      importId: row.import_id,
      headers: isSurvey(survey) ? survey.headers : [],
      ...{ check, form: view.form, offset: view.offset },
      mayMend: view.mayImport && row.state === 'checked',
    },
    reader,
  );
}

function warnings({ report }: KeptImport, reader: Reader): Html {
  const { warnings: words } = reader.words.console.imports;
  if (report.warnings.length === 0) return html``;
  const number = (value: number): string => reader.formats.number(value);
  return html`<section class="card" aria-labelledby="warnings-title">
    <h2 id="warnings-title">${words.title}</h2>
    <ul class="import-errors">
      ${report.warnings.map(
        ({ code, count: times, rows }) =>
          html`<li class="warned">
            ${icon('info')}
            <span
              >${words.codes[code]}
              <span class="muted"
                >${number(times)} ·
                ${words.rows(rows.map(number).join(', '))}${times > rows.length ? ' …' : ''}</span
              ></span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

function imported(view: ImportView, reader: Reader): Html {
  const { done: words } = reader.words.console.imports;
  const { row } = view;
  const number = (value: number): string => reader.formats.number(value);
  const accepted = row.accepted ?? 0;
  const rejected = row.rejected ?? 0;
  return html`<section class="card" aria-labelledby="verdict-title">
      <div class="verdict good">
        ${icon('good')}
        <h2 id="verdict-title">${accepted > 0 ? words.title(number(accepted)) : words.none}</h2>
        ${rejected > 0 ? html`<p>${words.rejected(number(rejected))}</p>` : ''}
      </div>
      ${figures(row, reader)}
    </section>
    ${blocksSection(view, reader)} ${wrongSection(view, reader)} ${warnings(row, reader)}
    ${another(view, reader)}`;
}

function blocksSection({ row, brand }: ImportView, reader: Reader): Html {
  const { done: words } = reader.words.console.imports;
  const { blocks } = row.report;
  if (blocks.length === 0) return html``;
  const number = (value: number): string => reader.formats.number(value);
  return html`<section class="card" aria-labelledby="blocks-title">
    <h2 id="blocks-title">${term('block', reader, words.blocks)}</h2>
    ${rowsTable({
      caption: words.blocks,
      head: [{ number: words.row }, words.event, words.block],
      rows: blocks.map(({ row: first, height }) => [
        number(first),
        html`<a href="${eventPagePath(brand, String(height))}"
          >${words.event} ${number(height)}</a
        >`,
        html`<a href="${blockPath(height)}">${reader.words.labels.block(number(height))}</a>`,
      ]),
    })}
    ${(row.accepted ?? 0) > blocks.length ? html`<p class="hint">${words.firstShown(number(BLOCKS_KEPT_MAX))}</p>` : ''}
  </section>`;
}

function stopped(view: ImportView, reader: Reader): Html {
  const { stopped: words, problems } = reader.words.console.imports;
  const { row, brand } = view;
  const { problem } = row.report;
  const stored = Math.max(row.accepted ?? 0, 0);
  const shown = row.done_count === null ? stored : row.done_count;
  return html`<section class="card" aria-labelledby="verdict-title">
    <div class="verdict warn">
      ${icon('warning')}
      <h2 id="verdict-title">${words.title}</h2>
      <p>${words.lead(reader.formats.number(shown))}</p>
      ${problem === null ? '' : html`<p>${problems[problem]}</p>`}
    </div>
    ${
      view.mayImport && view.isHere
        ? html`<div class="import-actions">
            ${actionButton({
              action: `${importPath(brand, row.import_id)}/start`,
              label: words.again,
              kind: 'plain',
              fields: { on_error: 'proceed' },
            })}
            ${removal(view, reader)}
          </div>`
        : ''
    }
  </section>`;
}

function failed(view: ImportView, reader: Reader): Html {
  const { failed: words } = reader.words.console.imports;
  return html`<section class="card" aria-labelledby="verdict-title">
      <div class="verdict bad">
        ${icon('bad')}
        <h2 id="verdict-title">${words.title}</h2>
      </div>
      ${problemNote(view, reader)}
    </section>
    ${another(view, reader)}`;
}

function another({ brand, mayImport }: ImportView, reader: Reader): Html {
  if (!mayImport) return html``;
  return moreLink(brandPath(brand, 'imports'), reader.words.console.imports.done.another);
}
