// Parts of pages with the texts of the console.
import * as parts from '@lothub/design/desk-parts';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { Reader } from '../web/words/reader.ts';

/** Writes the problem of a form above its fields; it is read out at once. */
export function renderProblem(form: parts.FormState, { words }: Reader): Html {
  return parts.renderProblem(form, words.console.form.lookAtFields);
}

/** Writes a secret that was just made and is shown only this once, with fields to copy it from. */
export function issued(
  made: {
    readonly said: string;
    readonly secrets: readonly {
      readonly id: string;
      readonly label: string;
      readonly secret: string;
    }[];
  },
  { words }: Reader,
): Html {
  const { copy, copied: done, copyFailed: failed } = words.console.form;
  return html`<div class="issued">
    ${parts.message('good', made.said)}
    ${made.secrets.map((secret) => parts.shownOnce({ ...secret, words: { copy, done, failed } }))}
  </div>`;
}

/** Writes an action in two steps, which needs no script: a word opens its description and its button. */
export function askedBefore(question: {
  readonly label: string;
  /** Completes the label for people who do not see what is beside it. */
  readonly about: string;
  readonly advice: HtmlValue;
  readonly form: Html;
}): Html {
  const { label, about, advice, form } = question;
  return html`<details class="edit">
    <summary>${label}<span class="hidden"> ${about}</span></summary>
    <p>${advice}</p>
    ${form}
  </details>`;
}

/** Writes the day of a moment, which is enough in a list; the full moment is its title. */
export function day(instant: string, { formats }: Reader): Html {
  return html`<time class="short" datetime="${instant}" title="${formats.instant(instant)}"
    >${formats.shortDate(instant)}</time
  >`;
}

/** Writes a moment in a list, in UTC, as short as it can be read. */
export function moment(instant: string, { formats }: Reader): Html {
  return html`<time class="short" datetime="${instant}">${formats.shortInstant(instant)}</time>`;
}

/** One of the pages that share a heading. */
export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

/** The pages beside this one, under one heading. */
export function tabs(label: string, pages: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${pages.map(
      ({ href, label: name, isCurrent }) =>
        html`<a href="${href}" ${parts.flag('aria-current="page"', isCurrent)}>${name}</a>`,
    )}
  </nav>`;
}

export interface Figure {
  readonly label: HtmlValue;
  readonly value: HtmlValue;
  /** Link of the number. */
  readonly href?: string | undefined;
  /** True if it needs attention. */
  readonly isOpen?: boolean;
}

/**
 * Writes the most important numbers of a page, side by side.
 * @param name what the numbers are of, for screen readers
 */
export function figureRow(name: string, figures: readonly Figure[]): Html {
  return html`<dl class="figures" aria-label="${name}">
    ${figures.map(
      ({ label, value, href, isOpen = false }) =>
        html`<div>
          <dt>${href === undefined ? label : html`<a href="${href}">${label}</a>`}</dt>
          <dd class="${isOpen ? 'warn' : ''}">${value}</dd>
        </div>`,
    )}
  </dl>`;
}
