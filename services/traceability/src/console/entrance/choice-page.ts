// The choice between the brands of a person, for people in several of them, and for operators of the hub who are in
// one.
import { said } from '@lothub/design/desk-parts';
import { html, type Html } from '@lothub/kit/html';
import type { Rights } from '@lothub/people/brands/access';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { HUB, brandPath, type BrandTab } from '../paths.ts';

/** @param visitor `tab`: the page of a brand that is requested */
export function choicePage(
  visitor: {
    readonly rights: Rights;
    readonly names: ReadonlyMap<string, string>;
    readonly tab: BrandTab | undefined;
  },
  reader: Reader,
): Html {
  const { rights, names, tab } = visitor;
  const { choice, roles } = reader.words.console;
  const { compare } = new Intl.Collator(reader.language, { numeric: true });
  const brands = [...rights.brands]
    .map(([brand, role]) => ({ brand, role, name: names.get(brand) ?? brand }))
    .sort((a, b) => compare(a.name, b.name));
  const isNobody = brands.length === 0 && rights.hub === undefined;
  return headed({
    heading: isNobody ? choice.none : choice.title,
    body: isNobody
      ? html`<p>${choice.noneAdvice}</p>`
      : html`<ul class="cards">
          ${brands.map(
            ({ brand, role, name }) =>
              html`<li class="card">
                <h2><a class="whole" href="${brandPath(brand, tab)}">${said(name)}</a></h2>
                <p class="muted">${roles[role]}</p>
              </li>`,
          )}
          ${
            rights.hub === undefined || tab !== undefined
              ? ''
              : html`<li class="card">
                  <h2><a class="whole" href="${HUB}">${choice.hub}</a></h2>
                  <p class="muted">${choice.operates}</p>
                </li>`
          }
        </ul>`,
  });
}
