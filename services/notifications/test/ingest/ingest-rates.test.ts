// How often one may post (docs/interface/notifications.md#rates): by key, by group, and by address with
// keys that are refused. Rates of one a minute give nothing back while a test runs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot, bootSecond, type Answer } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { INGEST, formatCode, insertNewKey, newPoster, type Poster } from '../posting.ts';

const KEY_BURST = 5;
/** Twice that of a key. */
const GROUP_BURST = 10;
const FAILED_BURST = 4;

const LIMITS = {
  NOTIFICATIONS_RATE_KEY_BURST: String(KEY_BURST),
  NOTIFICATIONS_RATE_KEY_PER_SECOND: '1',
  NOTIFICATIONS_RATE_FAILED_KEY_BURST: String(FAILED_BURST),
  NOTIFICATIONS_RATE_FAILED_KEY_PER_MINUTE: '1',
  // Whoever is in front of the service says for whom it asks, so that each test has an address.
  TRUST_PROXY: 'loopback',
};

const booted = await boot({ env: LIMITS });
after(() => booted[Symbol.asyncDispose]());

let addresses = 0;
function newAddress(): { readonly 'X-Forwarded-For': string } {
  return { 'X-Forwarded-For': `192.0.2.${(addresses += 1)}` };
}

async function sendTimes(times: number, send: () => Promise<Answer>): Promise<readonly Answer[]> {
  return await Promise.all(Array.from({ length: times }, send));
}

function countStatuses(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function readLimits(answer: Answer | undefined): readonly (string | null)[] {
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
  return names.map((name) => answer?.headers.get(name) ?? null);
}

function wrongly({ post }: Poster, from: Readonly<Record<string, string>>): Promise<Answer> {
  return post({ title: 'A' }, { 'X-Api-Key': 'x'.repeat(40), ...from });
}

test('a key may send its burst at once; then it is told when to come back, and nothing is stored', async () => {
  const { post, stored } = await newPoster(booted);

  const answers = await sendTimes(KEY_BURST + 3, () => post({ title: 'A' }));

  assert.deepEqual(countStatuses(answers), { 201: KEY_BURST, 429: 3 });
  assert.equal((await stored()).length, KEY_BURST);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.json['code'], 'rate_limited');
  const [limit, remaining, reset, retry] = readLimits(refused);
  assert.deepEqual([limit, remaining, retry], [String(KEY_BURST), '0', '1']);
  assert.match(reset ?? '', /^[1-5]$/);
});

test('every answer to a key says what it has left', async () => {
  const { post } = await newPoster(booted);

  const answers = [await post({ title: 'A' }), await post({}), await post({ title: 'B' })];

  assert.deepEqual(
    answers.map((answer) => readLimits(answer)[1]),
    ['4', '3', '2'],
  );
});

test('who waits as long as the answer says is let in again', async () => {
  const { post } = await newPoster(booted);
  const refused = (await sendTimes(KEY_BURST + 1, () => post({ title: 'A' }))).find(
    ({ status }) => status === 429,
  );

  const waitMs = Number(refused?.headers.get('retry-after')) * 1_000;
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const answer = await post({ title: 'A' });

  assert.equal(answer.status, 201);
});

test('keys are counted apart, and a group by all of its keys', async () => {
  const one = await newPoster(booted);
  const keys = [
    one,
    await insertNewKey(booted, one.groupId),
    await insertNewKey(booted, one.groupId),
  ];
  const from = (key: string) => () => one.post({ title: 'A' }, { 'X-Api-Key': key });

  const answers = [];
  for (const { key } of keys) answers.push(await sendTimes(KEY_BURST, from(key)));

  assert.deepEqual(answers.map(countStatuses), [{ 201: 5 }, { 201: 5 }, { 429: 5 }]);
  assert.equal(readLimits(answers[2]?.[0])[0], String(GROUP_BURST));
});

test('a key over its own limit takes nothing from its group', async () => {
  const one = await newPoster(booted);
  const other = await insertNewKey(booted, one.groupId);
  await sendTimes(3 * GROUP_BURST, () => one.post({ title: 'A' }));

  const answers = await sendTimes(KEY_BURST, () =>
    one.post({ title: 'A' }, { 'X-Api-Key': other.key }),
  );

  assert.deepEqual(countStatuses(answers), { 201: KEY_BURST });
});

