// Lists the decisions on a recall case, step by step with their blocks, for the page of the case.
import { html, type Html } from '@lothub/kit/html';
import { present } from '@lothub/kit/present';
import type { LogStanding } from '../log/standing.ts';
import { proofPath } from '../log/proof-path.ts';
import type { SaidHistory } from '../lots/notices/history.ts';
import type { NoticeHistory } from '../lots/notices/schema.ts';
import type { SaidSteps } from '../lots/notices/step-blocks.ts';
import { copiedHash } from './explorer/pieces.ts';
import { renderSentence } from './explorer/sentences.ts';
import { blockLink, time } from './fragments.ts';
import { logSection } from './log-words.ts';
import type { Reader } from './words/reader.ts';

type StepBlock = NoticeHistory['steps'][number];

/**
 * @param shown.morePath leads to the steps after these; null at the end
 * @param shown.standing the state of the newest block of these steps in the log
 */
export function stepSections(
  { history, said }: SaidHistory,
  shown: { readonly standing: LogStanding; readonly morePath: string | null },
  reader: Reader,
): Html | null {
  const newest = history.steps.at(-1);
  // A case from before steps were sealed, of which nothing is sealed yet.
  if (newest === undefined) return null;
  const { standing, morePath } = shown;
  const words = reader.words.recalls;
  const steps = [...Map.groupBy(history.steps, ({ step }) => step).values()];
  return html`<section aria-labelledby="steps">
      <h2 id="steps">${words.decided}</h2>
      <p>${words.sealedSteps}</p>
      <ol class="journey">
        ${steps.map((blocks) => step(blocks, { said, standing }, reader))}
      </ol>
      ${morePath === null ? null : html`<p><a rel="next" href="${morePath}">${words.laterSteps}</a></p>`}
      <p>${words.checkedBelow(blockLink(newest.block_height, reader))}</p>
    </section>
    ${logSection(standing, { kind: 'block' }, reader)}`;
}

/** The first block of a step about many lots; the other parts are folded. */
function step(
  [first, ...others]: readonly StepBlock[],
  page: { readonly said: SaidSteps; readonly standing: LogStanding },
  reader: Reader,
): Html | null {
  if (first === undefined) return null;
  const { said, standing } = page;
  return html`<li>
    <p class="when">${time(first.at, reader)}</p>
    <p>${inWords(first, said, reader)}</p>
    ${blockLine(first, standing, reader)}
    ${
      others.length === 0
        ? null
        : html`<details>
            <summary>${reader.words.recalls.furtherParts(String(others.length))}</summary>
            ${others.map(
              (one) =>
                html`<p>${inWords(one, said, reader)}</p>
                  ${blockLine(one, standing, reader)}`,
            )}
          </details>`
    }
  </li>`;
}

function blockLine(
  { block_height: height, block_hash: digest }: StepBlock,
  standing: LogStanding,
  reader: Reader,
) {
  return html`<p class="note">
    ${blockLink(height, reader)}
    ${copiedHash(digest, reader)}${
      standing.kind === 'signed'
        ? html` <a href="${proofPath(standing.epoch, height)}">${reader.words.log.proofFile}</a>`
        : null
    }
  </p>`;
}

/** Writes the contents of the block as the explorer does, in the reader's language. */
function inWords({ block_height: height }: StepBlock, said: SaidSteps, reader: Reader): Html {
  const payload = present(said.payloads.get(height), 'what a block of a step says');
  return renderSentence({ height, payload }, said.wholeSteps, reader);
}
