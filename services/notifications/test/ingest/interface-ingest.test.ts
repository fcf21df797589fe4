// Posting as docs/interface/notifications.md#posting describes it: endpoint, headers, fields and limits.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot } from '../boot.ts';
import { INGEST, formatCode, listFields, newPoster } from '../posting.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

test('POST /api/v1/ingest with both headers stores a notification', async () => {
  const { key, stored } = await newPoster(booted);

  const answer = await booted.call('/api/v1/ingest', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: JSON.stringify({
      command: 'notify',
      title: 'Disk almost full',
      body: 'Host db-1 has 3 % left.',
      severity: 'critical',
    }),
  });

  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual(
    (await stored()).map(({ title, body, severity }) => ({ title, body, severity })),
    [{ title: 'Disk almost full', body: 'Host db-1 has 3 % left.', severity: 'critical' }],
  );
});

test('the answer holds the notification as it was stored, and Location says where it is', async () => {
  const { groupId, keyId, post, stored } = await newPoster(booted);

  const answer = await post({ command: 'notify', title: 'A', body: 'B', severity: 'warning' });

  const [row] = await stored();
  assert.deepEqual(answer.json, {
    id: row?.['id'],
    group_id: groupId,
    seq: 1,
    command: 'notify',
    title: 'A',
    body: 'B',
    severity: 'warning',
    created_at: new Date(Number(row?.['created_at'])).toISOString(),
  });
  assert.match(answer.text, /"created_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
  assert.equal(answer.headers.get('location'), `/api/v1/groups/${groupId}/notifications/1`);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(row?.['key_id'], keyId);
});

test('title alone is enough; severity is then info and body null', async () => {
  const { post } = await newPoster(booted);

  const { status, json } = await post({ title: 'Backup finished' });

  assert.deepEqual(
    [status, json['command'], json['body'], json['severity']],
    [201, 'notify', null, 'info'],
  );
});

for (const severity of ['info', 'warning', 'critical']) {
  test(`severity ${severity} is stored and answered`, async () => {
    const { post, stored } = await newPoster(booted);

    const answer = await post({ title: 'A', severity });

    assert.equal(answer.json['severity'], severity);
    assert.equal((await stored())[0]?.['severity'], severity);
  });
}

for (const [what, body, wrong] of [
  ['no title', { command: 'notify', body: 'B' }, ['/title required']],
  ['an empty title', { title: '' }, ['/title too_short 1 0']],
  ['a title of 121 characters', { title: 'a'.repeat(121) }, ['/title too_long 120 121']],
  [
    'a body of 4001 characters',
    { title: 'A', body: 'b'.repeat(4_001) },
    ['/body too_long 4000 4001'],
  ],
  [
    'another severity',
    { title: 'A', severity: 'error' },
    ['/severity not_one_of info, warning, critical'],
  ],
  ['another command', { command: 'delete', title: 'A' }, ['/command not_one_of notify']],
] as const) {
  test(`${what} is refused, and nothing is stored`, async () => {
    const { post, stored } = await newPoster(booted);

    const answer = await post(body);

    assert.deepEqual([formatCode(answer), listFields(answer)], ['422 fields_invalid', wrong]);
    assert.deepEqual(await stored(), []);
  });
}

for (const [what, body] of [
  ['a title of 1 character', { title: 'a' }],
  ['a title of 120 characters', { title: 'a'.repeat(120) }],
  ['an empty body', { title: 'a', body: '' }],
  ['a body of 4000 characters', { title: 'a', body: 'b'.repeat(4_000) }],
] as const) {
  test(`${what} is taken as it is`, async () => {
    const { post, stored } = await newPoster(booted);

    const { status, json } = await post(body);

    assert.equal(status, 201);
    assert.equal(json['title'], body.title);
    const [row] = await stored();
    assert.deepEqual(
      [row?.['title'], row?.['body']],
      [body.title, 'body' in body ? body.body : null],
    );
  });
}

test('a post without the key, and one with another key, is refused', async () => {
  const { post, key, stored } = await newPoster(booted);
  const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

  const without = await booted.send({ method: 'POST', path: INGEST, body: { title: 'A' } });
  const wrong = await post({ title: 'A' }, { 'X-Api-Key': other });

  assert.deepEqual(
    [formatCode(without), formatCode(wrong)],
    ['401 api_key_missing', '401 api_key_invalid'],
  );
  assert.deepEqual(await stored(), []);
});

test('posts of a group are numbered from 1 without gaps, apart from other groups', async () => {
  const [one, other] = [await newPoster(booted), await newPoster(booted)];

  const answers = [
    await one.post({ title: 'first' }),
    await other.post({ title: 'elsewhere' }),
    await one.post({ title: '' }),
    await one.post({ title: 'second' }),
  ];

  assert.deepEqual(
    answers.map(({ json }) => json['seq']),
    [1, 1, undefined, 2],
  );
});
