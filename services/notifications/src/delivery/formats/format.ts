// The formats of webhooks: Standard Webhooks, or the format of a chat or push service.
import type { NotificationRow } from '../../feed/feed-entry.ts';

export const WEBHOOK_FORMATS = ['standard', 'slack', 'ntfy'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** What is said about a notification to those who read it elsewhere. */
export interface SentNotification extends NotificationRow {
  readonly redactedAt: number | null;
}

/** The text of a request, and where it goes. */
export interface FormattedRequest {
  readonly url: URL;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Texts that are too long for their place end with it. */
const CUT = '…';

/** @param size of a text, in whatever the place is measured in; it grows with the text */
export function cutTo(
  text: string,
  max: number,
  size: (text: string) => number = ({ length }) => length,
): string {
  if (size(text) <= max) return text;
  const characters = [...text];
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (size(characters.slice(0, middle).join('') + CUT) <= max) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join('') + CUT;
}
