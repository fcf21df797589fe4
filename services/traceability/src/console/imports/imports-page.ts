// The page of imports: a form for a file, and earlier imports.
import { emptyNote, message, moreLink, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { WITH_ERRORS } from '../../csv-import/kept/import-filter.ts';
import { IMPORTS_KEPT_DAYS, type KeptImport } from '../../csv-import/kept/imports.ts';
import { FILE_BYTES_MAX, FILE_PART, WORKBOOK_BYTES_MAX } from '../../csv-import/upload.ts';
import type { ImportState } from '../../ledger/tables/imports.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith, filterBar } from '../filters.ts';
import { headed } from '../frame.ts';
import { day } from '../parts.ts';
import { importPath } from './import-paths.ts';
import { LISTED_STATES, type AskedImports } from './imports-filter.ts';
import { sizeText } from './size-text.ts';

export interface ImportsView {
  /** Address of the page. */
  readonly path: string;
  readonly brand: string;
  readonly name: string;
  readonly maySend: boolean;
  readonly imports: readonly KeptImport[];
  readonly filters: AskedImports;
  /** The id of the last import of this page; undefined when no page follows. */
  readonly next: string | undefined;
  readonly problem: string | undefined;
}

export function importsPage(view: ImportsView, reader: Reader): Html {
  const { imports: words } = reader.words.console;
  return headed({
    heading: words.title,
    summary: html`${said(view.name)} · ${words.lead}`,
    body: html`${view.maySend ? sendSection(view, reader) : ''} ${listSection(view, reader)}`,
  });
}

function sendSection({ path, problem }: ImportsView, reader: Reader): Html {
  const { send } = reader.words.console.imports;
  return html`<section class="card" aria-labelledby="send-title">
    <h2 id="send-title">${send.title}</h2>
    ${problem === undefined ? '' : message('bad', problem, 'alert')}
    <form
      class="drop"
      method="post"
      action="${path}"
      enctype="multipart/form-data"
      data-drop
      data-sending="${send.sending}"
    >
      <div class="field wider">
        <label for="file">${send.label}</label>
        <p class="hint" id="file-hint">
          ${send.drop}
          ${send.hint(sizeText(FILE_BYTES_MAX, reader), sizeText(WORKBOOK_BYTES_MAX, reader))}
        </p>
        <input
          id="file"
          name="${FILE_PART}"
          type="file"
          required
          accept=".csv,.txt,.tsv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          aria-describedby="file-hint"
        />
      </div>
      <p class="drop-actions">
        <button type="submit">${icon('upload')}${send.button}</button>
        <a class="button quiet" href="${path}/template" download
          >${icon('download')}${send.template}</a
        >
      </p>
      <p role="status" data-status></p>
    </form>
  </section>`;
}

function listSection(view: ImportsView, reader: Reader): Html {
  const { imports: words, form } = reader.words.console;
  const { list } = words;
  const { imports, path, next, filters } = view;
  const { state, from } = filters;
  const isNarrowed = state !== undefined || from !== undefined;
  const none = isNarrowed ? list.noneFound : view.maySend ? list.none : list.noneForViewer;
  return html`<section class="card" aria-labelledby="list-title">
    <h2 id="list-title">${list.title}</h2>
    ${imports.length === 0 && !isNarrowed ? '' : filterFields(view, reader)}
    ${
      imports.length === 0
        ? emptyNote(none)
        : rowsTable({
            caption: list.title,
            head: [
              list.file,
              list.when,
              list.who,
              { number: list.rows },
              { number: list.accepted },
              { number: list.rejected },
              list.state,
            ],
            rows: imports.map((one) => renderRow(one, view, reader)),
          })
    }
    ${moreLink(
      next === undefined ? undefined : addressWith(path, { state, from, before: next }),
      form.more,
    )}
    ${imports.length === 0 ? '' : html`<p class="hint">${list.kept(reader.formats.number(IMPORTS_KEPT_DAYS))}</p>`}
  </section>`;
}

function filterFields({ path, filters }: ImportsView, reader: Reader): Html {
  const { imports, audit } = reader.words.console;
  const words = { ...imports.states, [WITH_ERRORS]: imports.list.withErrors };
  return filterBar({
    action: path,
    fields: [
      {
        name: 'state',
        label: imports.list.state,
        value: filters.state,
        choices: LISTED_STATES.map((value) => ({ value, label: words[value] })),
      },
      { name: 'from', label: audit.from, value: filters.from, type: 'date' },
    ],
    reader,
  });
}

function renderRow(one: KeptImport, { brand }: ImportsView, reader: Reader): readonly HtmlValue[] {
  const { list } = reader.words.console.imports;
  const isStored = one.state === 'imported' || one.state === 'stopped';
  return [
    html`<a href="${importPath(brand, one.import_id)}">${fileName(one, reader)}</a>`,
    day(one.created_at, reader),
    html`${said(one.actor)}${one.origin === 'api' ? html` <span class="muted">${list.byKey}</span>` : ''}`,
    count(one.row_count, reader),
    isStored ? count(one.accepted, reader) : null,
    count(one.rejected, reader),
    stateChip(one.state, reader),
  ];
}

export function count(value: number | null, reader: Reader): string | null {
  return value === null ? null : reader.formats.number(value);
}

export function fileName({ file_name: name }: KeptImport, reader: Reader): HtmlValue {
  return name === null ? reader.words.console.imports.list.unnamed : said(name);
}

const CHIPS: Readonly<
  Record<
    ImportState,
    readonly [
      'good' | 'bad' | 'warn' | 'info' | '',
      'check' | 'clock' | 'warning' | 'info' | 'close',
    ]
  >
> = {
  open: ['warn', 'info'],
  checking: ['info', 'clock'],
  checked: ['warn', 'info'],
  importing: ['info', 'clock'],
  imported: ['good', 'check'],
  stopped: ['bad', 'warning'],
  failed: ['bad', 'warning'],
  removed: ['', 'close'],
};

export function stateChip(state: ImportState, { words }: Reader): Html {
  const [kind, name] = CHIPS[state];
  return html`<span class="chip import-state ${kind}"
    >${icon(name)}${words.console.imports.states[state]}</span
  >`;
}
