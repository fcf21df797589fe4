// That mails arrive as they were written, over what the settings say, and that each way to fail has its result.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SettingsReader } from '@lothub/kit/settings';
import { RECEIVER_CERTIFICATE } from '../../test/receiver.ts';
import { startSmtpSink } from '../../test/smtp-sink.ts';
import { openMailer, type Mail, type MailerOptions } from './mailer.ts';
import { readMailSettings } from './settings.ts';
import type { MailResult } from './smtp-answer.ts';

const LOGIN = { user: 'alerts@example.com', password: 'p@ss/w%rd' };
const AT = Date.UTC(2_026, 10, 3, 12);
const UNSUBSCRIBE = 'https://trace.example.com/inbox/unsubscribe/mr_1.abc';

function newMail(changes: Partial<Mail> = {}): Mail {
  return {
    id: 'msg_1_mr_1',
    to: 'anna@example.com',
    subject: 'A title',
    text: 'Some text',
    html: '<p>Some text</p>',
    atMs: AT,
    unsubscribeUrl: UNSUBSCRIBE,
    signal: new AbortController().signal,
    ...changes,
  };
}

function mailerAt(url: string, options?: MailerOptions) {
  const settings = readMailSettings(
    new SettingsReader({ SMTP_URL: url, MAIL_FROM: 'Lothub <alerts@example.com>' }),
  );
  assert.ok(settings);
  return openMailer(settings, options);
}

async function sendOnce(
  url: string,
  changes?: Partial<Mail>,
  options?: MailerOptions,
): Promise<MailResult> {
  const mailer = mailerAt(url, options);
  try {
    return await mailer.send(newMail(changes));
  } finally {
    await mailer.close();
  }
}

/** Trusts the sink's certificate while `run` runs. */
async function trustingSink<Result>(run: () => Promise<Result>): Promise<Result> {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, RECEIVER_CERTIFICATE]);
  try {
    return await run();
  } finally {
    setDefaultCACertificates(before);
  }
}

test('a mail arrives with its headers and both of its parts', async () => {
  await using sink = await startSmtpSink();

  const result = await sendOnce(sink.url);

  assert.deepEqual(result, { kind: 'accepted', status: 250 });
  const [sunk] = sink.mails;
  assert.deepEqual([sunk?.from, sunk?.to], ['alerts@example.com', ['anna@example.com']]);
  const { mail } = sunk!;
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
  assert.equal(mail.messageId, '<msg_1_mr_1@example.com>');
  assert.equal(mail.date, '2026-11-03T12:00:00.000Z');
  assert.deepEqual(mail.from, { name: 'Lothub', address: 'alerts@example.com' });
  assert.equal(headers['auto-submitted'], 'auto-generated');
  assert.equal(headers['list-unsubscribe'], `<${UNSUBSCRIBE}>`);
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.equal(mail.text?.trim(), 'Some text');
  assert.match(mail.html ?? '', /<p>Some text<\/p>/);
});

test('one click is offered by https alone, and nothing to end in a mail that was asked for', async () => {
  await using sink = await startSmtpSink();

  await sendOnce(sink.url, { unsubscribeUrl: UNSUBSCRIBE.replace('https:', 'http:') });
  await sendOnce(sink.url, { unsubscribeUrl: undefined });

  const [plain, asked] = sink.mails.map(({ raw }) => raw);
  assert.match(plain!, /List-Unsubscribe: <http:/);
  assert.doesNotMatch(plain!, /One-Click/);
  assert.doesNotMatch(asked!, /List-Unsubscribe/);
});

for (const subject of [
  'A title\r\nBcc: eve@example.com\r\n\r\n<script>',
  'A title\n\nBcc: eve@example.com',
  `A title \u2028Bcc: eve@example.com`,
]) {
  test(`the subject ${JSON.stringify(subject)} is one line, and nothing but a subject`, async () => {
    await using sink = await startSmtpSink();

    await sendOnce(sink.url, { subject });

    const [sunk] = sink.mails;
    assert.deepEqual(sunk?.to, ['anna@example.com']);
    assert.equal(sunk?.mail.bcc, undefined);
    assert.match(sunk?.mail.subject ?? '', /^A title +Bcc: eve@example\.com/);
    assert.equal(sunk?.mail.text?.trim(), 'Some text');
  });
}

test('a subject cannot turn around what follows it, and may be long and in any script', async () => {
  await using sink = await startSmtpSink();
  const title = `${'שלום '.repeat(100)}😀`;

  await sendOnce(sink.url, { subject: `\u202E${title}\u2066` });

  assert.equal(sink.mails[0]?.mail.subject, title);
});

test('an address is one address, whatever is in it', async () => {
  await using sink = await startSmtpSink();

  await sendOnce(sink.url, { to: 'anna@example.com, eve@example.com' });
  await sendOnce(sink.url, { to: 'zoë@bücher.example' });

  assert.deepEqual(
    sink.mails.map(({ to }) => to.length),
    sink.mails.map(() => 1),
  );
  assert.ok(sink.mails.some(({ to }) => to[0]?.startsWith('zoë@')));
  assert.ok(!sink.mails.some(({ to }) => to[0] === 'eve@example.com'));
});

test('mails go encrypted and logged in, from the first byte or by STARTTLS', async () => {
  await using tls = await startSmtpSink({ encryption: 'tls', login: LOGIN });
  await using starttls = await startSmtpSink({ encryption: 'starttls', login: LOGIN });

  const results = await trustingSink(() =>
    Promise.all([sendOnce(tls.url), sendOnce(starttls.url)]),
  );

  assert.deepEqual(
    results.map(({ kind }) => kind),
    ['accepted', 'accepted'],
  );
  for (const [sunk] of [tls.mails, starttls.mails]) {
    assert.deepEqual([sunk?.isEncrypted, sunk?.user], [true, LOGIN.user]);
  }
});

