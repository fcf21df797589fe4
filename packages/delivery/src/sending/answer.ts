// What an answer of a receiver, or its silence, means for a delivery.

/** Why there was no answer, or none that counts, in the words its owner reads. */
export const SEND_ERRORS = {
  address_refused:
    'The address is not public, or plain http to an address that is not allow-listed',
  name_unknown: 'No address is known for the name of the host',
  connection_refused: 'The host refused the connection',
  unreachable: 'The host could not be reached',
  certificate_refused: 'The certificate of the host is not valid for it',
  tls_failed: 'No encrypted connection could be agreed upon',
  answer_malformed: 'The answer is not HTTP/1.1',
  timed_out: 'There was no answer in time',
  connection_lost: 'The connection ended before the answer',
} as const;
export type SendErrorCode = keyof typeof SEND_ERRORS;

const ERROR_OF_CODE: readonly (readonly [RegExp, SendErrorCode])[] = [
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'unreachable'],
  [/CERT|SIGNED|ISSUER|UNABLE_TO_/, 'certificate_refused'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$)/, 'tls_failed'],
  [/^HPE_/, 'answer_malformed'],
];

/** @returns what Node's code of a connection that failed means; undefined when it is none of those known */
export function classifyConnectionError(code: string): SendErrorCode | undefined {
  return ERROR_OF_CODE.find(([form]) => form.test(code))?.[1];
}

/** What became of one try. */
export type TryResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as it came. */
      readonly retryAfter: string | undefined;
      /** The beginning of its body, where the request keeps some. */
      readonly bodyStart?: string;
    }
  | { readonly kind: 'unanswered'; readonly error: SendErrorCode }
  /** It says for good that it wants nothing any more, in the words its owner reads. */
  | { readonly kind: 'gone'; readonly status: number; readonly reason: string }
  /** The receiver does not want this delivery, for good: it counts against the receiver, and is not tried again. */
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  /** A server in between failed, not the receiver: the delivery is tried again, and no failure is counted. */
  | { readonly kind: 'undecided'; readonly status: number | null; readonly reason: string }
  /** The service stops: it says nothing about the receiver. */
  | { readonly kind: 'stopped' };

export type Verdict =
  | { readonly kind: 'delivered' }
  /** The receiver wants nothing any more. */
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'failed'; readonly retryAfterMs: number | null };

const GONE = 410;
const GONE_REASON = 'The receiver answered 410 Gone';
const REDIRECTED = 'Redirects are not followed';

export function judge(result: Exclude<TryResult, { kind: 'stopped' }>, nowMs: number): Verdict {
  if (result.kind === 'unanswered') return { kind: 'failed', retryAfterMs: null };
  if (result.kind === 'gone') return { kind: 'gone', reason: result.reason };
  if (result.kind === 'refused' || result.kind === 'undecided') return { kind: result.kind };
  if (result.status >= 200 && result.status < 300) return { kind: 'delivered' };
  if (result.status === GONE) return { kind: 'gone', reason: GONE_REASON };
  return { kind: 'failed', retryAfterMs: retryAfterMs(result.retryAfter, nowMs) };
}

/** The sentence of the log; null when the status says it all. */
export function errorText(result: Exclude<TryResult, { kind: 'stopped' }>): string | null {
  if (result.kind === 'unanswered') return SEND_ERRORS[result.error];
  if ('reason' in result) return result.reason;
  return result.status >= 300 && result.status < 400 ? REDIRECTED : null;
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
