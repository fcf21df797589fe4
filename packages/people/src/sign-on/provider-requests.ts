// Requests to the provider of single sign-on, which may hang, redirect, or answer without an end.
import { readAnswer } from '@lothub/kit/http/answer-body';
import type { CustomFetch } from 'openid-client';

/** For each request with its whole answer; a log-in makes up to four. */
export const PROVIDER_TIMEOUT_SECONDS = 5;
/** The largest are lists of keys with certificates: 20 of them have some 100 kB. */
export const PROVIDER_ANSWER_BYTES_MAX = 262_144;

/** RFC 9110, section 6.4.1: of these no answer has a body, and `Response` takes none. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Reads the answer whole, so that the time limit of the request holds for its body as well.
 * @throws AnswerTooLarge; what `fetch` throws
 */
export const fetchFromProvider: CustomFetch = async (url, { method, headers, body, signal }) => {
  const answer = await fetch(url, {
    method,
    headers,
    // The requests of a log-in are forms or have no body at all.
    ...(body instanceof URLSearchParams ? { body } : {}),
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  });
  const bytes = new Uint8Array(await readAnswer(answer, PROVIDER_ANSWER_BYTES_MAX));
  return new Response(WITHOUT_BODY.has(answer.status) ? null : bytes, {
    status: answer.status,
    headers: answer.headers,
  });
};
