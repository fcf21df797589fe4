// The page of a lot for consumers, from the top: may it be used, which product it is, its origin,
// where it was sold, and the proof. Folds contain the rest. The page of a lot that is not verified
// shows only blocks that verify and warnings; it shows nothing that would reassure.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { isDecisionPayload } from '../../ledger/record/payload-shape.ts';
import type { LogStanding } from '../../log/standing.ts';
import type { Verification } from '../../verification/schema.ts';
import type { SaidDecisions } from '../../verification/decided.ts';
import type { VerifiedLot } from '../../verification/verify-lot.ts';
import { renderSentence } from '../explorer/sentences.ts';
import { blockLink, brandName, fold, lotPath, product, productName, time } from '../fragments.ts';
import { channelWords, eventWords } from '../labels.ts';
import type { Page } from '../layout.ts';
import { logModule } from '../log-words.ts';
import { noticeArticle } from '../notice.ts';
import { openRecalls } from '../shared-code-page.ts';
import { watchSection, type WatchOffer, type WatchedPage } from '../watching/section.ts';
import type { Reader } from '../words/reader.ts';
import { aboutCard } from './about-card.ts';
import { proof, proofInDetail } from './proof.ts';
import { allEvents, story } from './story.ts';
import { verdictBox } from './verdict-box.ts';

export interface LotPageOptions {
  readonly standing: LogStanding;
  /** The ways of notifying people of recalls; undefined: none. */
  readonly watchOffer?: WatchOffer | undefined;
}

export function lotPage(
  verified: VerifiedLot,
  { standing, watchOffer }: LotPageOptions,
  reader: Reader,
): Page {
  const lot = verified.answer;
  const words = reader.words.lot;
  return {
    title: words.title(lot.lot.lot_code),
    ...logModule(standing),
    body: html`<article class="lot">
      ${verdictBox(verified, reader)} ${aboutProduct(lot, reader)} ${sharing(lot, reader)}
      ${story(verified, reader)} ${allEvents(verified, reader)} ${sold(lot, reader)}
      ${watchSection(watchOffer, watchedPage(lot, reader), reader)}
      ${proof(verified, standing, reader)} ${aboutRecalls(verified, reader)}
      ${proofInDetail(verified, standing, reader)} ${otherBrands(lot, reader)}
    </article>`,
  };
}

function watchedPage({ lot, product: profile, brand }: Verification, reader: Reader): WatchedPage {
  const { lot_code: lotCode, product_sku: sku } = lot;
  return { brand: brand.id, lotCode, product: productName(sku, profile?.names, reader) };
}

function aboutProduct({ lot, product: profile, brand }: Verification, reader: Reader): Html {
  const about = {
    sku: lot.product_sku,
    names: profile?.names,
    pictureUrl: profile?.picture_url ?? null,
    brand,
    lotCode: lot.lot_code,
  };
  return aboutCard(about, reader);
}

function sharing(lot: Verification, { words }: Reader): Html | null {
  if (lot.other_brands.length === 0) return null;
  const isRecalled = lot.other_brands.some((brand) => brand.open_notices > 0);
  const { chooseBrand, sharing: alone, sharingRecalled } = words.lot;
  return html`<p>
    ${isRecalled ? sharingRecalled : alone}
    <a href="${lotPath(lot.lot.lot_code)}">${chooseBrand}</a>
  </p>`;
}

function sold(lot: Verification, reader: Reader): Html {
  const words = reader.words.lot;
  const channels = lot.channels_reached.map((channel) => channelWords(channel, reader));
  const none = lot.verified ? words.noSale : words.noSaleVerifies;
  return html`<section class="sold" aria-labelledby="sold">
    <h2 id="sold">${words.sold}</h2>
    <p>${channels.length === 0 ? none : words.soldThrough(reader.formats.list(channels))}</p>
  </section>`;
}

/** Shows the notices as on their own pages, and the decisions about the lot. */
function aboutRecalls({ answer: lot, decided }: VerifiedLot, reader: Reader): Html | null {
  if (lot.notices.length === 0) return decisionsFolded(decided, reader);
  const { aboutRecall, aboutRecalls: aboutSeveral } = reader.words.lot;
  return fold({
    icon: icon('critical'),
    heading: lot.notices.length === 1 ? aboutRecall : aboutSeveral,
    content: html`${lot.notices.map((notice) => noticeArticle(notice, reader))}
    ${decisionsUnderHeading(decided, reader)}`,
  });
}

function decisionsFolded(decided: SaidDecisions, reader: Reader): Html | null {
  const content = decisionsOfLot(decided, reader);
  if (content === null) return null;
  return fold({ icon: icon('history'), heading: reader.words.lot.decisions, content });
}

/** Most are steps and holds of these recalls. */
function decisionsUnderHeading(decided: SaidDecisions, reader: Reader): Html | null {
  const content = decisionsOfLot(decided, reader);
  if (content === null) return null;
  return html`<h3>${reader.words.lot.decisions}</h3>
    ${content}`;
}

function otherBrands(lot: Verification, reader: Reader): Html | null {
  if (lot.other_brands.length === 0) return null;
  const words = reader.words.lot;
  return fold({
    icon: icon('group'),
    heading: words.otherBrands,
    content: html`<p>${words.otherBrandsIntro}</p>
      <ul>
        ${lot.other_brands.map(
          (brand) =>
            html`<li>
              <a href="${lotPath(lot.lot.lot_code, brand.id)}">${brandName(brand, reader)}</a>,
              ${product(brand.product_sku, undefined, reader)}${openRecalls(
                brand.open_notices,
                reader,
              )}
            </li>`,
        )}
      </ul>`,
  });
}

/**
 * Writes the decisions about a lot, each with its block. The template escapes all texts of brands
 * and rows.
 */
function decisionsOfLot({ blocks, steps }: SaidDecisions, reader: Reader): Html | null {
  if (blocks.length === 0) return null;
  return html`<ol class="journey">
    ${blocks.map((block) => {
      const { height, payload } = block;
      if (!isDecisionPayload(payload)) return null;
      return html`<li>
        <p class="when">${time(payload.decision.at, reader)}</p>
        <p><strong>${eventWords(payload.type, reader)}</strong> (${blockLink(height, reader)})</p>
        <p class="note">${renderSentence(block, steps, reader)}</p>
      </li>`;
    })}
  </ol>`;
}
