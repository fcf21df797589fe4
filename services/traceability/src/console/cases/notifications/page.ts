// One notification of a case: the text to send in the languages of the case, the lots that reached the
// recipient, and the answer.
import { choice, field, message, said, textArea, type FormState } from '@lothub/design/desk-parts';
import { COPY_ATTRIBUTE } from '@lothub/design/copy-button';
import { icon } from '@lothub/design/icons';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { answerSeen } from '../../../recall/outbox/confirm.ts';
import type { LotOfRecipient } from '../../../recall/outbox/recipient-lots.ts';
import type { NotificationRow } from '../../../recall/outbox/notifications.ts';
import { RESPONSE_MAX } from '../../../recall/outbox/schema.ts';
import type { Reached } from '../../../recall/trace/reach.ts';
import { computeMark } from '../../../recall/seen.ts';
import { blockLink, time } from '../../../web/fragments.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { lotLink } from '../../lots/lot-chips.ts';
import { renderProblem } from '../../parts.ts';
import { casePagePath } from '../../paths.ts';
import { amountsText } from '../../recall-parts.ts';
import { caseFrame, type ShownCase } from '../case.ts';
import { readingNote } from '../figures.ts';
import { buildMailto, isAddress, type Letter } from './letter.ts';
import { isOnlyOne, notificationChip, recipientText } from './list-page.ts';

/** Name of the button that shows the next notification afterwards. */
export const THEN = 'then';
export const NEXT = 'next';
/** Units of which an amount may be noted. */
export const UNITS_MAX = 5;
/** Name of the field of an amount, by the place of its unit. */
export const ACCOUNTED = 'accounted-';

export interface NotificationView extends ShownCase {
  readonly row: NotificationRow;
  /** Undefined while the amounts of a large case are added up for the first time. */
  readonly reached: Reached | undefined;
  /** The first of them. */
  readonly lots: readonly LotOfRecipient[];
  /** None while `reached` is undefined: a text without its lots would be sent as it is. */
  readonly letters: readonly Letter[];
  /** The next notifications that wait to be sent and to be answered. */
  readonly nextReady: number | undefined;
  readonly nextSilent: number | undefined;
  readonly form: FormState;
  readonly done: string | undefined;
}

export function notificationPage(view: NotificationView, reader: Reader): Html {
  const { row, form, done, mayRecall } = view;
  const { answers: words } = reader.words.console.cases;
  return caseFrame(
    view,
    {
      page: 'notifications',
      done,
      body: html`<div class="heading">
          <div>
            <h2>
              ${said(recipientText(row, reader))}
              ${
                isOnlyOne(row)
                  ? ''
                  : html`<small class="muted">${words.audiences[row.audience]}</small>`
              }
              ${notificationChip(row.status, reader)}
            </h2>
          </div>
          ${ways(view, reader)}
        </div>
        ${renderProblem(form, reader)}
        ${row.status === 'pending' ? message('note', words.notYet) : ''}
        ${row.recipient === null ? message('note', words.erasedAdvice) : ''}
        <div class="letter-columns">
          ${row.recipient === null ? '' : lettersSection(view, reader)}
          <div>${mayRecall ? answerSection(view, reader) : ''} ${stateSection(view, reader)}</div>
        </div>`,
    },
    reader,
  );
}

function ways({ brand, recallCase, nextReady, nextSilent }: NotificationView, { words }: Reader) {
  const { answers } = words.console.cases;
  const path = casePagePath(brand, recallCase.caseNo, 'notifications');
  const way = (id: number | undefined, label: string): HtmlValue =>
    id === undefined
      ? ''
      : html`<a class="button quiet" href="${path}/${id}">${label}${icon('next')}</a>`;
  return html`<div class="heading-actions">
    ${way(nextReady, answers.next)} ${way(nextSilent, answers.nextSilent)}
    <a class="button quiet" href="${path}">${answers.all}</a>
  </div>`;
}

function lettersSection(view: NotificationView, reader: Reader): Html {
  const { row, letters, reached } = view;
  const { answers: words } = reader.words.console.cases;
  const { form } = reader.words.console;
  return html`<section class="card" aria-labelledby="text-title">
    <h2 id="text-title">${words.text}</h2>
    ${reached === undefined ? html`<p class="muted">${readingNote(view, reader)}</p>` : ''}
    ${letters.map((letter, index) => {
      const { language, subject, text } = letter;
      const name = words.textIn(reader.formats.languageName(language));
      const mail =
        row.recipient !== null && isAddress(row.recipient)
          ? buildMailto(row.recipient, letter)
          : undefined;
      return html`<details class="fold" ${index === 0 ? html`open` : ''}>
        <summary>${name}</summary>
        <div>
          <p class="letter-subject" lang="${language}">${said(subject)}</p>
          <pre class="letter" lang="${language}" dir="auto" tabindex="0" aria-label="${name}">
${text}</pre>
          <p class="row">
            <button
              class="quiet"
              type="button"
              ${COPY_ATTRIBUTE}="${text}"
              data-done="${form.copied}"
              data-failed="${form.copyFailed}"
              hidden
            >
              <span data-words>${words.copyText}</span>
            </button>
            ${
              mail === undefined
                ? ''
                : html`<a class="button quiet" href="${mail.href}"
                      >${icon('mail')}${words.mail(row.recipient ?? '')}</a
                    >
                    ${mail.hasText ? '' : html`<span class="hint">${words.tooLong}</span>`}`
            }
          </p>
        </div>
      </details>`;
    })}
  </section>`;
}

