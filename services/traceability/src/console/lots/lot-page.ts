// The page of a lot: its balance first, its holds with the forms that set and end them, where it came from, the
// cases that cover it, and its events with their corrections.
import { emptyNote, moreLink, said, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { lotPath, product, time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { renderProblem } from '../parts.ts';
import { brandPath, casePagePath, eventPagePath, lotPagePath, simulationPath } from '../paths.ts';
import { caseStatusChip, severityChip } from '../recall-parts.ts';
import { balanceFigure, balanceHeading } from './balance-drawing.ts';
import { lotEvents } from './lot-events.ts';
import { holdsSection } from './lot-holds.ts';
import { holdChip, lotStatusChip } from './lot-chips.ts';
import type { WatchCount } from '../../watching/watches.ts';
import type { LotView } from './lot-view.ts';
import { term } from '../help/terms.ts';

export interface LotPageView extends LotView {
  readonly brand: string;
  readonly mayHold: boolean;
  readonly maySimulate: boolean;
  readonly form: FormState;
  readonly done: string | undefined;
}

export function lotPage(view: LotPageView, reader: Reader): Html {
  const { brand, record, done, form, products } = view;
  const { lot: words, lots } = reader.words.console;
  const { lot_code: lotCode, product_sku: sku } = record;
  return headed({
    crumbs: [{ href: brandPath(brand, 'lots'), label: lots.title }],
    heading: said(lotCode),
    summary: html`${product(sku, products.get(sku)?.names, reader)}
    ${lotStatusChip(record.status, reader)} ${holdChip(record.hold_status, reader)}`,
    actions: html`<a class="button quiet" href="${lotPagePath(brand, lotCode, 'genealogy')}"
        >${icon('mix')}${words.genealogy}</a
      >${
        view.maySimulate
          ? html`<a class="button quiet" href="${simulationPath(brand, lotCode)}"
              >${icon('warning')}${words.simulate}</a
            >`
          : ''
      }<a class="button quiet" href="${lotPagePath(brand, lotCode)}/labels"
        >${icon('code')}${words.labels}</a
      >`,
    done,
    body: html`${renderProblem(form, reader)}
      <div class="lot">
        <div>${balanceSection(view, reader)}</div>
        <div class="lot-side">
          ${holdsSection(view, reader)} ${casesSection(view, reader)}
          ${suppliersSection(view, reader)} ${publicSection(view, reader)}
        </div>
        <div>${lotEvents(view, reader)}</div>
      </div>`,
  });
}

function balanceSection({ sheets, record, products }: LotPageView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const hasSkus = sheets.length > 1;
  return html`<section class="card" aria-labelledby="balance-title">
    <h2 id="balance-title">${term('massBalance', reader, words.balanceTitle)}</h2>
    ${sheets.length === 0 ? emptyNote(words.nothingMoved) : ''}
    ${sheets.map((sheet) => {
      const sku = product(sheet.productSku, products.get(sheet.productSku)?.names, reader);
      return balanceFigure(sheet, hasSkus ? balanceHeading(sku, sheet.unit) : '', reader);
    })}
    ${record.truncated ? html`<p class="hint">${words.truncated}</p>` : ''}
  </section>`;
}

function casesSection({ brand, cases, notices }: LotPageView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  if (cases.length === 0) return html``;
  const published = new Set(notices.map(({ case_no: caseNo }) => caseNo));
  return html`<section class="card" aria-labelledby="cases-title">
    <h2 id="cases-title">${words.cases}</h2>
    <ul class="plain">
      ${cases.map(
        (one) =>
          html`<li>
            <p>
              <a href="${casePagePath(brand, one.caseNo)}">${one.caseNo}</a>
              ${caseStatusChip(one.status, reader)} ${severityChip(one.severity, reader)}
            </p>
            <p>${said(one.title)}</p>
            ${
              published.has(one.caseNo)
                ? html`<a href="/recalls/${one.caseNo}">${words.notice}</a>`
                : ''
            }
          </li>`,
      )}
    </ul>
  </section>`;
}

function suppliersSection({ brand, record }: LotPageView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  if (record.provenance.length === 0) return html``;
  const { fields } = reader.words.labels;
  return html`<section class="card" aria-labelledby="suppliers-title">
    <h2 id="suppliers-title">${term('provenance', reader, words.suppliers)}</h2>
    <ul class="plain">
      ${record.provenance.map(
        (origin) =>
          html`<li>
            ${origin.supplier_lot_code === null ? '' : html`<b class="code">${said(origin.supplier_lot_code)}</b><br />`}
            ${origin.supplier_name === null ? html`<span class="muted">${words.noSupplier}</span>` : said(origin.supplier_name)}
            ${
              origin.origin_facility === null
                ? ''
                : html`<br /><small class="muted"
                      >${fields.origin_facility}: ${said(origin.origin_facility)}</small
                    >`
            }
            <br /><small
              ><a href="${eventPagePath(brand, String(origin.event_id))}"
                >${words.toEvent(String(origin.event_id))}</a
              ></small
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

function watchedLine(
  count: WatchCount,
  formatWords: (count: string) => string,
  reader: Reader,
): Html | '' {
  if (count === 0) return '';
  const { watchedByFew } = reader.words.console.lot;
  return html`<li>
    ${icon('mail')} ${formatWords(count === 'few' ? watchedByFew : reader.formats.number(count))}
  </li>`;
}

function publicSection({ brand, record, others, watched }: LotPageView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const { lot_code: lotCode } = record;
  const query = new URLSearchParams({ brand }).toString();
  return html`<section class="card" aria-labelledby="public-title">
    <h2 id="public-title">${term('proof', reader, words.proof)}</h2>
    <ul class="plain">
      <li><a href="${lotPath(lotCode, brand)}">${icon('link')} ${words.publicPage}</a></li>
      <li>
        <a href="/public/verify/${encodeURIComponent(lotCode)}/evidence?${query}" download
          >${icon('shield')} ${words.evidence}</a
        >
      </li>
      <li>
        <a href="/explorer/block/${record.first_block_height}"
          >${icon('block')} ${words.firstBlock(String(record.first_block_height))}</a
        >
        <br /><small class="muted">${time(record.first_recorded_at, reader)}</small>
      </li>
      ${watchedLine(watched.lot, words.watchedLot, reader)}
      ${watchedLine(watched.product, words.watchedProduct, reader)}
    </ul>
    ${
      others.length === 0
        ? ''
        : html`<p class="hint">
            ${words.shared(reader.formats.list(others.map(({ name }) => name)))}
          </p>`
    }
  </section>`;
}

/**
 * Writes the page of a code that no lot has, with similar codes; or of a supplier's code that several lots
 * have.
 */
export function noLotPage(
  view: {
    readonly brand: string;
    readonly lotCode: string;
    /** Codes to choose from. */
    readonly codes: readonly string[];
    readonly kind: 'unknown' | 'several';
  },
  reader: Reader,
): Html {
  const { lot: words, lots } = reader.words.console;
  const { brand, lotCode, codes, kind } = view;
  const path = brandPath(brand, 'lots');
  return headed({
    crumbs: [{ href: path, label: lots.title }],
    heading: said(lotCode),
    body: html`<section class="card">
      <p>
        ${
          kind === 'several'
            ? words.several
            : codes.length === 0
              ? words.unknown
              : words.unknownButSimilar
        }
      </p>
      <ul>
        ${codes.map((code) => html`<li><a class="code" href="${lotPagePath(brand, code)}">${said(code)}</a></li>`)}
      </ul>
      ${moreLink(path, words.toList)}
    </section>`,
  });
}
