// Mail in one's own settings: whether it comes, of what, how often, and a mail to try it out; and the page of the
// link that ends it.
import { html, type Html } from '@lothub/kit/html';
import type { MailSettings } from '../../mail/mail-settings.ts';
import { MORNING_HOUR, type Rhythm } from '../../mail/rhythm.ts';
import { MAILS_PER_HOUR_MAX } from '../../mail/test-mail.ts';
import type { Severity } from '../../store/post.ts';
import { actionButton, choice, message, renderProblem, said } from '../fragments.ts';
import type { Choice, FormState } from '../fragments.ts';
import type { Page } from '../layout.ts';

const SEVERITY_CHOICES: readonly (Choice & { readonly value: Severity })[] = [
  { value: 'critical', label: 'Critical ones alone' },
  { value: 'warning', label: 'Warnings and critical ones' },
  { value: 'info', label: 'All notifications' },
];

export function mailSection(mail: MailSettings, form: FormState): Html {
  return html`<section class="card" id="mail" aria-labelledby="mail-title">
    <h2 id="mail-title">E-mail</h2>
    ${mail.available ? ownMail(mail, form) : notSetUp(mail)}
  </section>`;
}

function notSetUp({ status }: MailSettings): Html {
  return html`<p class="hint">
      This inbox sends no mail: whoever operates it has to set a mail server first.
    </p>
    ${status === 'off' ? '' : turnOffButton()}`;
}

function ownMail(mail: MailSettings, form: FormState): Html {
  const { status, address, disabled_reason: reason } = mail;
  const isOn = status === 'on';
  return html`<p class="hint">
      Notifications of your groups, sent to ${said(address)}; what you have muted, read or seen
      acknowledged is left out. At most ${MAILS_PER_HOUR_MAX} mails come in an hour: what is beyond
      them comes together in the next.
    </p>
    ${
      status === 'disabled'
        ? message('bad', `Mail was turned off: ${reason ?? ''}. You can turn it on again.`)
        : ''
    }
    ${renderProblem(form)}
    <form method="post" action="/inbox/me/mail#mail">
      <div class="fields">
        ${choice({
          name: 'min_severity',
          label: 'Of what',
          form,
          value: mail.min_severity,
          scope: 'mail',
          choices: SEVERITY_CHOICES,
        })}
        ${choice({
          name: 'rhythm',
          label: 'How often',
          form,
          value: mail.rhythm,
          scope: 'mail',
          choices: rhythmChoices(mail.time_zone),
        })}
        <button type="submit">${isOn ? 'Save' : 'Turn mail on'}</button>
      </div>
    </form>
    ${
      isOn
        ? html`<div class="row-actions">
            ${actionButton({ action: '/inbox/me/mail/test#mail', label: 'Send a test mail' })}
            ${turnOffButton()}
          </div>`
        : ''
    }`;
}

function turnOffButton(): Html {
  return actionButton({
    action: '/inbox/me/mail/off#mail',
    label: 'Turn mail off',
    kind: 'danger',
  });
}

function rhythmChoices(zone: string): readonly (Choice & { readonly value: Rhythm })[] {
  const morning = `${String(MORNING_HOUR).padStart(2, '0')}:00`;
  return [
    { value: 'at_once', label: 'At once' },
    { value: 'hourly', label: 'Once an hour, all together' },
    { value: 'daily', label: `Once a day at ${morning} (${zone}), all together` },
  ];
}

/** Opening the link ends nothing: programs that look at the links of mails open them, too. */
export function unsubscribePage(link: { readonly token: string; readonly isOn: boolean }): Page {
  return link.isOn
    ? {
        title: 'Stop the mails',
        body: html`<h1>Stop the mails</h1>
          <p>This inbox then sends you no more mails. The inbox itself stays as it is.</p>
          <form method="post" action="/inbox/unsubscribe/${link.token}">
            <input type="hidden" name="from" value="page" />
            <button type="submit">Stop the mails</button>
          </form>`,
      }
    : {
        title: 'The mails are stopped',
        body: html`<h1>The mails are stopped</h1>
          <p>
            You are sent no mails of this inbox any more. You turn them on again in
            <a href="/inbox/me#mail">your settings</a>.
          </p>`,
      };
}