function answerSection(view: NotificationView, reader: Reader): Html {
  const { brand, recallCase, row, reached, nextReady, nextSilent, form } = view;
  const { answers: words } = reader.words.console.cases;
  if (row.status === 'pending') return html``;
  const path = `${casePagePath(brand, recallCase.caseNo, 'notifications')}/${row.notificationId}`;
  const seen = html`<input type="hidden" name="seen" value="${computeMark(answerSeen(row))}" />`;
  const units = (reached?.quantities ?? []).slice(0, UNITS_MAX).map(({ unit }) => unit);
  return html`${
      row.status === 'ready'
        ? html`<section class="card" aria-label="${words.markSent}">
            <form method="post" action="${path}/sent" class="row">
              ${seen}
              <button type="submit">${words.markSent}</button>
              ${
                nextReady === undefined
                  ? ''
                  : html`<button class="quiet" type="submit" name="${THEN}" value="${NEXT}">
                      ${words.markSentNext}
                    </button>`
              }
            </form>
          </section>`
        : ''
    }
    <section class="card" aria-labelledby="answer-title">
      <h2 id="answer-title">${words.answerTitle}</h2>
      <form method="post" action="${path}/answer">
        ${seen}
        ${choice({
          name: 'status',
          label: words.nowIs,
          form,
          value: row.status === 'resolved' ? 'resolved' : 'acknowledged',
          choices: (['acknowledged', 'resolved'] as const)
            .filter((status) => status === 'resolved' || row.status !== 'resolved')
            .map((value) => ({ value, label: words[value] })),
        })}
        ${units.map((unit, index) =>
          field({
            name: `${ACCOUNTED}${index}`,
            label: words.accounted(unit),
            form,
            maxLength: 40,
            ...(index === 0 ? { hint: words.accountedHint } : {}),
          }),
        )}
        ${textArea({
          name: 'response',
          label: words.response,
          form,
          value: row.response ?? '',
          hint: words.responseHint,
          maxLength: RESPONSE_MAX,
          rows: 3,
        })}
        <div class="row">
          <button type="submit">${words.save}</button>
          ${
            nextSilent === undefined
              ? ''
              : html`<button class="quiet" type="submit" name="${THEN}" value="${NEXT}">
                  ${words.saveNext}
                </button>`
          }
        </div>
      </form>
    </section>`;
}

function stateSection(view: NotificationView, reader: Reader): Html {
  const { brand, row, reached, lots } = view;
  const { answers: words } = reader.words.console.cases;
  const { formats } = reader;
  const at = (label: string, instant: string | null): Html =>
    instant === null
      ? html``
      : html`<div>
          <dt>${label}</dt>
          <dd>${time(instant, reader)}</dd>
        </div>`;
  return html`<section class="card" aria-labelledby="reached-title">
    <h2 id="reached-title">${words.reached}</h2>
    <dl class="facts">
      ${at(words.sentAt, row.sentAt)} ${at(words.acknowledgedAt, row.acknowledgedAt)}
      ${at(words.resolvedAt, row.resolvedAt)}
      ${
        row.blockHeight === null
          ? ''
          : html`<div>
              <dt>${words.block}</dt>
              <dd>${blockLink(row.blockHeight, reader)}</dd>
            </div>`
      }
      ${
        row.response === null
          ? ''
          : html`<div>
              <dt>${words.answer}</dt>
              <dd class="case-text">${said(row.response)}</dd>
            </div>`
      }
      ${
        reached === undefined || reached.quantities.length === 0
          ? ''
          : html`<div>
              <dt>${words.amount}</dt>
              <dd>${amountsText(reached.quantities, reader)}</dd>
            </div>`
      }
    </dl>
    ${reached === undefined ? html`<p class="muted">${readingNote(view, reader)}</p>` : ''}
    ${reached?.lots === 0 ? html`<p class="muted">${words.nothingReached}</p>` : ''}
    ${
      lots.length === 0
        ? ''
        : html`<ul class="lot-amounts">
            ${lots.map(
              (lot) =>
                html`<li>
                  ${lotLink(brand, lot.lotCode)} <bdi class="muted">${lot.productSku}</bdi>
                  ${lot.quantities.length === 0 ? '' : amountsText(lot.quantities, reader)}
                </li>`,
            )}
          </ul>`
    }
    ${
      reached !== undefined && lots.length > 0 && reached.lots > lots.length
        ? html`<p class="muted">
            ${words.firstLots(formats.number(lots.length), formats.number(reached.lots))}
          </p>`
        : ''
    }
  </section>`;
}
