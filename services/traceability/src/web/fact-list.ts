// Names and values below each other; a value that is not there takes its name with it.
import { html, type Html, type HtmlValue } from '@lothub/kit/html';

export type Fact = readonly [name: HtmlValue, value: HtmlValue | undefined];

/**
 * @param facts the facts about one thing; undefined ones, and those without a value, are left out
 */
export function factList(facts: readonly (Fact | undefined)[]): Html {
  return html`<dl class="facts">
    ${facts.map((fact) =>
      fact?.[1] === undefined || fact[1] === null
        ? ''
        : html`<div>
            <dt>${fact[0]}</dt>
            <dd>${fact[1]}</dd>
          </div>`,
    )}
  </dl>`;
}

/** Makes the same list; null when there are no facts. */
export function factListOrNothing(facts: readonly (Fact | undefined)[]): Html | null {
  const hasAny = facts.some((fact) => fact?.[1] !== undefined && fact[1] !== null);
  return hasAny ? factList(facts) : null;
}
