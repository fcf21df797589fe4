// The recipients of a case, as a list to work through: who must be notified, who has not answered, several marked as
// sent at once.
import { emptyNote, message, moreLink, said, type FormState } from '@lothub/design/desk-parts';
import { icon, type IconName } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { AUDIENCES } from '../../../recall/notification-status.ts';
import type { NotificationFilter, NotificationRow } from '../../../recall/outbox/notifications.ts';
import type { Reach } from '../../../recall/trace/reach.ts';
import { NOTIFICATION_STATUSES, type NotificationStatus } from '../../../terms.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { addressWith, filterBar } from '../../filters.ts';
import { day, renderProblem } from '../../parts.ts';
import { casePagePath } from '../../paths.ts';
import { amountsText } from '../../recall-parts.ts';
import { caseFrame, type ShownCase } from '../case.ts';
import { readingNote } from '../figures.ts';
import { term } from '../../help/terms.ts';

/**
 * Beginning of the name of the box that selects a notification. Each box has a name of its own, because only
 * the last value of a name is read.
 */
export const PICK = 'pick-';
/** Name of the button for all notifications on the page that wait. */
export const ALL = 'all';

export interface NotificationsView extends ShownCase {
  readonly filter: NotificationFilter;
  readonly rows: readonly NotificationRow[];
  /** Number of the last notification of the page: the next page begins after it. */
  readonly next: number | undefined;
  /** Undefined while the amounts of a large case are added up for the first time. */
  readonly reach: Reach | undefined;
  /** Of all notifications, the first that waits to be sent and the first without an answer. */
  readonly firstReady: number | undefined;
  readonly firstSilent: number | undefined;
  readonly form: FormState;
  readonly done: string | undefined;
}

export function notificationsPage(view: NotificationsView, reader: Reader): Html {
  const { brand, recallCase, filter, done, form } = view;
  const { answers: words } = reader.words.console.cases;
  const path = casePagePath(brand, recallCase.caseNo, 'notifications');
  const csv = addressWith(`${path}.csv`, { ...filter });
  return caseFrame(
    view,
    {
      page: 'notifications',
      done,
      body: html`<section class="card" aria-labelledby="list-title">
        <h2 id="list-title">${term('notification', reader, words.title)}</h2>
        <p class="muted">${words.lead}</p>
        ${
          recallCase.notifiedAt === null && recallCase.endedAt === null
            ? message('note', words.notYet)
            : ''
        }
        <p class="row">
          ${begin(view, reader)}
          <a class="button quiet" href="${csv}">${icon('download')}${words.csv}</a>
        </p>
        ${filters(view, path, reader)} ${renderProblem(form, reader)}
        ${
          view.rows.length === 0
            ? emptyNote(isNarrowed(filter) ? words.none : words.noneYet)
            : list(view, path, reader)
        }
      </section>`,
    },
    reader,
  );
}

function isNarrowed({ audience, status }: NotificationFilter): boolean {
  return audience !== undefined || status !== undefined;
}

/** Links that begin to work through them one by one. */
function begin(
  { brand, recallCase, firstReady, firstSilent, mayRecall }: NotificationsView,
  { words }: Reader,
) {
  const { answers } = words.console.cases;
  const path = casePagePath(brand, recallCase.caseNo, 'notifications');
  if (!mayRecall || (firstReady === undefined && firstSilent === undefined)) return '';
  return html`
    ${
      firstReady === undefined
        ? ''
        : html`<a class="button" href="${path}/${firstReady}">${icon('mail')}${answers.begin}</a>`
    }
    ${
      firstSilent === undefined
        ? ''
        : html`<a class="button quiet" href="${path}/${firstSilent}"
            >${icon('clock')}${answers.nextSilent}</a
          >`
    }
  `;
}

function filters({ filter }: NotificationsView, path: string, reader: Reader): Html {
  const { answers: words } = reader.words.console.cases;
  return filterBar({
    action: path,
    fields: [
      {
        name: 'audience',
        label: words.audience,
        value: filter.audience,
        choices: AUDIENCES.map((value) => ({ value, label: words.audiences[value] })),
      },
      {
        name: 'status',
        label: words.status,
        value: filter.status,
        choices: NOTIFICATION_STATUSES.map((value) => ({ value, label: words.statuses[value] })),
      },
    ],
    reader,
  });
}

