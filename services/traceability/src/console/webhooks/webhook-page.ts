// The page of one webhook: its state, its settings, its secret, and its deliveries.
import {
  actionButton,
  choice,
  emptyNote,
  message,
  moreLink,
  said,
} from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { instantText } from '@lothub/kit/clock';
import { html, type Html } from '@lothub/kit/html';
import { time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import type { Delivery, DeliveryPage } from '../../webhooks/deliveries.ts';
import type { Webhook } from '../../webhooks/webhooks.ts';
import { headed } from '../frame.ts';
import { term } from '../help/terms.ts';
import { askedBefore, issued, moment, renderProblem } from '../parts.ts';
import { brandPath } from '../paths.ts';
import { nameField, typeFields, urlField } from './fields.ts';
import { deliveryPath, webhookPath } from './paths.ts';
import { answerWords, deliveryState, formatSubject, stateChip } from './state.ts';

export interface WebhookView {
  readonly brand: string;
  readonly webhook: Webhook;
  readonly page: DeliveryPage;
  /** Set if it was just made. */
  readonly secret: string | undefined;
  readonly form: FormState;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function webhookPage(view: WebhookView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  const { brand, webhook, done, problem } = view;
  const receiver = webhook.isInbox ? html`${words.inInbox}` : said(new URL(webhook.url).host);
  return headed({
    crumbs: [{ href: brandPath(brand, 'webhooks'), label: words.title }],
    heading: said(webhook.name),
    summary: html`${stateChip(webhook, reader)} ${receiver}`,
    done,
    problem,
    body: html`${secretShown(view, reader)} ${stateWords(webhook, reader)}
    ${deliveriesSection(view, reader)} ${settingsSection(view, reader)}
    ${webhook.isInbox ? '' : secretSection(view, reader)} ${removeSection(view, reader)}`,
  });
}

function secretShown({ secret }: WebhookView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  if (secret === undefined) return html``;
  return issued(
    {
      said: words.secretShown,
      secrets: [{ id: 'webhook-secret', label: words.secret, secret }],
    },
    reader,
  );
}

function stateWords({ status, failures, failingSince }: Webhook, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  if (status === 'disabled') return message('bad', words.wasDisabled);
  if (failures === 0 || failingSince === null) return html``;
  const since = time(instantText(failingSince), reader);
  return message('note', words.failingSince(reader.formats.number(failures), since));
}

function deliveriesSection({ brand, webhook, page }: WebhookView, reader: Reader): Html {
  const { webhooks: words, form } = reader.words.console;
  const path = webhookPath(brand, webhook.id);
  const { deliveries, next } = page;
  return html`<section class="card webhook-list" id="deliveries" aria-labelledby="deliveries-title">
    <h2 id="deliveries-title">${term('webhookDelivery', reader, words.deliveries)}</h2>
    <p class="hint">${words.deliveriesLead}</p>
    ${
      webhook.status === 'active'
        ? html`<div class="row-actions">
            ${actionButton({ action: `${path}/test`, label: words.test, about: webhook.name })}
          </div>`
        : ''
    }
    ${
      deliveries.length === 0
        ? emptyNote(words.noDeliveries)
        : rowsTable({
            caption: words.deliveries,
            head: [
              words.event,
              words.happened,
              words.state,
              { number: words.tries },
              words.answer,
              form.actions,
            ],
            rows: deliveries.map((one) => [
              html`<a href="${deliveryPath(brand, webhook.id, one.id)}"
                  >${words.types[one.eventType]}</a
                >
                <small>${said(formatSubject(one))}</small>`,
              moment(one.at, reader),
              deliveryState(one, reader),
              reader.formats.number(one.attempts),
              one.attempts === 0 ? '' : answerWords(one, reader),
              replayButton({ brand, webhook, one }, reader),
            ]),
          })
    }
    ${moreLink(next === null ? undefined : `${path}?after=${next}#deliveries`, form.more)}
  </section>`;
}

/** @returns null for a delivery that cannot be sent again now */
export function replayButton(
  {
    brand,
    webhook,
    one,
  }: { readonly brand: string; readonly webhook: Webhook; readonly one: Delivery },
  reader: Reader,
): Html | null {
  const { webhooks: words } = reader.words.console;
  if (one.status === 'pending' || webhook.status !== 'active') return null;
  return actionButton({
    action: `${deliveryPath(brand, webhook.id, one.id)}/replay`,
    label: words.replay,
    about: words.types[one.eventType],
  });
}

function settingsSection({ brand, webhook, form }: WebhookView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  const fields = { form, scope: 'webhook', reader };
  return html`<section class="card" id="settings" aria-labelledby="settings-title">
    <h2 id="settings-title">${words.settings}</h2>
    ${renderProblem(form, reader)}
    <form method="post" action="${webhookPath(brand, webhook.id)}">
      ${nameField(fields, webhook.name)} ${webhook.isInbox ? '' : urlField(fields, webhook.url)}
      ${choice({
        ...{ name: 'status', label: words.state, form, scope: 'webhook' },
        value: webhook.status === 'active' ? 'active' : 'paused',
        choices: [
          { value: 'active', label: words.isActive },
          { value: 'paused', label: words.isPaused },
        ],
      })}
      ${typeFields(fields, webhook.eventTypes)}
      <button type="submit">${words.save}</button>
    </form>
  </section>`;
}

function secretSection({ brand, webhook }: WebhookView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  const { previousUntil } = webhook;
  return html`<section class="card" aria-labelledby="secret-title">
    <h2 id="secret-title">${term('webhookSecret', reader, words.secret)}</h2>
    <p>${words.secretLead}</p>
    ${
      previousUntil === null
        ? ''
        : html`<p class="hint">${words.previousUntil(time(instantText(previousUntil), reader))}</p>`
    }
    ${askedBefore({
      label: words.rotate,
      about: webhook.name,
      advice: words.rotateAdvice,
      form: actionButton({
        action: `${webhookPath(brand, webhook.id)}/rotate`,
        label: words.rotateNow,
        about: webhook.name,
      }),
    })}
  </section>`;
}

function removeSection({ brand, webhook }: WebhookView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  return html`<section class="card" aria-label="${words.remove}">
    ${askedBefore({
      label: words.remove,
      about: webhook.name,
      advice: webhook.isInbox
        ? `${words.removeAdvice} ${words.removeKeyAdvice}`
        : words.removeAdvice,
      form: actionButton({
        action: `${webhookPath(brand, webhook.id)}/delete`,
        label: words.removeNow,
        about: webhook.name,
        kind: 'danger',
      }),
    })}
  </section>`;
}
