// The results of a search of the chain: lots, blocks, lines of events, and changes of corrections.
import { html, type Html } from '@lothub/kit/html';
import type { FoundInChain } from '../../explorer/search.ts';
import { code, lotLink } from '../fragments.ts';
import type { Page } from '../layout.ts';
import type { Reader } from '../words/reader.ts';
import { blockList } from './block-list.ts';
import { changesOfBlocks } from './corrections.ts';
import { foundLines } from './line-tables.ts';
import { searchForm } from './search-form.ts';

export function searchPage(
  q: string,
  found: FoundInChain & { readonly brandNames: ReadonlyMap<string, string> },
  reader: Reader,
): Page {
  const { search, figures, block, corrected } = reader.words.explorer;
  const { blocks, lots, transactions } = found;
  const lines = transactions.filter((one) => one.corrects_height === undefined);
  const changes = transactions.filter((one) => one.corrects_height !== undefined);
  const isEmpty = blocks.length + transactions.length + lots.length === 0;
  return {
    title: search.of(q),
    body: html`
      <h1>${search.title}</h1>
      ${searchForm(reader, q)}
      ${isEmpty ? html`<p class="empty">${search.nothing(code(q))}</p>` : null}
      ${
        lots.length === 0
          ? null
          : part(
              'found-lots',
              figures.lots,
              html`<ul>
                ${lots.map(
                  (lot) =>
                    html`<li>
                      ${search.lot(
                        lotLink(lot.lot_code, lot.brand),
                        code(lot.brand),
                        code(lot.product_sku),
                      )}
                    </li>`,
                )}
              </ul>`,
            )
      }
      ${blocks.length === 0 ? null : part('found-blocks', figures.blocks, blockList(found, reader))}
      ${lines.length === 0 ? null : part('found-lines', block.lines, foundLines(lines, reader))}
      ${
        changes.length === 0
          ? null
          : part('found-changes', corrected.several, changesOfBlocks(changes, reader))
      }
    `,
  };
}

function part(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}
