// The page of an event: what counts now beside what was recorded, its lines, its corrections with their blocks,
// and what there is to prove it.
import { shortHash } from '@lothub/design/copy-button';
import { emptyNote, message, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { wideTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { CORRECTABLE_EVENT_FIELDS } from '../../ledger/record/field-path.ts';
import { LINE_FIELD_LIST, type LineFieldName } from '../../ledger/record/fields.ts';
import type { EventView, LineView } from '../../lots/chain/schema.ts';
import { blockLink, place, product, time } from '../../web/fragments.ts';
import { eventWords } from '../../web/labels.ts';
import type { Reader } from '../../web/words/reader.ts';
import { nameActor, wordIn } from '../audit/entry-words.ts';
import { headed } from '../frame.ts';
import { lotLink } from '../lots/lot-chips.ts';
import { brandPath, eventPagePath } from '../paths.ts';
import { changeLine, eventStatusChip, fieldValue } from './event-parts.ts';
import type { EventEntries, FoundEvent } from './event-view.ts';
import { term, type TermId } from '../help/terms.ts';

/** Lines on one page. */
export const LINES_PER_PAGE = 100;

export interface EventPageView extends FoundEvent {
  readonly brand: string;
  /** The first line that is shown, from 0. */
  readonly firstLine: number;
  readonly entries: EventEntries;
  readonly mayCorrect: boolean;
  readonly done: string | undefined;
}

export function eventPage(view: EventPageView, reader: Reader): Html {
  const { brand, event, mayCorrect, done } = view;
  const { events: words, lots } = reader.words.console;
  const { block, status, effective } = event;
  const path = eventPagePath(brand, String(block.height));
  const { event_type: type, occurred_at: occurredAt } = effective.event;
  return headed({
    crumbs: [{ href: brandPath(brand, 'lots'), label: lots.title }],
    heading: html`${eventWords(type, reader)}`,
    summary: html`${words.numbered(String(block.height))} · ${time(occurredAt, reader)}
    ${eventStatusChip(status, reader)}`,
    actions:
      mayCorrect && status !== 'voided'
        ? html`<a class="button" href="${path}/correct">${words.correct}</a>`
        : undefined,
    done,
    body: html`${breaches(view, reader)} ${renderWarnings(view, reader)}
      <div class="lot">
        <div>${factsSection(view, reader)}</div>
        <div class="lot-side">
          ${correctionsSection(view, reader)} ${proofSection(view, reader)}
        </div>
      </div>
      ${linesSection(view, reader)}`,
  });
}

function breaches({ brand, entries }: EventPageView, reader: Reader): Html {
  const { events: words } = reader.words.console;
  if (entries.breaches.length === 0) return html``;
  const lots = entries.breaches.map(({ entityId }) => lotLink(brand, entityId));
  const actors = [...new Set(entries.breaches.map(({ actor }) => actor))];
  return message(
    'bad',
    html`${words.breach(html`${reader.formats.listParts(lots)}`)}
    ${words.postedBy(html`${reader.formats.listParts(actors.map(said))}`)}`,
  );
}

/**
 * Writes the warnings of the post. Lots on hold are not among them: they are breaches, which the audit names.
 */
function renderWarnings({ entries }: EventPageView, reader: Reader): Html {
  const { events: words, imports } = reader.words.console;
  const warnings = entries.posting?.warnings ?? [];
  if (warnings.length === 0) return html``;
  return message(
    'note',
    html`${words.warned}
    ${warnings.map(
      ({ code, line }) =>
        html`<br />${line === null ? '' : `${words.line} ${reader.formats.number(line + 1)}: `}
          ${wordIn(imports.warnings.codes, code)}`,
    )}`,
  );
}

function factsSection(view: EventPageView, reader: Reader): Html {
  const { event, places } = view;
  const { posting } = view.entries;
  const { events: words } = reader.words.console;
  const { fields } = reader.words.labels;
  const [now, then] = [event.effectiveView(), event.originalView()];
  const { external_id: externalId } = event.block.payload.event;
  return html`<section class="card of-event" aria-labelledby="facts-title">
    <h2 id="facts-title">${words.facts}</h2>
    <dl class="facts">
      ${CORRECTABLE_EVENT_FIELDS.map((field) =>
        field === 'status'
          ? ''
          : html`<div>
              <dt>${fields[field]}</dt>
              <dd>${beside(now[field], then[field], (value) => shown(field, value))}</dd>
            </div>`,
      )}
      ${
        externalId === undefined
          ? ''
          : html`<div>
              <dt>${term('externalId', reader, words.externalId)}</dt>
              <dd class="code">${said(externalId)}</dd>
            </div>`
      }
      <div>
        <dt>${words.recorded}</dt>
        <dd>${time(event.block.payload.recorded_at, reader)}</dd>
      </div>
      ${
        posting === undefined
          ? ''
          : html`<div>
              <dt>${words.poster}</dt>
              <dd>${nameActor(posting, reader)}</dd>
            </div>`
      }
    </dl>
  </section>`;

  function shown(field: keyof EventView, value: string | null): Html {
    return field === 'location' && value !== null
      ? place(value, places.get(value), reader)
      : fieldValue(field, value, reader);
  }

  /** Writes the value that counts, and the recorded value if it differs. */
  function beside(
    value: string | null,
    original: string | null,
    show: (value: string | null) => Html,
  ): Html {
    if (value === original) return show(value);
    return html`${show(value)} <br /><small class="muted"
        >${words.recordedAs} <del>${show(original)}</del></small
      >`;
  }
}

/** Lists the columns that every line has, and those with a value in any line of the page. */
function listColumns(lines: readonly LineView[]): readonly LineFieldName[] {
  return LINE_FIELD_LIST.filter(
    ({ name, facts }) =>
      // A unit is beside its quantity.
      name !== 'unit' && (facts.required || lines.some((line) => line[name] !== null)),
  ).map(({ name }) => name);
}

function linesSection(view: EventPageView, reader: Reader): Html {
  const { brand, event, firstLine } = view;
  const { events: words, filters } = reader.words.console;
  const lines = event.effectiveView().lines;
  const originals = event.originalView().lines;
  const shown = lines.slice(firstLine, firstLine + LINES_PER_PAGE);
  const then = originals.slice(firstLine, firstLine + LINES_PER_PAGE);
  const columns = listColumns([...shown, ...then]);
  const path = eventPagePath(brand, String(event.block.height));
  const next = firstLine + LINES_PER_PAGE;
  return html`<section class="card of-event" id="lines" aria-labelledby="lines-title">
    <h2 id="lines-title">${words.lines(reader.formats.number(lines.length))}</h2>
    ${
      shown.length === 0
        ? emptyNote(words.noLines)
        : wideTable(
            words.lines(reader.formats.number(lines.length)),
            [words.line, ...columns.map((name) => columnHead(name, reader))],
            shown.map(
              (line, index) =>
                html`<tr>
                  <td>${reader.formats.number(firstLine + index + 1)}</td>
                  ${columns.map((name) => renderCell(name, line, originals[firstLine + index], view, reader))}
                </tr>`,
            ),
          )
    }
    ${
      firstLine === 0 && next >= lines.length
        ? ''
        : html`<nav class="pager" aria-label="${filters.pages}">
            ${firstLine === 0 ? '' : html`<a href="${path}#lines">${icon('back')} ${filters.first}</a>`}
            ${
              next < lines.length
                ? html`<a rel="next" href="${path}?line=${next}#lines"
                    >${filters.next} ${icon('next')}</a
                  >`
                : ''
            }
          </nav>`
    }
  </section>`;
}

/** Writes the name of a field, with its sentence from the glossary if readers may not know the word. */
function columnHead(name: LineFieldName, reader: Reader): string | Html {
  const label = reader.words.labels.fields[name];
  const id = TERMS_OF_FIELDS[name];
  return id === undefined ? label : term(id, reader, label);
}

const TERMS_OF_FIELDS: { readonly [Name in LineFieldName]?: TermId } = {
  consignee_ref: 'consignee',
  customer_ref: 'customerReference',
  channel: 'channel',
  supplier_lot_code: 'supplierLot',
};

function renderCell(
  name: LineFieldName,
  line: LineView,
  original: LineView | undefined,
  { brand, products }: EventPageView,
  reader: Reader,
): Html {
  const { events: words, lot } = reader.words.console;
  const isNumber = name === 'quantity';
  const show = (one: LineView): Html => {
    const value = one[name];
    if (name === 'lot_code') return lotLink(brand, one.lot_code);
    if (name === 'product_sku')
      return product(one.product_sku, products.get(one.product_sku)?.names, reader);
    if (isNumber) return html`${reader.formats.quantity(one.quantity, one.unit)}`;
    if (name === 'direction')
      return html`${one.direction === 'in' ? lot.directionIn : lot.directionOut}`;
    return fieldValue(`lines[0].${name}`, value, reader);
  };
  const isChanged =
    original !== undefined &&
    (original[name] !== line[name] || (isNumber && original.unit !== line.unit));
  return html`<td ${isNumber ? html`class="number"` : ''}>
    ${show(line)}
    ${
      isChanged
        ? html`<br /><small class="muted"
              ><span class="hidden">${words.recordedAs}</span> <del>${show(original)}</del></small
            >`
        : ''
    }
  </td>`;
}

function correctionsSection({ event, entries }: EventPageView, reader: Reader): Html {
  const { events: words } = reader.words.console;
  const corrections = event.correctionViews().toReversed();
  if (corrections.length === 0) return html``;
  const actors = new Map(entries.ofEvent.map(({ blockHeight, actor }) => [blockHeight, actor]));
  return html`<section class="card" aria-labelledby="corrections-title">
    <h2 id="corrections-title">${term('correction', reader, words.corrections)}</h2>
    <ol class="plain">
      ${corrections.map((correction) => {
        const actor = actors.get(correction.block_height);
        return html`<li>
          <p>
            ${correction.changes.map((change, index) => html`${index === 0 ? '' : html`<br />`}${changeLine(change, reader)}`)}
          </p>
          <p>${said(correction.reason)}</p>
          <p class="muted">
            <small
              >${actor === undefined ? '' : html`${said(actor)} · `}${time(correction.recorded_at, reader)}
              · ${blockLink(correction.block_height, reader)}</small
            >
          </p>
        </li>`;
      })}
    </ol>
  </section>`;
}

function proofSection({ event }: EventPageView, reader: Reader): Html {
  const { events: words } = reader.words.console;
  return html`<section class="card" aria-labelledby="proof-title">
    <h2 id="proof-title">${term('block', reader, words.proof)}</h2>
    <p>${icon('block')} ${blockLink(event.block.height, reader)}</p>
    <p>${shortHash(event.block.hash, reader.words.explorer.copy)}</p>
  </section>`;
}
