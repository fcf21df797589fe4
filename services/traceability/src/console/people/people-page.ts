// The people of a brand, or the operators of the hub: a list with what may be changed, and invitations.
import {
  actionButton,
  choice,
  emptyNote,
  field,
  flag,
  moreLink,
  said,
} from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { EMAIL_LENGTH_MAX } from '@lothub/people/access/email';
import type { PlacePeople, PlacePerson } from '@lothub/people/brands/grants';
import type { Invitation, MadeInvitation } from '@lothub/people/invitations/invitations';
import type { Reader, Words } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { askedBefore, day, issued, renderProblem } from '../parts.ts';

/** Texts in which the page of a brand's people differs from that of operators. */
export interface PeopleWordsOfPlace {
  readonly title: string;
  readonly lead: string;
  readonly removeAdvice: (name: Html) => Html;
}

export interface PeopleView {
  /** Address of the page. */
  readonly path: string;
  readonly own: PeopleWordsOfPlace;
  /** The name of the place; undefined for the hub. */
  readonly name: string | undefined;
  /** The account of the reader. */
  readonly self: string;
  /** The roles that people may have here, the weakest first. */
  readonly roles: readonly string[];
  readonly people: PlacePeople;
  readonly invitations: readonly Invitation[];
  readonly made: MadeInvitation | undefined;
  readonly form: FormState;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function peoplePage(view: PeopleView, reader: Reader): Html {
  const { own, name, done, problem } = view;
  return headed({
    heading: own.title,
    summary: name === undefined ? own.lead : html`${said(name)} · ${own.lead}`,
    done,
    problem,
    body: html`${peopleSection(view, reader)} ${inviteSection(view, reader)}
    ${openSection(view, reader)}`,
  });
}

function peopleSection(view: PeopleView, reader: Reader): Html {
  const { path, people, own } = view;
  const { people: words, form } = reader.words.console;
  return html`<section class="card" aria-label="${own.title}">
    ${rowsTable({
      caption: own.title,
      head: [words.name, words.email, words.role, words.since, form.actions],
      rows: people.items.map((person) => [
        html`${said(person.name)}${
          person.account_id === view.self ? html` <span class="chip good">${words.you}</span>` : ''
        }`,
        said(person.email),
        html`${renderRole(person, view, reader)}${
          person.by_sign_on ? html` <span class="chip">${words.bySignOn}</span>` : ''
        }`,
        day(person.since, reader),
        removal(person, view, reader),
      ]),
    })}
    ${moreLink(
      people.next === null
        ? undefined
        : `${path}?${new URLSearchParams({ after: people.next }).toString()}`,
      form.more,
    )}
  </section>`;
}

/** Writes the role; it can be changed if there are several. */
function renderRole(person: PlacePerson, { path, roles }: PeopleView, reader: Reader): Html {
  const { people: words } = reader.words.console;
  if (roles.length < 2) return html`${roleName(person.role, reader.words)}`;
  return html`<form class="row-actions" method="post" action="${path}/${person.account_id}/role">
    <select name="role" aria-label="${words.changeRole}: ${person.name}">
      ${roles.map(
        (role) =>
          html`<option value="${role}" ${flag('selected', role === person.role)}>
            ${roleName(role, reader.words)}
          </option>`,
      )}
    </select>
    <button class="quiet" type="submit">
      ${words.change}<span class="hidden"> ${person.name}</span>
    </button>
  </form>`;
}

function removal(person: PlacePerson, { path, own }: PeopleView, reader: Reader): Html {
  const { people: words } = reader.words.console;
  return askedBefore({
    label: words.remove,
    about: person.name,
    advice: own.removeAdvice(said(person.name)),
    form: actionButton({
      action: `${path}/${person.account_id}/remove`,
      label: words.removeNow,
      about: person.name,
      kind: 'danger',
    }),
  });
}

function inviteSection(view: PeopleView, reader: Reader): Html {
  const { path, made, form, roles } = view;
  const { people: words } = reader.words.console;
  return html`<section class="card" id="invite" aria-labelledby="invite-title">
    <h2 id="invite-title">${words.inviteTitle}</h2>
    <p class="hint">${words.inviteLead}</p>
    ${madeInvitation(made, reader)} ${renderProblem(form, reader)}
    <form method="post" action="${path}/invitations#invite">
      ${emailField(form, reader)}
      ${
        roles.length < 2
          ? html`<input type="hidden" name="role" value="${roles[0]}" />`
          : roleChoice(roles, form, reader)
      }
      <button type="submit">${words.invite}</button>
    </form>
  </section>`;
}

/** Writes the link of an invitation that was just made. */
export function madeInvitation(made: MadeInvitation | undefined, reader: Reader): Html {
  const { people: words } = reader.words.console;
  if (made === undefined) return html``;
  const secrets = [{ id: 'made-link', label: words.link, secret: made.url }];
  return issued({ said: words.made, secrets }, reader);
}

/** Writes the field for the e-mail of the invited person. */
export function emailField(form: FormState, reader: Reader): Html {
  const { people: words } = reader.words.console;
  return field({
    name: 'email',
    label: words.emailOptional,
    type: 'email',
    form,
    hint: words.emailHint,
    maxLength: EMAIL_LENGTH_MAX,
    scope: 'invite',
  });
}

function roleChoice(roles: readonly string[], form: FormState, reader: Reader): Html {
  const { words } = reader;
  const { roleHints } = words.console;
  return choice({
    name: 'role',
    label: words.console.people.role,
    form,
    scope: 'invite',
    choices: roles.map((role) => {
      const hint = Object.entries(roleHints).find(([name]) => name === role)?.[1];
      const name = roleName(role, words);
      return { value: role, label: hint === undefined ? name : `${name}: ${hint}` };
    }),
  });
}

function openSection({ path, invitations }: PeopleView, reader: Reader): Html {
  const { people: words, form } = reader.words.console;
  return html`<section class="card" aria-labelledby="open-title">
    <h2 id="open-title">${words.openTitle}</h2>
    ${
      invitations.length === 0
        ? emptyNote(words.none)
        : rowsTable({
            caption: words.openTitle,
            head: [words.email, words.role, words.by, words.ends, form.actions],
            rows: invitations.map((one) => [
              one.email === null ? words.anybody : said(one.email),
              roleName(one.role, reader.words),
              said(one.invited_by),
              day(one.expires_at, reader),
              html`<div class="row-actions">
                ${actionButton({
                  action: `${path}/invitations/${one.id}/withdraw`,
                  label: words.withdraw,
                  about: words.withdrawAbout(one.email ?? words.anybody),
                })}
              </div>`,
            ]),
          })
    }
  </section>`;
}

/** A role in words; a role of a later version is shown as it is stored. */
export function roleName(role: string, { console: words }: Words): string {
  return Object.entries(words.roles).find(([name]) => name === role)?.[1] ?? role;
}
