// The page a consumer sees of a lot: is what was recorded unchanged, are there notices, what happened
// to it, and how to check all that.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { StepsOfEvent } from '../verification/journey.ts';
import type { Verification } from '../verification/schema.ts';
import type { VerifiedLot } from '../verification/verify-lot.ts';
import { decisionsOfLot } from './decisions.ts';
import {
  blockLink,
  code,
  hash,
  lotLink,
  lotPath,
  place,
  product,
  time,
  verdict,
  wideTable,
} from './fragments.ts';
import type { Languages } from './fragments.ts';
import type { LogStanding } from '../log/standing.ts';
import { channelWords, eventWords, holdWords, statusWords } from './labels.ts';
import type { Page } from './layout.ts';
import { logModule, logSection } from './log-words.ts';
import { noticeArticle } from './notice.ts';
import { openRecalls } from './shared-code-page.ts';

type Step = Verification['steps'][number];

/** Blocks named in a sentence. */
const BLOCKS_NAMED_MAX = 5;

/**
 * Of a lot that is not verified, what stands in blocks that verify and what warns; nothing that would
 * reassure.
 */
export function lotPage(verified: VerifiedLot, standing: LogStanding, languages: Languages): Page {
  const lot = verified.answer;
  return {
    title: `Lot ${lot.lot.lot_code}`,
    ...logModule(standing),
    body: html`
      <h1>Lot ${code(lot.lot.lot_code)}</h1>
      ${lead(lot, languages)} ${sharing(lot)} ${notices(lot, languages)} ${verdictOn(verified)}
      ${hold(lot)} ${journey(verified, languages)} ${decisionsOfLot(lot)} ${channels(lot)}
      ${proven(lot)} ${proof(lot)}
      ${logSection(standing, { kind: 'lot', evidencePath: evidencePath(lot) })} ${otherBrands(lot)}
    `,
  };
}

function lead(lot: Verification, languages: Languages): Html {
  const { status, hold_status: holdStatus } = lot.lot;
  const warnings = [
    ...(lot.verified || status === 'recalled' ? [statusWords(status)] : []),
    ...(lot.verified || holdStatus === 'on_hold' ? [holdWords(holdStatus)] : []),
  ];
  return html`<p class="lead">
    <bdi>${lot.brand.name}</bdi>, product
    ${product(lot.lot.product_sku, lot.product?.names, languages)}.${warnings.length === 0 ? null : ` Status: ${warnings.join(', ')}.`}
  </p>`;
}

function sharing(lot: Verification): Html | null {
  if (lot.other_brands.length === 0) return null;
  const recalled = lot.other_brands.some((brand) => brand.open_notices > 0);
  return html`<p>
    Other brands use the same lot
    code${recalled ? html`, and <strong class="bad">some of it is recalled</strong>` : null}.
    <a href="${lotPath(lot.lot.lot_code)}">Choose another brand</a>
  </p>`;
}

function verdictOn({ answer: lot, unverified }: VerifiedLot): Html {
  if (lot.verified) {
    return verdict(
      true,
      html`<strong>Verified.</strong> What <bdi>${lot.brand.name}</bdi> recorded about this lot is
        unchanged.`,
    );
  }
  if (unverified.length === 0) {
    return verdict(
      false,
      html`<strong>Not verified.</strong> What is stored does not agree with the chain. Until the
        operator has checked it, nothing on this page is proven.`,
    );
  }
  return verdict(
    false,
    html`<strong>Not verified.</strong> What is stored does not agree with the chain: of the blocks
      of this lot, ${named(unverified)} ${unverified.length === 1 ? 'does' : 'do'} not verify. This
      page shows what stands in blocks that do. The rest cannot be trusted until the operator has
      checked it.`,
  );
}

/** Blocks as links in a sentence; the first of many. */
function named(heights: readonly number[]): Html {
  const shown = heights.slice(0, BLOCKS_NAMED_MAX);
  const more = heights.length - shown.length;
  return html`${shown.map((height, index) => html`${index === 0 ? null : ', '}${blockLink(height)}`)}${
    more > 0 ? ` and ${more} more` : null
  }`;
}

function hold(lot: Verification): Html | null {
  if (lot.lot.hold_status !== 'on_hold') return null;
  return html`<p class="verdict bad">
    <span class="icon" aria-hidden="true">!</span> <strong>On hold.</strong>
    <bdi>${lot.brand.name}</bdi> has stopped this lot: it is not to be used until it is released.
  </p>`;
}

function notices(lot: Verification, languages: Languages): Html {
  return html`<section class="notices" aria-labelledby="notices">
    <h2 id="notices">Recall notices</h2>
    ${lot.notices.map((notice) => noticeArticle(notice, languages))} ${otherNotices(lot)}
  </section>`;
}

/** What is known besides the notices that are shown: of a lot that is not verified, nothing. */
function otherNotices(lot: Verification): Html | null {
  const hasNone = lot.notices.length === 0;
  if (lot.verified) {
    return hasNone ? html`<p>There is no open recall notice for this lot.</p>` : null;
  }
  return html`<p class="verdict bad">
    <span class="icon" aria-hidden="true">!</span>
    ${hasNone ? 'Whether this lot is recalled' : 'Whether there are further recalls of this lot'}
    cannot be told from here. Ask <bdi>${lot.brand.name}</bdi> before you use it.
  </p>`;
}

function journey(verified: VerifiedLot, languages: Languages): Html {
  const { answer: lot, events } = verified;
  return html`<section aria-labelledby="journey">
    <h2 id="journey">Journey</h2>
    ${lot.verified ? wholeStory(lot) : partOfStory(lot)}
    ${
      events.length === 0
        ? null
        : html`<ol class="journey">
            ${events.map((steps) => entry(steps, verified, languages))}
          </ol>`
    }
  </section>`;
}

