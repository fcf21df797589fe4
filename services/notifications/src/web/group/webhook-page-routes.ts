// Webhooks of a group on pages: making, setting, rotating, deleting, and sending deliveries again.
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { takeRate } from '../../access/take-rate.ts';
import { readOwned } from '../../delivery/webhooks/read-owned.ts';
import { testWebhook } from '../../delivery/webhooks/test.ts';
import { getDelivery, listDeliveries, replayDelivery } from '../../delivery/deliveries.ts';
import { DeliveryListQuery } from '../../delivery/delivery-schema.ts';
import { NewWebhookSchema, WebhookChangeSchema } from '../../delivery/webhooks/schema.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from '../../delivery/webhooks/webhooks.ts';
import type { OwnedWebhook } from '../../delivery/webhooks/webhooks.ts';
import { getGroup } from '../../groups/groups.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import { doneWords, withDone } from '../done.ts';
import { checked, readFormValues, refusedForm, textOrNothing, type FormValues } from '../forms.ts';
import { EMPTY_FORM } from '../fragments.ts';
import { groupPath } from './frame.ts';
import { sendFramed, type WebDeps } from '../web-deps.ts';
import { deliveryPage, webhookPage, webhookPath, webhooksPage } from './webhook-pages.ts';
import type { WebhookView, WebhooksView } from './webhook-pages.ts';

const DELIVERIES_PER_PAGE = 50;

const GroupParams = Type.Object({ group_id: Type.String() });
const WebhookParams = Type.Object({ ...GroupParams.properties, webhook_id: Type.String() });
const DeliveryParams = Type.Object({ ...WebhookParams.properties, delivery_id: Type.String() });
const DoneQuery = Type.Object({ done: Type.Optional(Type.String()) });
const WebhookQuery = Type.Object({
  ...DoneQuery.properties,
  after: DeliveryListQuery.properties.after,
});

const checkNewWebhook = compileValueSchema<Static<typeof NewWebhookSchema>>(NewWebhookSchema);
const checkWebhookChange =
  compileValueSchema<Static<typeof WebhookChangeSchema>>(WebhookChangeSchema);

const WEBHOOKS = `${PAGES_PREFIX}/groups/:group_id/webhooks`;
const WEBHOOK = `${WEBHOOKS}/:webhook_id`;
const DELIVERY = `${WEBHOOK}/deliveries/:delivery_id`;

export function webhookPageRoutes(app: App, deps: WebDeps): void {
  listRoutes(app, deps);
  webhookRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function listRoutes(app: App, deps: WebDeps): void {
  app.get(
    WEBHOOKS,
    { schema: { hide: true, params: GroupParams, querystring: DoneQuery } },
    async (request, reply) =>
      sendWebhooks(deps, { request, reply }, { done: doneWords(request.query.done) }),
  );

  app.post(WEBHOOKS, { schema: { hide: true, params: GroupParams } }, async (request, reply) => {
    const values = readFormValues(request.body);
    const person = getPerson(request);
    const groupId = request.params.group_id;
    try {
      const asked = checked(checkNewWebhook, {
        name: values['name'] ?? '',
        url: values['url'] ?? '',
        min_severity: values['min_severity'] ?? 'info',
        format: values['format'] ?? 'standard',
        ...tokenIn(values),
      });
      const actor = { accountId: person.accountId, name: person.name };
      const made = await createWebhook(deps, { actor, groupId }, asked);
      // No redirect: only this answer contains the secret.
      const owned = { actor, groupId, webhookId: made.id };
      return await sendWebhook(deps, { request, reply }, owned, {
        secret: made.secret ?? undefined,
      });
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      return await sendWebhooks(deps, { request, reply }, refused, refused.status);
    }
  });
}

function webhookRoutes(app: App, deps: WebDeps): void {
  const schema = { hide: true, params: WebhookParams };

  app.get(WEBHOOK, { schema: { ...schema, querystring: WebhookQuery } }, async (request, reply) => {
    const { done, after } = request.query;
    const changes = { done: doneWords(done) };
    return await sendWebhook(deps, { request, reply }, readOwned(request), changes, { after });
  });

  app.post(WEBHOOK, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    const owned = readOwned(request);
    try {
      const asked = checked(checkWebhookChange, {
        name: values['name'] ?? '',
        url: values['url'] ?? '',
        min_severity: values['min_severity'],
        status: values['status'],
        ...tokenIn(values),
      });
      await changeWebhook(deps, owned, asked);
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      const { form, status } = refused;
      return await sendWebhook(deps, { request, reply }, owned, { form }, { status });
    }
    const path = webhookPath(owned.groupId, owned.webhookId);
    return await reply.redirect(withDone(path, 'webhook-saved'), 303);
  });

  app.post(`${WEBHOOK}/rotate-secret`, { schema }, async (request, reply) => {
    const owned = readOwned(request);
    const { secret } = await rotateWebhookSecret(deps, owned);
    return await sendWebhook(deps, { request, reply }, owned, { secret });
  });

  app.post(`${WEBHOOK}/test`, { schema }, async (request, reply) => {
    const owned = readOwned(request);
    const { accountId, name } = getPerson(request);
    try {
      await takeRate(deps.testRate, accountId, reply);
      const { publicUrl } = deps.people;
      const actor = { accountId, name };
      const test = await testWebhook({ ...deps, publicUrl }, { ...owned, actor });
      // Not by way of another address: the answer is shown this once.
      return await sendWebhook(deps, { request, reply }, owned, { test });
    } catch (error) {
      const refused = refusedForm(error, {});
      if (refused === undefined) throw error;
      const { form, status } = refused;
      const changes = { problem: form.problem };
      return await sendWebhook(deps, { request, reply }, owned, changes, { status });
    }
  });

  app.post(`${WEBHOOK}/delete`, { schema }, async (request, reply) => {
    const owned = readOwned(request);
    await deleteWebhook(deps, owned);
    const path = groupPath(owned.groupId, 'webhooks');
    return await reply.redirect(withDone(path, 'webhook-deleted'), 303);
  });
}

