// The page a consumer sees of a lot: is what was recorded unchanged, are there notices, what happened
// to it, and how to check all that.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Verification } from '../verification/schema.ts';
import { blockLink, code, hash, lotLink, lotPath, time, verdict, wideTable } from './fragments.ts';
import { channelWords, eventWords, holdWords, statusWords } from './labels.ts';
import type { Page } from './layout.ts';
import { noticeArticle } from './notice.ts';

type Step = Verification['steps'][number];

export function lotPage(lot: Verification): Page {
  return {
    title: `Lot ${lot.lot.lot_code}`,
    body: html`
      <h1>Lot ${code(lot.lot.lot_code)}</h1>
      <p class="lead">
        <bdi>${lot.brand.name}</bdi>, product ${code(lot.lot.product_sku)}. Status:
        ${statusWords(lot.lot.status)}, ${holdWords(lot.lot.hold_status)}.
      </p>
      ${notices(lot)} ${verdictOn(lot)} ${hold(lot)} ${journey(lot)} ${channels(lot)} ${proven(lot)}
      ${proof(lot)} ${otherBrands(lot)}
    `,
  };
}

function verdictOn(lot: Verification): Html {
  return lot.verified
    ? verdict(
        true,
        html`<strong>Verified.</strong> What <bdi>${lot.brand.name}</bdi> recorded about this lot is
          unchanged.`,
      )
    : verdict(
        false,
        html`<strong>Not verified.</strong> What is stored does not agree with the chain. Until the
          operator has checked it, nothing on this page is proven.`,
      );
}

function hold(lot: Verification): Html | null {
  if (lot.lot.hold_status !== 'on_hold') return null;
  return html`<p class="verdict bad">
    <span class="icon" aria-hidden="true">!</span> <strong>On hold.</strong>
    <bdi>${lot.brand.name}</bdi> has stopped this lot: it is not to be used until it is released.
  </p>`;
}

function notices(lot: Verification): Html {
  return html`<section class="notices" aria-labelledby="notices">
    <h2 id="notices">Recall notices</h2>
    ${
      lot.notices.length === 0
        ? html`<p>There is no open recall notice for this lot.</p>`
        : lot.notices.map((notice) => noticeArticle(notice))
    }
  </section>`;
}

function journey(lot: Verification): Html {
  return html`<section aria-labelledby="journey">
    <h2 id="journey">Journey</h2>
    <p>
      <bdi>${lot.journey_title}</bdi>.${lot.steps.length === 0 ? null : ' All times are in UTC.'}
    </p>
    ${
      lot.steps.length === 0
        ? html`<p>
            No step of this lot counts now. What was recorded stands in the blocks below, with the
            corrections.
          </p>`
        : html`<ol class="journey">
            ${entriesOf(lot.steps).map((steps) => entry(steps, lot))}
          </ol>`
    }
  </section>`;
}

/** Steps of one event follow each other: they are one entry with several lots. */
function entriesOf(steps: readonly Step[]): readonly (readonly [Step, ...Step[]])[] {
  const entries: [Step, ...Step[]][] = [];
  for (const step of steps) {
    const last = entries.at(-1);
    if (last !== undefined && isSameEvent(last[0], step)) last.push(step);
    else entries.push([step]);
  }
  return entries;
}

function isSameEvent(a: Step, b: Step): boolean {
  const keys = ['event_type', 'occurred_at', 'location', 'channel', 'note'] as const;
  if (!keys.every((key) => a[key] === b[key])) return false;
  return (a.corrected_by ?? []).join() === (b.corrected_by ?? []).join();
}

function entry(steps: readonly [Step, ...Step[]], lot: Verification): Html {
  const [step] = steps;
  const channel = step.channel === null ? null : html`, through ${channelWords(step.channel)}`;
  return html`<li>
    <p class="when">${time(step.occurred_at)}</p>
    <p><strong>${eventWords(step.event_type)}</strong> at <bdi>${step.location}</bdi>${channel}</p>
    ${steps.map((one) => html`<p class="which">${whichLot(one, lot)}</p>`)}
    ${step.note === null ? null : html`<p class="note"><bdi>${step.note}</bdi></p>`}
    ${corrected(step)}
  </li>`;
}

/** Blocks that corrected a step, by name; the page of the first leads to the step as it was. */
const CORRECTED_BY_SHOWN_MAX = 5;

function corrected(step: Step): Html | null {
  const heights = step.corrected_by ?? [];
  if (heights.length === 0) return null;
  const shown = heights.slice(0, CORRECTED_BY_SHOWN_MAX);
  const more = heights.length - shown.length;
  return html`<p class="which">
    Shown as corrected by the brand afterwards:
    ${shown.map((height, index) => html`${index === 0 ? null : ', '}${blockLink(height)}`)}${
      more > 0 ? ` and ${more} more` : null
    }
  </p>`;
}

function whichLot(step: Step, lot: Verification): Html {
  const product = html`product ${code(step.product_sku)}`;
  return step.lot_code === lot.lot.lot_code
    ? html`This lot, ${product}`
    : html`Source lot ${lotLink(step.lot_code, lot.brand.id)}, ${product}`;
}

function channels(lot: Verification): Html {
  return html`<section aria-labelledby="channels">
    <h2 id="channels">Where it was sold</h2>
    ${
      lot.channels_reached.length === 0
        ? html`<p>No sale with a known channel has been recorded.</p>`
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
      These blocks carry the lot, or correct what does. Each has been hashed again for this page,
      and so can you: a block’s page shows its text and how to hash it.
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
            >, product ${code(brand.product_sku)}
          </li>`,
      )}
    </ul>
  </section>`;
}
