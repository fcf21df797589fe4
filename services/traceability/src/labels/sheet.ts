// A sheet of labels to print: an HTML document that holds all it needs, so that it prints the same from a file as from
// the hub. Sizes are in millimetres; what does not fit is refused before anything is drawn.
import { html, trustedHtml, type Html } from '@lothub/kit/html';
import { formatViewBox, lengthMm, type DrawnSymbol } from './symbol.ts';

export const PAPERS = ['a4', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];

interface PaperSize {
  /** As CSS names it. */
  readonly name: string;
  readonly widthMm: number;
  readonly heightMm: number;
}

const PAPER_SIZES: Readonly<Record<Paper, PaperSize>> = {
  a4: { name: 'A4', widthMm: 210, heightMm: 297 },
  letter: { name: 'letter', widthMm: 215.9, heightMm: 279.4 },
};

/** Printers leave less than this unprinted on each side. */
const MARGIN_MM = 8;
/** On each side of a label, so that a cut that is a little off hits no text. */
const PADDING_MM = 1.5;
/** Minimum room for the text beside a symbol, and below one; narrower text is unreadable. */
const TEXT_WIDTH_MM_MIN = 18;
const TEXT_HEIGHT_MM_MIN = 12;

export interface SheetLabel {
  readonly symbol: DrawnSymbol;
  readonly title: string;
  readonly subtitle: string;
  readonly lines: readonly string[];
}

export interface SheetForm {
  readonly paper: Paper;
  readonly columns: number;
  readonly rows: number;
  readonly moduleMm: number;
  /** Copies of each label. */
  readonly copies: number;
}

export interface Sheet {
  readonly html: Html;
  /** The one style of the document, for the policy that lets it apply. */
  readonly style: string;
}

/** Where a label's text is relative to its symbol; `fault` when there is no room for it. */
export type Arrangement = 'beside' | 'below' | { readonly fault: string };

/** Where the text of labels with this symbol goes. */
export function arrange(form: Omit<SheetForm, 'copies'>, symbol: DrawnSymbol): Arrangement {
  const { widthMm, heightMm } = labelSize(form);
  const inner = { widthMm: widthMm - 2 * PADDING_MM, heightMm: heightMm - 2 * PADDING_MM };
  const symbolWidth = symbol.widthModules * form.moduleMm;
  const symbolHeight = symbol.heightModules * form.moduleMm;
  const fits = symbolWidth <= inner.widthMm && symbolHeight <= inner.heightMm;
  if (fits && inner.widthMm - symbolWidth >= TEXT_WIDTH_MM_MIN) return 'beside';
  if (fits && inner.heightMm - symbolHeight >= TEXT_HEIGHT_MM_MIN) return 'below';
  return {
    fault:
      `A label of ${mm(widthMm)} by ${mm(heightMm)} has no room for a symbol of ${mm(symbolWidth)} by ` +
      `${mm(symbolHeight)} and its text: choose fewer columns or rows, or a smaller module_mm`,
  };
}

/** @param labels at least one, whose symbols all fit as `arrange` says */
export function renderSheet(labels: readonly SheetLabel[], form: SheetForm): Sheet {
  const style = renderStyle(labels, form);
  const all = labels.flatMap((label, index) =>
    Array.from({ length: form.copies }, () => ({ label, index })),
  );
  const perPage = form.columns * form.rows;
  const pages = Array.from({ length: Math.ceil(all.length / perPage) }, (_, page) =>
    all.slice(page * perPage, (page + 1) * perPage),
  );
  const title = labels[0]?.title ?? '';
  return {
    style,
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Labels: ${title}</title>
          <style>
            ${trustedHtml(style)}
          </style>
        </head>
        <body>
          <h1>Labels: <bdi>${title}</bdi></h1>
          <p class="hint">
            Print at 100 %, without fitting to the page: another size may not be read.
          </p>
          <svg class="drawn" aria-hidden="true">
            ${labels.map(({ symbol }, index) => definition(symbol, index))}
          </svg>
          ${pages.map(
            (page) =>
              html`<ul class="page">
                ${page.map(({ label, index }) => labelHtml(label, index))}
              </ul> `,
          )}
        </body>
      </html> `,
  };
}

function labelHtml({ symbol, title, subtitle, lines }: SheetLabel, index: number): Html {
  return html`<li>
    <svg
      class="symbol"
      viewBox="${formatViewBox(symbol)}"
      role="img"
      aria-label="Symbol of ${lines.join(' ')}"
    >
      <use href="#symbol-${index}" />
    </svg>
    <p>
      <strong><bdi>${title}</bdi></strong
      ><br /><bdi>${subtitle}</bdi>${lines.map((line) => html`<br /><bdi>${line}</bdi>`)}
    </p>
  </li> `;
}

/** Drawn once, however many copies there are. */
function definition(symbol: DrawnSymbol, index: number): Html {
  return html`<symbol id="symbol-${index}" viewBox="${formatViewBox(symbol)}"
    >${trustedHtml(symbol.shapes)}</symbol
  >`;
}

function renderStyle(labels: readonly SheetLabel[], form: SheetForm): string {
  const paper = PAPER_SIZES[form.paper];
  const { widthMm, heightMm } = labelSize(form);
  const largest = Math.max(...labels.map(({ symbol }) => symbol.widthModules)) * form.moduleMm;
  const [first] = labels;
  const direction = first && arrange(form, first.symbol) === 'below' ? 'column' : 'row';
  return (
    `@page{size:${paper.name};margin:0}` +
    '*{box-sizing:border-box}' +
    'body{margin:0;color:#000;background:#fff;font:7pt/1.25 system-ui,sans-serif}' +
    'h1,.hint{margin:4mm 8mm;font-size:12pt}.hint{font-size:10pt}' +
    '.drawn{position:absolute;width:0;height:0}' +
    `.page{list-style:none;margin:0 0 8mm;padding:${lengthMm(MARGIN_MM)};width:${lengthMm(paper.widthMm)};` +
    `height:${lengthMm(paper.heightMm)};display:grid;align-content:start;overflow:hidden;` +
    `grid-template-columns:repeat(${form.columns},${lengthMm(widthMm)});grid-auto-rows:${lengthMm(heightMm)}}` +
    `li{padding:${lengthMm(PADDING_MM)};overflow:hidden;display:flex;flex-direction:${direction};` +
    'align-items:center;gap:1mm;break-inside:avoid}' +
    `.symbol{flex:none;width:${lengthMm(largest)};height:auto;max-width:100%}` +
    'p{margin:0;min-width:0;overflow-wrap:anywhere}' +
    '@media print{h1,.hint{display:none}.page{margin:0;break-after:page}.page:last-child{break-after:auto}}'
  );
}

function labelSize({ paper, columns, rows }: Pick<SheetForm, 'paper' | 'columns' | 'rows'>) {
  const { widthMm, heightMm } = PAPER_SIZES[paper];
  return {
    widthMm: (widthMm - 2 * MARGIN_MM) / columns,
    heightMm: (heightMm - 2 * MARGIN_MM) / rows,
  };
}

function mm(length: number): string {
  return `${length.toFixed(1)} mm`;
}
