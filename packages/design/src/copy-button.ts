// A button that copies a text, for codes and hashes that are shown shortened or are long to type. It is shown by
// the module `browser/copying.ts`: without scripts there is none.
import { html, type Html } from '@lothub/kit/html';
import { icon } from './icons.ts';

/** Marks a button of this kind; the module looks for it. */
export const COPY_ATTRIBUTE = 'data-copy-text';

export interface CopyWords {
  /** Name of the button, such as "Copy the hash". */
  readonly label: string;
  /** Said once it is done. */
  readonly done: string;
  /** Said where the browser does not let pages copy. */
  readonly failed: string;
}

export function copyButton(text: string, words: CopyWords): Html {
  return html`<button
    class="copy"
    type="button"
    title="${words.label}"
    ${COPY_ATTRIBUTE}="${text}"
    data-done="${words.done}"
    data-failed="${words.failed}"
    hidden
  >
    ${icon('copy')}<span class="hidden" role="status" data-words>${words.label}</span>
  </button>`;
}

/** Digits that are shown of a hash at either end. */
const HASH_ENDS = 8;

/** A hash of which both ends are shown, with its button. All of it is there to be selected: a click does. */
export function shortHash(text: string, words: CopyWords): Html {
  const middle = text.slice(HASH_ENDS, -HASH_ENDS);
  const shown =
    middle === ''
      ? html`${text}`
      : html`${text.slice(0, HASH_ENDS)}<span class="middle">${middle}</span
          >${text.slice(-HASH_ENDS)}`;
  return html`<span class="short-hash"
    ><code class="hash" title="${text}">${shown}</code>${copyButton(text, words)}</span
  >`;
}
