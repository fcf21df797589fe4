// The page of one delivery: its tries, and the body of its requests.
import { emptyNote } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { instantText } from '@lothub/kit/clock';
import { html, type Html } from '@lothub/kit/html';
import { time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import type { DeliveryDetail } from '../../webhooks/deliveries.ts';
import type { Webhook } from '../../webhooks/webhooks.ts';
import { headed } from '../frame.ts';
import { term } from '../help/terms.ts';
import { brandPath } from '../paths.ts';
import { webhookPath } from './paths.ts';
import { answerWords, deliveryState } from './state.ts';
import { replayButton } from './webhook-page.ts';
import { moment } from '../parts.ts';

export interface DeliveryView {
  readonly brand: string;
  readonly webhook: Webhook;
  readonly delivery: DeliveryDetail;
  /** The body of its requests. */
  readonly sent: string;
  readonly problem: string | undefined;
}

export function deliveryPage(view: DeliveryView, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  const { brand, webhook, delivery, sent, problem } = view;
  return headed({
    crumbs: [
      { href: brandPath(brand, 'webhooks'), label: words.title },
      { href: webhookPath(brand, webhook.id), label: webhook.name },
    ],
    heading: words.types[delivery.eventType],
    summary: html`${deliveryState(delivery, reader)} · ${time(delivery.at, reader)}`,
    done: undefined,
    problem,
    body: html`<section class="card" aria-labelledby="log-title">
        <h2 id="log-title">${term('attempt', reader, words.log)}</h2>
        ${
          delivery.tries.length === 0
            ? emptyNote(words.noTries)
            : rowsTable({
                caption: words.log,
                head: [{ number: words.number }, words.when, { number: words.took }, words.answer],
                rows: delivery.tries.map((one) => [
                  reader.formats.number(one.attempt),
                  moment(instantText(one.at), reader),
                  words.milliseconds(reader.formats.number(one.tookMs)),
                  answerWords(one, reader),
                ]),
              })
        }
        <div class="row-actions">
          ${replayButton({ brand, webhook, one: delivery }, reader) ?? ''}
        </div>
      </section>
      <section class="card" aria-labelledby="sent-title">
        <h2 id="sent-title">${words.sent}</h2>
        <p class="hint">webhook-id: <code>${delivery.id}</code></p>
        <div class="wide" role="group" aria-label="${words.sent}" tabindex="0">
          <pre><code>${sent}</code></pre>
        </div>
      </section>`,
  });
}
