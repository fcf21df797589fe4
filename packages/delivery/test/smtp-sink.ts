// An SMTP server on this machine: keeps the mails it was sent, as another library reads them, and answers as a
// test wants.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { RECEIVER_CERTIFICATE } from './receiver.ts';

export interface SunkMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  /** As postal-mime reads it. */
  readonly mail: Email;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

/** What the server says instead of yes, such as `550 5.1.1 No such user`; undefined: yes. */
export type SinkAnswer = string | undefined;

export interface SinkOptions {
  readonly port?: number;
  readonly encryption?: 'none' | 'starttls' | 'tls';
  /** undefined: everybody may send. */
  readonly login?: { readonly user: string; readonly password: string };
  readonly onConnect?: () => SinkAnswer | Promise<SinkAnswer>;
  readonly onSender?: () => SinkAnswer | Promise<SinkAnswer>;
  readonly onRecipient?: (address: string) => SinkAnswer | Promise<SinkAnswer>;
  /** Once all of the mail has come; what it refuses is not kept. */
  readonly onContent?: (mail: SunkMail) => SinkAnswer | Promise<SinkAnswer>;
}

export interface SmtpSink extends AsyncDisposable {
  readonly port: number;
  /** `smtp://127.0.0.1:…` or `smtps://…`, with the log-in when there is one. */
  readonly url: string;
  readonly mails: readonly SunkMail[];
  readonly connections: { now: number; most: number; ever: number };
  /** Resolves once so many mails have come. */
  arrived(count: number): Promise<void>;
}

export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const { encryption = 'none', login } = options;
  const mails: SunkMail[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const connections = { now: 0, most: 0, ever: 0 };
  const server = new SMTPServer({
    secure: encryption === 'tls',
    key: RECEIVER_CERTIFICATE,
    cert: RECEIVER_CERTIFICATE,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: [
      ...(encryption === 'starttls' ? [] : ['STARTTLS']),
      ...(login === undefined ? ['AUTH'] : []),
    ],
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onConnect: (_session, done) => {
      connections.now += 1;
      connections.ever += 1;
      connections.most = Math.max(connections.most, connections.now);
      answer(options.onConnect?.(), done);
    },
    onClose: () => (connections.now -= 1),
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === login?.user && password === login?.password;
      done(isRight ? null : refusal('535 5.7.8 Not this password'), { user: username });
    },
    onMailFrom: (_address, _session, done) => answer(options.onSender?.(), done),
    onRcptTo: ({ address }, _session, done) => answer(options.onRecipient?.(address), done),
    onData: (stream, session, done) => {
      const keep = async (): Promise<SinkAnswer> => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        const mail: SunkMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: raw.toString('utf8'),
          mail: await PostalMime.parse(raw),
          isEncrypted: session.secure,
          user: session.user as string | undefined,
        };
        const refused = await options.onContent?.(mail);
        if (refused !== undefined) return refused;
        mails.push(mail);
        for (const waiter of waiting) if (mails.length >= waiter.count) waiter.resolve();
        return undefined;
      };
      answer(keep(), done);
    },
  });
  // A client that hangs up in the middle is what some tests are about.
  server.on('error', () => undefined);
  const { server: listening } = server;
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const user =
    login === undefined
      ? ''
      : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
  return {
    port,
    url: `${encryption === 'tls' ? 'smtps' : 'smtp'}://${user}127.0.0.1:${port}${encryption === 'starttls' ? '?tls=required' : ''}`,
    mails,
    connections,
    arrived: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (mails.length >= count) resolve();
      else waiting.push({ count, resolve });
      return promise;
    },
    [Symbol.asyncDispose]: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(resolve);
      await promise;
    },
  };
}

function answer(
  said: SinkAnswer | Promise<SinkAnswer>,
  done: (error?: Error | null) => void,
): void {
  Promise.resolve(said).then(
    (text) => done(text === undefined ? null : refusal(text)),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
  );
}

function refusal(text: string): Error {
  const [status = '', ...words] = text.split(' ');
  return Object.assign(new Error(words.join(' ')), { responseCode: Number(status) });
}
