// A notification as a message of ntfy, by its JSON form, which takes any text (https://docs.ntfy.sh/publish/).
import type { Severity } from '../../store/post.ts';
import { cutTo, type FormattedRequest, type SentNotification } from './format.ts';

/** Bytes of a message; a server makes an attachment of what is longer. */
const MESSAGE_BYTES_MAX = 4_000;

/** 1 (lowest) to 5. */
const PRIORITIES: Readonly<Record<Severity, number>> = { info: 3, warning: 4, critical: 5 };

/** Names of signs that the server knows. */
const TAGS: Readonly<Record<Severity, readonly string[]>> = {
  info: [],
  warning: ['warning'],
  critical: ['rotating_light'],
};

const TOPIC_FORM = /^[-_A-Za-z0-9]{1,64}$/;

/** The error message for the person who enters an address. */
export const NTFY_URL_RIGHT = 'the address of a topic, such as https://ntfy.sh/my-topic';

/** Characters that a header allows; a token of ntfy begins with tk_. */
export const ACCESS_TOKEN_PATTERN = '^[\\x21-\\x7e]{1,255}$';

export interface NtfyPlace {
  readonly server: URL;
  readonly topic: string;
}

/** @returns undefined for an address that is none of a topic */
export function ntfyPlace(url: URL): NtfyPlace | undefined {
  if (url.search !== '') return undefined;
  const end = url.pathname.lastIndexOf('/');
  const topic = url.pathname.slice(end + 1);
  if (!TOPIC_FORM.test(topic)) return undefined;
  const server = new URL(url);
  server.pathname = url.pathname.slice(0, end + 1);
  return { server, topic };
}

/** @param to.link to the notification in the inbox */
export function ntfyRequest(
  notification: SentNotification,
  to: { readonly url: URL; readonly link: string; readonly accessToken: string | null },
): FormattedRequest {
  const place = ntfyPlace(to.url);
  if (place === undefined) throw new Error(`an ntfy webhook has the address of no topic`);
  const { title, body, severity, url } = notification;
  const text = body === null || body === '' ? undefined : body;
  return {
    url: place.server,
    body: JSON.stringify({
      topic: place.topic,
      // Without a text the server would write one of its own.
      ...(text === undefined ? {} : { title }),
      message: cutTo(text ?? title, MESSAGE_BYTES_MAX, (one) => Buffer.byteLength(one)),
      priority: PRIORITIES[severity],
      tags: TAGS[severity],
      click: url ?? to.link,
    }),
    headers: to.accessToken === null ? {} : { authorization: `Bearer ${to.accessToken}` },
  };
}
