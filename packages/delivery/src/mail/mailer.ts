// Sends mail through one SMTP server, over a few connections that are reused. It has no queue on disk: a caller
// that sends a mail again gives it the same id, and mail programs show it once. Services send through the sending
// thread (thread/sending-thread.ts), so that nodemailer is not loaded in the thread that serves.
import { acceptedStatus, judgeFailure, type MailResult } from './smtp-answer.ts';
import type { MailEncryption, MailSettings } from './settings.ts';

/** Maximum number of connections of one process at a time. */
const CONNECTIONS_MAX = 4;
/** After this number of mails a new connection is made, because servers close connections that last too long. */
const MAILS_PER_CONNECTION_MAX = 100;
/** Time limit from the queue to the last answer of the server. */
export const MAIL_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
/** Without a byte from the server. */
const SILENCE_TIMEOUT_MS = 20_000;
const NAME_LOOKUP_TIMEOUT_MS = 10_000;
/** An unused connection is closed, before most servers would. */
const IDLE_MS = 20_000;
/** What a reply of a server may take in memory. */
const REPLY_BYTES_MAX = 65_536;
/** How often a connection is opened again that ended before a byte of the mail was sent. */
const REOPENED_MAX = 1;
/** What a Message-ID is made of, beside the sender's domain. */
const ID_FORM = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;

export interface Mail {
  /** The same over all tries of one mail; letters, digits, `_`, `-` and `.`. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly atMs: number;
  /**
   * Ends the mails when it is opened and agreed to; when it is an https: address, also by one POST of
   * `List-Unsubscribe=One-Click` (RFC 8058). undefined: a mail that was asked for just now.
   */
  readonly unsubscribeUrl: string | undefined;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

export interface Mailer {
  readonly send: (mail: Mail) => Promise<MailResult>;
}

export interface OpenedMailer extends Mailer {
  /** Ends all connections; what is under way is not sent, or sent twice later. */
  readonly close: () => Promise<void>;
}

export interface MailerOptions {
  readonly timeoutMs?: number;
}

export function openMailer(settings: MailSettings, options: MailerOptions = {}): OpenedMailer {
  const { timeoutMs = MAIL_TIMEOUT_MS } = options;
  const { from } = settings;
  let opened: ReturnType<typeof openTransport> | undefined;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const send = async (mail: Mail): Promise<MailResult> => {
    const { id, to, subject, text, html, atMs, unsubscribeUrl, signal } = mail;
    if (!ID_FORM.test(id)) throw new Error(`${id} cannot be the id of a mail`);
    opened ??= openTransport(settings, timeoutMs);
    const transport = await opened;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const { response } = await transport.sendMail({
        from,
        // As an object: an address that is a text would be parsed, and might become two.
        to: { name: '', address: to },
        subject: toOneLine(subject),
        text,
        html,
        messageId: `<${id}@${domain}>`,
        date: new Date(atMs),
        headers: {
          // RFC 3834: prevents automatic replies, such as out-of-office notes.
          'Auto-Submitted': 'auto-generated',
          ...unsubscribeHeaders(unsubscribeUrl),
        },
        signal: AbortSignal.any([signal, timeout]),
      });
      return { kind: 'accepted', status: acceptedStatus(response) };
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      return timeout.aborted ? { kind: 'unanswered', error: 'timed_out' } : judgeFailure(error);
    }
  };
  return { send, close: async () => (await opened)?.close({ force: true }) };
}

async function openTransport(settings: MailSettings, timeoutMs: number) {
  const { host, port, login } = settings;
  // Most starts send no mail: it is read once the first is sent, which takes a tenth of a second.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    pool: true,
    host,
    port,
    ...ENCRYPTING[settings.encryption],
    // Said aloud, because the environment can turn it off for a whole process.
    tls: { rejectUnauthorized: true },
    ...(login === undefined
      ? {}
      : { auth: { user: login.user, pass: login.password }, forceAuth: true }),
    maxConnections: CONNECTIONS_MAX,
    maxMessages: MAILS_PER_CONNECTION_MAX,
    maxRequeues: REOPENED_MAX,
    maxResponseSize: REPLY_BYTES_MAX,
    idleTimeout: IDLE_MS,
    connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    greetingTimeout: Math.min(GREETING_TIMEOUT_MS, timeoutMs),
    socketTimeout: Math.min(SILENCE_TIMEOUT_MS, timeoutMs),
    dnsTimeout: Math.min(NAME_LOOKUP_TIMEOUT_MS, timeoutMs),
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
}

const ENCRYPTING: Readonly<Record<MailEncryption, object>> = {
  tls: { secure: true },
  starttls: { secure: false, requireTLS: true },
  none: { secure: false, ignoreTLS: true },
};

function unsubscribeHeaders(url: string | undefined): Readonly<Record<string, string>> {
  if (url === undefined) return {};
  const header = { 'List-Unsubscribe': `<${url}>` };
  // RFC 8058, section 3.1: by https alone.
  return new URL(url).protocol === 'https:'
    ? { ...header, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : header;
}

/** One line, and in the order in which it is read: no title reaches into another header, or turns what follows. */
function toOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim();
}