function wholeStory(lot: Verification): Html {
  return html`<p>
      <bdi>${lot.journey_title}</bdi>.${lot.steps.length === 0 ? null : ' All times are in UTC.'}
    </p>
    ${
      lot.steps.length === 0
        ? html`<p>
            No step of this lot counts now. What was recorded stands in the blocks below, with the
            corrections.
          </p>`
        : null
    }`;
}

function partOfStory(lot: Verification): Html {
  return lot.steps.length === 0
    ? html`<p>No step of this lot can be read from a block that verifies.</p>`
    : html`<p>
        These steps stand in blocks that verify. Others may be missing. All times are in UTC.
      </p>`;
}

function entry(steps: StepsOfEvent, verified: VerifiedLot, languages: Languages): Html {
  const [step] = steps;
  return html`<li>
    <p class="when">${time(step.occurred_at)}</p>
    <p>
      <strong>${eventWords(step.event_type)}</strong> at
      ${place(step.location, step.place)}${through(steps)}
    </p>
    ${steps.map((one) => html`<p class="which">${whichLot(one, verified, languages)}</p>`)}
    ${step.note === null ? null : html`<p class="note"><bdi>${step.note}</bdi></p>`}
    ${corrected(steps)}
  </li>`;
}

/** The channels of a sale; two lines of one may name different ones. */
function through(steps: StepsOfEvent): Html | null {
  const classes = new Set(steps.flatMap((step) => step.channel ?? []));
  return classes.size === 0
    ? null
    : html`, through ${[...classes].map(channelWords).join(' and ')}`;
}

/** The blocks that corrected the steps; the page of the first leads to the event as it was. */
function corrected(steps: StepsOfEvent): Html | null {
  const heights = new Set(steps.flatMap((step) => step.corrected_by ?? []));
  if (heights.size === 0) return null;
  return html`<p class="which">
    Shown as corrected by the brand afterwards: ${named([...heights].sort((a, b) => a - b))}
  </p>`;
}

function whichLot(step: Step, { answer: lot, products }: VerifiedLot, languages: Languages): Html {
  const { product_sku: sku } = step;
  const which = html`product ${product(sku, products.get(sku)?.names, languages)}`;
  return step.lot_code === lot.lot.lot_code
    ? html`This lot, ${which}`
    : html`Source lot ${lotLink(step.lot_code, lot.brand.id)}, ${which}`;
}

function channels(lot: Verification): Html {
  const none = lot.verified
    ? 'No sale with a known channel has been recorded.'
    : 'No sale with a known channel can be read from a block that verifies.';
  return html`<section aria-labelledby="channels">
    <h2 id="channels">Where it was sold</h2>
    <p>
      ${
        lot.channels_reached.length === 0
          ? none
          : 'This lot, or what was packed or made of it, was sold through:'
      }
    </p>
    ${
      lot.channels_reached.length === 0
        ? null
        : html`<ul>
            ${lot.channels_reached.map((channel) => html`<li>${channelWords(channel)}</li>`)}
          </ul>`
    }
  </section>`;
}

function proven(lot: Verification): Html {
  return html`<section aria-labelledby="proven">
    <h2 id="proven">What is proven, and what is not</h2>
    <p>${lot.trust.statement}</p>
    <dl>
      <dt>Whose word it is</dt>
      <dd><bdi>${lot.trust.data_owner}</bdi> (${code(lot.brand.id)})</dd>
      <dt>Who keeps the chain</dt>
      <dd>${lot.trust.hub}</dd>
      <dt>State of the whole chain</dt>
      <dd>
        ${
          lot.ledger.chain_valid
            ? 'no difference is known between what is stored and what was hashed'
            : 'what is stored differs from what was hashed'
        }
      </dd>
      <dt>Newest block</dt>
      <dd>${blockLink(lot.ledger.height)}: ${hash(lot.ledger.tip_hash)}</dd>
      <dt>Name of the chain</dt>
      <dd>${hash(lot.ledger.chain_id)}</dd>
    </dl>
  </section>`;
}

function proof(lot: Verification): Html {
  return html`<section aria-labelledby="proof">
    <h2 id="proof">Proof</h2>
    <p>
      These blocks carry the lot, correct what does, or say what was decided about it. Each has been
      hashed again for this page, and so can you: a block’s page shows its text and how to hash it.
    </p>
    ${wideTable(
      'Blocks that carry this lot',
      ['Block', 'Hash (SHA-256)'],
      lot.proof.map(
        ({ height, block_hash: blockHash }) =>
          html`<tr>
            <td>${blockLink(height)}</td>
            <td>${hash(blockHash)}</td>
          </tr>`,
      ),
    )}
    ${
      lot.truncated
        ? html`<p>There is more about this lot than this page shows: see the explorer.</p>`
        : null
    }
  </section>`;
}

function evidencePath(lot: Verification): string {
  const query = new URLSearchParams({ brand: lot.brand.id });
  return `/public/verify/${encodeURIComponent(lot.lot.lot_code)}/evidence?${query.toString()}`;
}

function otherBrands(lot: Verification): Html | null {
  if (lot.other_brands.length === 0) return null;
  return html`<section aria-labelledby="others">
    <h2 id="others">Other brands with this lot code</h2>
    <p>Is your product of another brand? These use the same code:</p>
    <ul>
      ${lot.other_brands.map(
        (brand) =>
          html`<li>
            <a href="${lotPath(lot.lot.lot_code, brand.id)}"><bdi>${brand.name}</bdi></a
            >, product ${code(brand.product_sku)}${openRecalls(brand.open_notices)}
          </li>`,
      )}
    </ul>
  </section>`;
}
