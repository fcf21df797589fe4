// The genealogy of a lot: the drawing, how to search in it, and the table that says the same.
import { flag, message, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { at } from '@lothub/kit/present';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { brandPath, lotPagePath, simulationPath } from '../paths.ts';
import { MARKS, drawGraph, filled, listClasses, nodeBox, translation } from './drawing.ts';
import type { DrawingFormats } from './drawing.ts';
import { px } from '../../web/layered-drawing.ts';
import type { Graph } from './graph.ts';
import type { FoundLots } from './read-search.ts';
import type { ReadDrawing } from './read-drawing.ts';
import { COLUMNS, rowOrder, tableRow } from './rows.ts';
import { buildQuery, DEPTH_MAX, opened, type Asked } from './steps.ts';
import { term } from '../help/terms.ts';

/** As long as a text that is searched may be. */
export const SEARCH_CHARS_MAX = 200;

export interface GenealogyView {
  readonly brand: string;
  readonly brandName: string;
  readonly lotCode: string;
  readonly path: string;
  readonly asked: Asked;
  readonly drawing: ReadDrawing;
  /** The search of the address and its result, if there is one. */
  readonly search: { readonly text: string; readonly found: FoundLots } | undefined;
}

export function genealogyPage(view: GenealogyView, reader: Reader): Html {
  const { brand, lotCode, drawing } = view;
  const { genealogy: words, lots } = reader.words.console;
  const { graph } = drawing;
  const seed = drawing.known.lots.get(drawing.seedId);
  return headed({
    crumbs: [
      { href: brandPath(brand, 'lots'), label: lots.title },
      { href: lotPagePath(brand, lotCode), label: said(lotCode) },
    ],
    heading: html`${words.title} ${said(lotCode)}`,
    summary: html`${said(seed?.detail ?? '')} · ${words.lead}`,
    actions: html`<a class="button quiet" href="${simulationPath(brand, lotCode)}"
      >${words.simulate}</a
    >`,
    body: html`${graph.isFull ? message('note', words.drawing.full) : ''}
      <div class="genealogy" id="genealogy" ${renderStart(view, reader)}>
        ${tools(view, reader)} ${searchResult(view, reader)} ${renderDrawing(view, reader)}
        ${legend(reader)}
      </div>
      ${renderTable(graph, reader)}`,
  });
}

/** Writes the data that the module of the page starts with. */
function renderStart({ drawing, asked, path }: GenealogyView, reader: Reader): Html {
  const { known, seedId, steps } = drawing;
  const answers = steps.flatMap((step) => {
    const answer = known.answerTo(step);
    return answer === undefined ? [] : [{ isCut: false, ...answer, step, lots: [] }];
  });
  const start = { seedId, asked, steps, answers, lots: [...known.lots.values()] };
  return html`data-path="${path}" data-start="${JSON.stringify(start)}"
  data-words="${JSON.stringify(reader.words.console.genealogy.drawing)}"`;
}

function toDrawingFormats({ words, formats }: Reader): DrawingFormats & {
  readonly words: Reader['words']['console']['genealogy']['drawing'];
} {
  return { words: words.console.genealogy.drawing, number: (value) => formats.number(value) };
}

function tools({ path, asked, search }: GenealogyView, reader: Reader): Html {
  const { genealogy: words } = reader.words.console;
  const depths = Array.from({ length: DEPTH_MAX }, (_, index) => index + 1);
  return html`<div class="genealogy-tools">
    <form class="genealogy-search" method="get" action="${path}" role="search">
      <label class="hidden" for="genealogy-q">${words.searchLabel}</label>
      <input
        id="genealogy-q"
        name="q"
        type="search"
        maxlength="${SEARCH_CHARS_MAX}"
        placeholder="${words.searchLabel}"
        value="${search?.text ?? ''}"
        autocomplete="off"
      />
      <button class="quiet" type="submit">${icon('search')}${words.search}</button>
    </form>
    <p class="genealogy-depths">
      <span>${words.steps}</span>
      ${depths.map(
        (depth) =>
          html`<a
            href="${path}${buildQuery({ depth, open: [], shut: [] })}"
            ${flag('aria-current="true"', depth === asked.depth && asked.open.length === 0)}
            >${reader.formats.number(depth)}</a
          >`,
      )}
    </p>
    <div class="genealogy-zoom" role="group" aria-label="${words.zoom}" hidden>
      <button class="quiet" type="button" data-zoom="out" aria-label="${words.zoomOut}">−</button>
      <button class="quiet" type="button" data-zoom="in" aria-label="${words.zoomIn}">+</button>
      <button class="quiet" type="button" data-zoom="fit">${words.zoomFit}</button>
    </div>
  </div>`;
}

function searchResult({ search, path, asked }: GenealogyView, reader: Reader): Html {
  const { genealogy: words } = reader.words.console;
  if (search === undefined) return html`<div id="genealogy-found" role="status"></div>`;
  const { found } = search;
  return html`<div id="genealogy-found" role="status">
    ${
      found.hits.length === 0
        ? html`<p class="empty">${words.drawing.nothingFound}</p>`
        : html`<ul class="genealogy-hits">
            ${found.hits.map(({ code, spoken, drawing }) => {
              const way = buildQuery(opened(asked, { kind: 'way', code }));
              return html`<li><a href="${drawing ?? `${path}${way}`}">${said(spoken)}</a></li>`;
            })}
          </ul>`
    }
    ${found.isCut ? html`<p class="hint">${words.drawing.searchCut}</p>` : ''}
  </div>`;
}

function renderDrawing({ drawing, asked, path, lotCode }: GenealogyView, reader: Reader): Html {
  const { genealogy: words } = reader.words.console;
  const { graph } = drawing;
  const { places, links, bounds } = drawGraph(graph);
  const formats = { ...toDrawingFormats(reader), asked, path };
  const box = [bounds.left, bounds.top, bounds.width, bounds.height].map(px).join(' ');
  return html`<div
      class="genealogy-view"
      role="group"
      aria-label="${filled(words.drawingLabel, { lot: lotCode })}"
      aria-describedby="genealogy-keys"
      tabindex="0"
    >
      <svg
        viewBox="${box}"
        width="${px(bounds.width)}"
        height="${px(bounds.height)}"
        class="genealogy-drawing"
      >
        <g class="world">
          <g class="lines">
            ${[...links].map(
              ([key, { onward, back, dot }]) =>
                html`<g data-link="${key}"
                  ><path
                    d="${onward}"
                  />${back === '' ? '' : html`<path class="back" d="${back}" />`}${
                    dot === undefined
                      ? ''
                      : html`<circle cx="${px(dot.x)}" cy="${px(dot.y)}" r="3" />`
                  }</g
                >`,
            )}
          </g>
          <g class="nodes">
            ${graph.nodes.map(
              (node, index) =>
                html`<g
                  class="${listClasses(node)}"
                  data-node="${node.id}"
                  transform="${translation(at(places, index))}"
                  >${nodeBox(node, formats)}</g
                >`,
            )}
          </g>
        </g>
      </svg>
    </div>
    <div class="genealogy-chosen" hidden></div>
    <p class="hidden" role="status" id="genealogy-said"></p>
    <p class="hint genealogy-keys" id="genealogy-keys" hidden>${words.keys}</p>`;
}

function legend(reader: Reader): Html {
  const { genealogy: words } = reader.words.console;
  const sign = (mark: Html, label: HtmlValue): Html =>
    html`<li>
      <svg viewBox="-1 -1 18 18" width="18" height="18" aria-hidden="true">${mark}</svg>${label}
    </li>`;
  const frame = (name: string): Html =>
    html`<rect class="legend-${name}" x="0.5" y="2.500" width="15" height="11" rx="2.500" />`;
  return html`<ul class="genealogy-legend" aria-label="${words.legend}">
    ${sign(MARKS.recalled, words.legendRecalled)} ${sign(MARKS.held, words.legendHeld)}
    ${sign(frame('seed'), words.legendSeed)}
    ${sign(frame('supplier'), term('supplierLot', reader, words.legendSupplier))}
    ${sign(frame('group'), words.legendGroup)}
    ${sign(html`<path class="legend-back" d="M0 8h16" />`, words.legendBack)}
  </ul>`;
}

function renderTable({ nodes }: Graph, reader: Reader): Html {
  const { genealogy: words } = reader.words.console;
  const formats = toDrawingFormats(reader);
  return html`<section class="card" aria-labelledby="genealogy-table">
    <h2 id="genealogy-table">${words.tableTitle}</h2>
    <table class="rows genealogy-rows">
      <caption class="hidden">
        ${words.tableTitle}
      </caption>
      <thead>
        <tr>
          ${COLUMNS.map(
            (name) =>
              html`<th scope="col" ${flag('class="number"', name === 'distance')}>
                ${formats.words.columns[name]}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody id="genealogy-rows">
        ${rowOrder(nodes).map((node) => tableRow(node, formats))}
      </tbody>
    </table>
  </section>`;
}
