// Every step of a recall case with who decided it, when, in which block, and the proof of it.
import { emptyNote, moreLink, said } from '@lothub/design/desk-parts';
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { LogStanding } from '../../log/standing.ts';
import { proofPath } from '../../log/proof-path.ts';
import type { StepBlock } from '../../lots/notices/step-blocks.ts';
import type { TimelineStep } from '../../recall/case/timeline.ts';
import { blockLink, time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { caseFrame, type ShownCase } from './case.ts';
import { editedLines } from './edited-lines.ts';
import { term } from '../help/terms.ts';

export interface TimelineView extends ShownCase {
  /** Blocks of one step follow each other. */
  readonly blocks: readonly StepBlock[];
  /** Who decided what, by the height of the first block of the step. */
  readonly decided: ReadonlyMap<number, TimelineStep>;
  /** Standing of the newest block that is shown; undefined without a block. */
  readonly standing: LogStanding | undefined;
  readonly nextPath: string | undefined;
}

export function timelinePage(view: TimelineView, reader: Reader): Html {
  const { blocks, nextPath } = view;
  const { history: words, timeline } = reader.words.console.cases;
  const steps = [...Map.groupBy(blocks, stepKey).values()];
  return caseFrame(
    view,
    {
      page: 'timeline',
      body: html`<section class="card" aria-labelledby="timeline-title">
        <h2 id="timeline-title">${term('move', reader, timeline)}</h2>
        <p class="muted">${words.lead}</p>
        ${
          steps.length === 0
            ? emptyNote(words.notSealed)
            : html`<ol class="milestones">
                ${steps.map((step) => stepItem(step, view, reader))}
              </ol>`
        }
        ${moreLink(nextPath, words.later)}
      </section>`,
    },
    reader,
  );
}

/** A block that publishes an earlier step is a step of its own. */
function stepKey({ decision, sealedHeight, height }: StepBlock): string {
  return sealedHeight === undefined ? String(decision.step) : `disclosed ${height}`;
}

const ICONS: Readonly<Record<StepBlock['decision']['change'], IconName>> = {
  opened: 'warning',
  moved: 'next',
  widened: 'mix',
  edited: 'settings',
};

function stepItem(
  [first, ...others]: readonly StepBlock[],
  view: TimelineView,
  reader: Reader,
): Html {
  if (first === undefined) return html``;
  const { history: words } = reader.words.console.cases;
  const { decision, sealedHeight, height } = first;
  const decided = sealedHeight === undefined ? view.decided.get(height) : undefined;
  return html`<li>
    ${icon(sealedHeight === undefined ? ICONS[decision.change] : 'link')}
    <h3>${heading(first, reader)}</h3>
    <p class="muted">
      ${time(sealedHeight === undefined ? decision.at : first.recordedAt, reader)}
      ${sealedHeight === undefined ? byWhom(decision.change, decided, reader) : ''}
    </p>
    ${sealedHeight === undefined ? countsSaid([first, ...others], reader) : ''}
    ${decided?.edited === undefined ? '' : editedLines(decided.edited, reader)}
    ${typeof decided?.note === 'string' ? html`<blockquote>${said(decided.note)}</blockquote>` : ''}
    <p class="hint">${place(first, view, reader)}</p>
    ${
      others.length === 0
        ? ''
        : html`<details class="edit">
            <summary>
              ${words.further(reader.formats.number(others.length), others.length === 1)}
            </summary>
            ${others.map((one) => html`<p class="hint">${place(one, view, reader)}</p>`)}
          </details>`
    }
  </li>`;
}

function heading({ decision, sealedHeight }: StepBlock, reader: Reader): Html {
  const { cases, simulation } = reader.words.console;
  const { history: words } = cases;
  if (sealedHeight !== undefined) return words.published(blockLink(sealedHeight, reader));
  if (decision.change === 'moved') {
    return html`${words.movedTo(simulation.statuses[decision.state])}`;
  }
  return html`${words[decision.change]}`;
}

function byWhom(
  change: StepBlock['decision']['change'],
  decided: TimelineStep | undefined,
  { words }: Reader,
): Html {
  const { by, byHub } = words.console.cases.history;
  if (change === 'widened') return html`${byHub}`;
  return decided === undefined || decided.by === null ? html`` : by(said(decided.by));
}

/** Counts lots and recipients over the blocks of a step that are on this page. */
function countsSaid(blocks: readonly StepBlock[], reader: Reader): Html {
  const { history: words } = reader.words.console.cases;
  const total = (name: 'entered' | 'left' | 'concerned'): number =>
    blocks.reduce((sum, { decision }) => sum + (decision[name]?.length ?? 0), 0);
  const sentences = (['entered', 'left', 'concerned'] as const).flatMap((name) => {
    const count = total(name);
    return count === 0 ? [] : [words[name](reader.formats.number(count), count === 1)];
  });
  const isEnding = blocks.some(({ decision }) => decision.ends_holds === true);
  const lines = [...sentences, ...(isEnding ? [words.holdsEnded] : [])];
  return lines.length === 0 ? html`` : html`<p>${lines.join(' ')}</p>`;
}

function place({ height }: StepBlock, { standing }: TimelineView, reader: Reader): Html {
  const { proof } = reader.words.console.cases.history;
  return html`${blockLink(height, reader)}
  ${
    standing?.kind === 'signed'
      ? html`· <a href="${proofPath(standing.epoch, height)}">${proof}</a>`
      : ''
  }`;
}
