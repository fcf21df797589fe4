// One try: a request over HTTP, or a notification in a group of the inbox that this process serves.
import type { TryResult } from '@lothub/delivery/sending/answer';
import type { Send, WebhookRequest } from '@lothub/delivery/sending/send';
import { keyOfInboxUrl } from './inbox.ts';
import type { Inbox } from './inbox.ts';
import { readNotification } from './inbox-text.ts';

/** What the inbox did, as the answers of receivers say it. */
const STATUS_OF = { posted: 201, gone: 410, paused: 503 } as const;

/** @param inbox undefined: this process serves none; what goes there is tried again, perhaps by another one */
export function newHubSender(of: { readonly http: Send; readonly inbox: Inbox | undefined }): Send {
  return async (request) => {
    const keyId = keyOfInboxUrl(request.url.href);
    return keyId === undefined ? await of.http(request) : await post(of.inbox, keyId, request);
  };
}

async function post(
  inbox: Inbox | undefined,
  keyId: string,
  { headers, body }: WebhookRequest,
): Promise<TryResult> {
  if (inbox === undefined) return { kind: 'unanswered', error: 'unreachable' };
  const id = String(headers['webhook-id']);
  try {
    const outcome = await inbox.post({
      keyId,
      id,
      notification: readNotification(body.toString()),
    });
    return { kind: 'answered', status: STATUS_OF[outcome], retryAfter: undefined };
  } catch {
    // Its database is away: whether it was stored shows at the next try, by the id.
    return { kind: 'unanswered', error: 'connection_lost' };
  }
}
