// Webhooks of a brand: list, make, set, test, change the secret, delete, look up deliveries and send them again. A
// secret is shown once, in the answer that made it.
import { withDone } from '@lothub/design/done-mark';
import { Type } from '@lothub/kit/json-schema';
import type { App } from '../../http.ts';
import { replayDelivery } from '../../webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../webhooks/webhooks.ts';
import { getVisitor } from '../access.ts';
import { BRAND_PARAM, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader } from '../send.ts';
import { backTo, doneIn, getDeliveryId, readActing, readWebhook } from './acting.ts';
import { chosenTypes } from './fields.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { DELIVERY_ROUTE, WEBHOOKS_ROUTE, WEBHOOK_ROUTE } from './paths.ts';
import { sendDelivery, sendWebhook, sendWebhooks } from './send-pages.ts';

const ID_MAX = 100;
const IdText = Type.String({ minLength: 1, maxLength: ID_MAX });
const RIGHT = 'webhooks';

const BrandParams = Type.Object(BRAND_PARAM);
const WebhookParams = Type.Object({ ...BRAND_PARAM, webhook_id: IdText });
const DeliveryParams = Type.Object({ ...WebhookParams.properties, delivery_id: IdText });
const DoneQuery = Type.Object({ done: Type.Optional(Type.String()) });
const WebhookQuery = Type.Object({
  ...DoneQuery.properties,
  after: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});

export function webhookPageRoutes(app: App, deps: ConsoleDeps): void {
  listRoutes(app, deps);
  inboxRoutes(app, deps);
  webhookRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function listRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    WEBHOOKS_ROUTE,
    {
      schema: { hide: true, params: BrandParams, querystring: DoneQuery },
      config: { right: RIGHT },
    },
    async (request, reply) =>
      await sendWebhooks(
        deps,
        { request, reply },
        { done: doneIn(request.query.done, { request, reply }) },
      ),
  );

  addForm(app, {
    path: WEBHOOKS_ROUTE,
    right: RIGHT,
    params: BrandParams,
    refusals: (words) => ({ rule_broken: words.webhooks.full }),
    show: (to, form, status) => sendWebhooks(deps, to, { form }, status),
    run: async (to, values) => {
      const { language } = prepareConsoleReader(to.request, to.reply);
      const { webhookId, secret } = await createWebhook(deps, readActing(to), {
        name: values['name'] ?? '',
        url: (values['url'] ?? '').trim(),
        eventTypes: chosenTypes(values),
        language,
      });
      // This is no redirect: only this answer has the secret.
      return await sendWebhook(deps, to, { webhookId, secret });
    },
  });
}

function webhookRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    WEBHOOK_ROUTE,
    {
      schema: { hide: true, params: WebhookParams, querystring: WebhookQuery },
      config: { right: RIGHT },
    },
    async (request, reply) => {
      const to = { request, reply };
      const { done, after } = request.query;
      return await sendWebhook(deps, to, { done: doneIn(done, to), after });
    },
  );

  addForm(app, {
    path: WEBHOOK_ROUTE,
    right: RIGHT,
    params: WebhookParams,
    show: (to, form, status) => sendWebhook(deps, to, { form }, status),
    run: async (to, values) => {
      const { status } = values;
      await changeWebhook(deps, readWebhook(to), {
        name: values['name'] ?? '',
        ...(values['url'] === undefined ? {} : { url: values['url'].trim() }),
        ...(status === 'active' || status === 'paused' ? { status } : {}),
        eventTypes: chosenTypes(values),
      });
      return await backTo(to, 'saved');
    },
  });

  addForm(app, {
    path: `${WEBHOOK_ROUTE}/rotate`,
    right: RIGHT,
    params: WebhookParams,
    show: (to, { problem }, status) => sendWebhook(deps, to, { problem }, status),
    run: async (to) => {
      const { secret } = await rotateWebhookSecret(deps, readWebhook(to));
      return await sendWebhook(deps, to, { secret });
    },
  });

  addForm(app, {
    path: `${WEBHOOK_ROUTE}/test`,
    right: RIGHT,
    params: WebhookParams,
    refusals: (words) => ({ rule_broken: words.webhooks.notTested }),
    show: (to, { problem }, status) => sendWebhook(deps, to, { problem }, status),
    run: async (to) => {
      await testWebhook(deps, readWebhook(to));
      return await backTo(to, 'tested');
    },
  });

  addForm(app, {
    path: `${WEBHOOK_ROUTE}/delete`,
    right: RIGHT,
    params: WebhookParams,
    show: (to, { problem }, status) => sendWebhook(deps, to, { problem }, status),
    run: async (to) => {
      const { person } = getVisitor(to.request);
      const done = await deleteWebhook(deps, { ...readWebhook(to), person });
      const path = brandPath(getBrand(to), 'webhooks');
      return await to.reply.redirect(withDone(path, done), 303);
    },
  });
}

function deliveryRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    DELIVERY_ROUTE,
    { schema: { hide: true, params: DeliveryParams }, config: { right: RIGHT } },
    async (request, reply) => await sendDelivery(deps, { request, reply }, undefined),
  );

  addForm(app, {
    path: `${DELIVERY_ROUTE}/replay`,
    right: RIGHT,
    params: DeliveryParams,
    refusals: (words) => ({ rule_broken: words.webhooks.notReplayed }),
    show: (to, { problem }, status) => sendDelivery(deps, to, problem, status),
    run: async (to) => {
      await replayDelivery(deps, { ...readWebhook(to), deliveryId: getDeliveryId(to) });
      return await backTo(to, 'replayed');
    },
  });
}
