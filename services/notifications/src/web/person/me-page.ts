// What a person sets for itself: name, password, sessions, read tokens.
import { rowsTable } from '@lothub/design/tables';
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Static } from 'typebox';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../access/password-rules.ts';
import type { Person } from '../../access/person.ts';
import { NAME_MAX } from '../../name-pattern.ts';
import type { SessionSchema } from '../../people/people-schema.ts';
import type { IssuedTokenSchema, TokenSchema } from '../../people/tokens/schema.ts';
import { browserWords } from '../browser-words.ts';
import { timeOf } from '../browser/notification-item.ts';
import { actionButton, emptyNote, field, message, problemOf, said } from '../fragments.ts';
import { shownOnce } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import type { Page } from '../layout.ts';

export interface MeView {
  readonly person: Pick<Person, 'name' | 'email'>;
  readonly sessions: readonly Static<typeof SessionSchema>[];
  readonly tokens: readonly Static<typeof TokenSchema>[];
  readonly nameForm: FormState;
  readonly passwordForm: FormState;
  readonly tokenForm: FormState;
  /** A token that was made just now. */
  readonly issued: Static<typeof IssuedTokenSchema> | undefined;
  readonly publicUrl: string;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function mePage(view: MeView): Page {
  const { person, done, problem } = view;
  return {
    title: 'My settings',
    body: html`
      <div class="heading">
        <div>
          <h1>My settings</h1>
          <p class="summary">${person.email}</p>
        </div>
        <div class="narrow-only">
          ${actionButton({ action: '/inbox/logout', label: 'Log out' })}
        </div>
      </div>
      ${done === undefined ? '' : message('good', done)}
      ${problem === undefined ? '' : message('bad', problem, 'alert')} ${nameForm(view)}
      ${passwordForm(view)} ${sessionsPanel(view)} ${tokensPanel(view)}
    `,
  };
}

function nameForm({ person, nameForm: form }: MeView): Html {
  return html`<section class="card" aria-labelledby="name-title">
    <h2 id="name-title">Name</h2>
    ${problemOf(form)}
    <form method="post" action="/inbox/me">
      ${field({
        name: 'name',
        label: 'Your name',
        form,
        value: person.name,
        hint: 'As the others of your groups see it.',
        required: true,
        maxLength: NAME_MAX,
        autocomplete: 'name',
        scope: 'me',
      })}
      <button type="submit">Save</button>
    </form>
  </section>`;
}

function passwordForm({ person, passwordForm: form }: MeView): Html {
  return html`<section class="card" id="password" aria-labelledby="password-title">
    <h2 id="password-title">Password</h2>
    <p class="hint">With a new one all your other sessions end.</p>
    ${problemOf(form)}
    <form method="post" action="/inbox/me/password#password">
      <input type="hidden" name="username" value="${person.email}" autocomplete="username" />
      ${field({
        name: 'old_password',
        label: 'Password until now',
        type: 'password',
        form,
        required: true,
        maxLength: PASSWORD_LENGTH_MAX,
        autocomplete: 'current-password',
      })}
      ${field({
        name: 'new_password',
        label: 'New password',
        type: 'password',
        form,
        hint: `At least ${PASSWORD_LENGTH_MIN} characters; a few words together are good.`,
        required: true,
        maxLength: PASSWORD_LENGTH_MAX,
        autocomplete: 'new-password',
      })}
      <button type="submit">Change the password</button>
    </form>
  </section>`;
}

function sessionsPanel({ sessions }: MeView): Html {
  return html`<section class="card" aria-labelledby="sessions-title">
    <h2 id="sessions-title">Sessions</h2>
    ${rowsTable({
      caption: 'Where you are logged in',
      head: ['Browser', 'Since', 'Last seen', 'Actions'],
      rows: sessions.map((session) => [
        html`<span title="${session.agent}">${browserWords(session.agent)}</span>${
            session.is_current ? html` <span class="chip good">This one</span>` : ''
          }`,
        timeOf(session.created_at),
        timeOf(session.last_seen_at, 'ago'),
        session.is_current
          ? ''
          : html`<div class="row-actions">
              ${actionButton({
                action: `/inbox/me/sessions/${session.id}/end`,
                label: 'End',
                about: `the session of ${browserWords(session.agent)}`,
              })}
            </div>`,
      ]),
    })}
    ${
      sessions.length > 1
        ? actionButton({
            action: '/inbox/me/sessions/end',
            label: 'End all other sessions',
            kind: 'danger',
            confirm: 'End all other sessions?',
          })
        : ''
    }
  </section>`;
}

function tokensPanel({ tokens, tokenForm: form, issued, publicUrl }: MeView): Html {
  return html`<section class="card" id="tokens" aria-labelledby="tokens-title">
    <h2 id="tokens-title">Read tokens</h2>
    <p class="hint">
      With a token a program reads what you read, and changes nothing: a display on the wall, a
      script.
    </p>
    ${
      issued === undefined
        ? ''
        : html`${message('good', 'The token is made. It is shown this once: copy it now.')}
          ${shownOnce({ id: 'issued-token', label: 'Token', secret: issued.token })}
          ${shownOnce({
            id: 'issued-token-command',
            label: 'Try it from a terminal',
            secret: `curl '${publicUrl}/api/v1/unread' \\\n  -H 'Authorization: Bearer ${issued.token}'`,
          })}`
    }
    ${
      tokens.length === 0
        ? emptyNote('There is no token.')
        : rowsTable({
            caption: 'Your read tokens',
            head: ['Name', 'Last used', 'Ends', 'Actions'],
            rows: tokens.map((token) => [
              html`${said(token.name)} <code class="id">nr_${token.id}…</code>`,
              token.last_used_at === null ? 'Never' : timeOf(token.last_used_at, 'ago'),
              token.expires_at === null ? 'Never' : timeOf(token.expires_at),
              html`<div class="row-actions">
                ${actionButton({
                  action: `/inbox/me/tokens/${token.id}/revoke`,
                  label: 'Revoke',
                  about: `token ${token.name}`,
                  kind: 'danger',
                  confirm: `Revoke the token "${token.name}"?`,
                })}
              </div>`,
            ]),
          })
    }
    <h3>New token</h3>
    ${problemOf(form)}
    <form method="post" action="/inbox/me/tokens#tokens">
      <div class="fields">
        ${field({
          name: 'name',
          label: 'What reads with it',
          form,
          required: true,
          maxLength: NAME_MAX,
          scope: 'token',
        })}
        ${field({
          name: 'expires_at',
          label: 'Ends after (optional)',
          type: 'date',
          form,
          scope: 'token',
        })}
        <button type="submit">Issue a token</button>
      </div>
    </form>
  </section>`;
}
