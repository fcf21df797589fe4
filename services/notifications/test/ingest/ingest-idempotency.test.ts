// Repeating a post with an Idempotency-Key: stored once, whatever comes in between.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot, bootSecond } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { INGEST, formatCode, insertNewKey, newPoster } from '../posting.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

const DAY_MS = 24 * 60 * 60 * 1_000;

test('the same content is answered as the first time, said to be so, and stored once', async () => {
  const { post, stored } = await newPoster(booted);
  const headers = { 'Idempotency-Key': 'backup-1' };

  const first = await post({ title: 'A', body: 'B' }, headers);
  await post({ title: 'in between' });
  const again = await post({ title: 'A', body: 'B' }, headers);

  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.equal(again.headers.get('location'), first.headers.get('location'));
  assert.deepEqual(
    [first, again].map((answer) => answer.headers.get('idempotent-replayed')),
    [null, 'true'],
  );
  assert.equal((await stored()).length, 2);
});

test('the same content is the same however it is written', async () => {
  const { post, postText, stored } = await newPoster(booted);
  const headers = { 'Idempotency-Key': 'backup-1' };

  const first = await post({ title: 'A' }, headers);
  const again = await postText(
    '{ "severity": "info",\n"title": "\\u0041", "command": "notify" }',
    headers,
  );

  assert.equal(again.text, first.text);
  assert.equal((await stored()).length, 1);
});

for (const [what, changes] of [
  ['another title', { title: 'a' }],
  ['another body', { body: 'B' }],
  ['an empty body instead of none', { body: '' }],
  ['another severity', { severity: 'warning' }],
] as const) {
  test(`${what} under the same key is refused`, async () => {
    const { post, stored } = await newPoster(booted);
    const headers = { 'Idempotency-Key': 'backup-1' };
    await post({ title: 'A' }, headers);

    const answer = await post({ title: 'A', ...changes }, headers);

    assert.equal(formatCode(answer), '422 idempotency_mismatch');
    assert.equal((await stored()).length, 1);
  });
}

test('an idempotency key belongs to the group: its keys share it, other groups do not', async () => {
  const [one, other] = [await newPoster(booted), await newPoster(booted)];
  const second = await insertNewKey(booted, one.groupId);
  const headers = { 'Idempotency-Key': 'backup-1' };
  await one.post({ title: 'A' }, headers);

  const sameGroup = await one.post({ title: 'A' }, { ...headers, 'X-Api-Key': second.key });
  const otherGroup = await other.post({ title: 'A' }, headers);

  assert.equal(sameGroup.headers.get('idempotent-replayed'), 'true');
  assert.equal(otherGroup.headers.get('idempotent-replayed'), null);
});

test('after 24 hours the key is free for another notification', async () => {
  const { groupId, post, stored } = await newPoster(booted);
  const headers = { 'Idempotency-Key': 'backup-1' };
  await post({ title: 'A' }, headers);
  const age = (ms: number): Promise<number> =>
    booted.database.change(
      'update idempotency_keys set created_at = created_at - ? where group_id = ?',
      ms,
      groupId,
    );

  await age(DAY_MS - 60_000);
  const within = await post({ title: 'B' }, headers);
  await age(60_000);
  const afterwards = await post({ title: 'B' }, headers);

  assert.deepEqual([formatCode(within), afterwards.status], ['422 idempotency_mismatch', 201]);
  assert.equal((await stored()).length, 2);
});

test('a refused post leaves its key free', async () => {
  const { post } = await newPoster(booted);
  const headers = { 'Idempotency-Key': 'backup-1' };

  const refused = await post({ title: '' }, headers);
  const taken = await post({ title: 'A' }, headers);

  assert.deepEqual([refused.status, taken.status], [422, 201]);
});

for (const [what, key] of [
  ['1 character', 'k'],
  ['255 characters', 'k'.repeat(255)],
  ['every visible character of ASCII', visibleAscii()],
] as const) {
  test(`a key of ${what} is taken`, async () => {
    const { post } = await newPoster(booted);

    const first = await post({ title: 'A' }, { 'Idempotency-Key': key });
    const again = await post({ title: 'A' }, { 'Idempotency-Key': key });

    assert.equal(first.status, 201);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });
}

function visibleAscii(): string {
  return Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)).join(
    '',
  );
}

for (const [what, lines] of [
  ['an empty key', ['Idempotency-Key:']],
  ['a key of 256 characters', [`Idempotency-Key: ${'k'.repeat(256)}`]],
  ['a key with a space', ['Idempotency-Key: a b']],
  ['a key with a tab', ['Idempotency-Key: a\tb']],
  ['a key beyond ASCII', ['Idempotency-Key: caf\u00e9']],
  ['two keys', ['Idempotency-Key: a', 'Idempotency-Key: b']],
] as const) {
  test(`${what} is refused`, async () => {
    const { key, postRaw, stored } = await newPoster(booted);

    const answer = await postRaw(
      [`X-Api-Key: ${key}`, 'Content-Type: application/json', ...lines],
      '{"title":"A"}',
    );

    assert.equal(formatCode(answer), '422 fields_invalid');
    assert.match(answer.body, /"pointer":"header:idempotency-key","code":"wrong_form"/);
    assert.deepEqual(await stored(), []);
  });
}

test('while the first request is under way a repeated one is told to come back', async () => {
  const { post, stored } = await newPoster(booted);
  const send = (): ReturnType<typeof post> =>
    post({ title: 'A' }, { 'Idempotency-Key': 'backup-1' });
  const held = await booted.database.holdWrites();

  const both = [send(), send()];
  const early = await Promise.race(both);
  await held[Symbol.asyncDispose]();
  const answers = await Promise.all(both);
  const later = await send();

  assert.equal(formatCode(early), '409 idempotency_in_flight');
  assert.equal(early.headers.get('retry-after'), '1');
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  assert.equal(later.text, answers.find(({ status }) => status === 201)?.text);
  assert.equal((await stored()).length, 1);
});

test('of many repeated at once one is stored, and every 201 is about that one', async () => {
  const { post, stored } = await newPoster(booted);

  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post({ title: 'A' }, { 'Idempotency-Key': 'backup-1' })),
  );

  const taken = answers.filter(({ status }) => status === 201);
  assert.equal(new Set(taken.map(({ text }) => text)).size, 1);
  assert.ok(answers.every(({ status }) => status === 201 || status === 409));
  assert.equal((await stored()).length, 1);
});

if (testEngine === 'postgres') {
  test('two processes store a repeated post once', async () => {
    await using beside = await bootSecond(booted);
    const { key, post, stored } = await newPoster(booted);
    const headers = { 'Idempotency-Key': 'backup-1', 'X-Api-Key': key };

    const answers = await Promise.all([
      post({ title: 'A' }, headers),
      beside.send({ method: 'POST', path: INGEST, body: { title: 'A' }, headers }),
    ]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal((await stored()).length, 1);
  });
}
