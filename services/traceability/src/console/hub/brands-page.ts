// All brands of the hub, for its operators: their names and managers, and nothing that is private to a brand.
import { actionButton, emptyNote, field, moreLink, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { FirstInvitationList } from '@lothub/people/invitations/first-invitations';
import type { MadeInvitation } from '@lothub/people/invitations/invitations';
import { BRAND_MAX, code } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { askedBefore, day, renderProblem } from '../parts.ts';
import { HUB } from '../paths.ts';
import { emailField, madeInvitation } from '../people/people-page.ts';
import type { BrandPage } from './brands.ts';

export interface BrandsView {
  readonly page: BrandPage;
  readonly made: MadeInvitation | undefined;
  readonly form: FormState;
  /** Open invitations of first managers. */
  readonly invitations: FirstInvitationList;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function brandsPage(view: BrandsView, reader: Reader): Html {
  const { brands: words } = reader.words.console;
  return headed({
    heading: words.title,
    summary: words.lead,
    done: view.done,
    problem: view.problem,
    body: html`${listSection(view, reader)} ${openSection(view, reader)}
    ${inviteSection(view, reader)}`,
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

/** Nothing if there are none: the form for a new one is below. */
function openSection({ invitations }: BrandsView, reader: Reader): Html {
  const { people: words, brands, form } = reader.words.console;
  const { items, next } = invitations;
  if (items.length === 0) return html``;
  const further = next === null ? undefined : new URLSearchParams({ invited_after: next });
  return html`<section class="card" id="open" aria-labelledby="open-title">
    <h2 id="open-title">${brands.openTitle}</h2>
    ${rowsTable({
      caption: brands.openTitle,
      head: [brands.id, words.email, words.by, words.ends, form.actions],
      rows: items.map(({ id, brand, email, invited_by: by, expires_at: endsAt }) => [
        code(brand),
        email === null ? words.anybody : said(email),
        said(by),
        day(endsAt, reader),
        askedBefore({
          label: words.withdraw,
          about: brand,
          advice: brands.withdrawAdvice,
          form: actionButton({
            action: `${HUB}/invitations/${id}/withdraw`,
            label: brands.withdrawNow,
            about: brand,
            kind: 'danger',
            fields: { brand },
          }),
        }),
      ]),
    })}
    ${moreLink(further === undefined ? undefined : `${HUB}?${further.toString()}#open`, form.more)}
  </section>`;
}

function inviteSection({ made, form }: BrandsView, reader: Reader): Html {
  const { brands: words, people } = reader.words.console;
  return html`<section class="card" id="invite" aria-labelledby="invite-title">
    <h2 id="invite-title">${words.inviteTitle}</h2>
    <p class="hint">${words.inviteLead}</p>
    ${madeInvitation(made, reader)} ${renderProblem(form, reader)}
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
