// The start page of a brand: what needs attention now, the most urgent first; the first steps of a new brand;
// and the state of the chain.
import { said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { hasBrandRight } from '@lothub/people/brands/rights';
import { time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { countWords } from '../filters.ts';
import { headed } from '../frame.ts';
import { term } from '../help/terms.ts';
import { brandPath, eventPagePath, simulationPath } from '../paths.ts';
import { firstSteps, type StepsView } from './first-steps.ts';
import { listTasks, type Counted, type Day, type Task } from './tasks.ts';
import { day, figureRow } from '../parts.ts';

export interface TodayView {
  readonly name: string;
  readonly day: Day;
  readonly steps: StepsView;
}

export function todayPage(view: TodayView, reader: Reader): Html {
  const { day, steps, name } = view;
  const { today, roles } = reader.words.console;
  const isEmpty = day.summary.events_total === 0;
  const way = day.isOnItsWay ? firstSteps(steps, reader) : '';
  return headed({
    heading: today.title,
    summary: today.role(said(name), roles[steps.role]),
    actions: actions(view, reader),
    body: html`${isEmpty ? way : ''} ${isEmpty ? onlyUrgent(day, reader) : needs(day, reader)}
    ${isEmpty ? '' : way} ${isEmpty ? '' : numbers(day, reader)} ${trust(day, reader)}`,
  });
}

function actions({ day, steps: { brand, role } }: TodayView, { words }: Reader): Html {
  const { today } = words.console;
  return html`${
    hasBrandRight(role, 'simulate') && day.summary.events_total > 0
      ? html`<a class="button quiet" href="${simulationPath(brand)}"
          >${icon('search')}${today.simulate}</a
        >`
      : ''
  }${
    hasBrandRight(role, 'import')
      ? html`<a class="button" href="${brandPath(brand, 'record')}"
          >${icon('plus')}${today.record}</a
        >`
      : ''
  }`;
}

function needs(day: Day, reader: Reader): Html {
  const { today } = reader.words.console;
  const tasks = listTasks(day, reader);
  const pending =
    day.compliance === undefined ? html`<p class="hint" role="status">${today.checking}</p>` : '';
  if (tasks.length > 0) return html`${taskList(tasks, reader)} ${pending}`;
  return html`<section aria-labelledby="needs-title">
    <div class="verdict good">
      ${icon('good')}
      <h2 id="needs-title">${today.nothing}</h2>
      ${day.compliance === undefined ? '' : html`<p>${today.nothingAdvice}</p>`}
    </div>
    ${pending}
  </section>`;
}

/** A brand without events gets no message that nothing is wrong. */
function onlyUrgent(day: Day, reader: Reader): HtmlValue {
  const tasks = listTasks(day, reader);
  return tasks.length === 0 ? '' : taskList(tasks, reader);
}

function taskList(tasks: readonly Task[], reader: Reader): Html {
  return html`<section aria-labelledby="needs-title">
    <h2 id="needs-title">${reader.words.console.today.needs}</h2>
    <ul class="tasks">
      ${tasks.map(
        (task) =>
          html`<li class="${task.tone}">
            ${icon(task.icon)}
            <div>
              <a class="whole" href="${task.href}">${task.title}</a>
              <p class="muted">${task.hint}</p>
            </div>
            ${
              task.count === undefined
                ? ''
                : html`<strong class="number">${counted(task.count, reader)}</strong>`
            }
            ${icon('next')}
          </li>`,
      )}
    </ul>
  </section>`;
}

function counted({ count, isExact }: Counted, reader: Reader): string {
  return countWords({ total: count, isExact }, reader);
}

function numbers({ summary, compliance, brand, newestEvent }: Day, reader: Reader): Html {
  const { today } = reader.words.console;
  const { formats } = reader;
  const drill = compliance?.last_drill;
  const lots = brandPath(brand, 'lots');
  return html`<section class="card" aria-labelledby="numbers-title">
    <h2 id="numbers-title">${today.numbers}</h2>
    ${figureRow(today.numbers, [
      {
        label: today.events24h,
        value: counted(
          { count: summary.events_24h, isExact: summary.events_24h_is_exact !== false },
          reader,
        ),
      },
      {
        label: today.lastEvent,
        value: summary.last_event_at === null ? today.never : day(summary.last_event_at, reader),
        href: newestEvent === undefined ? undefined : eventPagePath(brand, String(newestEvent)),
      },
      { label: today.lots, value: formats.number(summary.lots_total), href: lots },
      ...(summary.lots_recalled === 0
        ? []
        : [
            {
              label: today.recalled,
              value: counted(
                { count: summary.lots_recalled, isExact: summary.lots_recalled_is_exact !== false },
                reader,
              ),
              href: `${lots}?status=recalled`,
            },
          ]),
      ...(compliance === undefined
        ? []
        : [
            {
              label: term('score', reader, today.score),
              value: today.outOf100(formats.number(compliance.score)),
            },
            {
              label: term('drill', reader, today.lastDrill),
              value: html`<a href="${brandPath(brand, 'drills')}"
                >${daysAgo(drill?.days_ago, reader)}</a
              >`,
            },
          ]),
    ])}
  </section>`;
}

function daysAgo(days: number | undefined, { words, formats }: Reader): string {
  const { today } = words.console;
  if (days === undefined) return today.never;
  return days === 0 ? today.todayWord : today.daysAgo(formats.number(days));
}

function trust(day: Day, reader: Reader): Html {
  const { today } = reader.words.console;
  const { log, witnesses, firstBadHeight } = day;
  const { counts } = witnesses;
  const number = (value: number): string => reader.formats.number(value);
  return html`<section class="card" aria-labelledby="trust-title">
    <h2 id="trust-title">${term('chain', reader, today.trust)}</h2>
    <ul class="chips">
      <li class="chip ${firstBadHeight === null ? 'good' : 'bad'}">
        ${icon(firstBadHeight === null ? 'good' : 'bad')}<span>${checkedWords(day, reader)}</span>
      </li>
      <li class="chip ${log === 'held' ? 'warn' : ''}">${icon('chain')}${today.log[log]}</li>
      <li class="chip">
        ${icon('shield')}${
          counts === null
            ? today.noWitnesses
            : today.quorum(number(counts.cosigned), number(counts.counting))
        }
      </li>
    </ul>
    <p><a href="/explorer">${today.explore}</a></p>
  </section>`;
}

function checkedWords({ summary: { chain }, firstBadHeight }: Day, reader: Reader): HtmlValue {
  const { today } = reader.words.console;
  const number = (value: number): string => reader.formats.number(value);
  if (firstBadHeight !== null) return today.chainFaulty;
  if (chain.verified_at === null) return today.notVerified;
  return chain.verified_through < chain.height
    ? today.verifying(number(chain.verified_through), number(chain.height))
    : today.verified(number(chain.verified_through), time(chain.verified_at, reader));
}
