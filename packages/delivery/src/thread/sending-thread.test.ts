// What is sent by the thread arrives as it would without it; a stop, an error and the end of the thread reach whoever
// waits, and no kind of order waits for another one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { present } from '@lothub/kit/present';
import { startPushService } from '../../test/push-service.ts';
import { startSmtpSink, type SinkAnswer } from '../../test/smtp-sink.ts';
import type { Mail } from '../mail/mailer.ts';
import { newVapidKeys } from '../push/vapid-keys.ts';
import { PUSH_BYTES_MAX } from '../push/push-sender.ts';
import type { SendingSettings } from './messages.ts';
import { SendingThread } from './sending-thread.ts';

/** What the mail server does when it is given the address of a mail. */
let onRecipient: () => SinkAnswer | Promise<SinkAnswer> = () => undefined;
const LOGIN = { user: 'alerts@example.com', password: 'not to be read' };
const sink = await startSmtpSink({ login: LOGIN, onRecipient: () => onRecipient() });
const settings: SendingSettings = {
  allowed: ['127.0.0.1'],
  keys: newVapidKeys(),
  contact: 'mailto:operator@example.com',
  mail: {
    ...{ host: '127.0.0.1', port: sink.port, encryption: 'none', login: LOGIN },
    from: { name: '', address: 'alerts@example.com' },
  },
};
/** Paths at which it does not answer. */
const SILENT = '/silent';
const service = await startPushService((response, { path }) => {
  if (path !== SILENT) response.writeHead(201).end('taken');
});
const thread = new SendingThread(settings);
after(async () => {
  await thread[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

function requestTo(url: string, signal = new AbortController().signal) {
  return { url: new URL(url), headers: { 'content-length': 2 }, body: '{}', keepBytes: 3, signal };
}

function newMail(changes: Partial<Mail> = {}): Mail {
  return {
    ...{ id: 'msg_1_mr_1', to: 'anna@example.com', atMs: Date.UTC(2_026, 10, 3, 12) },
    ...{ subject: 'A title', text: 'Some text', html: '<p>Some text</p>' },
    unsubscribeUrl: undefined,
    signal: new AbortController().signal,
    ...changes,
  };
}

function sendMail(by: SendingThread, mail: Mail = newMail()) {
  return present(by.mailer, 'the mailer').send(mail);
}

const PUSH = { urgency: 'high', ttlSeconds: 60, signal: new AbortController().signal } as const;

test('a request is answered with status and the beginning of the body', async () => {
  const result = await thread.send(requestTo(`${service.receiver.base}/hook`));

  assert.deepEqual(result, {
    ...{ kind: 'answered', status: 201, retryAfter: undefined },
    bodyStart: 'tak',
  });
});

test('an address that is not allowed is refused', async () => {
  const result = await thread.send(requestTo('https://10.0.0.1/hook'));

  assert.deepEqual(result, { kind: 'unanswered', error: 'address_refused' });
});

test('a push message is encrypted for its browser', async () => {
  const browser = service.newBrowser();

  const result = await thread.push(browser.subscription, 'hot', PUSH);

  assert.equal(result.kind, 'answered');
  assert.deepEqual(
    browser.messages().map(({ payload }) => payload),
    ['hot'],
  );
});

test('a mail is sent, and what the mail server answers is its result', async () => {
  const accepted = await sendMail(thread, newMail({ id: 'accepted' }));
  onRecipient = () => '550 5.1.1 No such user';
  const refused = await sendMail(thread, newMail({ id: 'refused' }));
  onRecipient = () => '450 4.2.0 Later';
  const deferred = await sendMail(thread, newMail({ id: 'deferred' }));
  onRecipient = () => undefined;

  assert.deepEqual(
    [accepted, refused, deferred],
    [
      { kind: 'accepted', status: 250 },
      { kind: 'refused', status: 550 },
      { kind: 'deferred', status: 450, step: 'recipient' },
    ],
  );
  assert.deepEqual(
    sink.mails.map(({ mail, user }) => [mail.messageId, mail.subject, user]),
    [['<accepted@example.com>', 'A title', LOGIN.user]],
  );
});

test('without a mail server there is no mailer', () => {
  assert.equal(new SendingThread({ ...settings, mail: undefined }).mailer, undefined);
});

test('a mail server that hangs delays no request, and a stop ends its mails', async () => {
  const stopping = new AbortController();
  const hung = Promise.withResolvers<undefined>();
  const arrival = Promise.withResolvers<void>();
  onRecipient = () => {
    arrival.resolve();
    return hung.promise;
  };
  // More than there are connections.
  const mails = Array.from({ length: 6 }, (_, n) =>
    sendMail(thread, newMail({ id: `hung_${n}`, signal: stopping.signal })),
  );
  await arrival.promise;

  const [request, push] = await Promise.all([
    thread.send(requestTo(`${service.receiver.base}/beside`)),
    thread.push(service.newBrowser().subscription, 'beside', PUSH),
  ]);
  const before = await Promise.race([...mails, Promise.resolve('all wait')]);
  stopping.abort();
  const results = await Promise.all(mails);
  onRecipient = () => undefined;
  hung.resolve(undefined);

  assert.deepEqual([request.kind, push.kind, before], ['answered', 'answered', 'all wait']);
  assert.deepEqual(
    results,
    mails.map(() => ({ kind: 'stopped' })),
  );
});

test('a thread that ends in the middle of a mail refuses it, and sends it when it is sent again', async () => {
  const ends = new BroadcastChannel('the test ends the thread');
  const worker = new URL('./sending-worker.ts', import.meta.url);
  const script = new URL(
    `data:text/javascript,import ${JSON.stringify(worker.href)};` +
      `new BroadcastChannel(${JSON.stringify(ends.name)}).onmessage = () => process.exit(3);`,
  );
  await using ending = new SendingThread(settings, { script });
  const count = sink.mails.length;
  const cutOff = Promise.withResolvers<undefined>();
  onRecipient = () => {
    ends.postMessage('now');
    return cutOff.promise;
  };

  const failure = await sendMail(ending, newMail({ id: 'cut_off' })).catch(String);
  onRecipient = () => undefined;
  cutOff.resolve(undefined);
  const again = await sendMail(ending, newMail({ id: 'cut_off' }));
  ends.close();

  assert.equal(failure, 'Error: sending: the thread ended with code 3');
  assert.equal(again.kind, 'accepted');
  assert.deepEqual(
    sink.mails.slice(count).map(({ mail }) => mail.messageId),
    ['<cut_off@example.com>'],
  );
});

test('an error of a mail repeats nothing of it, nor of the log-in', async () => {
  const failure = await sendMail(thread, newMail({ id: 'no id', text: 'secret' })).catch(inspect);

  assert.match(String(failure), /no id cannot be the id of a mail/);
  assert.doesNotMatch(String(failure), /secret|not to be read|anna@/);
});

test('an error in the thread is the error of its caller alone', async () => {
  const { subscription } = service.newBrowser();
  const long = 'x'.repeat(PUSH_BYTES_MAX + 1);

  const [failed, sent] = await Promise.allSettled([
    thread.push(subscription, long, PUSH),
    thread.push(subscription, 'short', PUSH),
  ]);

  assert.match(String(failed.status === 'rejected' && failed.reason), /RangeError: a push message/);
  assert.equal(sent.status, 'fulfilled');
});

test('a stop ends what is under way, and begins nothing', async () => {
  const stopping = new AbortController();
  const silent = `${service.receiver.base}${SILENT}`;
  const arrival = service.receiver.arrived(service.receiver.received.length + 1);
  const sending = thread.send(requestTo(silent, stopping.signal));
  await arrival;

  stopping.abort();
  const stopped = await sending;
  const after = await thread.send(requestTo(silent, stopping.signal));

  assert.deepEqual([stopped, after], [{ kind: 'stopped' }, { kind: 'stopped' }]);
});

test('whoever waits for a thread that ends is refused, and the next order starts another one', async () => {
  const script = new URL(
    'data:text/javascript,import { parentPort } from "node:worker_threads";' +
      'parentPort.on("message", () => process.exit(3));',
  );
  await using ending = new SendingThread(settings, { script });
  const request = requestTo(`${service.receiver.base}/hook`);

  for (let time = 0; time < 2; time += 1) {
    await assert.rejects(ending.send(request), /the thread ended with code 3/);
    await assert.rejects(sendMail(ending), /the thread ended with code 3/);
  }
});
