// The brands of a person, on the page of the person's account: the role in each, and a button to leave it.
import { actionButton, said } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { BrandRole } from '@lothub/people/brands/rights';
import type { Reader } from '../../web/words/reader.ts';
import { askedBefore } from '../parts.ts';
import { ME, brandPath } from '../paths.ts';

export interface OwnBrand {
  readonly brand: string;
  /** The name of the brand. */
  readonly name: string;
  readonly role: BrandRole;
}

/** Writes nothing for a person who is in no brand. */
export function brandsSection(brands: readonly OwnBrand[], reader: Reader): Html {
  const { me: words, roles, people, form, brands: ofHub } = reader.words.console;
  if (brands.length === 0) return html``;
  return html`<section class="card" aria-labelledby="brands-title">
    <h2 id="brands-title">${words.brands}</h2>
    ${rowsTable({
      caption: words.brands,
      head: [ofHub.brand, people.role, form.actions],
      rows: brands.map(({ brand, name, role }) => [
        html`<a href="${brandPath(brand)}">${said(name)}</a>`,
        roles[role],
        askedBefore({
          label: words.leave,
          about: name,
          advice: words.leaveAdvice(said(name)),
          form: actionButton({
            action: `${ME}/brands/${encodeURIComponent(brand)}/leave`,
            label: words.leaveNow,
            about: name,
            kind: 'danger',
          }),
        }),
      ]),
    })}
  </section>`;
}
