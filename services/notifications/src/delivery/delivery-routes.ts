// Deliveries of a webhook over HTTP, for the owners of its group: GET …/deliveries, GET one with its
// tries, POST …/replay.
import type { FastifyRequest } from 'fastify';
import { getPerson } from '../access/gate.ts';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { toActor } from '../access/person.ts';
import { API_PREFIX, PAGE_DEFAULT, problemAnswers, type App } from '../http.ts';
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.ts';
import type { DeliveryDeps, OwnedDelivery } from './deliveries.ts';
import {
  DeliveryDetailSchema,
  DeliveryListQuery,
  DeliveryListSchema,
  DeliveryParams,
} from './delivery-schema.ts';
import { WebhookParams } from './webhooks/schema.ts';

const TAGS = ['Webhooks'];
const DELIVERIES = `${API_PREFIX}/groups/:group_id/webhooks/:webhook_id/deliveries`;
const DELIVERY = `${DELIVERIES}/:delivery_id`;

const READ_PROBLEMS = [...SESSION_READ_PROBLEMS, 'not_found', 'owner_only'] as const;

export function deliveryRoutes(app: App, deps: DeliveryDeps): void {
  app.get(
    DELIVERIES,
    {
      schema: {
        tags: TAGS,
        operationId: 'listDeliveries',
        summary: 'The deliveries of a webhook, the newest first (owners)',
        description: 'They can be looked up for 30 days after they have ended.',
        params: WebhookParams,
        querystring: DeliveryListQuery,
        response: { 200: DeliveryListSchema, ...problemAnswers(...READ_PROBLEMS) },
      },
    },
    async (request) => {
      const { group_id: groupId, webhook_id: webhookId } = request.params;
      const { status, after, limit } = request.query;
      return await listDeliveries(
        deps,
        { actor: toActor(getPerson(request)), groupId, webhookId },
        { status, after, limit: limit ?? PAGE_DEFAULT },
      );
    },
  );

  app.get(
    DELIVERY,
    {
      schema: {
        tags: TAGS,
        operationId: 'getDelivery',
        summary: 'One delivery with its tries (owners)',
        params: DeliveryParams,
        response: { 200: DeliveryDetailSchema, ...problemAnswers(...READ_PROBLEMS) },
      },
    },
    async (request) => await getDelivery(deps, ownedDelivery(request, request.params)),
  );

  app.post(
    `${DELIVERY}/replay`,
    {
      schema: {
        tags: TAGS,
        operationId: 'replayDelivery',
        summary: 'Send a delivery once more that was delivered or has failed (owners)',
        description: 'Under the same id, at once, and with all its tries from the first on.',
        params: DeliveryParams,
        response: {
          200: DeliveryDetailSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only', 'conflict'),
        },
      },
    },
    async (request) => await replayDelivery(deps, ownedDelivery(request, request.params)),
  );
}

function ownedDelivery(
  request: FastifyRequest,
  params: { readonly group_id: string; readonly webhook_id: string; readonly delivery_id: string },
): OwnedDelivery {
  return {
    actor: toActor(getPerson(request)),
    groupId: params.group_id,
    webhookId: params.webhook_id,
    deliveryId: params.delivery_id,
  };
}
