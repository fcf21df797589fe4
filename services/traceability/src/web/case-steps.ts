// What was decided on a recall case, step by step with its blocks, for the page of the case.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { LogStanding } from '../log/standing.ts';
import { proofPath } from '../log/proof-path.ts';
import type { NoticeHistory } from '../lots/notices/schema.ts';
import { blockLink, hash, time } from './fragments.ts';
import { logSection } from './log-words.ts';

type StepBlock = NoticeHistory['steps'][number];

/**
 * @param shown.morePath leads to the steps behind these; null at the end
 * @param shown.standing of the newest block of these steps
 */
export function stepSections(
  history: NoticeHistory,
  shown: { readonly standing: LogStanding; readonly morePath: string | null },
): Html | null {
  const newest = history.steps.at(-1);
  // A case of before steps were sealed, of which nothing is sealed yet.
  if (newest === undefined) return null;
  const { standing, morePath } = shown;
  const steps = [...Map.groupBy(history.steps, ({ step }) => step).values()];
  return html`<section aria-labelledby="steps">
      <h2 id="steps">What was decided</h2>
      <p>
        Each step is sealed in a block of the chain, which nobody can change unnoticed. All times
        are in UTC.
      </p>
      <ol class="journey">
        ${steps.map((blocks) => step(blocks, standing))}
      </ol>
      ${morePath === null ? null : html`<p><a rel="next" href="${morePath}">Later steps</a></p>`}
      <p>
        Checked below is ${blockLink(newest.block_height)}, the newest of these; the page of each
        block checks that one.
      </p>
    </section>
    ${logSection(standing, { kind: 'block' })}`;
}

/** Of a step of many lots the first block, and the other parts folded. */
function step([first, ...others]: readonly StepBlock[], standing: LogStanding): Html | null {
  if (first === undefined) return null;
  return html`<li>
    <p class="when">${time(first.at)}</p>
    <p><bdi>${first.summary}</bdi></p>
    ${blockLine(first, standing)}
    ${
      others.length === 0
        ? null
        : html`<details>
            <summary>${others.length} further ${others.length === 1 ? 'part' : 'parts'}</summary>
            ${others.map(
              (one) =>
                html`<p><bdi>${one.summary}</bdi></p>
                  ${blockLine(one, standing)}`,
            )}
          </details>`
    }
  </li>`;
}

function blockLine({ block_height: height, block_hash: digest }: StepBlock, standing: LogStanding) {
  return html`<p class="note">
    ${blockLink(height)}
    ${hash(digest)}${
      standing.kind === 'signed'
        ? html` <a href="${proofPath(standing.epoch, height)}">Proof file</a>`
        : null
    }
  </p>`;
}
