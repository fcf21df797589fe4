// One push message: encrypted for its browser (RFC 8291), signed for its push service (RFC 8292), and sent as any
// other request is, so that its address is judged.
import type { Clock } from '@lothub/kit/clock';
import { RecentlyUsed } from '@lothub/kit/serving/recently-used';
import type webPushModule from 'web-push';
import type { TryResult } from '../sending/answer.ts';
import type { Send } from '../sending/send.ts';
import type { Subscription } from './subscription.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** Maximum size of a message: push services accept at most 4,096 bytes encrypted (RFC 8030, section 7.2). */
export const PUSH_BYTES_MAX = 2_048;
/** Maximum length of a `topic` of letters, digits, `-` and `_` (RFC 8030, section 5.4). */
export const TOPIC_LENGTH_MAX = 32;

/** How long a signature is valid; push services accept a day at most (RFC 8292, section 2). */
const SIGNED_SECONDS = 12 * 60 * 60;
/** A signature is used for half of its time. */
const SIGNATURE_USED_MS = (SIGNED_SECONDS / 2) * 1_000;
/** Push services whose signature is remembered; browsers have a handful of them. */
const REMEMBERED_MAX = 100;

/** RFC 8030, section 5.3: what a device that saves power still receives. */
export type Urgency = 'very-low' | 'low' | 'normal' | 'high';

export interface PushOptions {
  readonly urgency: Urgency;
  /** TOPIC_LENGTH_MAX characters at most; a message that waits is replaced by a newer one of the same topic. */
  readonly topic?: string | undefined;
  /** How long the push service keeps it for a device that is away. */
  readonly ttlSeconds: number;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

/**
 * Sends one message; 404 and 410 mean that the subscription has ended.
 * @param payload PUSH_BYTES_MAX bytes at most
 */
export type PushSend = (
  subscription: Subscription,
  payload: string,
  options: PushOptions,
) => Promise<TryResult>;

export interface PushSenderOptions {
  readonly send: Send;
  readonly keys: VapidKeys;
  /** Whom the operators of push services write to: `mailto:` or `https:`. */
  readonly contact: string;
  readonly clock: Clock;
}

type WebPush = Pick<typeof webPushModule, 'getVapidHeaders'>;

/** A subscription that has ended. */
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

export function newPushSender({ send, keys, contact, clock }: PushSenderOptions): PushSend {
  const signatures = new RecentlyUsed<string, { readonly text: string; readonly untilMs: number }>(
    REMEMBERED_MAX,
  );
  // Signing takes as long as encrypting, and says the same for every message to a push service.
  const signatureFor = (webPush: WebPush, audience: string): string => {
    const nowMs = clock.nowMs();
    const known = signatures.get(audience);
    if (known !== undefined && nowMs < known.untilMs) return known.text;
    const { publicKey, privateKey } = keys;
    const expiresAt = Math.floor(nowMs / 1_000) + SIGNED_SECONDS;
    const { Authorization: text } = webPush.getVapidHeaders(
      audience,
      contact,
      publicKey,
      privateKey,
      'aes128gcm',
      expiresAt,
    );
    signatures.set(audience, { text, untilMs: nowMs + SIGNATURE_USED_MS });
    return text;
  };
  return async ({ endpoint, p256dh, auth }, payload, { urgency, topic, ttlSeconds, signal }) => {
    if (Buffer.byteLength(payload) > PUSH_BYTES_MAX) {
      throw new RangeError(`a push message has at most ${PUSH_BYTES_MAX} bytes`);
    }
    const url = new URL(endpoint);
    // Loaded with the first message: a process that sends none starts sooner without it.
    const { default: webPush } = await import('web-push');
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      payload,
      {
        TTL: ttlSeconds,
        contentEncoding: 'aes128gcm',
        urgency,
        ...(topic === undefined ? {} : { topic }),
        headers: { Authorization: signatureFor(webPush, url.origin) },
      },
    );
    const result = await send({ url, headers, body, signal });
    if (result.kind !== 'answered' || !GONE_STATUSES.has(result.status)) return result;
    const { status } = result;
    const reason = `The push service answered ${status}: the browser's subscription has ended`;
    return { kind: 'gone', status, reason };
  };
}
