// Blocks below each other: cards on a narrow screen, lines of a table on a wide one. And the ways to the blocks
// that are newer and older.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { BlockWindow } from '../../explorer/block-pages.ts';
import { BELOW_ALL } from '../../explorer/list-query.ts';
import { findBlockBrand } from '../../explorer/views.ts';
import { blockLink, code, readersTime } from '../fragments.ts';
import type { Reader } from '../words/reader.ts';
import { copiedHash } from './pieces.ts';
import { renderSentence } from './sentences.ts';

/** The target of links to other pages of the list. */
export const LIST_ID = 'blocks';

export interface ListedBlocks extends Pick<BlockWindow, 'blocks' | 'steps'> {
  /** The public names of the brands, by their ids; a brand without a name is not in the map. */
  readonly brandNames: ReadonlyMap<string, string>;
}

export function blockList(
  { blocks, steps, brandNames }: ListedBlocks,
  reader: Reader,
  renderBeside: (height: number) => Html | null = () => null,
): Html {
  const { columns, list, hub, block: words } = reader.words.explorer;
  if (blocks.length === 0) return html`<p class="empty">${list.none}</p>`;
  return html`<div class="blocks-head" aria-hidden="true">
      <span>${columns.block}</span><span>${columns.what}</span><span>${columns.brand}</span
      ><span>${columns.recorded}</span><span>${columns.hash}</span>
    </div>
    <ol class="blocks">
      ${blocks.map((block) => {
        const brand = findBlockBrand(block.payload);
        return html`<li class="card">
          <p class="number">${blockLink(block.height, reader)}</p>
          <p class="what">
            ${block.sound ? null : html`<strong class="bad">${icon('bad')} ${words.notIntactShort}.</strong> `}
            ${renderSentence(block, steps, reader)}
          </p>
          <p class="brand">
            ${brand === null ? html`<span class="muted">${hub}</span>` : brandWords(brand, brandNames.get(brand))}
          </p>
          <p class="recorded">${readersTime(block.payload.recorded_at, reader)}</p>
          <p class="digest">${copiedHash(block.hash, reader)}${renderBeside(block.height)}</p>
        </li>`;
      })}
    </ol>`;
}

export function brandWords(brand: string, name: string | undefined): Html {
  if (name === undefined) return code(brand);
  return html`<bdi>${name}</bdi> <small>${code(brand)}</small>`;
}

/** @param path with its query, without `before` and `after` */
export function pager(
  { newer, older }: Pick<BlockWindow, 'newer' | 'older'>,
  path: string,
  { words }: Reader,
): Html | null {
  if (newer === null && older === null) return null;
  const names = words.explorer.pager;
  const at = (place: string): string =>
    `${path}${place === '' ? '' : `${path.includes('?') ? '&' : '?'}${place}`}#${LIST_ID}`;
  return html`<nav class="pager" aria-label="${names.label}">
    ${
      newer === null
        ? null
        : html`<a href="${at('')}">${names.newest}</a>
            <a rel="prev" href="${at(`after=${newer}`)}">${icon('back')} ${names.newer}</a>`
    }
    ${
      older === null
        ? null
        : html`<a rel="next" href="${at(`before=${older}`)}">${names.older} ${icon('next')}</a>
            <a href="${at(`after=${BELOW_ALL}`)}">${names.oldest}</a>`
    }
  </nav>`;
}
