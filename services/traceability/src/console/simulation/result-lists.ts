// The lists of a simulation: lots, quantities, customers, places, suppliers, suspects. Each list is cut where
// it becomes too long, says how many entries there are, and is complete as a CSV file.
import { emptyNote, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { summarizeImpact } from '../../recall/trace/impact-summary.ts';
import { place, product } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { holdChip, lotLink, lotStatusChip } from '../lots/lot-chips.ts';
import { amountText, amountsText } from '../recall-parts.ts';
import { askedPath } from './asked.ts';
import type { ResultView } from './result-view.ts';
import { term, type TermId } from '../help/terms.ts';

/** Entries of a list on the page. */
export const LISTED_MAX = 50;
/** Own lots named beside a supplier's lot. */
const LOTS_NAMED_MAX = 5;

/** Lists that can be downloaded as CSV files. */
export const CSV_LISTS = ['lots', 'customers', 'shipments', 'suppliers'] as const;
export type CsvList = (typeof CSV_LISTS)[number];

interface Section {
  readonly id: string;
  readonly title: string;
  readonly lead?: string;
  /** How many there are. */
  /** The term that the title is a word for. */
  readonly termId?: TermId;
  readonly total: number;
  readonly none: string;
  readonly csv?: CsvList;
  readonly head: Parameters<typeof rowsTable>[0]['head'];
  /** The first entries. */
  readonly rows: readonly (readonly HtmlValue[])[];
  readonly after?: HtmlValue;
}

function listSection({ brand, asked }: ResultView, section: Section, reader: Reader): Html {
  const { id, title, termId, lead, total, none, csv, head, rows, after } = section;
  const words = reader.words.console.simulation;
  const { formats } = reader;
  return html`<section class="card" id="${id}" aria-labelledby="${id}-title">
    <div class="list-heading">
      <h2 id="${id}-title">
        ${termId === undefined ? title : term(termId, reader, title)}
        ${total === 0 ? '' : html`<small class="muted">${formats.number(total)}</small>`}
      </h2>
      ${
        csv === undefined || total === 0
          ? ''
          : html`<a
              class="button quiet small"
              href="${askedPath(brand, asked, `/${csv}.csv`)}"
              download
              >${icon('download')}${words.csv}<span class="hidden"> ${title}</span></a
            >`
      }
    </div>
    ${lead === undefined || total === 0 ? '' : html`<p class="hint">${lead}</p>`}
    ${rows.length === 0 ? emptyNote(none) : rowsTable({ caption: title, head, rows })}
    ${
      rows.length < total
        ? html`<p class="hint">
            ${words.shownCount(formats.number(rows.length), formats.number(total))}
          </p>`
        : ''
    }
    ${after ?? ''}
  </section>`;
}

export function lotList(view: ResultView, reader: Reader): Html {
  const { brand, simulation, productProfiles } = view;
  const words = reader.words.console.simulation;
  const { formats } = reader;
  const shown = simulation.affectedLots.slice(0, LISTED_MAX);
  return listSection(
    view,
    {
      id: 'lots',
      title: words.lotsTitle,
      total: simulation.affectedLots.length,
      none: words.noLots,
      csv: 'lots',
      head: [words.lot, words.product, words.relation, words.state, { number: words.remaining }],
      rows: shown.map((lot) => [
        lotLink(brand, lot.lotCode),
        product(lot.productSku, productProfiles.get(lot.productSku)?.names, reader),
        html`${words.relations[lot.relation]}
        ${lot.distance < 2 ? '' : html`<small class="muted">${words.hops(formats.number(lot.distance))}</small>`}`,
        html`${lotStatusChip(lot.status, reader)} ${holdChip(lot.holdStatus, reader)}`,
        amountsText(
          lot.quantities.map(({ remaining, unit }) => ({ quantity: remaining, unit })),
          reader,
        ),
      ]),
    },
    reader,
  );
}

export function quantityList(view: ResultView, reader: Reader): Html {
  const words = reader.words.console.simulation;
  const { quantities } = summarizeImpact(view.simulation.impact);
  const shown = quantities.slice(0, LISTED_MAX);
  return listSection(
    view,
    {
      id: 'quantities',
      title: words.quantitiesTitle,
      total: quantities.length,
      none: words.noQuantities,
      csv: 'lots',
      head: [
        words.product,
        { number: words.remaining },
        { number: words.shipped },
        { number: words.sold },
        { number: words.disposed },
      ],
      rows: shown.map(({ product_sku: sku, unit, ...sums }) => [
        product(sku, view.productProfiles.get(sku)?.names, reader),
        ...[sums.remaining, sums.shipped, sums.sold, sums.disposed].map((quantity) =>
          amountText({ quantity, unit }, reader),
        ),
      ]),
    },
    reader,
  );
}

export function customerList(view: ResultView, reader: Reader): Html {
  const words = reader.words.console.simulation;
  const { formats } = reader;
  const { customers, unnamedSales } = view.simulation.impact;
  const all = [
    ...customers.slice(0, LISTED_MAX).map((one) => ({
      ...one,
      name: one.customerRef === null ? html`<em>${words.erased}</em>` : said(one.customerRef),
    })),
    ...unnamedSales.map((one) => ({ ...one, name: html`<em>${words.unnamed}</em>` })),
  ];
  return listSection(
    view,
    {
      id: 'customers',
      title: words.customersTitle,
      total: customers.length + unnamedSales.length,
      none: words.noCustomers,
      csv: 'customers',
      head: [
        words.customer,
        { number: words.counts.lots },
        { number: words.quantity },
        words.channels,
        words.soldBetween,
      ],
      rows: all.map((one) => [
        one.name,
        formats.number(one.lots),
        amountText(one, reader),
        html`${one.channels.map((channel, index) => html`${index === 0 ? '' : ', '}${said(channel)}`)}`,
        formats.dates(one.firstSoldAt, one.lastSoldAt),
      ]),
    },
    reader,
  );
}

export function placeList(view: ResultView, reader: Reader): Html {
  const { places, placeProfiles } = view;
  const words = reader.words.console.simulation;
  const { formats } = reader;
  return listSection(
    view,
    {
      id: 'places',
      title: words.placesTitle,
      total: places.length,
      none: words.noPlaces,
      csv: 'shipments',
      head: [
        words.place,
        { number: words.counts.shipments },
        { number: words.counts.lots },
        { number: words.quantity },
      ],
      rows: places
        .slice(0, LISTED_MAX)
        .map(({ location, shipments, lots, amounts }) => [
          place(location, placeProfiles.get(location), reader),
          formats.number(shipments),
          formats.number(lots),
          amountsText(amounts, reader),
        ]),
    },
    reader,
  );
}

export function supplierList(view: ResultView, reader: Reader): Html {
  const { brand, productProfiles } = view;
  const words = reader.words.console.simulation;
  const { suppliers } = view.simulation.impact;
  return listSection(
    view,
    {
      id: 'suppliers',
      title: words.suppliersTitle,
      total: suppliers.length,
      none: words.noSuppliers,
      csv: 'suppliers',
      head: [words.supplier, words.supplierLot, words.product, words.ownLots],
      rows: suppliers
        .slice(0, LISTED_MAX)
        .map(({ supplier_name: name, supplier_lot_code: code, productSku, lotCodes }) => [
          name === null ? html`<em>${words.noSupplier}</em>` : said(name),
          code === null ? '–' : html`<span class="code">${said(code)}</span>`,
          product(productSku, productProfiles.get(productSku)?.names, reader),
          namedLots(brand, lotCodes, reader),
        ]),
    },
    reader,
  );
}

function namedLots(brand: string, codes: readonly string[], reader: Reader): Html {
  const { moreLots } = reader.words.console.simulation;
  const more = codes.length - LOTS_NAMED_MAX;
  return html`${codes
    .slice(0, LOTS_NAMED_MAX)
    .map((lotCode, index) => html`${index === 0 ? '' : ', '}${lotLink(brand, lotCode)}`)}
  ${more > 0 ? moreLots(reader.formats.number(more)) : ''}`;
}

export function suspectList(view: ResultView, reader: Reader): Html {
  const { brand, asked, simulation, productProfiles } = view;
  const words = reader.words.console.simulation;
  const { formats } = reader;
  // A suspect that adds no lots is left out.
  const widening = simulation.suspects.filter(({ furtherLots }) => furtherLots > 0);
  return listSection(
    view,
    {
      id: 'suspects',
      title: words.suspectsTitle,
      termId: 'suspect',
      lead: words.suspectsLead,
      total: widening.length,
      none: words.noSuspects,
      head: [
        words.lot,
        words.product,
        { number: words.distance },
        { number: words.furtherLots },
        words.simulate,
      ],
      rows: widening.map(({ lotCode, productSku, distance, furtherLots }) => [
        lotLink(brand, lotCode),
        product(productSku, productProfiles.get(productSku)?.names, reader),
        formats.number(distance),
        formats.number(furtherLots),
        html`<a href="${askedPath(brand, { ...asked, lotCode, supplierName: undefined })}"
          >${words.simulate}<span class="hidden"> ${lotCode}</span></a
        >`,
      ]),
      after: simulation.suspectsTruncated ? html`<p class="hint">${words.suspectsCut}</p>` : '',
    },
    reader,
  );
}