function deliveryRoutes(app: App, deps: WebDeps): void {
  const schema = { hide: true, params: DeliveryParams };

  app.get(DELIVERY, { schema }, async (request, reply) => {
    const owned = readOwned(request);
    const delivery = await getDelivery(deps, {
      ...owned,
      deliveryId: request.params.delivery_id,
    });
    const webhook = await getWebhook(deps, owned);
    const group = await readGroup(deps, request);
    return await sendFramed(deps, { request, reply }, deliveryPage({ group, webhook, delivery }));
  });

  app.post(`${DELIVERY}/replay`, { schema }, async (request, reply) => {
    const owned = readOwned(request);
    try {
      await replayDelivery(deps, { ...owned, deliveryId: request.params.delivery_id });
    } catch (error) {
      const refused = refusedForm(error, {});
      if (refused === undefined) throw error;
      const { form, status } = refused;
      const changes = { problem: form.problem };
      return await sendWebhook(deps, { request, reply }, owned, changes, { status });
    }
    const path = webhookPath(owned.groupId, owned.webhookId);
    return await reply.redirect(withDone(path, 'replayed'), 303);
  });
}

/** The input that removes a token; an empty field keeps it. */
const NO_TOKEN = '-';

function tokenIn(values: FormValues): { readonly access_token?: string | null } {
  const given = textOrNothing(values['access_token']);
  if (given === undefined) return {};
  return { access_token: given === NO_TOKEN ? null : given };
}

type GroupRequest = FastifyRequest<{ Params: { group_id: string } }>;

interface To {
  readonly request: GroupRequest;
  readonly reply: FastifyReply;
}

async function readGroup(deps: WebDeps, request: GroupRequest) {
  const { accountId } = getPerson(request);
  return await getGroup(deps.store.reader, { accountId, groupId: request.params.group_id });
}

async function sendWebhooks(
  deps: WebDeps,
  to: To,
  changes: Partial<Pick<WebhooksView, 'form' | 'done' | 'problem'>>,
  status = 200,
): Promise<FastifyReply> {
  const groupId = to.request.params.group_id;
  const list = await listWebhooks(deps, { actor: toActor(getPerson(to.request)), groupId });
  const page = webhooksPage({
    group: await readGroup(deps, to.request),
    webhooks: list.items,
    form: EMPTY_FORM,
    done: undefined,
    problem: undefined,
    ...changes,
  });
  return await sendFramed(deps, to, page, { status });
}

async function sendWebhook(
  deps: WebDeps,
  to: To,
  owned: OwnedWebhook,
  changes: Partial<Pick<WebhookView, 'form' | 'secret' | 'test' | 'done' | 'problem'>>,
  options: { readonly status?: number; readonly after?: number | undefined } = {},
): Promise<FastifyReply> {
  const { status = 200, after } = options;
  const webhook = await getWebhook(deps, owned);
  const deliveries = await listDeliveries(deps, owned, {
    status: undefined,
    after,
    limit: DELIVERIES_PER_PAGE,
  });
  const page = webhookPage({
    group: await readGroup(deps, to.request),
    webhook,
    deliveries: deliveries.items,
    next: deliveries.next,
    form: EMPTY_FORM,
    secret: undefined,
    test: undefined,
    done: undefined,
    problem: undefined,
    ...changes,
  });
  return await sendFramed(deps, to, page, { status });
}
