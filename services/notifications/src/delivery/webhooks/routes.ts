// Webhooks over HTTP, for the owners of a group: GET and POST groups/{group_id}/webhooks; GET, PATCH,
// DELETE and rotate-secret of one.
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../../access/gate.ts';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../../access/gate-problems.ts';
import { toActor } from '../../access/person.ts';
import { takeRate } from '../../access/take-rate.ts';
import { API_PREFIX, problemAnswers, type App } from '../../http.ts';
import { readOwned } from './read-owned.ts';
import {
  CreatedWebhookSchema,
  NewWebhookSchema,
  RotatedSecretSchema,
  WebhookChangeSchema,
  WebhookGroupParams,
  WebhookListSchema,
  WebhookParams,
  WebhookSchema,
  WebhookTestSchema,
} from './schema.ts';
import { testWebhook, type WebhookTestDeps } from './test.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from './webhooks.ts';
import type { WebhookDeps } from './webhooks.ts';

const TAGS = ['Webhooks'];
const WEBHOOKS = `${API_PREFIX}/groups/:group_id/webhooks`;
const WEBHOOK = `${WEBHOOKS}/:webhook_id`;

const READ_PROBLEMS = [...SESSION_READ_PROBLEMS, 'not_found', 'owner_only'] as const;
const WRITE_PROBLEMS = [...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only'] as const;

export function webhookRoutes(app: App, deps: WebhookDeps & WebhookTestDeps): void {
  app.get(
    WEBHOOKS,
    {
      schema: {
        tags: TAGS,
        operationId: 'listWebhooks',
        summary: 'The webhooks of a group (owners)',
        params: WebhookGroupParams,
        response: { 200: WebhookListSchema, ...problemAnswers(...READ_PROBLEMS) },
      },
    },
    async (request) =>
      await listWebhooks(deps, {
        actor: toActor(getPerson(request)),
        groupId: request.params.group_id,
      }),
  );

  app.post(
    WEBHOOKS,
    {
      schema: {
        tags: TAGS,
        operationId: 'makeWebhook',
        summary: 'Make a webhook; its secret is shown this once (owners)',
        description:
          'Every notification of the group from then on, of `min_severity` or above, is sent to ' +
          '`url` as the Standard Webhooks specification says.',
        params: WebhookGroupParams,
        body: NewWebhookSchema,
        response: {
          201: CreatedWebhookSchema,
          ...problemAnswers(...WRITE_PROBLEMS, 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { accountId, name } = getPerson(request);
      const { group_id: groupId } = request.params;
      const owned = { actor: { accountId, name }, groupId };
      const created = await createWebhook(deps, owned, request.body);
      return await reply
        .code(201)
        .header('Cache-Control', 'no-store')
        .header('Location', `${API_PREFIX}/groups/${groupId}/webhooks/${created.id}`)
        .send(created);
    },
  );

  app.get(
    WEBHOOK,
    {
      schema: {
        tags: TAGS,
        operationId: 'getWebhook',
        summary: 'One webhook (owners)',
        params: WebhookParams,
        response: { 200: WebhookSchema, ...problemAnswers(...READ_PROBLEMS) },
      },
    },
    async (request) => await getWebhook(deps, readOwned(request)),
  );

  app.patch(
    WEBHOOK,
    {
      schema: {
        tags: TAGS,
        operationId: 'changeWebhook',
        summary: 'Name a webhook, move it, pause it or take it up again (owners)',
        description:
          'What is not given stays. While a webhook is paused nothing is sent and nothing is kept ' +
          'for it; deliveries that were still pending end as failed, and can be replayed one by one.',
        params: WebhookParams,
        body: WebhookChangeSchema,
        response: { 200: WebhookSchema, ...problemAnswers(...WRITE_PROBLEMS) },
      },
    },
    async (request) => await changeWebhook(deps, readOwned(request), request.body),
  );

  app.post(
    `${WEBHOOK}/rotate-secret`,
    {
      schema: {
        tags: TAGS,
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook another secret; it is shown this once (owners)',
        description: 'For 24 hours every request is signed with both, the new one first.',
        params: WebhookParams,
        response: { 200: RotatedSecretSchema, ...problemAnswers(...WRITE_PROBLEMS, 'conflict') },
      },
    },
    async (request, reply) => {
      const rotated = await rotateWebhookSecret(deps, readOwned(request));
      return await reply.header('Cache-Control', 'no-store').send(rotated);
    },
  );

  app.post(
    `${WEBHOOK}/test`,
    {
      schema: {
        tags: TAGS,
        operationId: 'testWebhook',
        summary: 'Send one test now and show what was answered (owners)',
        description:
          'By the way of every delivery, with the type `notification.test`, also while the webhook is paused. ' +
          'It is not repeated, and the answer is kept nowhere.',
        params: WebhookParams,
        response: { 200: WebhookTestSchema, ...problemAnswers(...WRITE_PROBLEMS) },
      },
    },
    async (request, reply) => {
      const { accountId, name } = getPerson(request);
      await takeRate(deps.testRate, accountId, reply);
      const owned = { ...readOwned(request), actor: { accountId, name } };
      return await testWebhook(deps, owned);
    },
  );

  app.delete(
    WEBHOOK,
    {
      schema: {
        tags: TAGS,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook with its deliveries (owners)',
        params: WebhookParams,
        response: {
          204: Type.Null({ description: 'Deleted' }),
          ...problemAnswers(...WRITE_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      await deleteWebhook(deps, readOwned(request));
      return await reply.code(204).send();
    },
  );
}
