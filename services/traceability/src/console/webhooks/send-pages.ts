// Reads, writes and sends the pages of webhooks.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import type { FastifyReply } from 'fastify';
import { getDelivery, listDeliveries } from '../../webhooks/deliveries.ts';
import { buildBody } from '../../webhooks/outbox.ts';
import { getWebhook, listWebhooks } from '../../webhooks/webhooks.ts';
import { getVisitor } from '../access.ts';
import { getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { getDeliveryId, readWebhook } from './acting.ts';
import { deliveryPage } from './delivery-page.ts';
import { withOwnWords } from './fields.ts';
import { webhookPath } from './paths.ts';
import { webhookPage, type WebhookView } from './webhook-page.ts';
import { webhooksPage, type WebhooksView } from './webhooks-page.ts';

const DELIVERIES_PER_PAGE = 50;

export async function sendWebhooks(
  deps: ConsoleDeps,
  to: To,
  changes: Partial<Pick<WebhooksView, 'form' | 'inboxForm' | 'done'>>,
  status = 200,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const path = brandPath(brand, 'webhooks');
  const reader = prepareConsoleReader(to.request, to.reply);
  const { form = EMPTY_FORM, inboxForm = EMPTY_FORM, done } = changes;
  const body = webhooksPage(
    {
      ...{ path, brand, done },
      name: await readName(deps, brand),
      webhooks: await listWebhooks(deps, brand),
      groups: await deps.inbox?.listGroups(getVisitor(to.request).person.accountId),
      form: withOwnWords(form, reader),
      inboxForm: withOwnWords(inboxForm, reader),
    },
    reader,
  );
  const { title } = reader.words.console.webhooks;
  return await sendFramed(deps, to, { title, path, brand, body }, status);
}

interface WebhookChanges {
  /** Set for a webhook that was just made; otherwise it is in the address. */
  readonly webhookId?: string;
  readonly secret?: string;
  readonly form?: FormState;
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  readonly after?: number | undefined;
}

export async function sendWebhook(
  deps: ConsoleDeps,
  to: To,
  changes: WebhookChanges,
  status = 200,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const webhookId = changes.webhookId ?? readWebhook(to).webhookId;
  const reader = prepareConsoleReader(to.request, to.reply);
  const key = { tenantId: brand, webhookId };
  const { secret, done, problem, after, form = EMPTY_FORM } = changes;
  const webhook = await getWebhook(deps, key);
  const limit = DELIVERIES_PER_PAGE;
  const view: WebhookView = {
    ...{ brand, webhook, secret, done, problem },
    page: await listDeliveries(deps, { ...key, status: undefined, after, limit }),
    form: withOwnWords(form, reader),
  };
  const body = webhookPage(view, reader);
  const path = webhookPath(brand, webhookId);
  return await sendFramed(deps, to, { title: webhook.name, path, brand, body }, status);
}

export async function sendDelivery(
  deps: ConsoleDeps,
  to: To,
  problem: string | undefined,
  status = 200,
): Promise<FastifyReply> {
  const { tenantId: brand, webhookId } = readWebhook(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const key = { tenantId: brand, webhookId };
  const webhook = await getWebhook(deps, key);
  const delivery = await getDelivery(deps, { ...key, deliveryId: getDeliveryId(to) });
  const { url, language } = webhook;
  const sent = buildBody({ ...delivery, brand, url, language }, deps.publicUrl);
  const body = deliveryPage({ brand, webhook, delivery, sent, problem }, reader);
  const title = reader.words.console.webhooks.types[delivery.eventType];
  return await sendFramed(
    deps,
    to,
    { title, path: webhookPath(brand, webhookId), brand, body },
    status,
  );
}
