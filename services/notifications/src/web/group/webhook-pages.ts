// Webhooks of a group on pages: all of them, and one with its deliveries.
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { Delivery, DeliveryDetail } from '../../delivery/deliveries.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../delivery/formats/format.ts';
import { NTFY_URL_RIGHT } from '../../delivery/formats/ntfy.ts';
import type { WebhookTest } from '../../delivery/webhooks/test.ts';
import { WEBHOOK_URL_MAX, WEBHOOK_URL_RIGHT } from '@lothub/delivery/sending/webhook-url';
import type { Webhook } from '../../delivery/webhooks/webhooks.ts';
import type { Group } from '../../groups/groups.ts';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import { SEVERITIES, type Severity } from '../../store/post.ts';
import { renderTime } from '../browser/notification-item.ts';
import { counted } from '../browser/words.ts';
import {
  actionButton,
  choice,
  emptyNote,
  field,
  message,
  moreLink,
  renderProblem,
} from '../fragments.ts';
import { said, shownOnce } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import { groupPage, groupPath } from './frame.ts';
import type { Page } from '../layout.ts';

const SEVERITY_LABELS: Readonly<Record<Severity, string>> = {
  info: 'All',
  warning: 'Warning and critical',
  critical: 'Critical alone',
};
const SEVERITY_CHOICES = SEVERITIES.map((value) => ({ value, label: SEVERITY_LABELS[value] }));

const FORMAT_LABELS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'Standard Webhooks',
  slack: 'Slack (also Mattermost and others)',
  ntfy: 'ntfy',
};

export interface WebhooksView {
  readonly group: Group;
  readonly webhooks: readonly Webhook[];
  readonly form: FormState;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function webhookPath(groupId: string, webhookId: string): string {
  return `${groupPath(groupId, 'webhooks')}/${webhookId}`;
}

export function webhooksPage(view: WebhooksView): Page {
  const { group, webhooks, form, done, problem } = view;
  return groupPage({
    group,
    tab: 'webhooks',
    title: 'Webhooks',
    done,
    problem,
    body: html`<section class="card" aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Webhooks</h2>
      <p class="hint">
        Each notification is posted to these addresses, and again over about three days until it is
        taken. Standard Webhooks are signed; Slack and ntfy check no signature, so theirs carry
        none.
      </p>
      ${
        webhooks.length === 0
          ? emptyNote('There is no webhook yet.')
          : rowsTable({
              caption: 'Webhooks of this group',
              head: ['Name', 'Format', 'Address', 'Sends', 'State'],
              rows: webhooks.map((webhook) => [
                html`<a href="${webhookPath(group.id, webhook.id)}">${said(webhook.name)}</a>`,
                FORMAT_LABELS[webhook.format],
                html`<code>${webhook.url}</code>`,
                SEVERITY_LABELS[webhook.min_severity],
                webhookState(webhook),
              ]),
            })
      }
      <h3>New webhook</h3>
      ${renderProblem(form)}
      <form method="post" action="${groupPath(group.id, 'webhooks')}">
        ${webhookFields(form, undefined)}
        <button type="submit">Make the webhook</button>
      </form>
    </section>`,
  });
}

function webhookFields(form: FormState, webhook: Webhook | undefined): HtmlValue {
  return [
    field({
      name: 'name',
      label: 'Name',
      form,
      required: true,
      maxLength: NAME_MAX,
      ...(webhook === undefined ? {} : { value: webhook.name }),
    }),
    field({
      name: 'url',
      label: 'Address',
      type: 'url',
      form,
      hint: `It has to be ${WEBHOOK_URL_RIGHT}. Of ntfy it is ${NTFY_URL_RIGHT}.`,
      required: true,
      maxLength: WEBHOOK_URL_MAX,
      ...(webhook === undefined ? {} : { value: webhook.url }),
    }),
    choice({
      name: 'min_severity',
      label: 'Sends',
      form,
      value: webhook?.min_severity ?? 'info',
      choices: SEVERITY_CHOICES,
    }),
    ...(webhook === undefined
      ? [
          choice({
            name: 'format',
            label: 'Format',
            form,
            value: 'standard',
            choices: WEBHOOK_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] })),
          }),
        ]
      : []),
    ...(webhook === undefined || webhook.format === 'ntfy'
      ? [
          field({
            name: 'access_token',
            label: 'Access token (ntfy alone, optional)',
            type: 'password',
            form,
            hint:
              webhook?.has_access_token === true
                ? 'One is kept, and not shown. Leave this empty to keep it, write a minus sign (-) to remove it.'
                : 'What the ntfy server asks for, if it does.',
          }),
        ]
      : []),
  ];
}

