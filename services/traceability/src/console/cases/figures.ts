// The progress of a case in figures: what is still out, and how much is accounted for.
import { icon, type IconName } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { sumFigures } from '../../recall/outbox/effectiveness.ts';
import { AUDIENCES } from '../../recall/notification-status.ts';
import type { NotificationStatus } from '../../terms.ts';
import { time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith } from '../filters.ts';
import type { Figure } from '../parts.ts';
import { casePagePath } from '../paths.ts';
import type { ShownCase } from './case.ts';
import type { CaseStanding } from './read-case.ts';
import { term } from '../help/terms.ts';

/** Notifications of a case that have this status. */
export function countWithStatus(
  { counts }: Pick<CaseStanding, 'counts'>,
  status: NotificationStatus,
) {
  return counts
    .filter((count) => count.status === status)
    .reduce((sum, { notifications }) => sum + notifications, 0);
}

/** The figures on top of a case; each leads to its list. */
export function figuresShown(
  shownCase: ShownCase,
  standing: CaseStanding,
  reader: Reader,
): readonly Figure[] {
  const { formats, words: all } = reader;
  const { figures: words } = all.console.cases;
  const { brand, recallCase } = shownCase;
  const { scope, figures } = standing;
  const scopePath = casePagePath(brand, recallCase.caseNo, 'scope');
  const listPath = casePagePath(brand, recallCase.caseNo, 'notifications');
  const number = (value: number): string => formats.number(value);
  const isNotified = recallCase.notifiedAt !== null;
  const waiting = countWithStatus(standing, isNotified ? 'ready' : 'pending');
  return [
    { value: number(scope.covered), label: words.lots, href: scopePath },
    {
      value: number(scope.held),
      label: words.held,
      href: addressWith(scopePath, { which: 'held' }),
    },
    {
      value: number(waiting),
      label: isNotified ? words.waiting : words.pending,
      href: addressWith(listPath, { status: isNotified ? 'ready' : 'pending' }),
      isOpen: isNotified && waiting > 0,
    },
    {
      value: number(figures.silent),
      label: words.silent,
      href: addressWith(listPath, { status: 'sent' }),
      isOpen: figures.silent > 0,
    },
    { value: number(figures.responded), label: words.answered, href: listPath },
    ...accounted(standing, reader),
  ];
}

/** One figure for each unit, never a sum across units; of many units the first ones. */
function accounted({ amounts }: CaseStanding, reader: Reader): readonly Figure[] {
  const { figures: words } = reader.words.console.cases;
  return (amounts?.quantities ?? []).slice(0, UNITS_SHOWN_MAX).map((one) => ({
    value: html`${reader.formats.number(one.accounted_for_percent)} %`,
    label: `${words.accounted} (${one.unit})`,
  }));
}

const UNITS_SHOWN_MAX = 2;

/** Said before a case is closed: who has not answered, what is not accounted for, what is still on hold. */
export function outstanding(shownCase: ShownCase, standing: CaseStanding, reader: Reader): Html {
  const { steps, figures: words } = reader.words.console.cases;
  const { formats } = reader;
  const lines: readonly {
    readonly icon: IconName;
    readonly count: number;
    readonly label: string;
  }[] = [
    { icon: 'mail', count: countWithStatus(standing, 'ready'), label: words.waiting },
    { icon: 'clock', count: standing.figures.silent, label: words.silent },
    { icon: 'hold', count: standing.scope.held, label: words.held },
  ];
  const open = lines.filter(({ count }) => count > 0);
  const unaccounted = (standing.amounts?.quantities ?? []).filter(
    (one) => one.accounted_for < one.distributed,
  );
  const isReading = standing.amounts === undefined;
  if (open.length === 0 && unaccounted.length === 0 && !isReading) {
    return html`<p class="good">${icon('check')} ${steps.nothingOut}</p>`;
  }
  return html`<h3>${steps.stillOut}</h3>
    <ul class="outstanding">
      ${open.map(
        ({ icon: name, count, label }) =>
          html`<li>
            ${icon(name)}<span><strong>${formats.number(count)}</strong> ${label}</span>
          </li>`,
      )}
      ${unaccounted.map(
        (one) =>
          html`<li>
            ${icon('box')}<span
              ><strong
                >${words.ofSold(
                  html`${formats.quantity(one.accounted_for, one.unit)}`,
                  html`${formats.quantity(one.distributed, one.unit)}`,
                )}</strong
              >
              ${words.accounted}</span
            >
          </li>`,
      )}
      ${isReading ? html`<li>${icon('clock')}<span>${readingNote(shownCase, reader)}</span></li>` : ''}
    </ul>`;
}

/** Said while the amounts of a large case are added up for the first time. */
export function readingNote({ brand, recallCase }: ShownCase, { words, path }: Reader): Html {
  const { reading, again } = words.console.cases.figures;
  const here = path.startsWith(casePagePath(brand, recallCase.caseNo))
    ? path
    : casePagePath(brand, recallCase.caseNo);
  return html`${reading} <a href="${here}">${again}</a>`;
}

/** Who was notified, who answered and who is silent, by audience; and the amounts accounted for, by unit. */
export function effectivenessSection(
  shownCase: ShownCase,
  standing: CaseStanding,
  reader: Reader,
): Html {
  const { figures: words, answers } = reader.words.console.cases;
  const { formats } = reader;
  const number = (value: number): string => formats.number(value);
  const rows = AUDIENCES.flatMap((audience) => {
    const counts = standing.counts.filter((count) => count.audience === audience);
    return counts.length === 0 ? [] : [{ audience, ...sumFigures(counts) }];
  });
  const list = casePagePath(shownCase.brand, shownCase.recallCase.caseNo, 'notifications');
  return html`<section class="card" aria-labelledby="effect-title">
    <h2 id="effect-title">${term('effectiveness', reader, words.title)}</h2>
    ${rowsTable({
      caption: words.byAudience,
      narrow: 'tally',
      head: [
        words.audience,
        { number: words.notifications },
        { number: words.notified },
        { number: answers.statuses.acknowledged },
        { number: answers.statuses.sent },
      ],
      rows: rows.map((row) => [
        html`<a href="${addressWith(list, { audience: row.audience })}"
          >${answers.audiences[row.audience]}</a
        >`,
        number(row.notifications),
        number(row.notified),
        number(row.responded),
        number(row.silent),
      ]),
    })}
    ${renderAmounts(shownCase, standing, reader)}
  </section>`;
}

function renderAmounts(shownCase: ShownCase, { amounts }: CaseStanding, reader: Reader): Html {
  const { figures: words } = reader.words.console.cases;
  const { formats } = reader;
  if (amounts === undefined) return html`<p class="muted">${readingNote(shownCase, reader)}</p>`;
  if (amounts.quantities.length === 0) return html`<p class="muted">${words.nothingSold}</p>`;
  return html`<ul class="bars">
      ${amounts.quantities.map(
        (one) =>
          html`<li>
            <span
              >${words.ofSold(
                html`${formats.quantity(one.accounted_for, one.unit)}`,
                html`${formats.quantity(one.distributed, one.unit)}`,
              )}
              ${words.accounted}</span
            >
            <meter min="0" max="100" value="${one.accounted_for_percent}">
              ${formats.number(one.accounted_for_percent)} %
            </meter>
          </li>`,
      )}
    </ul>
    <p class="muted">${words.amountsAt(time(amounts.asOf, reader))}</p>`;
}
