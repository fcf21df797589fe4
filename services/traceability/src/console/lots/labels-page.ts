// The labels of a lot: the symbol to see and to download as a picture, and the form of a sheet to print.
import { choice, field, said, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import {
  COLUMNS_DEFAULT,
  COLUMNS_MAX,
  LABELS_MAX,
  ROWS_DEFAULT,
  ROWS_MAX,
} from '../../labels/schema.ts';
import { PAPERS } from '../../labels/sheet.ts';
import { SYMBOLOGIES } from '../../labels/symbol.ts';
import type { LotRecord } from '../../lots/record.ts';
import type { ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { productName } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith } from '../filters.ts';
import { headed } from '../frame.ts';
import { renderProblem } from '../parts.ts';
import { brandPath, lotPagePath } from '../paths.ts';

export interface LabelsView {
  readonly brand: string;
  readonly record: LotRecord;
  readonly products: ProductProfiles;
  /** The form of a sheet that could not be made. */
  readonly form: FormState;
}

/** Pixels of the symbol on the page. */
const SYMBOL_PIXELS = 180;

export function labelsPage(view: LabelsView, reader: Reader): Html {
  const { brand, record, form } = view;
  const { lot: words, lots } = reader.words.console;
  const lotCode = record.lot_code;
  const path = lotPagePath(brand, lotCode);
  return headed({
    crumbs: [
      { href: brandPath(brand, 'lots'), label: lots.title },
      { href: path, label: said(lotCode) },
    ],
    heading: words.labels,
    summary: words.labelsLead,
    body: html`${renderProblem(form, reader)}
      <div class="lot">
        <div>${sheetForm(view, reader)}</div>
        <div class="lot-side">${symbolSection(view, reader)}</div>
      </div>`,
  });
}

function symbolSection({ brand, record, form }: LabelsView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const path = `${lotPagePath(brand, record.lot_code)}/label`;
  const { sku, symbology } = form.values;
  const svg = addressWith(path, { symbology, sku });
  const png = addressWith(path, { symbology, sku, format: 'png' });
  return html`<section class="card" aria-labelledby="symbol-title">
    <h2 id="symbol-title">${words.symbol}</h2>
    <p>
      <img
        class="symbol"
        src="${svg}"
        alt="${words.symbolLabel(record.lot_code)}"
        width="${SYMBOL_PIXELS}"
        height="${SYMBOL_PIXELS}"
      />
    </p>
    <p class="row">
      <a class="button quiet" href="${svg}" download="${record.lot_code}.svg"
        >${icon('download')}SVG</a
      >
      <a class="button quiet" href="${png}" download="${record.lot_code}.png"
        >${icon('download')}PNG</a
      >
    </p>
  </section>`;
}

function sheetForm({ brand, record, products, form }: LabelsView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const { languages } = reader;
  const skus = record.product_skus;
  return html`<form
    class="card correct"
    method="get"
    action="${lotPagePath(brand, record.lot_code)}/labels/sheet"
  >
    <h2>${words.sheet}</h2>
    <div class="correct-fields">
      ${choice({
        ...{ name: 'symbology', label: words.symbol, form },
        choices: SYMBOLOGIES.map((value) => ({ value, label: words.symbologies[value] })),
      })}
      ${
        skus.length < 2
          ? ''
          : choice({
              ...{ name: 'sku', label: reader.words.labels.fields.product_sku, form },
              choices: skus.map((sku) => ({ value: sku, label: formatName(sku) })),
            })
      }
      ${choice({
        ...{ name: 'paper', label: words.paper, form },
        choices: PAPERS.map((value) => ({ value, label: words.papers[value] })),
      })}
      ${numberField('columns', words.labelColumns, { max: COLUMNS_MAX, value: String(COLUMNS_DEFAULT) })}
      ${numberField('rows', words.labelRows, { max: ROWS_MAX, value: String(ROWS_DEFAULT) })}
      ${numberField('copies', words.copies, { max: LABELS_MAX, hint: words.copiesHint })}
      ${field({ name: 'module_mm', label: words.moduleSize, form, hint: words.moduleHint })}
    </div>
    <button type="submit">${icon('print')}${words.makeSheet}</button>
  </form>`;

  function formatName(sku: string): string {
    const shown = productName(sku, products.get(sku)?.names, { ...reader, languages });
    return `${shown.text.replace(/<[^>]+>/g, '').trim()} (${sku})`;
  }

  function numberField(
    name: string,
    label: string,
    more: { readonly max: number; readonly value?: string; readonly hint?: string },
  ): Html {
    return field({ name, label, form, type: 'number', min: 1, ...more });
  }
}
