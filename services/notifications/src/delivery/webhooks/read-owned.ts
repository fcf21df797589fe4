// Who asks for which webhook, as routes and pages have it in their address.
import type { FastifyRequest } from 'fastify';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import type { OwnedWebhook } from './webhooks.ts';

export function readOwned(
  request: FastifyRequest<{ Params: { group_id: string; webhook_id: string } }>,
): OwnedWebhook {
  const { group_id: groupId, webhook_id: webhookId } = request.params;
  return { actor: toActor(getPerson(request)), groupId, webhookId };
}
