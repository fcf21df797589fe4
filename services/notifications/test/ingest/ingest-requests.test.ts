// Around the fields of a post: bytes, media types, encodings, keys, and what is not even HTTP; and that
// neither keys nor content come into the log.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { newApiToken } from '@lothub/kit/secrets/api-token';
import { base62Digits, randomBase62 } from '@lothub/kit/secrets/base62';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { rawRequest, requestText } from '@lothub/kit/test/raw-request';
import sql from 'sql-template-tag';
import { API_KEY, FIRST_OWNER, boot } from '../boot.ts';
import { insertSignal } from '../../src/feed/signals.ts';
import { KEY_PREFIX } from '../../src/keys/key-prefix.ts';
import { INGEST, formatCode, insertNewKey, newPoster } from '../posting.ts';
import { postTo } from '../stored-group.ts';

const BYTES_MAX = 65_536;
/** More, of the longest that there are, than the queue in front of the disk holds. */
const QUEUED_POSTS = 5_000;
/** docs/interface/notifications.md#keys: a key is refused within a second, and so is a group. */
const HEARD_WITHIN_MS = 1_000;

const booted = await boot({ env: { ...FIRST_OWNER, LOG_LEVEL: 'trace' } });
after(() => booted[Symbol.asyncDispose]());

/** A post of so many bytes, white space for the most part. */
function makeBody(bytes: number): string {
  const text = '{"title":"A"}';
  return text.padEnd(bytes);
}

test('a body may have 65,536 bytes and not 65,537', async () => {
  const { postText, stored } = await newPoster(booted);

  const answers = [await postText(makeBody(BYTES_MAX)), await postText(makeBody(BYTES_MAX + 1))];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 413],
  );
  assert.equal((await stored()).length, 1);
});

test('a body in pieces that announces no length is held to the same bytes', async () => {
  const { key, stored } = await newPoster(booted);
  const chunked = (body: string): string => {
    const head = requestText(`POST ${INGEST}`, [
      `X-Api-Key: ${key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]);
    return `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  };

  const answers = [
    await rawRequest(booted.base, chunked(makeBody(BYTES_MAX))),
    await rawRequest(booted.base, chunked(makeBody(BYTES_MAX + 1))),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 413],
  );
  assert.equal((await stored()).length, 1);
});

test('the largest legal post fits with every character escaped', async () => {
  const { postText, stored } = await newPoster(booted);
  const emoji = '\\ud83d\\udd25';
  const text =
    `{"\\u0063ommand":"\\u006eotify","title":"${emoji.repeat(120)}",` +
    `"body":"${emoji.repeat(4_000)}","severity":"\\u0063ritical"}`;

  const answer = await postText(text, { 'Idempotency-Key': 'k'.repeat(255) });

  assert.ok(text.length < BYTES_MAX);
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual(
    (await stored()).map(({ title, body }) => [title, body]),
    [['\u{1F525}'.repeat(120), '\u{1F525}'.repeat(4_000)]],
  );
});

for (const type of [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON; Charset="utf-8"',
]) {
  test(`Content-Type: ${type} is taken`, async () => {
    const { postText } = await newPoster(booted);

    assert.equal((await postText('{"title":"A"}', { 'Content-Type': type })).status, 201);
  });
}

for (const type of [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/problem+json',
  'application/jsonp',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json, text/plain',
  'json',
]) {
  test(`Content-Type: ${type || '(empty)'} is not understood`, async () => {
    const { postText, stored } = await newPoster(booted);

    const answer = await postText('{"title":"A"}', { 'Content-Type': type });

    assert.equal(formatCode(answer), '415 media_type_unsupported');
    assert.deepEqual(await stored(), []);
  });
}

test('a body without a Content-Type, and one with two, is not understood', async () => {
  const { key, postRaw, stored } = await newPoster(booted);
  const type = 'Content-Type: application/json';

  const answers = [
    await postRaw([`X-Api-Key: ${key}`], '{"title":"A"}'),
    await postRaw([`X-Api-Key: ${key}`, type, 'content-type: text/plain'], '{"title":"A"}'),
  ];

  assert.deepEqual(answers.map(formatCode), Array(2).fill('415 media_type_unsupported'));
  assert.deepEqual(await stored(), []);
});

for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x-unknown']) {
  test(`Content-Encoding: ${encoding} is not undone`, async () => {
    const { postText, stored } = await newPoster(booted);

    const answer = await postText('{"title":"A"}', { 'Content-Encoding': encoding });

    assert.equal(formatCode(answer), '415 media_type_unsupported');
    assert.equal(answer.headers.get('accept-encoding'), 'identity');
    assert.deepEqual(await stored(), []);
  });
}

