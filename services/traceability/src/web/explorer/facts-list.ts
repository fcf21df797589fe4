// Names and values below each other; a value that is not there takes its name with it.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';

export type Fact = readonly [name: string, value: Html | string | undefined | null];

export function factsList(facts: readonly Fact[]): Html | null {
  const known = facts.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [{ name, value }],
  );
  if (known.length === 0) return null;
  return html`<dl class="facts">
    ${known.map(
      ({ name, value }) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}
