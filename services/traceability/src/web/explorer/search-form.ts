// The form that searches the chain.
import { html, type Html } from '@lothub/kit/html';
import type { Reader } from '../words/reader.ts';

/** Maximum length of a text to search. */
export const SEARCH_MAX = 200;

export function searchForm({ words }: Reader, q = ''): Html {
  const { button, label } = words.explorer.search;
  return html`<form class="ask" action="/explorer/search" method="get" role="search">
    <label for="q">${label}</label>
    <div class="row">
      <input
        id="q"
        name="q"
        value="${q}"
        required
        maxlength="${SEARCH_MAX}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
      <button type="submit">${button}</button>
    </div>
  </form>`;
}
