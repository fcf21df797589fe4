// What is sent by the thread arrives as it would without it; a stop, an error and the end of the thread reach whoever
// waits.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPushService } from '../../test/push-service.ts';
import { newVapidKeys } from '../push/vapid-keys.ts';
import { PUSH_BYTES_MAX } from '../push/push-sender.ts';
import { SendingThread } from './sending-thread.ts';

const settings = {
  allowed: ['127.0.0.1'],
  keys: await newVapidKeys(),
  contact: 'mailto:operator@example.com',
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
});

function requestTo(url: string, signal = new AbortController().signal) {
  return { url: new URL(url), headers: { 'content-length': 2 }, body: '{}', keepBytes: 3, signal };
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
  }
});
