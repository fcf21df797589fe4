// The optional fields `url`, `dedup_key` and `status` of a post (docs/interface/notifications.md#ingest): a
// link, what belongs together, and its state. Their shapes, and how answers, streams and webhooks show
// them.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { VISIBLE_PATTERN, type FieldProblem } from '@lothub/kit/http/field-problems';
import { Type } from '@lothub/kit/json-schema';
import type { Static, TObject } from 'typebox';
import { STATUSES, type Said, type Status } from './store/post.ts';

export const LINK_CHARS_MAX = 2_000;
export const DEDUP_KEY_CHARS_MAX = 255;

/** Optional, and absent where a sender did not say them: older requests and answers keep their bytes. */
export const SENT_MEMBERS = {
  url: Type.Optional(
    Type.String({
      maxLength: LINK_CHARS_MAX,
      description: 'Where the sender points to: an http or https address without user name',
      examples: ['https://monitoring.example.com/alerts/oven-3'],
    }),
  ),
  dedup_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: DEDUP_KEY_CHARS_MAX,
      pattern: TEXT_PATTERN,
      allOf: [{ pattern: VISIBLE_PATTERN }],
      description:
        'What the sender calls the thing that this is about: notifications of a group with the same ' +
        'one belong together. Something of it has to be visible',
      examples: ['oven-3'],
    }),
  ),
  status: Type.Optional(
    Type.Unsafe<Status>({
      type: 'string',
      enum: [...STATUSES],
      description: 'What the thing that `dedup_key` names is now; only together with it',
    }),
  ),
};

type Sent = Static<TObject<typeof SENT_MEMBERS>>;

export function pickSentMembers({ url, dedupKey, status }: Said): Sent {
  return {
    ...(url === null ? {} : { url }),
    ...(dedupKey === null ? {} : { dedup_key: dedupKey }),
    ...(status === null ? {} : { status }),
  };
}

export function saidIn({ url, dedup_key, status }: Sent): Said {
  return { url: url ?? null, dedupKey: dedup_key ?? null, status: status ?? null };
}

/** What is wrong with them beyond what their schemas say, of a body that may be anything. */
export function sentProblems(body: unknown): readonly FieldProblem[] {
  if (typeof body !== 'object' || body === null) return [];
  const { url, dedup_key, status }: { url?: unknown; dedup_key?: unknown; status?: unknown } = body;
  const wrong = { limit: null, actual: null };
  return [
    ...(typeof url === 'string' && !isLink(url)
      ? [{ pointer: '/url', code: 'wrong_form', ...wrong } as const]
      : []),
    ...(status !== undefined && dedup_key === undefined
      ? [{ pointer: '/dedup_key', code: 'required', ...wrong } as const]
      : []),
  ];
}

/** `URL` itself drops white space and line breaks, and takes a path for an address. */
const LINK_FORM = /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu;

/** A URL that a page may link to, whatever its length. */
export function isLink(text: string): boolean {
  if (!LINK_FORM.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
