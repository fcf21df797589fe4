// Sends a push message to a device: a short text, encrypted for its browser, that leads to the page of the recall.
import { judge } from '@lothub/delivery/sending/answer';
import { PUSH_BYTES_MAX, type PushSend } from '@lothub/delivery/push/push-sender';
import type { Clock } from '@lothub/kit/clock';
import { present } from '@lothub/kit/present';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { WatchMessage } from './compose.ts';
import type { Way } from './ways.ts';

/** A device that is away for longer looks at the page anyway: a recall is there as long as it lasts. */
const TTL_SECONDS = 28 * 24 * 60 * 60;
const TITLE_MAX = 150;
/** With a title and an address of full length they stay below what a push takes. */
const BODY_MAX = 200;
/** Characters of a hash, for a topic that says nothing to the push service. */
const TOPIC_DIGITS = 32;

export function pushWay(push: PushSend, clock: Clock): Way {
  return async ({ watchId, address: endpoint, p256dh, auth }, message, signal) => {
    const subscription = {
      endpoint,
      p256dh: present(p256dh, `the key of ${watchId}`),
      auth: present(auth, `the secret of ${watchId}`),
    };
    const result = await push(subscription, buildPayload(message), {
      urgency: message.isUrgent ? 'high' : 'normal',
      topic: sha256Hex(`${watchId} ${message.tag}`).slice(0, TOPIC_DIGITS),
      ttlSeconds: TTL_SECONDS,
      signal,
    });
    if (result.kind === 'stopped') return result;
    const verdict = judge(result, clock.nowMs());
    switch (verdict.kind) {
      case 'delivered':
        return { kind: 'sent' };
      case 'gone':
        return { kind: 'gone' };
      // The first two are said of mail alone.
      case 'refused':
      case 'undecided':
        return { kind: 'later', retryAfterMs: null, isSlow: false };
      case 'failed': {
        const { retryAfterMs } = verdict;
        return { kind: 'later', retryAfterMs, isSlow: result.kind === 'unanswered' };
      }
    }
  };
}

/** As the service worker of the public pages reads it (web/browser/watch-worker.ts). */
function buildPayload({ subject, short, url, tag, language }: WatchMessage): string {
  const title = cut(subject, TITLE_MAX);
  const payload = JSON.stringify({ title, body: cut(short, BODY_MAX), tag, url, lang: language });
  if (Buffer.byteLength(payload) <= PUSH_BYTES_MAX) return payload;
  return JSON.stringify({ title, body: '', tag, url, lang: language });
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