for (const [what, bytes] of [
  ['a byte that UTF-8 has not', [0xff]],
  ['a character cut off', [0xc3]],
  ['an overlong form', [0xc0, 0x80]],
  ['a surrogate in three bytes', [0xed, 0xa0, 0x80]],
  ['Latin-1', [0x63, 0x61, 0x66, 0xe9]],
] as const) {
  test(`${what} is no UTF-8`, async () => {
    const { postText, stored } = await newPoster(booted);
    const body = Buffer.concat([Buffer.from('{"title":"A'), Buffer.from(bytes), Buffer.from('"}')]);

    const answer = await postText(new Uint8Array(body));

    assert.equal(formatCode(answer), '400 text_not_utf8');
    assert.deepEqual(await stored(), []);
  });
}

for (const [what, text] of [
  ['nothing', ''],
  ['white space', '  '],
  ['half an object', '{"title":"A"'],
  ['an object and more', '{"title":"A"}{}'],
  ['single quotes', "{'title':'A'}"],
  ['a comma too many', '{"title":"A",}'],
  ['a comment', '{"title":"A"/**/}'],
  ['a line break in a text', '{"title":"A\n"}'],
  ['a byte order mark', '\ufeff{"title":"A"}'],
  ['a form', 'title=A'],
] as const) {
  test(`${what} is no JSON`, async () => {
    const { postText, stored } = await newPoster(booted);

    const answer = await postText(text);

    assert.equal(formatCode(answer), '400 json_invalid');
    assert.deepEqual(await stored(), []);
  });
}

test('nesting as deep as the bytes allow is refused quickly', async () => {
  const { postText } = await newPoster(booted);

  const answers = [
    await postText('['.repeat(BYTES_MAX)),
    await postText('['.repeat(30_000) + ']'.repeat(30_000)),
    await postText(`{"title":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`),
  ];

  assert.ok(
    answers.every(({ status }) => status === 400 || status === 422),
    answers.map(formatCode).join(),
  );
});

test('a key is asked for, and the challenge names its header', async () => {
  const { post } = await newPoster(booted);

  const missing = await booted.send({ method: 'POST', path: INGEST, body: { title: 'A' } });
  const invalid = await post({ title: 'A' }, { 'X-Api-Key': 'x'.repeat(40) });

  for (const answer of [missing, invalid]) {
    assert.match(answer.headers.get('www-authenticate') ?? '', /^ApiKey .*X-Api-Key/);
  }
  assert.deepEqual(
    [formatCode(missing), formatCode(invalid)],
    ['401 api_key_missing', '401 api_key_invalid'],
  );
});

test('no key is taken from anywhere but its header', async () => {
  const { key } = await newPoster(booted);
  const body = { title: 'A' };

  const answers = [
    await booted.send({ method: 'POST', path: `${INGEST}?api_key=${key}&x-api-key=${key}`, body }),
    await booted.send({
      method: 'POST',
      path: INGEST,
      body,
      headers: { Authorization: `Bearer ${key}`, Cookie: `x-api-key=${key}` },
    }),
  ];

  assert.deepEqual(answers.map(formatCode), Array(2).fill('401 api_key_missing'));
});

test('two keys in one request are none', async () => {
  const [one, other] = [await newPoster(booted), await newPoster(booted)];

  const answer = await one.postRaw(
    [`X-Api-Key: ${one.key}`, `X-Api-Key: ${other.key}`, 'Content-Type: application/json'],
    '{"title":"A"}',
  );

  assert.equal(formatCode(answer), '401 api_key_invalid');
  assert.deepEqual([await one.stored(), await other.stored()], [[], []]);
});

