// The webhooks of a brand: a list, a form for a new one, and a form to connect a group of the inbox.
import { choice, emptyNote, said, type FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { InboxGroup } from '../../webhooks/inbox.ts';
import { WEBHOOKS_MAX } from '@lothub/delivery/webhook/webhook-queries';
import type { Webhook } from '../../webhooks/webhooks.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { term } from '../help/terms.ts';
import { renderProblem } from '../parts.ts';
import { nameField, typeFields, urlField } from './fields.ts';
import { webhookPath } from './paths.ts';
import { stateChip } from './state.ts';

export interface WebhooksView {
  /** Address of the page. */
  readonly path: string;
  readonly brand: string;
  readonly name: string;
  readonly webhooks: readonly Webhook[];
  /** Undefined: the process serves no inbox. */
  readonly groups: readonly InboxGroup[] | undefined;
  readonly form: FormState;
  readonly inboxForm: FormState;
  readonly done: string | undefined;
}

export function webhooksPage(view: WebhooksView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  const { name, webhooks, done } = view;
  const isFull = webhooks.length >= WEBHOOKS_MAX;
  return headed({
    heading: term('webhook', reader, words.title),
    summary: html`${said(name)} · ${words.lead}`,
    done,
    problem: undefined,
    body: html`${listSection(view, reader)}
    ${
      isFull
        ? html`<p class="hint">${words.full}</p>`
        : html`${inboxSection(view, reader)} ${makeSection(view, reader)}`
    }`,
  });
}

function listSection({ webhooks, brand }: WebhooksView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  return html`<section class="card webhook-list" aria-label="${words.title}">
    ${
      webhooks.length === 0
        ? emptyNote(words.none)
        : rowsTable({
            caption: words.title,
            head: [words.name, words.state, words.receiver, words.sends],
            rows: webhooks.map((webhook) => [
              html`<a href="${webhookPath(brand, webhook.id)}">${said(webhook.name)}</a>`,
              stateChip(webhook, reader),
              webhook.isInbox ? words.inInbox : said(new URL(webhook.url).host),
              webhook.eventTypes.map(
                (type, index) => html`${index === 0 ? '' : ', '}${words.types[type]}`,
              ),
            ]),
          })
    }
  </section>`;
}

function inboxSection({ path, groups, inboxForm: form }: WebhooksView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  if (groups === undefined) return html``;
  return html`<section class="card" id="inbox" aria-labelledby="inbox-title">
    <h2 id="inbox-title">${term('group', reader, words.inboxTitle)}</h2>
    <p>${words.inboxLead}</p>
    ${renderProblem(form, reader)}
    ${
      groups.length === 0
        ? emptyNote(words.noGroups)
        : html`<form method="post" action="${path}/inbox">
            ${choice({
              ...{ name: 'group', label: words.group, hint: words.groupHint },
              ...{ form, scope: 'inbox' },
              choices: groups.map(({ id, name }) => ({ value: id, label: name })),
            })}
            ${typeFields({ form, scope: 'inbox', reader })}
            <button type="submit">${words.connect}</button>
          </form>`
    }
  </section>`;
}

function makeSection({ path, form }: WebhooksView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  const fields = { form, scope: 'webhook', reader };
  return html`<section class="card" id="make" aria-labelledby="make-title">
    <h2 id="make-title">${words.makeTitle}</h2>
    ${renderProblem(form, reader)}
    <form method="post" action="${path}">
      ${nameField(fields)} ${urlField(fields)} ${typeFields(fields)}
      <button type="submit">${words.make}</button>
    </form>
  </section>`;
}
