// Pieces of pages with the words of the console.
import * as parts from '@lothub/design/desk-parts';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { Reader } from '../web/words/reader.ts';

/** What is wrong with a form, above its fields; read out at once. */
export function renderProblem(form: parts.FormState, { words }: Reader): Html {
  return parts.renderProblem(form, words.console.form.lookAtFields);
}

/** Something that was made just now and is shown this once: what it is, and the fields to copy it from. */
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

/** Something that is done in two steps without a script, too: a word that opens what it does and its button. */
export function askedBefore(question: {
  readonly label: string;
  /** Completes the label for those who do not see what it is beside. */
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

/** The day of a moment, which is enough in a list; the whole of it is its title. */
export function day(instant: string, { formats }: Reader): Html {
  return html`<time datetime="${instant}" title="${formats.instant(instant)}"
    >${formats.date(instant)}</time
  >`;
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
  /** Where the number leads to. */
  readonly href?: string | undefined;
  /** It needs somebody. */
  readonly isOpen?: boolean;
}

/**
 * The numbers that a page is read for first, side by side.
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
