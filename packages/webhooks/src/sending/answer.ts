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

/** What became of one try. */
export type TryResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as it came. */
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'unanswered'; readonly error: SendErrorCode }
  /** The service stops: it says nothing about the receiver. */
  | { readonly kind: 'stopped' };

export type Verdict =
  | { readonly kind: 'delivered' }
  /** The receiver wants nothing any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly retryAfterMs: number | null };

const GONE = 410;
const REDIRECTED = 'Redirects are not followed';

export function judge(result: Exclude<TryResult, { kind: 'stopped' }>, nowMs: number): Verdict {
  if (result.kind === 'unanswered') return { kind: 'failed', retryAfterMs: null };
  if (result.status >= 200 && result.status < 300) return { kind: 'delivered' };
  if (result.status === GONE) return { kind: 'gone' };
  return { kind: 'failed', retryAfterMs: retryAfterMs(result.retryAfter, nowMs) };
}

/** The sentence of the log; null when the status says it all. */
export function errorText(result: Exclude<TryResult, { kind: 'stopped' }>): string | null {
  if (result.kind === 'unanswered') return SEND_ERRORS[result.error];
  return result.status >= 300 && result.status < 400 ? REDIRECTED : null;
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
