// Who does what with which webhook, as its routes have it, and where a form leads when it is done.
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import { present } from '@lothub/kit/present';
import type { FastifyReply } from 'fastify';
import { callerOfPerson } from '../../http.ts';
import type { WebhookOwner, OwnedWebhook } from '../../webhooks/webhooks.ts';
import { visitorOf } from '../access.ts';
import { brandOf } from '../brand/brand.ts';
import { param } from '../params.ts';
import { consoleReaderOf } from '../send.ts';
import type { To } from '../send.ts';
import { webhookPath } from './paths.ts';

export function actingOf(to: To): WebhookOwner {
  const caller = callerOfPerson(to.request, visitorOf(to.request).person);
  return { tenantId: brandOf(to), caller };
}

export function webhookOf(to: To): OwnedWebhook {
  return { ...actingOf(to), webhookId: present(param(to, 'webhook_id'), 'the id of a webhook') };
}

export function deliveryIdOf(to: To): string {
  return present(param(to, 'delivery_id'), 'the id of a delivery');
}

type Done = 'saved' | 'tested' | 'replayed';

export async function backTo(to: To, done: Done): Promise<FastifyReply> {
  const { tenantId, webhookId } = webhookOf(to);
  return await to.reply.redirect(withDone(webhookPath(tenantId, webhookId), done), 303);
}

export function doneIn(done: string | undefined, { request, reply }: To): string | undefined {
  return doneWordsIn(consoleReaderOf(request, reply).words.console.webhooks.done, done);
}
