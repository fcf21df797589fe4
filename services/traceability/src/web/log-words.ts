// What a page says of the public log: which entry it shows, who has confirmed it, and how to check that
// without this hub. No more than is so.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { LogStanding } from '../log/standing.ts';
import { checkModule } from './assets.ts';
import { blockLink, blockPath } from './fragments.ts';
import { groupedNumber } from './labels.ts';
import type { Page } from './layout.ts';

/** Where the page `docs/trust.md` is. */
const TRUST_PATH = '/api-docs/trust';
/** The module finds its place on the page by this name. */
const PLACE_ID = 'check-here';

/** What a browser checks: one block, or the evidence of a lot. */
export type Checked =
  { readonly kind: 'block' } | { readonly kind: 'lot'; readonly evidencePath: string };

/** Nothing is checked by a page that has nothing signed to check. */
export function logModule(standing: LogStanding): Pick<Page, 'module'> {
  return standing.kind === 'signed' ? { module: checkModule() } : {};
}

export function logSection(standing: LogStanding, checked: Checked): Html {
  return html`<section aria-labelledby="log">
    <h2 id="log">Public log</h2>
    ${standing.kind === 'signed' ? signed(standing, checked) : unsigned(standing.kind)}
  </section>`;
}

function signed(
  { epoch, height }: Extract<LogStanding, { kind: 'signed' }>,
  checked: Checked,
): Html {
  const log = `/log/${epoch}`;
  const proof = `${log}/proof/${height}`;
  return html`<p>
      Entry ${groupedNumber(height)} of this hub’s public log. Signed by the operator alone; nobody
      else has confirmed it yet.
    </p>
    <p>
      ${checked.kind === 'lot' ? html`This is ${blockLink(height)}, the newest of this lot. ` : null}
      ${
        checked.kind === 'lot'
          ? html`<a href="${checked.evidencePath}">Evidence file</a>`
          : html`<a href="${proof}">Proof file</a>`
      }
      · <a href="${TRUST_PATH}">What this proves, and how to check it without us</a>
    </p>
    ${
      checked.kind === 'lot'
        ? html`<div
            id="${PLACE_ID}"
            data-keys="${log}/vkeys"
            data-evidence="${checked.evidencePath}"
          ></div>`
        : html`<div
            id="${PLACE_ID}"
            data-keys="${log}/vkeys"
            data-proof="${proof}"
            data-text="${blockPath(height)}/canonical.txt"
          ></div>`
    }`;
}

const UNSIGNED_WORDS: Readonly<Record<Exclude<LogStanding['kind'], 'signed' | 'held'>, string>> = {
  off: 'This hub keeps no public log.',
  building: 'The public log of this hub is being built.',
  unsigned: 'This is newer than what the public log has signed.',
};

function unsigned(kind: Exclude<LogStanding['kind'], 'signed'>): Html {
  if (kind !== 'held') return html`<p>${UNSIGNED_WORDS[kind]}</p>`;
  return html`<p class="verdict bad">
    <span class="icon" aria-hidden="true">!</span> The operator’s log cannot be confirmed at
    present.
  </p>`;
}
