// What was decided about a lot, in words, each with its block. Whatever a brand or a row has put into it is escaped by
// the template.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { isDecisionPayload } from '../ledger/record/payload-shape.ts';
import type { SaidDecisions } from '../verification/decided.ts';
import { sentenceOf } from './explorer/sentences.ts';
import { blockLink, time } from './fragments.ts';
import { eventWords } from './labels.ts';
import type { Reader } from './words/reader.ts';

export function decisionsOfLot({ blocks, steps }: SaidDecisions, reader: Reader): Html | null {
  if (blocks.length === 0) return null;
  return html`<ol class="journey">
    ${blocks.map((block) => {
      const { height, payload } = block;
      if (!isDecisionPayload(payload)) return null;
      return html`<li>
        <p class="when">${time(payload.decision.at, reader)}</p>
        <p><strong>${eventWords(payload.type, reader)}</strong> (${blockLink(height, reader)})</p>
        <p class="note">${sentenceOf(block, steps, reader)}</p>
      </li>`;
    })}
  </ol>`;
}