test('an address may send a few wrong keys, and then one a minute', async () => {
  const poster = await newPoster(booted);
  const from = newAddress();

  const answers = await sendTimes(FAILED_BURST + 2, () => wrongly(poster, from));

  assert.deepEqual(countStatuses(answers), { 401: FAILED_BURST, 429: 2 });
  const retry = Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'));
  assert.ok(retry > 55 && retry <= 60, String(retry));
});

test('a good key from an address with many wrong ones is not hindered', async () => {
  const poster = await newPoster(booted);
  const from = newAddress();
  await sendTimes(3 * FAILED_BURST, () => wrongly(poster, from));

  const answer = await poster.post({ title: 'A' }, from);

  assert.equal(answer.status, 201);
});

test('keys that were good once are wrong keys, and so is a read token', async () => {
  const poster = await newPoster(booted);
  const from = newAddress();
  const expired = await insertNewKey(booted, poster.groupId, { expiresAt: 1 });

  const answers = await sendTimes(FAILED_BURST + 1, () =>
    poster.post({ title: 'A' }, { 'X-Api-Key': expired.key, ...from }),
  );

  assert.deepEqual(countStatuses(answers), { 401: FAILED_BURST, 429: 1 });
});

test('other addresses, and requests without any key, are not counted', async () => {
  const poster = await newPoster(booted);
  const from = newAddress();
  await sendTimes(FAILED_BURST, () => wrongly(poster, from));

  const elsewhere = await wrongly(poster, newAddress());
  const without = await booted.send({
    method: 'POST',
    path: INGEST,
    body: { title: 'A' },
    headers: from,
  });

  assert.deepEqual(
    [formatCode(elsewhere), formatCode(without)],
    ['401 api_key_invalid', '401 api_key_missing'],
  );
});

test('the addresses of one IPv6 network count as one', async () => {
  const poster = await newPoster(booted);
  let host = 0;

  const answers = await sendTimes(FAILED_BURST + 1, () =>
    wrongly(poster, { 'X-Forwarded-For': `2001:db8:1:2::${(host += 1).toString(16)}` }),
  );

  assert.deepEqual(countStatuses(answers), { 401: FAILED_BURST, 429: 1 });
});

if (testEngine === 'postgres') {
  test('several processes count a key together', async () => {
    await using beside = await bootSecond(booted, { env: LIMITS });
    const { key, post } = await newPoster(booted);
    const there = (): Promise<Answer> =>
      beside.send({
        method: 'POST',
        path: INGEST,
        body: { title: 'A' },
        headers: { 'X-Api-Key': key },
      });

    const answers = await Promise.all([
      sendTimes(KEY_BURST, () => post({ title: 'A' })),
      sendTimes(KEY_BURST, there),
    ]);

    assert.deepEqual(countStatuses(answers.flat()), { 201: KEY_BURST, 429: KEY_BURST });
  });
}

test('with limits of 0 nothing is counted and nothing is said of limits', async () => {
  await using free = await boot();
  const poster = await newPoster(free);

  const good = await sendTimes(120, () => poster.post({ title: 'A' }));
  const wrong = await sendTimes(40, () => wrongly(poster, {}));

  assert.deepEqual([countStatuses(good), countStatuses(wrong)], [{ 201: 120 }, { 401: 40 }]);
  assert.deepEqual(readLimits(good[0]), [null, null, null, null]);
});

test('the limits without settings are 100 and 10 a second for a key, 30 and 1 a minute for an address', async () => {
  await using usual = await boot({
    env: {
      NOTIFICATIONS_RATE_KEY_BURST: '',
      NOTIFICATIONS_RATE_KEY_PER_SECOND: '',
      NOTIFICATIONS_RATE_FAILED_KEY_BURST: '',
      NOTIFICATIONS_RATE_FAILED_KEY_PER_MINUTE: '',
    },
  });
  const poster = await newPoster(usual);

  const [good] = await sendTimes(1, () => poster.post({ title: 'A' }));
  const wrong = await sendTimes(31, () => wrongly(poster, {}));

  assert.deepEqual(readLimits(good).slice(0, 3), ['100', '99', '1']);
  assert.deepEqual(countStatuses(wrong), { 401: 30, 429: 1 });
});
