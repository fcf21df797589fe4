// How often passwords may be guessed, on real buckets whose time is moved by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryTokenBucket } from '@lothub/kit/http/token-bucket';
import { LoginThrottle, type Guesser } from './login-throttle.ts';

/** Ten at once, then two a minute. */
const RATE = { burst: 10, perMinute: 2 };

function newThrottle(): { readonly throttle: LoginThrottle; readonly clock: { ms: number } } {
  const clock = { ms: 1_000 };
  const bucket = () => memoryTokenBucket({ rate: RATE, nowMs: () => clock.ms });
  const throttle = new LoginThrottle({
    accounts: bucket(),
    addresses: bucket(),
    browsers: bucket(),
  });
  return { throttle, clock };
}

const stranger = (account: string, address: string): Guesser => ({
  kind: 'stranger',
  account,
  address,
});
const wrong = () => Promise.resolve(undefined);
const right = () => Promise.resolve('in');

async function guess(throttle: LoginThrottle, guesser: Guesser, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await throttle.attempt(guesser, wrong);
}

test('the eleventh failure for one account is refused, from whatever address', async () => {
  const { throttle } = newThrottle();
  for (let i = 0; i < 10; i += 1) await guess(throttle, stranger('ada', `192.0.2.${i}`), 1);

  const eleventh = throttle.attempt(stranger('ada', '192.0.2.99'), right);

  await assert.rejects(eleventh, { code: 'rate_limited' });
});

test('the eleventh failure from one address is refused, for whatever account', async () => {
  const { throttle } = newThrottle();
  for (let i = 0; i < 10; i += 1) await guess(throttle, stranger(`person ${i}`, '192.0.2.1'), 1);

  const eleventh = throttle.attempt(stranger('somebody', '192.0.2.1'), right);

  await assert.rejects(eleventh, { code: 'rate_limited' });
  assert.equal(await throttle.attempt(stranger('somebody', '192.0.2.2'), right), 'in');
});

test('a refusal says when the next attempt may come, and it may then', async () => {
  const { throttle, clock } = newThrottle();
  await guess(throttle, stranger('ada', '192.0.2.1'), 10);

  const refused = throttle.attempt(stranger('ada', '192.0.2.1'), right);

  await assert.rejects(refused, (error: Error & { headers?: Record<string, string> }) => {
    assert.equal(error.headers?.['Retry-After'], '30');
    return true;
  });
  clock.ms += 30_000;
  assert.equal(await throttle.attempt(stranger('ada', '192.0.2.1'), right), 'in');
});

test('log-ins that succeed cost nothing', async () => {
  const { throttle } = newThrottle();

  const answers = [];
  for (let i = 0; i < 30; i += 1) {
    answers.push(await throttle.attempt(stranger(`person ${i % 3}`, '192.0.2.1'), right));
  }

  assert.deepEqual(new Set(answers), new Set(['in']));
});

test('a hundred guesses at the same moment are ten guesses', async () => {
  const { throttle } = newThrottle();
  const gate = Promise.withResolvers<undefined>();
  let checked = 0;

  const attempts = Array.from({ length: 100 }, () =>
    throttle.attempt(stranger('ada', '192.0.2.1'), () => {
      checked += 1;
      return gate.promise;
    }),
  );
  gate.resolve(undefined);
  const settled = await Promise.allSettled(attempts);

  assert.equal(checked, 10);
  assert.equal(settled.filter(({ status }) => status === 'rejected').length, 90);
});

test('a browser that was in before gets in while a stranger guesses', async () => {
  const { throttle } = newThrottle();
  await guess(throttle, stranger('ada', '192.0.2.1'), 10);

  const answer = await throttle.attempt({ kind: 'known', id: 'browser' }, right);

  assert.equal(answer, 'in');
});

test('a browser that was in before may not guess for ever', async () => {
  const { throttle } = newThrottle();
  await guess(throttle, { kind: 'known', id: 'browser' }, 10);

  const eleventh = throttle.attempt({ kind: 'known', id: 'browser' }, right);

  await assert.rejects(eleventh, { code: 'rate_limited' });
});

test('an attempt that breaks off is not counted', async () => {
  const { throttle } = newThrottle();
  const broken = () => Promise.reject(new Error('disk full'));

  for (let i = 0; i < 30; i += 1) {
    await assert.rejects(throttle.attempt(stranger('ada', '192.0.2.1'), broken), /disk full/);
  }

  assert.equal(await throttle.attempt(stranger('ada', '192.0.2.1'), right), 'in');
});
