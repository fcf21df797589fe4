// The page at `/explorer`: the chain and its state, and its blocks, which a reader may filter by
// brand, type and day.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { Static } from 'typebox';
import type { BlockWindow } from '../../explorer/block-pages.ts';
import { BLOCK_TYPES, isNarrowed, type BlockFilter } from '../../explorer/filter.ts';
import type { StatsSchema } from '../../explorer/schema.ts';
import type { LogStanding } from '../../log/standing.ts';
import { BRAND_MAX, blockLink, code, readersTime, verdict } from '../fragments.ts';
import type { Page } from '../layout.ts';
import { logModule, logSection } from '../log-words.ts';
import type { Reader } from '../words/reader.ts';
import { LIST_ID, blockList, pager, type ListedBlocks } from './block-list.ts';
import { copiedHash, typeWords } from './pieces.ts';
import { searchForm } from './search-form.ts';

export function overviewPage(
  answer: {
    readonly stats: Static<typeof StatsSchema>;
    readonly found: BlockWindow & ListedBlocks;
    readonly filter: BlockFilter;
    /** The state of the newest block in the log. */
    readonly standing: LogStanding;
  },
  reader: Reader,
): Page {
  const { stats, found, filter, standing } = answer;
  const { words } = reader;
  const { explorer } = words;
  return {
    title: explorer.title,
    ...logModule(standing),
    body: html`
      <h1>${explorer.title}</h1>
      ${verdict(stats.chain_valid, stats.chain_valid ? explorer.valid : explorer.invalid)}
      ${searchForm(reader)} ${figures(stats, reader)}
      <section aria-labelledby="${LIST_ID}">
        <h2 id="${LIST_ID}">${explorer.list.title}</h2>
        ${filterForm(filter, reader)} ${narrowedTo(filter, reader)} ${blockList(found, reader)}
        ${pager(found, listPath('/explorer', filter), reader)}
        <p><a href="${listPath('/public/explorer/blocks', filter)}">${explorer.list.asJson}</a></p>
      </section>
      ${aboutChain(stats, reader)} ${logSection(standing, { kind: 'block' }, reader)}
    `,
  };
}

function figures(stats: Static<typeof StatsSchema>, { words, formats }: Reader): Html {
  const { figures: names } = words.explorer;
  const figure = (name: string, value: number): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${formats.number(value)}</dd>
    </div>`;
  return html`<dl class="figures">
    ${figure(names.blocks, stats.blocks)} ${figure(names.transactions, stats.transactions)}
    ${figure(names.lots, stats.lots)} ${figure(names.brands, stats.brands)}
  </dl>`;
}

function aboutChain(stats: Static<typeof StatsSchema>, reader: Reader): Html {
  const { chain } = reader.words.explorer;
  const verifiedAt = stats.verified_at === null ? null : readersTime(stats.verified_at, reader);
  return html`<section aria-labelledby="chain">
    <h2 id="chain">${chain.title}</h2>
    <dl class="facts">
      <dt>${chain.newest}</dt>
      <dd>${blockLink(stats.height, reader)} ${copiedHash(stats.tip_hash, reader)}</dd>
      <dt>${chain.name}</dt>
      <dd>${copiedHash(stats.chain_id, reader)}</dd>
      <dt>${chain.verified}</dt>
      <dd>${chain.verifiedThrough(reader.formats.number(stats.verified_through), verifiedAt)}</dd>
    </dl>
  </section>`;
}

/** An address of the list with what narrows it. */
function listPath(path: string, filter: BlockFilter): string {
  const query = new URLSearchParams(
    Object.entries({
      brand: filter.brand,
      event_type: filter.type,
      recorded_from: filter.recordedFrom,
      recorded_to: filter.recordedTo,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function filterForm(filter: BlockFilter, reader: Reader): Html {
  const { list } = reader.words.explorer;
  return html`<details class="fold">
    <summary>${list.narrow}</summary>
    <form class="narrow" action="/explorer#${LIST_ID}" method="get">
      <div class="field">
        <label for="brand">${list.brand}</label>
        <input
          id="brand"
          name="brand"
          value="${filter.brand}"
          maxlength="${BRAND_MAX}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />
      </div>
      <div class="field">
        <label for="event_type">${list.type}</label>
        <select id="event_type" name="event_type">
          <option value="">${list.anyType}</option>
          ${BLOCK_TYPES.map(
            (type) =>
              html`<option value="${type}" ${type === filter.type ? html`selected` : null}>
                ${typeWords(type, reader)}
              </option>`,
          )}
        </select>
      </div>
      <div class="field">
        <label for="recorded_from">${list.from}</label>
        <input id="recorded_from" name="recorded_from" type="date" value="${filter.recordedFrom}" />
      </div>
      <div class="field">
        <label for="recorded_to">${list.to}</label>
        <input id="recorded_to" name="recorded_to" type="date" value="${filter.recordedTo}" />
      </div>
      <p class="row"><button type="submit">${list.show}</button></p>
    </form>
  </details>`;
}

/** Writes the filters of the list for readers who do not open the form. */
function narrowedTo(filter: BlockFilter, reader: Reader): Html | null {
  if (!isNarrowed(filter)) return null;
  const { list, pair } = reader.words.explorer;
  const day = (text: string) => reader.formats.date(`${text}T00:00:00Z`);
  const { brand, type, recordedFrom, recordedTo } = filter;
  return html`<ul class="chips">
    ${brand === undefined ? null : html`<li class="chip">${pair(list.brand, code(brand))}</li>`}
    ${type === undefined ? null : html`<li class="chip">${typeWords(type, reader)}</li>`}
    ${recordedFrom === undefined ? null : html`<li class="chip">${list.from} ${day(recordedFrom)}</li>`}
    ${recordedTo === undefined ? null : html`<li class="chip">${list.to} ${day(recordedTo)}</li>`}
    <li><a class="chip" href="/explorer#${LIST_ID}">${icon('close')} ${list.showAll}</a></li>
  </ul>`;
}