function webhookState({ status, failures }: Webhook): Html {
  switch (status) {
    case 'paused':
      return html`<span class="chip">Paused</span>`;
    case 'disabled':
      return html`<span class="chip bad">Disabled</span>`;
    case 'active':
      return failures === 0
        ? html`<span class="chip good">Active</span>`
        : html`<span class="chip warn">Failing</span>`;
  }
}

export interface WebhookView {
  readonly group: Group;
  readonly webhook: Webhook;
  readonly deliveries: readonly Delivery[];
  readonly next: number | null;
  readonly form: FormState;
  /** A secret that was made just now. */
  readonly secret: string | undefined;
  /** What came of a test just now. */
  readonly test: WebhookTest | undefined;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function webhookPage(view: WebhookView): Page {
  const { group, webhook, form, secret, test, done, problem } = view;
  const path = webhookPath(group.id, webhook.id);
  return groupPage({
    group,
    tab: 'webhooks',
    title: webhook.name,
    done,
    problem,
    body: html`
      <section class="card" aria-labelledby="webhook-title">
        <h2 id="webhook-title">${said(webhook.name)} ${webhookState(webhook)}</h2>
        ${stateWords(webhook)} ${secret === undefined ? '' : secretPanel(secret)}
        ${renderProblem(form)}
        <form method="post" action="${path}">
          ${webhookFields(form, webhook)}
          ${choice({
            name: 'status',
            label: 'State',
            form,
            value: webhook.status === 'active' ? 'active' : 'paused',
            choices: [
              { value: 'active', label: 'Active' },
              { value: 'paused', label: 'Paused: nothing is sent' },
            ],
          })}
          <button type="submit">Save</button>
        </form>
        <h3 id="test">Test</h3>
        <p class="hint">
          One test is sent now, also while the webhook is paused. The answer is shown here once and
          kept nowhere.
        </p>
        ${test === undefined ? '' : testPanel(test)}
        ${actionButton({ action: `${path}/test#test`, label: 'Send a test' })}
        <h3>${webhook.format === 'standard' ? 'Secret' : 'Format'}</h3>
        <p class="hint">
          ${
            webhook.format === 'standard'
              ? 'The secret signs what is sent (Standard Webhooks). After a rotation the one before signs as well for a day.'
              : html`It is sent as ${FORMAT_LABELS[webhook.format]}, which checks no signature:
                there is no secret. Who knows the address can post there: keep it to yourself.`
          }
        </p>
        <div class="row-actions">
          ${
            webhook.format === 'standard'
              ? actionButton({ action: `${path}/rotate-secret`, label: 'Rotate the secret' })
              : ''
          }
          ${actionButton({
            action: `${path}/delete`,
            label: 'Delete the webhook',
            kind: 'danger',
            confirm: `Delete the webhook "${webhook.name}"?`,
          })}
        </div>
      </section>
      ${deliveriesPanel(view)}
    `,
  });
}

function secretPanel(secret: string): Html {
  return html`${message('good', 'The secret is shown this once: copy it to the receiver now.')}
  ${shownOnce({ id: 'webhook-secret', label: 'Secret', secret })}`;
}

function testPanel(test: WebhookTest): Html {
  const took = `${test.took_ms} ms`;
  const answer =
    test.http_status === null
      ? (test.error ?? 'There was no answer.')
      : `HTTP ${test.http_status}${test.error === null ? '' : `: ${test.error}`}`;
  return html`${message(
    test.delivered ? 'good' : 'bad',
    test.delivered
      ? html`The receiver took it: ${answer}, after ${took}.`
      : html`The receiver did not take it: ${answer}, after ${took}.`,
    test.delivered ? 'status' : 'alert',
  )}
  ${
    test.body === null || test.body === ''
      ? ''
      : html`<p>It answered:</p>
          <pre class="answer" tabindex="0"><code>${test.body}</code></pre>`
  }`;
}

function stateWords(webhook: Webhook): Html {
  const { status, disabled_reason: reason, failures, failing_since: since } = webhook;
  if (status === 'disabled') {
    return message(
      'bad',
      html`It was disabled: ${reason ?? 'it kept failing'}. Set it active again.`,
    );
  }
  if (failures === 0 || since === null) return html``;
  return message(
    'note',
    html`It has failed ${counted(failures, 'time')} in a row, since ${renderTime(since)}.`,
  );
}

const DELIVERY_TAGS = {
  pending: html`<span class="chip warn">On its way</span>`,
  delivered: html`<span class="chip good">Delivered</span>`,
  failed: html`<span class="chip bad">Failed</span>`,
} as const;

function deliveriesPanel({ group, webhook, deliveries, next }: WebhookView): Html {
  const path = webhookPath(group.id, webhook.id);
  return html`<section class="card" id="deliveries" aria-labelledby="deliveries-title">
    <h2 id="deliveries-title">Deliveries</h2>
    ${
      deliveries.length === 0
        ? emptyNote('Nothing was sent yet.')
        : rowsTable({
            caption: 'Deliveries of this webhook',
            head: ['Notification', 'State', 'Tries', 'Came', 'Actions'],
            rows: deliveries.map((one) => [
              html`<a href="${groupPath(group.id)}/n/${one.seq}">Number ${one.seq}</a>`,
              deliveryState(one),
              one.attempts,
              renderTime(one.created_at),
              html`<div class="row-actions">
                <a class="button quiet" href="${path}/deliveries/${one.id}"
                  >Log<span class="hidden"> of number ${one.seq}</span></a
                >
                ${replayButton(path, one)}
              </div>`,
            ]),
          })
    }
    ${moreLink(next === null ? undefined : `?after=${next}#deliveries`)}
  </section>`;
}

function deliveryState({ status, next_attempt_at: nextAt }: Delivery): Html {
  const tag = DELIVERY_TAGS[status];
  return nextAt === null ? tag : html`${tag} next ${renderTime(nextAt)}`;
}

function replayButton(path: string, one: Delivery): HtmlValue {
  if (one.status === 'pending') return '';
  return actionButton({
    action: `${path}/deliveries/${one.id}/replay`,
    label: 'Send again',
    about: `number ${one.seq}`,
  });
}

export function deliveryPage(view: {
  readonly group: Group;
  readonly webhook: Webhook;
  readonly delivery: DeliveryDetail;
}): Page {
  const { group, webhook, delivery } = view;
  const path = webhookPath(group.id, webhook.id);
  return groupPage({
    group,
    tab: 'webhooks',
    title: `Delivery of number ${delivery.seq}`,
    body: html`<section class="card" aria-labelledby="delivery-title">
      <h2 id="delivery-title">Number ${delivery.seq} to ${said(webhook.name)}</h2>
      <p>${deliveryState(delivery)} <code class="id">${delivery.id}</code></p>
      ${
        delivery.log.length === 0
          ? emptyNote('It was not tried yet.')
          : rowsTable({
              caption: 'Tries, newest first',
              head: ['Try', 'When', 'Took', 'Answer'],
              rows: delivery.log.map((one) => [
                one.attempt,
                renderTime(one.at),
                `${one.took_ms} ms`,
                one.http_status === null ? said(one.error ?? 'none') : `HTTP ${one.http_status}`,
              ]),
            })
      }
      <div class="row-actions">
        ${replayButton(path, delivery)}
        <a class="button quiet" href="${path}">Back to the webhook</a>
      </div>
    </section>`,
  });
}