test('that a key has expired or was revoked is said only to whoever has the secret', async () => {
  const { groupId, post } = await newPoster(booted);
  const expired = await insertNewKey(booted, groupId, { expiresAt: Date.now() - 1 });
  const revoked = await insertNewKey(booted, groupId);
  await booted.service.store.write([
    sql`update group_keys set revoked_at = 2 where id = ${revoked.id}`,
  ]);
  const posted = async (key: string): Promise<string> =>
    formatCode(await post({ title: 'A' }, { 'X-Api-Key': key }));
  const forged = (id: string): string => {
    const text = `${KEY_PREFIX}${id}${randomBase62(43)}`;
    return `${text}${base62Digits(crc32(text), 6)}`;
  };

  const answers = [
    await posted(expired.key),
    await posted(revoked.key),
    await posted(forged(expired.id)),
    await posted(forged(revoked.id)),
  ];

  assert.deepEqual(answers, [
    '401 api_key_expired',
    '401 api_key_revoked',
    '401 api_key_invalid',
    '401 api_key_invalid',
  ]);
});

test('a read token cannot post', async () => {
  const { post } = await newPoster(booted);

  const answer = await post({ title: 'A' }, { 'X-Api-Key': newApiToken('nr_').token });

  assert.equal(formatCode(answer), '403 wrong_scope');
});

test('a paused group takes nothing within a second, and does again afterwards', async () => {
  const { groupId, post, stored } = await newPoster(booted);
  const pause = (paused: number): Promise<unknown> =>
    booted.service.store.write([
      sql`update groups set paused = ${paused} where id = ${groupId}`,
      ...insertSignal({
        kind: 'group',
        groupId,
        accountId: null,
        detail: { name: 'Operations', paused: paused === 1 },
        at: Date.now(),
      }),
    ]);
  const answersWithin = async (status: number): Promise<string> => {
    const deadline = performance.now() + stretchForLoad(HEARD_WITHIN_MS);
    let answer = await post({ title: 'A' });
    while (answer.status !== status && performance.now() < deadline) {
      answer = await post({ title: 'A' });
    }
    return formatCode(answer);
  };
  await post({ title: 'A' });

  await pause(1);
  const paused = await answersWithin(403);
  const count = (await stored()).length;
  const refused = formatCode(await post({ title: 'B' }));
  const countAfterwards = (await stored()).length;
  await pause(0);
  const running = await answersWithin(201);

  assert.deepEqual([paused, refused], ['403 group_paused', '403 group_paused']);
  assert.equal(countAfterwards, count);
  assert.equal(running, '201 undefined');
});

test('a key that the operator gave has any form and posts', async () => {
  const answer = await booted.send({
    method: 'POST',
    path: INGEST,
    body: { title: 'A' },
    headers: { 'X-Api-Key': API_KEY },
  });

  assert.equal(answer.status, 201, answer.text);
});

test('the use of a key is written, once a minute at most', async () => {
  const { keyId, post } = await newPoster(booted);
  const used = async (): Promise<unknown> =>
    (await booted.database.rows('select last_used_at from group_keys where id = ?', keyId))[0]?.[
      'last_used_at'
    ];

  const before = await used();
  const answers = [await post({ title: 'A' })];
  const first = await used();
  answers.push(await post({ title: 'B' }));

  assert.equal(before, null);
  assert.equal(new Date(Number(first)).toISOString(), answers[0]?.json['created_at']);
  assert.equal(await used(), first);
});

test('bytes that are no HTTP are answered with a problem', async () => {
  const answers = [
    await rawRequest(booted.base, 'nonsense\r\n\r\n'),
    await rawRequest(booted.base, requestText(`POST ${INGEST}`, [`X-Long: ${'x'.repeat(20_000)}`])),
    await rawRequest(booted.base, requestText('GET /api/v1/%ff')),
  ];

  assert.deepEqual(answers.map(formatCode), [
    '400 address_malformed',
    '431 address_malformed',
    '400 address_malformed',
  ]);
  for (const { head } of answers) assert.match(head, /content-type: application\/problem\+json/i);
});

