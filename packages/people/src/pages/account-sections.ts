// What a person sets for itself, one card each: name, password, sessions, export, erasure. Each service puts
// those it shows on a page of its own.
import { actionButton, field, renderProblem, type FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import type { Static } from 'typebox';
import { EMAIL_LENGTH_MAX } from '../access/email.ts';
import type { Person } from '../access/person.ts';
import type { SessionSchema } from '../accounts/schema.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../passwords/password-rules.ts';
import { browserWords } from './browser-words.ts';
import type { PeopleWords } from './words.ts';

export interface SectionOptions {
  readonly words: PeopleWords;
  /** The path of the person's own page, such as `/inbox/me`. */
  readonly path: string;
}

export function nameSection(
  { words, path }: SectionOptions,
  { person, form }: { readonly person: Pick<Person, 'name'>; readonly form: FormState },
): Html {
  return html`<section class="card" aria-labelledby="name-title">
    <h2 id="name-title">${words.account.name}</h2>
    ${renderProblem(form, words.fields.lookAtFields)}
    <form method="post" action="${path}">
      ${field({
        name: 'name',
        label: words.fields.name,
        form,
        value: person.name,
        hint: words.fields.nameHint,
        required: true,
        maxLength: NAME_MAX,
        autocomplete: 'name',
        scope: 'me',
      })}
      <button type="submit">${words.account.save}</button>
    </form>
  </section>`;
}

export function passwordSection(
  { words, path }: SectionOptions,
  { person, form }: { readonly person: Pick<Person, 'email'>; readonly form: FormState },
): Html {
  const { account, fields } = words;
  return html`<section class="card" id="password" aria-labelledby="password-title">
    <h2 id="password-title">${account.password}</h2>
    <p class="hint">${account.passwordEnds}</p>
    ${renderProblem(form, fields.lookAtFields)}
    <form method="post" action="${path}/password#password">
      <input type="hidden" name="username" value="${person.email}" autocomplete="username" />
      ${field({
        name: 'old_password',
        label: account.oldPassword,
        type: 'password',
        form,
        required: true,
        maxLength: PASSWORD_LENGTH_MAX,
        autocomplete: 'current-password',
      })}
      ${field({
        name: 'new_password',
        label: account.newPassword,
        type: 'password',
        form,
        hint: fields.passwordHint(PASSWORD_LENGTH_MIN),
        required: true,
        maxLength: PASSWORD_LENGTH_MAX,
        autocomplete: 'new-password',
      })}
      <button type="submit">${account.changePassword}</button>
    </form>
  </section>`;
}

/** How a page writes a time: as a date, or as an age. */
export type WriteTime = (instant: string, form: 'exact' | 'ago') => Html;

export function sessionsSection(
  { words, path }: SectionOptions,
  list: { readonly sessions: readonly Static<typeof SessionSchema>[]; readonly time: WriteTime },
): Html {
  const { account } = words;
  const { sessions, time } = list;
  return html`<section class="card" aria-labelledby="sessions-title">
    <h2 id="sessions-title">${account.sessions}</h2>
    ${rowsTable({
      caption: account.whereLoggedIn,
      head: [account.browser, account.since, account.lastSeen, account.actions],
      rows: sessions.map((session) => [
        html`<span title="${session.agent}">${browserWords(session.agent, words)}</span>${
            session.is_current ? html` <span class="chip good">${account.thisOne}</span>` : ''
          }`,
        time(session.created_at, 'exact'),
        time(session.last_seen_at, 'ago'),
        session.is_current
          ? null
          : html`<div class="row-actions">
              ${actionButton({
                action: `${path}/sessions/${session.id}/end`,
                label: account.end,
                about: account.endAbout(browserWords(session.agent, words)),
              })}
            </div>`,
      ]),
    })}
    ${
      sessions.length > 1
        ? actionButton({
            action: `${path}/sessions/end`,
            label: account.endOthers,
            kind: 'danger',
            confirm: account.endOthersAsked,
          })
        : ''
    }
  </section>`;
}

/** All that is kept of the account, as a file. */
export function exportSection({ words, path }: SectionOptions): Html {
  const { account } = words;
  return html`<section class="card" aria-labelledby="data-title">
    <h2 id="data-title">${account.data}</h2>
    <p class="hint">${account.dataLead}</p>
    ${actionButton({ action: `${path}/export`, label: account.export })}
  </section>`;
}

/** The form is folded, and the e-mail must be typed: a single click erases no account. */
export function eraseSection(
  { words, path }: SectionOptions,
  { form }: { readonly form: FormState },
): Html {
  const { account, fields } = words;
  const isOpen = form.problem !== undefined || Object.keys(form.errors).length > 0;
  return html`<details class="fold" id="erase" ${isOpen ? html`open` : ''}>
    <summary><h2>${account.erase}</h2></summary>
    <p>${account.eraseLead}</p>
    <p>${account.eraseHow}</p>
    ${renderProblem(form, fields.lookAtFields)}
    <form method="post" action="${path}/erase#erase">
      ${field({
        name: 'email',
        label: fields.email,
        form,
        required: true,
        maxLength: EMAIL_LENGTH_MAX,
        scope: 'erase',
      })}
      <button class="danger" type="submit">${account.eraseNow}</button>
    </form>
  </details>`;
}
