// The start of a brand: what the person may do in it, and the state of the chain.
import { said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { BRAND_RIGHTS, hasBrandRight, isBrandRight } from '@lothub/people/brands/rights';
import type { BrandRole } from '@lothub/people/brands/rights';
import type { ChainSummary } from '../../ledger/chain-summary.ts';
import { time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';

export interface StartView {
  readonly name: string;
  readonly role: BrandRole;
  readonly chain: ChainSummary;
  /** The lowest block that does not match; null when all do. */
  readonly firstBadHeight: number | null;
}

export function startPage(view: StartView, reader: Reader): Html {
  const { console: words } = reader.words;
  const { start } = words;
  return headed({
    heading: said(view.name),
    summary: start.role(words.roles[view.role]),
    body: html`<section class="card" aria-labelledby="may-title">
        <h2 id="may-title">${start.mayTitle}</h2>
        <p>${start.may}</p>
        <ul>
          ${rightsInWords(view.role, reader).map((words) => html`<li>${words}</li>`)}
        </ul>
      </section>
      ${chainSection(view, reader)}`,
  });
}

function rightsInWords(role: BrandRole, { words }: Reader): readonly string[] {
  return Object.keys(BRAND_RIGHTS)
    .filter(isBrandRight)
    .filter((right) => hasBrandRight(role, right))
    .map((right) => words.console.rights[right]);
}

function chainSection({ chain, firstBadHeight }: StartView, reader: Reader): Html {
  const { start } = reader.words.console;
  const number = (height: number): string => reader.formats.number(height);
  const { kind, title, words } = stateOfChain();
  return html`<section aria-labelledby="chain-title">
    <div class="verdict ${kind}">
      ${icon(kind)}
      <h2 id="chain-title">${title}</h2>
      <p>${words}</p>
      <p><a href="/explorer">${start.explore}</a></p>
    </div>
  </section>`;

  function stateOfChain(): {
    readonly kind: 'good' | 'bad' | 'unknown';
    readonly title: string;
    readonly words: Html | string;
  } {
    const { verified_through: through, verified_at: at, height } = chain;
    if (!chain.chain_valid) {
      const words = firstBadHeight === null ? '' : start.faultyAdvice(number(firstBadHeight));
      return { kind: 'bad', title: start.faulty, words };
    }
    if (at === null) return { kind: 'unknown', title: start.chainTitle, words: start.notYet };
    const words =
      through < height
        ? start.behind(number(through), number(height))
        : start.checked(number(through), time(at, reader));
    return { kind: 'good', title: start.sound, words };
  }
}
