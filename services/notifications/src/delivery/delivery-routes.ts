// Deliveries of a webhook over HTTP, for the owners of its group: GET …/deliveries, GET one with its
// tries, POST …/replay.
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { API_PREFIX, PAGE_DEFAULT, problemAnswers, type App } from '../http.ts';
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.ts';
import type { DeliveryDeps } from './deliveries.ts';
import {
  DeliveryDetailSchema,
  DeliveryListQuery,
  DeliveryListSchema,
  DeliveryParams,
} from './delivery-schema.ts';
import { readOwned } from './webhooks/read-owned.ts';
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
      const { status, after, limit = PAGE_DEFAULT } = request.query;
      return await listDeliveries(deps, readOwned(request), { status, after, limit });
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
    async (request) =>
      await getDelivery(deps, {
        ...readOwned(request),
        deliveryId: request.params.delivery_id,
      }),
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
    async (request) =>
      await replayDelivery(deps, {
        ...readOwned(request),
        deliveryId: request.params.delivery_id,
      }),
  );
}
