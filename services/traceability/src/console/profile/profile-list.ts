// A list of products or places: a search, the ones without a name, and a form for a new one.
import { emptyNote, moreLink } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { Reader } from '../../web/words/reader.ts';
import { CODE_LENGTH_MAX } from './room-view.ts';
import { unnamedFold } from './room.ts';

/** Codes that are suggested; the count says how many there are. */
const OFFERED_MAX = 100;

export interface ProfileList {
  /** Address of the list; what is below it begins with it. */
  readonly path: string;
  readonly q: string | undefined;
  readonly total: number;
  readonly next: string | null;
  readonly mayEdit: boolean;
  /** Filled for people who may name them. */
  readonly unnamed: readonly string[];
}

/** Words of one kind of list. */
export interface ListWords {
  readonly openTitle: string;
  readonly openHint: string;
  readonly none: string;
  readonly noneFound: string;
  readonly countUnnamed: (count: string) => string;
  readonly oneUnnamed: string;
  readonly total: (count: string) => string;
}

export function renderProfileList(
  list: ProfileList,
  content: {
    readonly title: string;
    /** The label of the code. */
    readonly codeLabel: string;
    readonly words: ListWords;
    readonly head: readonly string[];
    readonly rows: readonly (readonly HtmlValue[])[];
  },
  reader: Reader,
): Html {
  const { profile } = reader.words.console;
  const { words } = content;
  const { path, q, total, next, mayEdit, unnamed } = list;
  const further = new URLSearchParams({ ...(q === undefined ? {} : { q }), after: next ?? '' });
  const unnamedPart = unnamedFold(
    unnamed,
    {
      heading: words.countUnnamed,
      one: words.oneUnnamed,
      lead: profile.products.unnamedLead,
      buildPath: (code) => codePath(path, code),
      shownMax: OFFERED_MAX,
      // It is open while nothing has a name yet.
      isOpen: total === 0,
    },
    reader,
  );
  return html`${unnamedPart}
    <section class="card" aria-label="${content.title}">
      <form class="finding" method="get" action="${path}" role="search">
        <label class="hidden" for="q">${profile.search}</label>
        <div class="row">
          <input id="q" name="q" type="search" value="${q ?? ''}" maxlength="${CODE_LENGTH_MAX}" />
          <button class="quiet" type="submit">${icon('search')}${profile.search}</button>
          <span class="muted">${words.total(reader.formats.number(total))}</span>
        </div>
      </form>
      ${
        content.rows.length === 0
          ? emptyNote(q === undefined ? words.none : words.noneFound)
          : rowsTable({ caption: content.title, head: content.head, rows: content.rows })
      }
      ${moreLink(
        next === null ? undefined : `${path}?${further.toString()}`,
        q === undefined ? reader.words.console.form.more : profile.products.further,
      )}
    </section>
    ${mayEdit ? openForm(path, content, reader) : ''}`;
}

function openForm(
  path: string,
  form: { readonly codeLabel: string; readonly words: ListWords },
  reader: Reader,
): Html {
  const { profile } = reader.words.console;
  return html`<section class="card" aria-labelledby="open-title">
    <h2 id="open-title">${form.words.openTitle}</h2>
    <form method="get" action="${path}">
      <div class="field">
        <label for="open">${form.codeLabel}</label>
        <p class="hint" id="open-hint">${form.words.openHint}</p>
        <input
          id="open"
          name="open"
          required
          maxlength="${CODE_LENGTH_MAX}"
          autocomplete="off"
          aria-describedby="open-hint"
        />
      </div>
      <button type="submit">${profile.show}</button>
    </form>
  </section>`;
}

export function codePath(path: string, code: string): string {
  return `${path}/${encodeURIComponent(code)}`;
}
