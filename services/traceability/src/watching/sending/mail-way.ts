// Sends a mail: the notice as plain text and as HTML, with a link that ends it.
import { writeMail } from '@lothub/delivery/mail/mail-text';
import type { Mailer } from '@lothub/delivery/mail/mailer';
import type { Clock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Way } from './ways.ts';

/** Characters of a subject; what is behind them is in the mail. */
const SUBJECT_MAX = 150;
/** Characters of a hash, for an id that does not reveal the recipient. */
const ID_DIGITS = 24;

export function mailWay(mailer: Mailer, clock: Clock): Way {
  return async ({ watchId, topic, createdAt, address }, message, signal) => {
    const { language, subject, blocks, footer, endUrl } = message;
    const atMs = clock.nowMs();
    const texts = writeMail({ language, heading: subject, blocks, footer });
    const result = await mailer.send({
      id: `watch_${sha256Hex(`${watchId} ${topic} ${createdAt}`).slice(0, ID_DIGITS)}`,
      to: address,
      subject: cut(subject),
      ...texts,
      atMs,
      unsubscribeUrl: endUrl,
      signal,
    });
    switch (result.kind) {
      case 'accepted':
        return { kind: 'sent' };
      case 'refused':
        return { kind: 'refused' };
      case 'stopped':
        return { kind: 'stopped' };
      case 'deferred':
      case 'unanswered':
        return { kind: 'later', retryAfterMs: null, isSlow: result.kind === 'unanswered' };
    }
  };
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= SUBJECT_MAX
    ? text
    : `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`;
}
