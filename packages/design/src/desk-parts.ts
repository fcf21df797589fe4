// Pieces that the pages people work in are made of: fields with their errors, buttons in forms of their own,
// messages, what is shown once. The caller passes the words.
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { COPY_ATTRIBUTE } from './copy-button.ts';
import { icon, type IconName } from './icons.ts';

/** What was typed into a form and what is wrong with it; both by the names of the fields. */
export interface FormState {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  /** What is wrong with the whole of it. */
  readonly problem: string | undefined;
}

export const EMPTY_FORM: FormState = { values: {}, errors: {}, problem: undefined };

/** What somebody wrote: its direction of writing does not reach beyond it. */
export function said(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly form: FormState;
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'url'
    | 'number'
    | 'date'
    | 'time'
    | 'datetime-local'
    | 'search';
  readonly value?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  /** For a number or a moment: `any` takes all that its type can hold. */
  readonly step?: string;
  readonly autocomplete?: string;
  /** Which keys a telephone shows. */
  readonly inputMode?: 'decimal' | 'text';
  /** Whether the page begins here. */
  readonly isFocused?: boolean;
  /** Where a page holds several forms: makes the ids of this one its own. */
  readonly scope?: string;
}

export function field(options: FieldOptions): Html {
  const { name, label, form, type = 'text' } = options;
  const id = buildId(options);
  // A password is never sent back.
  const value = type === 'password' ? '' : (form.values[name] ?? options.value ?? '');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${renderHint(id, options)}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${options.autocomplete ?? 'off'}"
      ${attribute('maxlength', options.maxLength)}
      ${attribute('inputmode', options.inputMode)}
      ${flag('autofocus', options.isFocused === true)}
      ${attribute('min', options.min)}
      ${attribute('max', options.max)}
      ${attribute('step', options.step)}
      ${flag('required', options.required === true)}
      ${describedBy(id, options)}
    />
    ${renderError(id, options)}
  </div>`;
}

/** A field for texts of several lines. */
export function textArea(options: FieldOptions & { readonly rows: number }): Html {
  const { name, label, form, rows } = options;
  const id = buildId(options);
  const value = form.values[name] ?? options.value ?? '';
  // A browser leaves out the first line break behind the tag.
  return html`<div class="field wider">
    <label for="${id}">${label}</label>
    ${renderHint(id, options)}
    <textarea
      id="${id}"
      name="${name}"
      rows="${rows}"
      ${attribute('maxlength', options.maxLength)}
      ${flag('required', options.required === true)}
      ${describedBy(id, options)}
    >
${value}</textarea>
    ${renderError(id, options)}
  </div>`;
}

/**
 * A box to tick: sends `yes` when it is ticked, and an empty text before it when it is not, so that a form that is
 * shown again distinguishes the two from a form that was never sent.
 */
export function tickBox(options: FieldOptions & { readonly isTicked: boolean }): Html {
  const { name, label, form } = options;
  const id = buildId(options);
  const typed = form.values[name];
  const isTicked = typed === undefined ? options.isTicked : typed === TICKED;
  return html`<div class="field wider">
    <input type="hidden" name="${name}" value="" />
    <label class="check" for="${id}">
      <input
        id="${id}"
        name="${name}"
        type="checkbox"
        value="${TICKED}"
        ${flag('checked', isTicked)}
        ${describedBy(id, options)}
      />
      <span>${label}</span>
    </label>
    ${renderHint(id, options)} ${renderError(id, options)}
  </div>`;
}

/** What a box sends that is ticked. */
export const TICKED = 'yes';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function choice(options: FieldOptions & { readonly choices: readonly Choice[] }): Html {
  const id = buildId(options);
  const chosen = options.form.values[options.name] ?? options.value;
  return html`<div class="field">
    <label for="${id}">${options.label}</label>
    ${renderHint(id, options)}
    <select id="${id}" name="${options.name}" ${describedBy(id, options)}>
      ${options.choices.map(
        ({ value, label }) =>
          html`<option value="${value}" ${flag(' selected', value === chosen)}>${label}</option>`,
      )}
    </select>
    ${renderError(id, options)}
  </div>`;
}

function buildId({ name, scope }: FieldOptions): string {
  return scope === undefined ? name : `${scope}-${name}`;
}

function renderHint(id: string, { hint }: FieldOptions): Html {
  return hint === undefined ? html`` : html`<p class="hint" id="${id}-hint">${hint}</p>`;
}

export function renderError(id: string, { name, form }: FieldOptions): Html {
  const error = form.errors[name];
  if (error === undefined) return html``;
  return html`<p class="field-error" id="${id}-error">${icon('warning')}${error}</p>`;
}

function describedBy(id: string, { name, form, hint }: FieldOptions): Html {
  const wrong = form.errors[name] !== undefined;
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(wrong ? [`${id}-error`] : [])];
  const described = ids.length === 0 ? '' : html` aria-describedby="${ids.join(' ')}"`;
  return html`${wrong ? html`aria-invalid="true"` : ''}${described}`;
}

export function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? html`` : html`${name}="${value}"`;
}

export function flag(name: string, isSet: boolean): Html {
  return isSet ? html`${name}` : html``;
}

/**
 * What is wrong with a form, above its fields; read out at once.
 * @param lookAtFields what is said when single fields are wrong
 */
export function renderProblem(form: FormState, lookAtFields: string): Html {
  const count = Object.keys(form.errors).length;
  const words = form.problem ?? (count === 0 ? undefined : lookAtFields);
  return words === undefined ? html`` : message('bad', words, 'alert');
}

const MESSAGE_ICONS: Readonly<Record<'good' | 'bad' | 'note', IconName>> = {
  good: 'check',
  bad: 'warning',
  note: 'info',
};

export function message(
  kind: 'good' | 'bad' | 'note',
  words: HtmlValue,
  role: 'status' | 'alert' = 'status',
): Html {
  return html`<div class="notice ${kind}" role="${role}">
    ${icon(MESSAGE_ICONS[kind])}
    <p>${words}</p>
  </div>`;
}

/** One button that posts. `about` completes its name for those who do not see what it is beside. */
export function actionButton(options: {
  readonly action: string;
  readonly label: string;
  readonly about?: string;
  readonly kind?: 'quiet' | 'danger' | 'plain';
  readonly fields?: Readonly<Record<string, string>>;
  /** Asked before it is done, in browsers with scripts. */
  readonly confirm?: string;
}): Html {
  const { action, label, about, kind = 'quiet', fields = {}, confirm } = options;
  return html`<form method="post" action="${action}" ${attribute('data-confirm', confirm)}>
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button class="${kind}" type="submit">
      ${label}${about === undefined ? '' : html`<span class="hidden"> ${about}</span>`}
    </button>
  </form>`;
}

export function emptyNote(words: HtmlValue): Html {
  return html`<p class="empty">${words}</p>`;
}

/** Of the button that copies what is shown once. */
export interface CopyingWords {
  readonly copy: string;
  /** Said once it is done. */
  readonly done: string;
  /** Said where the browser does not let pages copy. */
  readonly failed: string;
}

/** A secret that is shown this once, in a field from which it can be copied. */
export function shownOnce(options: {
  readonly id: string;
  readonly label: string;
  readonly secret: string;
  readonly words: CopyingWords;
}): Html {
  const { id, label, secret, words } = options;
  return html`<div class="secret">
    <p class="secret-label" id="${id}-label">${label}</p>
    <code id="${id}" class="secret-text" tabindex="0" aria-labelledby="${id}-label">${secret}</code>
    <button
      class="quiet"
      type="button"
      ${COPY_ATTRIBUTE}="${secret}"
      data-done="${words.done}"
      data-failed="${words.failed}"
      hidden
    >
      <span data-words>${words.copy}</span><span class="hidden"> ${label}</span>
    </button>
  </div>`;
}

/** The link to the rest of a list. */
export function moreLink(href: string | undefined, label: string): Html {
  return href === undefined ? html`` : html`<p class="more"><a href="${href}">${label}</a></p>`;
}
