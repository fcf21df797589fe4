// Posts to a running service, again where the answer was lost: under one Idempotency-Key, so it is posted once.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, formatReason } from '@lothub/kit/cli/command-error';
import { fitted } from '../../adapters/fitted.ts';
import { isMembers, listAt, numberAt, textAt } from '../../adapters/members.ts';
import { API_PREFIX } from '../../http.ts';
import { codePoints } from '@lothub/kit/http/field-problems';
import { BODY_CHARS_MAX, SEVERITY_DEFAULT, type IngestBody } from '../../ingest/ingest-schema.ts';
import type { Said, Severity } from '../../store/post.ts';

/** How often one notification is sent. */
const TRIES_MAX = 6;
/** Before the second try; each wait is twice the one before. */
const WAIT_SECONDS = 1;
/** A longer `Retry-After` is taken for a mistake. */
const RETRY_AFTER_SECONDS_MAX = 600;
/** Maximum size of an answer. */
const ANSWER_BYTES_MAX = 1_048_576;
/** Characters of an answer that is none of ours, in a message. */
const EXCERPT_MAX = 200;
const MS_PER_SECOND = 1_000;

/** Answers after which the same may be stored later. */
const PASSING = new Set([408, 409, 429, 500, 502, 503, 504]);
const CREATED = 201;

export interface Wanted {
  readonly title?: string;
  /** The text of the body, or the only text. */
  readonly text: string;
  readonly severity?: Severity;
  readonly link?: string;
  readonly dedupKey?: string;
  readonly status?: NonNullable<Said['status']>;
}

/** @throws CommandError `usage_wrong` when there is nothing to say */
export function contentFrom(wanted: Wanted): {
  readonly content: IngestBody;
  readonly isCut: boolean;
} {
  const { title, text, severity = SEVERITY_DEFAULT, link, dedupKey, status } = wanted;
  if ((title ?? text).trim() === '') {
    throw new CommandError(
      'usage_wrong',
      'reading what to post: there is nothing; give --title, or text on standard input',
    );
  }
  const said = title === undefined ? { title: text } : { title, body: text };
  const content = fitted({ titleElse: 'A notification', ...said, severity, links: [] });
  return {
    content: {
      ...content,
      // As they are: a wrong one is refused, and not left out.
      ...(link === undefined ? {} : { url: link }),
      ...(dedupKey === undefined ? {} : { dedup_key: dedupKey }),
      ...(status === undefined ? {} : { status }),
    },
    // When the title was cut, the body contains all of it.
    isCut: codePoints(content.body) === BODY_CHARS_MAX && content.body?.endsWith('…') === true,
  };
}

export interface PostOptions {
  readonly base: string;
  readonly key: string;
  readonly content: IngestBody;
  /** One is made when not given. */
  readonly idempotencyKey: string | undefined;
  /** Ends the last try. */
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait: (seconds: number, why: string) => void;
}

export interface PostedNotification {
  readonly group_id: string;
  readonly seq: number;
}

/** @throws CommandError `post_refused`, `post_unanswered`, `answer_unexpected` */
export async function postNotification(options: PostOptions): Promise<{
  readonly notification: PostedNotification;
  readonly isReplay: boolean;
}> {
  const url = `${options.base}${API_PREFIX}/ingest`;
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  for (let tries = 1; ; tries += 1) {
    const outcome = await sendOnce(url, { ...options, idempotencyKey });
    if (outcome.kind === 'posted') return outcome;
    const seconds = outcome.retryAfter ?? WAIT_SECONDS * 2 ** (tries - 1);
    if (tries >= TRIES_MAX || options.signal.aborted) throw unanswered(url, outcome.why);
    options.onWait(seconds, outcome.why);
    try {
      await wait(seconds * MS_PER_SECOND, undefined, { signal: options.signal });
    } catch {
      // The time is over; the error of the last try says why.
      throw unanswered(url, outcome.why);
    }
  }
}

type Outcome =
  | {
      readonly kind: 'posted';
      readonly notification: PostedNotification;
      readonly isReplay: boolean;
    }
  | { readonly kind: 'again'; readonly why: string; readonly retryAfter: number | undefined };

async function sendOnce(
  url: string,
  request: Pick<PostOptions, 'key' | 'content' | 'signal'> & { readonly idempotencyKey: string },
): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      // A redirect would send the key to another server.
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': request.key,
        'Idempotency-Key': request.idempotencyKey,
      },
      body: JSON.stringify(request.content),
      signal: request.signal,
    });
    text = await readText(response);
  } catch (error) {
    const why = request.signal.aborted ? 'no answer came in time' : formatReason(error);
    return { kind: 'again', why, retryAfter: undefined };
  }
  const json = parsedElseUndefined(text);
  if (response.status === CREATED) {
    const notification = { group_id: textAt(json, 'group_id'), seq: numberAt(json, 'seq') };
    if (!isMembers(json) || notification.group_id === undefined || notification.seq === undefined) {
      throw unexpected(url, `answered ${CREATED} without a notification`);
    }
    const { group_id, seq } = notification;
    const isReplay = response.headers.get('idempotent-replayed') === 'true';
    return { kind: 'posted', notification: { ...json, group_id, seq }, isReplay };
  }
  const why = `the service answered ${response.status}: ${reasonIn(json, text)}`;
  if (PASSING.has(response.status)) {
    return { kind: 'again', why, retryAfter: secondsIn(response.headers.get('retry-after')) };
  }
  if (response.status >= 400) {
    throw new CommandError('post_refused', `posting to ${url}: ${why}`);
  }
  throw unexpected(url, `answered ${response.status}`);
}

function unanswered(url: string, why: string): CommandError {
  return new CommandError(
    'post_unanswered',
    `posting to ${url}: ${why}; is the service running, and is the address right?`,
  );
}

function unexpected(url: string, what: string): CommandError {
  return new CommandError(
    'answer_unexpected',
    `posting to ${url}: whoever is there ${what}; is this the address of the service?`,
  );
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What the service says, on one line and without what a terminal would obey. */
function reasonIn(json: unknown, text: string): string {
  const fields = listAt(json, 'errors').map(
    (field) => `${textAt(field, 'pointer') ?? ''} ${textAt(field, 'code') ?? ''}`,
  );
  const detail = textAt(json, 'detail') ?? text.slice(0, EXCERPT_MAX);
  return [detail, ...fields].join('; ').replace(/\p{Cc}/gu, ' ');
}

function secondsIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null || !/^\d{1,6}$/.test(retryAfter)) return undefined;
  return Math.min(Number(retryAfter), RETRY_AFTER_SECONDS_MAX);
}

function parsedElseUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A proxy's error page is no JSON.
  }
}
