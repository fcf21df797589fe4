// All brands of the hub, for its operators: what each is called and who looks after it, and nothing of what a
// brand keeps to itself.
import { emptyNote, field, moreLink, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { MadeInvitation } from '@lothub/people/invitations/invitations';
import { BRAND_MAX, code } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { problemOf } from '../parts.ts';
import { HUB } from '../paths.ts';
import { emailField, madeInvitation } from '../people/people-page.ts';
import type { BrandPage } from './brands.ts';

export interface BrandsView {
  readonly page: BrandPage;
  readonly made: MadeInvitation | undefined;
  readonly form: FormState;
}

export function brandsPage(view: BrandsView, reader: Reader): Html {
  const { brands: words } = reader.words.console;
  return headed({
    heading: words.title,
    summary: words.lead,
    body: html`${listSection(view, reader)} ${inviteSection(view, reader)}`,
  });
}

function listSection({ page }: BrandsView, reader: Reader): Html {
  const { brands: words, form } = reader.words.console;
  const number = (count: number): string => reader.formats.number(count);
  const next = page.next === null ? undefined : new URLSearchParams({ after: page.next });
  return html`<section class="card" aria-label="${words.title}">
    ${
      page.items.length === 0
        ? emptyNote(words.none)
        : rowsTable({
            caption: words.title,
            head: [words.brand, words.id, words.managers, words.people],
            rows: page.items.map(({ brand, name, people, managers }) => [
              said(name ?? brand),
              code(brand),
              managers === 0
                ? html`<span class="chip warn">${words.noManager}</span>`
                : number(managers),
              number(people),
            ]),
          })
    }
    ${moreLink(next === undefined ? undefined : `${HUB}?${next.toString()}`, form.more)}
  </section>`;
}

function inviteSection({ made, form }: BrandsView, reader: Reader): Html {
  const { brands: words, people } = reader.words.console;
  return html`<section class="card" id="invite" aria-labelledby="invite-title">
    <h2 id="invite-title">${words.inviteTitle}</h2>
    <p class="hint">${words.inviteLead}</p>
    ${madeInvitation(made, reader)} ${problemOf(form, reader)}
    <form method="post" action="${HUB}/invitations#invite">
      ${field({
        name: 'brand',
        label: words.id,
        form,
        hint: words.idHint,
        required: true,
        maxLength: BRAND_MAX,
        scope: 'invite',
      })}
      ${emailField(form, reader)}
      <button type="submit">${people.invite}</button>
    </form>
  </section>`;
}
