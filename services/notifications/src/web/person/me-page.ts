// What a person sets for itself: name, password, sessions, read tokens.
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import {
  eraseSection,
  exportSection,
  nameSection,
  passwordSection,
  sessionsSection,
} from '@lothub/people/pages/account-sections';
import { PEOPLE_WORDS } from '@lothub/people/pages/words';
import type { Static } from 'typebox';
import type { Person } from '../../access/person.ts';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import type { SessionSchema } from '@lothub/people/accounts/schema';
import type { IssuedTokenSchema, TokenSchema } from '../../people/tokens/schema.ts';
import type { MailSettings } from '../../mail/mail-settings.ts';
import { renderTime } from '../browser/notification-item.ts';
import { actionButton, emptyNote, field, message, renderProblem, said } from '../fragments.ts';
import { shownOnce } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import type { Page } from '../layout.ts';
import { devicesPanel, type DevicesView } from './devices-panel.ts';
import { mailSection } from './mail-section.ts';

const OWN = { words: PEOPLE_WORDS.en, path: '/inbox/me' };

export interface MeView {
  readonly person: Pick<Person, 'name' | 'email'>;
  readonly sessions: readonly Static<typeof SessionSchema>[];
  readonly tokens: readonly Static<typeof TokenSchema>[];
  readonly nameForm: FormState;
  readonly passwordForm: FormState;
  readonly tokenForm: FormState;
  readonly eraseForm: FormState;
  readonly reach: DevicesView;
  readonly mail: MailSettings;
  readonly mailForm: FormState;
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
      ${problem === undefined ? '' : message('bad', problem, 'alert')}
      ${nameSection(OWN, { person, form: view.nameForm })}
      ${passwordSection(OWN, { person, form: view.passwordForm })} ${devicesPanel(view.reach)}
      ${mailSection(view.mail, view.mailForm)}
      ${sessionsSection(OWN, { sessions: view.sessions, time: renderTime })} ${tokensPanel(view)}
      ${exportSection(OWN)} ${eraseSection(OWN, { form: view.eraseForm })}
    `,
  };
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
              token.last_used_at === null ? 'Never' : renderTime(token.last_used_at, 'ago'),
              token.expires_at === null ? 'Never' : renderTime(token.expires_at),
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
    ${renderProblem(form)}
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