test('every problem has the members of RFC 9457 and its id in a header, too', async () => {
  const { post } = await newPoster(booted);

  const answer = await post({});

  const { errors, ...rest } = answer.json;
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.deepEqual(rest, {
    type: 'urn:problem-type:lothub:fields_invalid',
    title: 'Fields of the request are wrong',
    status: 422,
    code: 'fields_invalid',
    detail: 'Wrong: /title; `errors` says how',
    request_id: answer.headers.get('x-request-id'),
  });
  assert.deepEqual(errors, [{ pointer: '/title', code: 'required', limit: null, actual: null }]);
});

test('neither keys nor content nor idempotency keys come into the log', async () => {
  const { key, post, postText } = await newPoster(booted);
  const content = 'content-that-nobody-else-has-sent';
  const headers = { 'Idempotency-Key': content };

  await post({ title: content, body: content }, headers);
  await post({ title: `${content}!` }, headers);
  await postText(`{"${content}"`, headers);
  await post({ title: content, [content]: content });
  await post({ title: content }, { 'X-Api-Key': `${key}x` });
  await booted.call(`${INGEST}/${content}?${content}`, { headers: { 'X-Api-Key': key } });
  await rawRequest(booted.base, requestText(`${content} /`, [`X-Api-Key: ${key}`]));

  const log = booted.log();
  assert.notEqual(log, '');
  assert.deepEqual(
    [log.includes(content), log.includes(key), log.includes(API_KEY)],
    [false, false, false],
  );
});

test('a failure of the database brings nothing of a post into the log', async () => {
  await using failing = await boot();
  const { key, post } = await newPoster(failing);
  const content = 'content-that-nobody-else-has-sent';
  await failing.database.change(
    `insert into notifications (id, group_id, seq, title, severity, created_at)
    select position + 1, 'grp_other', 1, 'In the way', 'info', 1 from feed_head`,
  );

  const answer = await post({ title: content, body: content }, { 'Idempotency-Key': content });
  await failing.database.change("delete from notifications where group_id = 'grp_other'");
  const again = await post({ title: content, body: content }, { 'Idempotency-Key': content });

  const log = failing.log();
  assert.deepEqual([formatCode(answer), again.status], ['500 internal', 201]);
  assert.match(log, /answering a request failed/);
  assert.ok(log.includes(String(answer.json['request_id'])));
  assert.deepEqual([log.includes(content), log.includes(key)], [false, false]);
});

test('no browser may take an answer for anything but what it says it is', async () => {
  const { post } = await newPoster(booted);

  const answers = [
    await post({ title: '<script>' }),
    await post({}),
    await booted.call('/nowhere'),
  ];

  assert.deepEqual(
    answers.map(({ headers }) => headers.get('x-content-type-options')),
    Array(3).fill('nosniff'),
  );
});

test('while the queue is full a post is refused with 503, and taken again afterwards', async () => {
  await using full = await boot();
  const { store } = full.service;
  const { groupId, post, stored } = await newPoster(full);
  const long = postTo(groupId, { title: 'queued', body: 'x'.repeat(8_000) });
  const held = await full.database.holdWrites();
  const queued: Promise<unknown>[] = [];
  const isFull = Promise.withResolvers<undefined>();
  const queue = (): Promise<unknown> => store.post(long).catch(isFull.resolve);
  while (queued.length < QUEUED_POSTS) queued.push(queue());
  await isFull.promise;

  const refused = await post({ title: 'refused' });
  await held[Symbol.asyncDispose]();
  await Promise.all(queued);
  const taken = await post({ title: 'taken' });

  assert.equal(formatCode(refused), '503 unavailable');
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.equal(taken.status, 201);
  const titles = (await stored()).map(({ title }) => title);
  assert.deepEqual([titles.includes('refused'), titles.at(-1)], [false, 'taken']);
  assert.equal(taken.json['seq'], titles.length);
});