function list(view: NotificationsView, path: string, reader: Reader): Html {
  const { rows, mayRecall, filter, next } = view;
  const { answers: words } = reader.words.console.cases;
  const { form } = reader.words.console;
  const waiting = rows.filter(({ status }) => status === 'ready').length;
  const isMarking = mayRecall && waiting > 0;
  const table = html`<div class="${isMarking ? 'picking' : ''}">
    ${rowsTable({
      caption: words.title,
      head: [
        ...(isMarking ? [words.selected] : []),
        words.recipient,
        { number: words.lots },
        { number: words.amount },
        words.status,
        words.answer,
      ],
      rows: rows.map((row) => [
        ...(isMarking ? [pick(row, reader)] : []),
        ...cells(row, view, path, reader),
      ]),
    })}
  </div>`;
  const more = moreLink(
    next === undefined ? undefined : addressWith(path, { ...filter, after: next }),
    form.more,
  );
  const reading =
    view.reach === undefined ? html`<p class="muted">${readingNote(view, reader)}</p>` : '';
  if (!isMarking) return html`${reading} ${table} ${more}`;
  return html`${reading}
    <form method="post" action="${addressWith(`${path}/sent`, { ...filter })}">
      ${table}
      <div class="row">
        <button type="submit">${words.markPicked}</button>
        <button class="quiet" type="submit" name="${ALL}" value="${waitingIds(rows)}">
          ${words.markAll(reader.formats.number(waiting), waiting === 1)}
        </button>
      </div>
    </form>
    ${more}`;
}

/** The ids of those that wait on this page now; others may wait when the form is sent. */
function waitingIds(rows: readonly NotificationRow[]): string {
  return rows
    .filter(({ status }) => status === 'ready')
    .map(({ notificationId }) => notificationId)
    .join(',');
}

function pick({ notificationId, status, ...row }: NotificationRow, reader: Reader): HtmlValue {
  if (status !== 'ready') return null;
  const { answers: words } = reader.words.console.cases;
  const name = words.pick(recipientText(row, reader));
  return html`<label class="check"
    ><input type="checkbox" name="${PICK}${notificationId}" value="yes" aria-label="${name}"
  /></label>`;
}

function cells(
  row: NotificationRow,
  { reach }: NotificationsView,
  path: string,
  reader: Reader,
): readonly HtmlValue[] {
  const { answers: words } = reader.words.console.cases;
  const reached = reach?.of(row.audience, row.recipient);
  return [
    html`<a class="case-name" href="${path}/${row.notificationId}"
      ><strong>${said(recipientText(row, reader))}</strong>
      ${isOnlyOne(row) ? '' : html`<small class="muted">${words.audiences[row.audience]}</small>`}</a
    >`,
    reached === undefined ? '…' : reader.formats.number(reached.lots),
    reached === undefined ? '…' : amountsText(reached.quantities, reader),
    html`${notificationChip(row.status, reader)}
    ${row.sentAt === null ? '' : html`<small class="muted">${day(row.sentAt, reader)}</small>`}`,
    row.response === null ? '' : html`<span class="case-text clipped">${said(row.response)}</span>`,
  ];
}

/** Returns whether a case has one notification for the audience, whose name then says who it is. */
export function isOnlyOne({ audience }: Pick<NotificationRow, 'audience'>): boolean {
  return audience === 'internal_qa' || audience === 'regulator' || audience === 'public';
}

export function recipientText(
  row: Pick<NotificationRow, 'audience' | 'recipient'>,
  { words }: Reader,
): string {
  const { answers } = words.console.cases;
  return isOnlyOne(row) ? answers.audiences[row.audience] : (row.recipient ?? answers.erased);
}

const LOOKS: Readonly<
  Record<NotificationStatus, { readonly tone: string; readonly icon: IconName }>
> = {
  pending: { tone: '', icon: 'clock' },
  ready: { tone: 'warn', icon: 'mail' },
  sent: { tone: 'info', icon: 'clock' },
  acknowledged: { tone: 'good', icon: 'check' },
  resolved: { tone: 'good', icon: 'good' },
};

export function notificationChip(status: NotificationStatus, { words }: Reader): Html {
  const { tone, icon: name } = LOOKS[status];
  return html`<span class="chip ${tone}"
    >${icon(name)}${words.console.cases.answers.statuses[status]}</span
  >`;
}