test('without STARTTLS nothing is sent where it is required', async () => {
  await using sink = await startSmtpSink();

  const result = await sendOnce(`${sink.url}?tls=required`);

  assert.notEqual(result.kind, 'accepted');
  assert.equal(sink.mails.length, 0);
});

test('a certificate must be trusted', async () => {
  await using tls = await startSmtpSink({ encryption: 'tls' });
  await using starttls = await startSmtpSink({ encryption: 'starttls' });

  const results = await Promise.all([sendOnce(tls.url), sendOnce(starttls.url)]);

  assert.deepEqual(results, [
    { kind: 'unanswered', error: 'certificate_refused' },
    { kind: 'unanswered', error: 'certificate_refused' },
  ]);
});

test("a wrong password is the server's trouble, not the address's", async () => {
  await using sink = await startSmtpSink({ login: LOGIN });

  const result = await sendOnce(sink.url.replace('p%40ss', 'another'));

  assert.deepEqual(result, { kind: 'deferred', status: 535, step: 'login' });
});

for (const { at, said, result } of [
  { at: 'onRecipient', said: '550 5.1.1 No such user', result: { kind: 'refused', status: 550 } },
  { at: 'onRecipient', said: '550 No such user', result: { kind: 'refused', status: 550 } },
  { at: 'onRecipient', said: '552 5.2.2 Mailbox full', result: { kind: 'refused', status: 552 } },
  { at: 'onContent', said: '554 No', result: { kind: 'refused', status: 554 } },
  {
    at: 'onRecipient',
    said: '554 5.7.1 Relay access denied',
    result: { kind: 'deferred', status: 554, step: 'recipient' },
  },
  {
    at: 'onRecipient',
    said: '530 Authentication required',
    result: { kind: 'deferred', status: 530, step: 'recipient' },
  },
  {
    at: 'onRecipient',
    said: '450 4.2.0 Greylisted',
    result: { kind: 'deferred', status: 450, step: 'recipient' },
  },
  {
    at: 'onRecipient',
    said: "553 5.1.8 Sender's domain unknown",
    result: { kind: 'deferred', status: 553, step: 'recipient' },
  },
  {
    at: 'onContent',
    said: '452 4.3.1 No space',
    result: { kind: 'deferred', status: 452, step: 'content' },
  },
  {
    at: 'onSender',
    said: '550 5.7.1 Not this sender',
    result: { kind: 'deferred', status: 550, step: 'sender' },
  },
  {
    at: 'onSender',
    said: '550 Not this sender',
    result: { kind: 'deferred', status: 550, step: 'sender' },
  },
  {
    at: 'onConnect',
    said: '554 5.3.2 No service',
    result: { kind: 'deferred', status: 554, step: 'connection' },
  },
  {
    at: 'onConnect',
    said: '421 4.3.2 Later',
    result: { kind: 'deferred', status: 421, step: 'connection' },
  },
] as const) {
  test(`"${said}" ${at} is ${result.kind}`, async () => {
    await using sink = await startSmtpSink({ [at]: () => said });

    assert.deepEqual(await sendOnce(sink.url), result);
  });
}

test('a server that is silent, hangs up, is closed or unknown ends each try by its name', async () => {
  const silent = await startTcp(() => undefined);
  const hangsUp = await startTcp((socket) => socket.destroy());
  const closed = await startTcp(() => undefined);
  closed.close();
  try {
    const results = await Promise.all([
      sendOnce(silent.url, {}, { timeoutMs: 100 }),
      sendOnce(hangsUp.url),
      sendOnce(closed.url),
      sendOnce('smtp://mail.invalid?tls=off'),
    ]);

    assert.deepEqual(
      results.map((result) => (result.kind === 'unanswered' ? result.error : result.kind)),
      ['timed_out', 'connection_lost', 'connection_refused', 'name_unknown'],
    );
  } finally {
    silent.close();
    hangsUp.close();
  }
});

test('a server that trickles keeps no try alive', async () => {
  const server = await startTcp((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });

  const result = await sendOnce(server.url, {}, { timeoutMs: 100 });

  assert.deepEqual(result, { kind: 'unanswered', error: 'timed_out' });
  server.close();
});

test('a service that stops says nothing about the address', async () => {
  const stopping = new AbortController();
  await using sink = await startSmtpSink({
    onRecipient: () => {
      stopping.abort();
      return undefined;
    },
  });

  assert.deepEqual(await sendOnce(sink.url, { signal: stopping.signal }), { kind: 'stopped' });
});

test('many mails go over a few connections, which one refused address does not end', async () => {
  await using sink = await startSmtpSink({
    onRecipient: (address) => (address.startsWith('gone') ? '550 5.1.1 No such user' : undefined),
  });
  const mailer = mailerAt(sink.url);

  const results = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      mailer.send(
        newMail({
          id: `msg_${index}`,
          to: `${index % 4 === 0 ? 'gone' : 'here'}${index}@example.com`,
        }),
      ),
    ),
  );
  await mailer.close();

  assert.equal(results.filter(({ kind }) => kind === 'accepted').length, 30);
  assert.equal(results.filter(({ kind }) => kind === 'refused').length, 10);
  assert.ok(sink.connections.ever <= 4, `${sink.connections.ever} connections`);
});

interface Tcp {
  readonly url: string;
  close(): void;
}

async function startTcp(onConnection: (socket: Socket) => void): Promise<Tcp> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
