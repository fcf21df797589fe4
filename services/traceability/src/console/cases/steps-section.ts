// The next step of a case, with what it does and what is still open, and cancelling. Each takes two steps,
// without a script. The page says before what a confidential case will publish.
import { TICKED, message, textArea, tickBox } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import { flag } from '@lothub/design/desk-parts';
import { html, type Html } from '@lothub/kit/html';
import { isHidden } from '../../ledger/decisions/hidden-cases.ts';
import { CASE_REASON_MAX } from '../../recall/case/text-limits.ts';
import { nextStatuses } from '../../recall/case/status.ts';
import { computeMark } from '../../recall/seen.ts';
import { CANCELLED, NOTIFIED, type CaseStatus } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';
import { renderProblem } from '../parts.ts';
import { casePagePath } from '../paths.ts';
import type { ShownCase } from './case.ts';
import { outstanding } from './figures.ts';
import type { CaseRead } from './read-case.ts';

/** Fields of the form, as its route reads them. */
export const MOVE_FIELDS = { to: 'to', seen: 'seen', note: 'note', release: 'release' } as const;

export function stepsSection(
  shownCase: ShownCase,
  read: CaseRead,
  form: FormState,
  reader: Reader,
): Html {
  const { recallCase, mayRecall } = shownCase;
  const { steps: words } = reader.words.console.cases;
  if (recallCase.endedAt !== null) {
    const status = reader.words.console.simulation.statuses[recallCase.status];
    return html`<section class="card" aria-label="${words.title}">
      ${message('note', words.ended(status))}
    </section>`;
  }
  const next = nextStatuses(recallCase.status).find((status) => status !== CANCELLED);
  return html`<section class="card case-steps" aria-labelledby="steps-title">
    <h2 id="steps-title">${words.title}</h2>
    ${isHidden(recallCase) ? confidentialNote(recallCase.stepNo ?? 1, reader) : ''}
    ${renderProblem(form, reader)}
    ${
      mayRecall && next !== undefined
        ? html`${moveForm({ shownCase, read, to: next, form }, reader)}
          ${moveForm({ shownCase, read, to: CANCELLED, form }, reader)}`
        : outstanding(shownCase, read, reader)
    }
  </section>`;
}

function confidentialNote(steps: number, { words, formats }: Reader): Html {
  const { confidential, sealed } = words.console.cases.steps;
  return message(
    'note',
    html`<strong>${confidential}.</strong> ${sealed(formats.number(steps), steps === 1)}`,
  );
}

interface Move {
  readonly shownCase: ShownCase;
  readonly read: CaseRead;
  readonly to: CaseStatus;
  readonly form: FormState;
}

/** A fold with the words of the step; inside is what the step does, and then its button. */
function moveForm({ shownCase, read, to, form }: Move, reader: Reader): Html {
  const { steps: words } = reader.words.console.cases;
  const { brand, recallCase } = shownCase;
  const isOfThis = form.values[MOVE_FIELDS.to] === to;
  const shown = isOfThis ? form : EMPTY_FORM;
  const isCancel = to === CANCELLED;
  const label = isForward(to) ? words.to[to] : words.cancel;
  const does = isForward(to) ? words.does[to] : words.cancelDoes;
  const now = isForward(to) ? words.now[to] : words.cancelNow;
  return html`<details class="step ${isCancel ? 'quiet' : ''}" ${flag('open', isOfThis)}>
    <summary class="button ${isCancel ? 'quiet' : ''}">${label}</summary>
    <form method="post" action="${casePagePath(brand, recallCase.caseNo)}/move">
      <p>${does}</p>
      ${to === NOTIFIED && isHidden(recallCase) ? message('note', words.publishes) : ''}
      ${to === 'closed' ? outstanding(shownCase, read, reader) : ''}
      <input type="hidden" name="${MOVE_FIELDS.to}" value="${to}" />
      <input type="hidden" name="${MOVE_FIELDS.seen}" value="${computeMark([recallCase.status])}" />
      ${textArea({
        name: MOVE_FIELDS.note,
        label: words.note,
        hint: words.noteHint,
        form: shown,
        maxLength: CASE_REASON_MAX,
        rows: 2,
        scope: to,
      })}
      ${
        to === 'closed' && read.scope.held > 0
          ? tickBox({
              name: MOVE_FIELDS.release,
              label: words.release,
              hint: words.releaseHint,
              form: shown,
              isTicked: shown.values[MOVE_FIELDS.release] === TICKED,
              scope: to,
            })
          : ''
      }
      <button type="submit" class="${isCancel ? 'danger' : ''}">${now}</button>
    </form>
  </details>`;
}

function isForward(status: CaseStatus): status is 'notification' | 'containment' | 'closed' {
  return status === NOTIFIED || status === 'containment' || status === 'closed';
}
