// Bodies of the pages for people who are not logged in: log-in, set-up and what an invitation leads to. Each
// service lays them out in its own frame.
import { EMPTY_FORM, field, message, renderProblem, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { html, type Html } from '@lothub/kit/html';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import { present } from '@lothub/kit/present';
import { EMAIL_LENGTH_MAX } from '../access/email.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../passwords/password-rules.ts';
import type { PeopleWords } from './words.ts';

export interface EntrancePage {
  readonly title: string;
  readonly body: Html;
}

/** What each of these pages is made with. */
export interface EntranceOptions {
  readonly words: PeopleWords;
  /** The start of the paths of the service's pages, such as `/inbox`. */
  readonly prefix: string;
  readonly form?: FormState;
}

export function loginPage(
  options: EntranceOptions & {
    /** Where to go afterwards. */
    readonly next: string;
    readonly done?: string | undefined;
    readonly waysIn?: WaysIn;
  },
): EntrancePage {
  const { words, prefix, next, form = EMPTY_FORM, done } = options;
  const { bySignOn, byPassword } = options.waysIn ?? PASSWORD_ALONE;
  const { logIn } = words;
  return {
    title: logIn.title,
    body: html`<div class="card">
        <h1>${logIn.title}</h1>
        ${done === undefined ? '' : message('good', done)}
        ${renderProblem(form, words.fields.lookAtFields)}
        ${
          byPassword
            ? html`<form method="post" action="${prefix}/login">
                <input type="hidden" name="next" value="${next}" />
                ${logInFields(form, words)}
                <button type="submit">${logIn.title}</button>
              </form>`
            : ''
        }
        ${bySignOn ? signOnLink({ words, prefix, next }) : ''}
      </div>
      <p class="hint">${logIn.noRegistration} ${byPassword ? logIn.lostPassword : ''}</p>`,
  };
}

/** How people log in here. */
export interface WaysIn {
  readonly byPassword: boolean;
  readonly bySignOn: boolean;
}

const PASSWORD_ALONE: WaysIn = { byPassword: true, bySignOn: false };

/** `next` is the path to open after the log-in. */
export function signOnLink({
  next,
  prefix,
  words,
}: Pick<EntranceOptions, 'words' | 'prefix'> & { readonly next: string }): Html {
  const query = new URLSearchParams({ next }).toString();
  return html`<p>
    <a class="button quiet" href="${prefix}/sign-on?${query}">${words.logIn.signOn}</a>
  </p>`;
}

/** The fields for e-mail and password of every form that logs in. */
export function logInFields(form: FormState, words: PeopleWords): Html {
  return html`${emailField(form, words)} ${passwordField(form, words, 'current-password')}`;
}

/** @param options `service`: what is set up; the inbox begins with a group */
export function setUpPage(
  options: EntranceOptions & { readonly token: string; readonly service: 'hub' | 'inbox' },
): EntrancePage {
  const { words, prefix, token, service, form = EMPTY_FORM } = options;
  const { title, send, inbox } = words.setUp;
  const { heading, lead } = words.setUp[service];
  const group = field({
    name: 'group',
    label: inbox.group,
    form,
    value: inbox.groupName,
    hint: inbox.groupHint,
    required: true,
    maxLength: NAME_MAX,
  });
  return {
    title,
    body: html`<div class="card">
      <h1>${heading}</h1>
      <p>${lead}</p>
      ${renderProblem(form, words.fields.lookAtFields)}
      <form method="post" action="${prefix}/setup/${token}">
        ${newPersonFields(form, words)} ${service === 'inbox' ? group : ''}
        <button type="submit">${send}</button>
      </form>
    </div>`,
  };
}

export interface Invited {
  readonly token: string;
  /** What it leads into; null: the hub as a whole. */
  readonly place: string | null;
  readonly role: string;
  /** Null: the command line. */
  readonly invitedBy: string | null;
  /** Whom it is meant for. */
  readonly email: string | null;
}

/** For somebody without an account, or with one and not logged in. */
export function invitationPage(
  options: EntranceOptions & { readonly invited: Invited; readonly waysIn?: WaysIn },
): EntrancePage {
  const { words, prefix, invited, form = EMPTY_FORM } = options;
  const { bySignOn, byPassword } = options.waysIn ?? PASSWORD_ALONE;
  const { invitation } = words;
  const path = `${prefix}/invitation/${invited.token}`;
  const logIn = `${prefix}/login?${new URLSearchParams({ next: path }).toString()}`;
  return {
    title: invitation.title,
    body: html`<div class="card">
        ${invitationWords(invited, words)} ${renderProblem(form, words.fields.lookAtFields)}
        ${
          byPassword
            ? html`<form method="post" action="${path}">
                ${newPersonFields(form, words, invited.email ?? undefined)}
                <button type="submit">${invitation.makeAccount}</button>
              </form>`
            : ''
        }
        ${bySignOn ? signOnLink({ words, prefix, next: path }) : ''}
      </div>
      <p>
        ${invitation.haveAccount} <a href="${logIn}">${invitation.logInFirst}</a>${
          invitation.thenJoin
        }
      </p>`,
  };
}

/** For somebody who is logged in. */
export function joinPage(
  options: EntranceOptions & { readonly invited: Invited; readonly name: string },
): EntrancePage {
  const { words, prefix, invited, name, form = EMPTY_FORM } = options;
  const { invitation } = words;
  return {
    title: invitation.title,
    body: html`<div class="card">
      ${invitationWords(invited, words)} ${renderProblem(form, words.fields.lookAtFields)}
      <form method="post" action="${prefix}/invitation/${invited.token}">
        <button type="submit"><span>${invitation.joinAs(said(name))}</span></button>
      </form>
    </div>`,
  };
}

function invitationWords({ place, invitedBy, role }: Invited, words: PeopleWords): Html {
  const { invitation } = words;
  const by = invitedBy === null ? html`${invitation.commandLine}` : said(invitedBy);
  return html`<h1>${place === null ? invitation.operate : invitation.join(said(place))}</h1>
    <p>${intoWords(role, words)(by)}</p>`;
}

function intoWords(role: string, { invitation }: PeopleWords): (by: Html) => Html {
  const found = Object.entries(invitation.into).find(([name]) => name === role);
  return present(found, `the words of the role ${role}`)[1];
}

function newPersonFields(form: FormState, words: PeopleWords, email?: string): Html {
  const hint = words.fields.passwordHint(PASSWORD_LENGTH_MIN);
  return html`${nameField(form, words)} ${emailField(form, words, email)}
  ${passwordField(form, words, 'new-password', hint)}`;
}

function nameField(form: FormState, { fields }: PeopleWords): Html {
  return field({
    name: 'name',
    label: fields.name,
    form,
    hint: fields.nameHint,
    required: true,
    maxLength: NAME_MAX,
    autocomplete: 'name',
  });
}

function emailField(form: FormState, { fields }: PeopleWords, value?: string): Html {
  return field({
    name: 'email',
    label: fields.email,
    type: 'email',
    form,
    required: true,
    maxLength: EMAIL_LENGTH_MAX,
    autocomplete: 'username',
    ...(value === undefined ? {} : { value }),
  });
}

function passwordField(
  form: FormState,
  { fields }: PeopleWords,
  autocomplete: string,
  hint?: string,
): Html {
  return field({
    name: 'password',
    label: fields.password,
    type: 'password',
    form,
    required: true,
    maxLength: PASSWORD_LENGTH_MAX,
    autocomplete,
    ...(hint === undefined ? {} : { hint }),
  });
}
