// The origin of a lot: its milestones, and all events in a fold.
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { StepsOfEvent } from '../../verification/journey.ts';
import type { Verification } from '../../verification/schema.ts';
import type { VerifiedLot } from '../../verification/verify-lot.ts';
import {
  fold,
  listed,
  lotLink,
  place,
  placeName,
  product,
  productName,
  time,
} from '../fragments.ts';
import { channelWords, eventWords } from '../labels.ts';
import type { Reader } from '../words/reader.ts';
import { findTimeZone, listMilestones, type Milestone, type Stage } from './milestones.ts';
import { blocksInWords } from './proof.ts';

type Step = Verification['steps'][number];

/** Products named at a milestone. */
const PRODUCTS_NAMED_MAX = 4;

const ICONS: Readonly<Record<Stage, IconName>> = {
  received: 'farm',
  made: 'mix',
  packed: 'box',
  moved: 'truck',
  sold: 'store',
  disposed: 'return',
};

export function story(verified: VerifiedLot, reader: Reader): Html {
  const { answer: lot, events } = verified;
  const words = reader.words.lot;
  const milestones = listMilestones(events, lot.lot.lot_code);
  return html`<section aria-labelledby="story">
    <h2 id="story">${words.story}</h2>
    ${remark(lot, reader)}
    ${
      milestones.length === 0
        ? null
        : html`<ol class="milestones">
            ${milestones.map((one, index) => html`<li>${milestone(one, verified, { reader, named: new Set(milestones.slice(0, index).flatMap(({ otherSkus }) => otherSkus)) })}</li>`)}
          </ol>`
    }
  </section>`;
}

/** Writes the remark that a reader needs before the story. */
function remark({ steps, verified }: Verification, { words }: Reader): Html | null {
  const { noStepCounts, noStepVerifies, partOfStory } = words.lot;
  const hasNone = steps.length === 0;
  if (verified) return hasNone ? html`<p>${noStepCounts}</p>` : null;
  return html`<p>${hasNone ? noStepVerifies : partOfStory}</p>`;
}

/** @param options.named SKUs that milestones before it have named: they are not named again */
function milestone(
  one: Milestone,
  { products }: VerifiedLot,
  options: { readonly reader: Reader; readonly named: ReadonlySet<string> },
): Html {
  const { reader } = options;
  const { formats, words } = reader;
  const skus = one.otherSkus.filter((sku) => !options.named.has(sku));
  const { ingredients, more, places: placesWords, stages, utc } = words.lot;
  const [first] = one.places;
  const zone = findTimeZone(one.places);
  const days = formats.dates(one.first, one.last, zone);
  const named = skus
    .slice(0, PRODUCTS_NAMED_MAX)
    .map((sku) => productName(sku, products.get(sku)?.names, reader));
  const unnamed = skus.length - named.length;
  const isOfIngredients = one.stage === 'received' && !one.hasLot;
  return html`${icon(ICONS[one.stage])}
    <h3>${isOfIngredients ? ingredients : stages[one.stage]}</h3>
    <p>
      ${
        one.places.length === 1
          ? placeName(first.location, first.profile, reader)
          : placesWords(formats.number(one.places.length))
      }
      · <time datetime="${one.first}">${zone === undefined ? utc(days) : days}</time>
    </p>
    ${
      named.length === 0
        ? null
        : html`<p class="muted">
            ${listed([...named, ...(unnamed > 0 ? [html`${more(formats.number(unnamed))}`] : [])], reader)}
          </p>`
    }`;
}

/** Every event with its lots, to the minute. */
export function allEvents(verified: VerifiedLot, reader: Reader): Html | null {
  const { events } = verified;
  if (events.length === 0) return null;
  const { formats, words } = reader;
  return fold({
    icon: icon('clock'),
    heading: words.lot.allEvents(formats.number(events.length)),
    content: html`<ol class="journey">
      ${events.map((steps) => entry(steps, verified, reader))}
    </ol>`,
  });
}

function entry(steps: StepsOfEvent, verified: VerifiedLot, reader: Reader): Html {
  const [step] = steps;
  const what = html`<strong>${eventWords(step.event_type, reader)}</strong>`;
  const where = html`${place(step.location, step.place, reader)}${through(steps, reader)}`;
  return html`<li>
    <p class="when">${time(step.occurred_at, reader, step.place?.time_zone ?? undefined)}</p>
    <p>${reader.words.lot.event(what, where)}</p>
    ${step.place?.address ? html`<p class="which"><bdi>${step.place.address}</bdi></p>` : null}
    ${steps.map((one) => html`<p class="which">${whichLot(one, verified, reader)}</p>`)}
    ${step.note === null ? null : html`<p class="note"><bdi lang="">${step.note}</bdi></p>`}
    ${corrected(steps, reader)}
  </li>`;
}

/** The channels of a sale; two lines of one may name different ones. */
function through(steps: StepsOfEvent, reader: Reader): string | null {
  const classes = [...new Set(steps.flatMap((step) => step.channel ?? []))];
  if (classes.length === 0) return null;
  const channels = classes.map((one) => channelWords(one, reader));
  return reader.words.lot.through(reader.formats.list(channels));
}

/** Links the blocks that corrected the steps; the page of the first links to the original event. */
function corrected(steps: StepsOfEvent, reader: Reader): Html | null {
  const heights = new Set(steps.flatMap((step) => step.corrected_by ?? []));
  if (heights.size === 0) return null;
  const blocks = blocksInWords(
    [...heights].sort((a, b) => a - b),
    reader,
  );
  return html`<p class="which">${reader.words.lot.corrected(blocks)}</p>`;
}

function whichLot(step: Step, { answer: lot, products }: VerifiedLot, reader: Reader): Html {
  const { product_sku: sku } = step;
  const which = product(sku, products.get(sku)?.names, reader);
  const { sourceLot, thisLot } = reader.words.lot;
  return step.lot_code === lot.lot.lot_code
    ? thisLot(which)
    : sourceLot(lotLink(step.lot_code, lot.brand.id), which);
}
