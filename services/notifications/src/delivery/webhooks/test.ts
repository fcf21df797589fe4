// Trying a webhook out: one request now, by the way of every delivery, with what was answered. Nothing of it is kept.
import { performance } from 'node:perf_hooks';
import type { Clock } from '@lothub/kit/clock';
import type { TokenBucket, TokenBucketRate } from '@lothub/kit/http/token-bucket';
import { newId } from '@lothub/kit/secrets/ids';
import { errorText, judge } from '@lothub/delivery/sending/answer';
import type { Send } from '@lothub/delivery/sending/send';
import type { Static } from 'typebox';
import { Problem } from '../../errors.ts';
import { assertOwner } from '../../groups/ownership.ts';
import { NOTHING_SAID } from '../../store/post.ts';
import type { NotificationStore } from '../../store/store.ts';
import type { SentNotification } from '../formats/format.ts';
import { makeRequest } from '../formats/request.ts';
import { TEST_EVENT } from '../payload.ts';
import { findRecipient } from './queries.ts';
import type { WebhookTestSchema } from './schema.ts';
import { insertEntry, type OwnedWebhook } from './webhooks.ts';

/** Of one person. */
export const WEBHOOK_TEST_RATE: TokenBucketRate = { burst: 10, perMinute: 6 };

/** Characters of an answer that its owner is shown, and the most bytes that they take. */
const SHOWN_CHARACTERS = 1_000;
const SHOWN_BYTES = 4 * SHOWN_CHARACTERS;

export interface WebhookTestDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly send: Send;
  /** As people reach the pages. */
  readonly publicUrl: string;
  readonly testRate: TokenBucket | undefined;
}

export type WebhookTest = Static<typeof WebhookTestSchema>;

/**
 * Also of a webhook that is paused or disabled; its state stays as it is.
 * @throws Problem `not_found`, `owner_only`; `rate_limited` after too many
 */
export async function testWebhook(
  deps: WebhookTestDeps,
  owned: OwnedWebhook & { readonly actor: { readonly accountId: string; readonly name: string } },
): Promise<WebhookTest> {
  const { store, clock, send, publicUrl } = deps;
  await assertOwner(store.reader, owned);
  const recipient = await findRecipient(store.reader, owned);
  if (recipient === undefined) throw new Problem('not_found', 'The group has no such webhook');
  const atMs = clock.nowMs();
  const request = makeRequest({ ...recipient, id: newId('test') }, testNotification(owned, atMs), {
    event: TEST_EVENT,
    publicUrl,
    atMs,
    signal: new AbortController().signal,
  });
  const begunMs = performance.now();
  const result = await send({ ...request, keepBytes: SHOWN_BYTES });
  const tookMs = Math.round(performance.now() - begunMs);
  if (result.kind === 'stopped') throw new Problem('unavailable', 'The service is about to end');
  const httpStatus = result.kind === 'unanswered' ? null : result.status;
  await store.write([insertEntry(owned, 'webhook_tested', atMs, { http_status: httpStatus })]);
  return {
    delivered: judge(result, atMs).kind === 'delivered',
    http_status: httpStatus,
    error: errorText(result),
    body: result.kind === 'answered' ? shown(result.bodyStart ?? '') : null,
    took_ms: tookMs,
  };
}

function shown(body: string): string {
  return [...body].slice(0, SHOWN_CHARACTERS).join('');
}

function testNotification(
  {
    actor,
    groupId,
  }: { readonly actor: { accountId: string; name: string }; readonly groupId: string },
  atMs: number,
): SentNotification {
  return {
    ...NOTHING_SAID,
    id: 0,
    groupId,
    seq: 0,
    title: 'Test from Lothub',
    body: `${actor.name} tries this webhook out. Nothing has happened.`,
    severity: 'info',
    createdAt: atMs,
    keyId: null,
    keyName: null,
    accountId: actor.accountId,
    accountName: actor.name,
    redactedAt: null,
  };
}
