// What was decided, in words: on the page of its block and on the page of a lot. Whatever a brand or a row has
// put into it is escaped by the template.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { BlockDetail } from '../explorer/block-detail.ts';
import { isDecisionType } from '../ledger/record/decisions/facts.ts';
import { lotsOfDecision } from '../ledger/record/decisions/lots.ts';
import type { DecisionContents, DecisionType } from '../ledger/record/decisions/contents.ts';
import type { Verification } from '../verification/schema.ts';
import { blockLink, code, lotLink, time } from './fragments.ts';
import { eventWords } from './labels.ts';

/** Lots of a decision on its page; all of them stand in its text. */
const LOTS_SHOWN_MAX = 200;

/** Of a block that is no decision there is nothing to say. */
export function decisionOf({ brand, decision, event_type: eventType }: BlockDetail): Html | null {
  const type = eventType.toLowerCase();
  if (decision === undefined || brand === null || !isDecisionType(type)) return null;
  return section({ brand, type, decision: decision as unknown as DecisionContents[typeof type] });
}

function section<Type extends DecisionType>(of: {
  readonly brand: string;
  readonly type: Type;
  readonly decision: DecisionContents[Type];
}): Html {
  const { brand, type, decision } = of;
  const { at, committed, migrated } = decision;
  return html`<h2>What was decided</h2>
    <dl>
      <dt>Decided</dt>
      <dd>${time(at)}</dd>
      ${
        migrated === true
          ? html`<dt>Sealed</dt>
              <dd>
                later: it was decided before this hub sealed decisions, and when is what the hub had
                stored
              </dd>`
          : null
      }
      ${
        committed === undefined
          ? null
          : html`<dt>Private, only committed to</dt>
              <dd>
                ${Object.keys(committed).map((name, index) => html`${index === 0 ? null : ', '}${code(name)}`)}
              </dd>`
      }
    </dl>
    ${lotList(lotsOfDecision(type, decision), brand)}`;
}

function lotList(lots: readonly string[], brand: string): Html | null {
  if (lots.length === 0) return null;
  const shown = lots.slice(0, LOTS_SHOWN_MAX);
  return html`<h2>Lots it names</h2>
    <ul>
      ${shown.map((lotCode) => html`<li>${lotLink(lotCode, brand)}</li>`)}
    </ul>
    ${
      shown.length < lots.length
        ? html`<p>These are the first ${shown.length} of ${lots.length}; all stand in the text.</p>`
        : null
    }`;
}

/** What was decided about a lot, each with its block. */
export function decisionsOfLot(lot: Verification): Html | null {
  if (lot.decisions.length === 0) return null;
  return html`<section aria-labelledby="decisions">
    <h2 id="decisions">Decisions about this lot</h2>
    <ol class="journey">
      ${lot.decisions.map(
        ({ at, block_height: height, summary, type }) =>
          html`<li>
            <p class="when">${time(at)}</p>
            <p><strong>${eventWords(type)}</strong> (${blockLink(height)})</p>
            <p class="note"><bdi>${summary}</bdi></p>
          </li>`,
      )}
    </ol>
  </section>`;
}
