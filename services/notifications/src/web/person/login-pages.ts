// Pages for people who are not logged in: set-up, log-in and what an invitation leads to.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../access/password-rules.ts';
import { NAME_MAX } from '../../name-pattern.ts';
import { EMPTY_FORM, field, message, problemOf, said } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import type { Page } from '../layout.ts';

/** RFC 5321, section 4.5.3.1. */
const EMAIL_LENGTH_MAX = 254;
const PASSWORD_HINT = `At least ${PASSWORD_LENGTH_MIN} characters; a few words together are good.`;

export function loginPage(options: {
  readonly next: string;
  readonly form?: FormState;
  readonly done?: string | undefined;
}): Page {
  const { next, form = EMPTY_FORM, done } = options;
  return {
    title: 'Log in',
    body: html`<div class="card">
        <h1>Log in</h1>
        ${done === undefined ? '' : message('good', done)} ${problemOf(form)}
        <form method="post" action="/inbox/login">
          <input type="hidden" name="next" value="${next}" />
          ${emailField(form, 'username')} ${passwordField(form, 'current-password')}
          <button type="submit">Log in</button>
        </form>
      </div>
      <p class="hint">
        There is no registration: an owner of a group invites you with a link. Without a password
        any more? The operator of this service makes a new one.
      </p>`,
  };
}

export function setUpPage(options: { readonly token: string; readonly form?: FormState }): Page {
  const { token, form = EMPTY_FORM } = options;
  return {
    title: 'Set up',
    body: html`<div class="card">
      <h1>Set up this inbox</h1>
      <p>You become its first person, and the owner of its first group.</p>
      ${problemOf(form)}
      <form method="post" action="/inbox/setup/${token}">
        ${nameField(form)} ${emailField(form, 'username')}
        ${passwordField(form, 'new-password', PASSWORD_HINT)}
        ${field({
          name: 'group',
          label: 'First group',
          form,
          value: 'Notifications',
          hint: 'Whoever is in a group sees what is posted into it.',
          required: true,
          maxLength: NAME_MAX,
        })}
        <button type="submit">Set up</button>
      </form>
    </div>`,
  };
}

export interface Invited {
  readonly token: string;
  readonly group: string;
  readonly role: string;
  readonly invitedBy: string;
  /** Whom it is meant for. */
  readonly email: string | null;
}

/** For somebody without an account, or with one and not logged in. */
export function invitationPage(options: {
  readonly invited: Invited;
  readonly form?: FormState;
}): Page {
  const { invited, form = EMPTY_FORM } = options;
  const path = `/inbox/invitation/${invited.token}`;
  return {
    title: 'Invitation',
    body: html`<div class="card">
        ${invitationWords(invited)} ${problemOf(form)}
        <form method="post" action="${path}">
          ${nameField(form)} ${emailField(form, 'username', invited.email ?? undefined)}
          ${passwordField(form, 'new-password', PASSWORD_HINT)}
          <button type="submit">Make an account and join</button>
        </form>
      </div>
      <p>
        You have an account?
        <a href="/inbox/login?${new URLSearchParams({ next: path }).toString()}">Log in</a>, and
        join with it.
      </p>`,
  };
}

/** For somebody who is logged in. */
export function joinPage(options: {
  readonly invited: Invited;
  readonly name: string;
  readonly form?: FormState;
}): Page {
  const { invited, name, form = EMPTY_FORM } = options;
  return {
    title: 'Invitation',
    body: html`<div class="card">
      ${invitationWords(invited)} ${problemOf(form)}
      <form method="post" action="/inbox/invitation/${invited.token}">
        <button type="submit"><span>Join as ${said(name)}</span></button>
      </form>
    </div>`,
  };
}

function invitationWords({ group, invitedBy, role }: Invited): Html {
  return html`<h1>Join ${said(group)}</h1>
    <p>
      ${said(invitedBy)} invites you to this
      group${role === 'owner' ? ' as one of its owners' : ''}. You then see what is posted into it,
      as it comes.
    </p>`;
}

function nameField(form: FormState): Html {
  return field({
    name: 'name',
    label: 'Your name',
    form,
    hint: 'As the others of your groups see it.',
    required: true,
    maxLength: NAME_MAX,
    autocomplete: 'name',
  });
}

function emailField(form: FormState, autocomplete: string, value?: string): Html {
  return field({
    name: 'email',
    label: 'E-mail',
    type: 'email',
    form,
    required: true,
    maxLength: EMAIL_LENGTH_MAX,
    autocomplete,
    ...(value === undefined ? {} : { value }),
  });
}

function passwordField(form: FormState, autocomplete: string, hint?: string): Html {
  return field({
    name: 'password',
    label: 'Password',
    type: 'password',
    form,
    required: true,
    maxLength: PASSWORD_LENGTH_MAX,
    autocomplete,
    ...(hint === undefined ? {} : { hint }),
  });
}
