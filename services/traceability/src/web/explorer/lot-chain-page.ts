// The page of all blocks of one lot, newest first, each with its proof. For a code of several
// brands, the page first lets people choose the brand.
import { html } from '@lothub/kit/html';
import type { BlockWindow } from '../../explorer/block-pages.ts';
import { proofPath } from '../../log/proof-path.ts';
import type { LogStanding } from '../../log/standing.ts';
import type { LotRow } from '../../lots/queries.ts';
import { toPublicBrand } from '../../lots/profiles/brand-texts.ts';
import { brandName, code, lotPath } from '../fragments.ts';
import type { Page } from '../layout.ts';
import type { Reader } from '../words/reader.ts';
import { LIST_ID, blockList, pager } from './block-list.ts';
import { lotChainPath } from './pieces.ts';

export function lotChainPage(
  shown: {
    readonly lot: LotRow;
    readonly found: BlockWindow;
    readonly brandNames: ReadonlyMap<string, string>;
    /** The state of the newest of these blocks that the log has signed. */
    readonly standing: LogStanding;
  },
  reader: Reader,
): Page {
  const { lot, found, brandNames, standing } = shown;
  const { lotCode, tenantId } = lot;
  const { lotChain: words, list } = reader.words.explorer;
  const isSigned = (height: number) => standing.kind === 'signed' && height <= standing.height;
  return {
    title: words.titleText(lotCode),
    body: html`
      <h1>${words.title(code(lotCode))}</h1>
      <p class="lead">${words.lead(brandName(toPublicBrand(lot), reader))}</p>
      <p><a href="${lotPath(lotCode, tenantId)}">${words.lotPage}</a></p>
      <section aria-labelledby="${LIST_ID}">
        <h2 id="${LIST_ID}">${list.title}</h2>
        ${blockList({ ...found, brandNames }, reader, (height) =>
          standing.kind === 'signed' && isSigned(height)
            ? html` <a href="${proofPath(standing.epoch, height)}"
                >${reader.words.log.proofFile}</a
              >`
            : null,
        )}
        ${pager(found, lotChainPath(lotCode, tenantId), reader)}
      </section>
    `,
  };
}

/** Lots of several brands that have the same code. */
export function chooseLotPage(lots: readonly LotRow[], lotCode: string, reader: Reader): Page {
  const { lotChain: words } = reader.words.explorer;
  return {
    title: words.titleText(lotCode),
    body: html`
      <h1>${words.title(code(lotCode))}</h1>
      <p class="lead">${words.several}</p>
      <ul class="cards">
        ${lots.map(
          (one) =>
            html`<li class="card">
              <p>
                <a class="whole" href="${lotChainPath(lotCode, one.tenantId)}"
                  >${brandName(toPublicBrand(one), reader)}</a
                >
              </p>
              <p>${code(one.productSku)}</p>
            </li>`,
        )}
      </ul>
    `,
  };
}
