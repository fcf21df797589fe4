// What a failed conversation with the provider means for the person who wants to log in.
import { AnswerTooLarge } from '@lothub/kit/http/answer-body';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { SignOnProblem, type SignOnReason } from './problems.ts';

/** Codes of openid-client: no answer in time. */
const ANSWERED_LATE: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);
/** Code of openid-client: the ID token has ended, or has not begun. */
const TIMES_WRONG = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
/** What a provider answers while it is being started or repaired. */
const SERVER_ERROR_MIN = 500;
/** RFC 6749, section 5.2: the code was used, has expired or is of another client. */
const CODE_NOT_GOOD = 'invalid_grant';
/** Messages of `fetch` for a connection that is not made, and one that breaks. */
const CONNECTION_LOST: ReadonlySet<string> = new Set(['fetch failed', 'terminated']);

export function problemOfProvider(error: unknown): SignOnProblem {
  return error instanceof SignOnProblem ? error : new SignOnProblem(classifyReason(error), error);
}

function classifyReason(error: unknown): SignOnReason {
  if (error instanceof AuthorizationResponseError) return 'provider_refused';
  if (error instanceof ResponseBodyError) {
    if (error.error === CODE_NOT_GOOD) return 'expired';
    return error.status >= SERVER_ERROR_MIN ? 'provider_away' : 'answer_wrong';
  }
  if (error instanceof ClientError) return reasonOfClient(error);
  const isLost = error instanceof TypeError && CONNECTION_LOST.has(error.message);
  return isLost ? 'provider_away' : 'answer_wrong';
}

function reasonOfClient({ code, cause }: ClientError): SignOnReason {
  if (code === TIMES_WRONG) return 'clocks_differ';
  if (code !== undefined && ANSWERED_LATE.has(code)) return 'provider_away';
  if (cause instanceof Response) {
    return cause.status >= SERVER_ERROR_MIN ? 'provider_away' : 'answer_wrong';
  }
  // Without a code something else was thrown: an answer without an end, or a connection that broke.
  const isBroken = code === undefined && cause instanceof Error;
  return isBroken && !(cause instanceof AnswerTooLarge) ? 'provider_away' : 'answer_wrong';
}
