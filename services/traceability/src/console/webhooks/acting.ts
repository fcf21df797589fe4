// The caller, brand and webhook of a request, and the address that a form leads to afterwards.
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import { present } from '@lothub/kit/present';
import type { FastifyReply } from 'fastify';
import { callerOfPerson } from '../../http.ts';
import type { WebhookOwner, OwnedWebhook } from '../../webhooks/webhooks.ts';
import { getVisitor } from '../access.ts';
import { getBrand } from '../brand/brand.ts';
import { param } from '../params.ts';
import { prepareConsoleReader, type To } from '../send.ts';
import { webhookPath } from './paths.ts';

export function readActing(to: To): WebhookOwner {
  const caller = callerOfPerson(to.request, getVisitor(to.request).person);
  return { tenantId: getBrand(to), caller };
}

export function readWebhook(to: To): OwnedWebhook {
  return { ...readActing(to), webhookId: present(param(to, 'webhook_id'), 'the id of a webhook') };
}

export function getDeliveryId(to: To): string {
  return present(param(to, 'delivery_id'), 'the id of a delivery');
}

type Done = 'saved' | 'tested' | 'replayed';

export async function backTo(to: To, done: Done): Promise<FastifyReply> {
  const { tenantId, webhookId } = readWebhook(to);
  return await to.reply.redirect(withDone(webhookPath(tenantId, webhookId), done), 303);
}

export function doneIn(done: string | undefined, { request, reply }: To): string | undefined {
  return doneWordsIn(prepareConsoleReader(request, reply).words.console.webhooks.done, done);
}
