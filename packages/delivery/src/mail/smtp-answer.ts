// What an SMTP server's answer, or its silence, means for one mail. nodemailer's errors are judged here, and
// nothing of them goes further: the server's own words may repeat addresses.
import { classifyConnectionError, type SendErrorCode } from '../sending/answer.ts';

/** Where in the conversation the server answered. */
export type SmtpStep = 'connection' | 'login' | 'sender' | 'recipient' | 'content';

export type MailResult =
  /** The server has taken it over. */
  | { readonly kind: 'accepted'; readonly status: number }
  /** For good, because of the address: a receiver for which this repeats is disabled. */
  | { readonly kind: 'refused'; readonly status: number }
  /** Says nothing about the address: it is sent again later. */
  | { readonly kind: 'deferred'; readonly status: number; readonly step: SmtpStep }
  | { readonly kind: 'unanswered'; readonly error: SendErrorCode }
  /** The service stops: it says nothing about anybody. */
  | { readonly kind: 'stopped' };

/** What is read of nodemailer's errors. */
interface Failure {
  readonly code: string;
  /** Code of the system error that caused it. */
  readonly originalCode: string;
  readonly command: string;
  readonly response: string;
  readonly status: number | undefined;
}

/** The steps of the protocol, by the command that fails. */
const STEPS: readonly (readonly [RegExp, SmtpStep])[] = [
  [/^AUTH\b/, 'login'],
  [/^MAIL FROM/, 'sender'],
  [/^RCPT TO/, 'recipient'],
  [/^DATA/, 'content'],
];
/** RFC 4954, sections 4 and 6: the server refuses the log-in, at whatever command. */
const LOGIN_STATUSES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** RFC 3463, section 3: 1 and 2 are about the address and its mailbox; 1.7 and 1.8 about the sender's. */
const ABOUT_ADDRESS = /^[12]\.(?!(?<=1\.)[78]$)\d{1,3}$/;
const ENHANCED = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})\b/;

/** The status of an acceptance: `250 2.0.0 Ok: queued`. */
export function acceptedStatus(response: string): number {
  return Number(/^\d{3}/.exec(response)?.[0] ?? 250);
}

export function judgeFailure(error: unknown): MailResult {
  const failure = readFailure(error);
  const { status, command, code } = failure;
  if (status === undefined) return { kind: 'unanswered', error: silence(failure) };
  const step =
    code === 'EAUTH' ? 'login' : (STEPS.find(([form]) => form.test(command))?.[1] ?? 'connection');
  return isForGood(failure, step)
    ? { kind: 'refused', status }
    : { kind: 'deferred', status, step };
}

/**
 * Many servers refuse for good what is their own trouble: their policy, their routes, a log-in that they miss.
 * Only what says that it is of the address counts against it, or what says nothing more than 5xx about it.
 */
function isForGood({ status = 0, response }: Failure, step: SmtpStep): boolean {
  if (step !== 'recipient' && step !== 'content') return false;
  if (status < 500 || status > 599 || LOGIN_STATUSES.has(status)) return false;
  const enhanced = ENHANCED.exec(response)?.[1];
  return enhanced === undefined || ABOUT_ADDRESS.test(enhanced);
}

function silence({ code, originalCode }: Failure): SendErrorCode {
  if (code === 'ETIMEDOUT') return 'timed_out';
  if (code === 'EDNS') return 'name_unknown';
  return (
    classifyConnectionError(originalCode) ??
    classifyConnectionError(code) ??
    (code === 'ETLS' ? 'tls_failed' : 'connection_lost')
  );
}

function readFailure(error: unknown): Failure {
  const fields = typeof error === 'object' && error !== null ? error : {};
  const text = (name: string): string => {
    const value: unknown = Reflect.get(fields, name);
    return typeof value === 'string' ? value : '';
  };
  const status: unknown = Reflect.get(fields, 'responseCode');
  return {
    code: text('code'),
    originalCode: text('originalCode'),
    command: text('command'),
    response: text('response'),
    status: typeof status === 'number' ? status : undefined,
  };
}
