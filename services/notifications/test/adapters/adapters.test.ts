// Senders post in their own form: by the token in each place that they can put it in, by GitHub's signature,
// once for each delivery, and by no other adapter's token.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sign } from '@octokit/webhooks-methods';
import { ADAPTER_BODY_BYTES_MAX } from '../../src/adapters/adapter-routes.ts';
import { POSTS_MAX } from '../../src/adapters/sender.ts';
import { ADAPTERS, type Adapter } from '../../src/keys/key-prefix.ts';
import sql from 'sql-template-tag';
import { boot, type Answer, type CallInit } from '../boot.ts';
import { newGroup, newPerson } from '../people/person.ts';
import { INGEST, formatCode, listFields } from '../posting.ts';
import {
  ALERTMANAGER_FIRING,
  CLOUDEVENT,
  GITHUB_EVENTS,
  GRAFANA_FIRING,
  SLACK_MESSAGES,
} from './payloads.ts';
import { issueToken, type AdapterToken } from './token.ts';

/** With all that is ever logged: tokens are in paths. */
const booted = await boot({ env: { LOG_LEVEL: 'trace' } });
after(() => booted[Symbol.asyncDispose]());

const newToken = (adapter: Adapter, within?: Pick<AdapterToken, 'ada' | 'groupId'>) =>
  issueToken(booted, adapter, within);

const BODIES: Readonly<Record<Adapter, unknown>> = {
  alertmanager: ALERTMANAGER_FIRING,
  grafana: GRAFANA_FIRING,
  github: GITHUB_EVENTS.issues,
  cloudevents: CLOUDEVENT,
  slack: SLACK_MESSAGES.text,
};
const TYPES: Partial<Record<Adapter, string>> = { cloudevents: 'application/cloudevents+json' };

function post(
  path: string,
  adapter: Adapter,
  init: Omit<CallInit, 'method'> = {},
): Promise<Answer> {
  return booted.call(`${INGEST}/${path}`, {
    method: 'POST',
    body: init.body ?? JSON.stringify(BODIES[adapter]),
    headers: { 'Content-Type': TYPES[adapter] ?? 'application/json', ...init.headers },
  });
}

/** As GitHub sends it. */
async function postSigned(
  { id, token }: Pick<AdapterToken, 'id' | 'token'>,
  changes: {
    readonly event?: keyof typeof GITHUB_EVENTS;
    readonly delivery?: string;
    readonly signature?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer> {
  const { event = 'issues', delivery = '72d3162e-cc78-11e3-81ab-4c9367dc0958' } = changes;
  const body = JSON.stringify(GITHUB_EVENTS[event]);
  return await post(`github/${id}`, 'github', {
    body,
    headers: {
      'User-Agent': 'GitHub-Hookshot/044aadd',
      'X-GitHub-Event': event,
      'X-GitHub-Delivery': delivery,
      'X-Hub-Signature-256': changes.signature ?? (await sign(token, body)),
      ...changes.headers,
    },
  });
}

async function storedIn({ groupId }: Pick<AdapterToken, 'groupId'>) {
  return await booted.database.rows(
    `select seq, title, severity, url, dedup_key, status, key_id
    from notifications
    where group_id = ?
    order by seq`,
    groupId,
  );
}

async function titlesIn(token: Pick<AdapterToken, 'groupId'>): Promise<readonly unknown[]> {
  return (await storedIn(token)).map(({ title }) => title);
}

function basic(token: string): string {
  return `Basic ${Buffer.from(`lothub:${token}`).toString('base64')}`;
}

for (const adapter of ['alertmanager', 'grafana', 'cloudevents', 'slack'] as const) {
  test(`${adapter} posts with its token as bearer, as password, in the path and as X-Api-Key`, async () => {
    const made = await newToken(adapter);
    const { token } = made;

    const answers = [
      await post(adapter, adapter, { headers: { Authorization: `Bearer ${token}` } }),
      await post(adapter, adapter, { headers: { Authorization: basic(token) } }),
      await post(`${adapter}/${token}`, adapter),
      await post(adapter, adapter, { headers: { 'X-Api-Key': token } }),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const rows = await storedIn(made);
    assert.ok(rows.length > 0);
    assert.ok(rows.every(({ key_id: keyId }) => keyId === made.id));
  });
}

test('each alert of a request is a post with a seq of its own, in its order, and stored once', async () => {
  const made = await newToken('alertmanager');
  const send = () => post(`alertmanager/${made.token}`, 'alertmanager');

  const first = await send();
  const again = await send();

  const [one, two] = await storedIn(made);
  assert.deepEqual(
    [one, two].map((row) => [row?.['seq'], row?.['title'], row?.['status']]),
    [
      [1, 'Oven 3 is too hot', 'firing'],
      [2, 'Resolved: OvenTooHot: oven-4:9100', 'resolved'],
    ],
  );
  assert.deepEqual(
    [first, again].map(({ json }) =>
      Object.values(json['posted'] ?? {}).map(({ seq, replayed }) => [seq, replayed]),
    ),
    [
      [
        [1, false],
        [2, false],
      ],
      [
        [1, true],
        [2, true],
      ],
    ],
  );
  assert.equal((await storedIn(made)).length, 2);
});

const HUNDRED_ALERTS = Array.from({ length: POSTS_MAX }, (_, index) => ({
  status: 'firing',
  labels: { alertname: `Alert ${index}` },
  startsAt: '2026-03-02T07:10:45.828Z',
  fingerprint: `f${index}`,
}));

function postAlerts({ token }: AdapterToken, alerts: readonly unknown[]): Promise<Answer> {
  return post(`alertmanager/${token}`, 'alertmanager', { body: JSON.stringify({ alerts }) });
}

test('a request that was stored in part is completed by sending it again', async () => {
  const made = await newToken('alertmanager');
  await postAlerts(made, HUNDRED_ALERTS.slice(0, 40));

  const { status, json } = await postAlerts(made, HUNDRED_ALERTS);

  assert.equal(status, 200);
  assert.deepEqual(
    Object.values(json['posted'] ?? {}).map(({ seq, replayed }) => [seq, replayed]),
    HUNDRED_ALERTS.map((_, index) => [index + 1, index < 40]),
  );
  assert.deepEqual(
    await titlesIn(made),
    HUNDRED_ALERTS.map(({ labels }) => labels.alertname),
  );
});

test('a request that comes while the same one is under way is answered alike, and stored once', async () => {
  const made = await newToken('alertmanager');

  const answers = await Promise.all(
    Array.from({ length: 4 }, () => postAlerts(made, HUNDRED_ALERTS)),
  );

  assert.deepEqual(
    answers.map(formatCode),
    answers.map(() => '200 undefined'),
  );
  assert.equal((await storedIn(made)).length, POSTS_MAX);
});

test('an alert whose words have changed since it fired is not posted again', async () => {
  const made = await newToken('alertmanager');
  const [alert] = ALERTMANAGER_FIRING.alerts;
  const send = (summary: string) =>
    post(`alertmanager/${made.token}`, 'alertmanager', {
      body: JSON.stringify({ alerts: [{ ...alert, annotations: { summary } }] }),
    });

  const answers = [await send('287 °C'), await send('288 °C')];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual(await titlesIn(made), ['287 °C']);
});

test('two groups each get what is sent to both', async () => {
  const [one, other] = [await newToken('cloudevents'), await newToken('cloudevents')];

  await post(`cloudevents/${one.token}`, 'cloudevents');
  await post(`cloudevents/${other.token}`, 'cloudevents');

  assert.deepEqual(
    [await titlesIn(one), await titlesIn(other)],
    [['Oven 3 is too hot'], ['Oven 3 is too hot']],
  );
});

test('CloudEvents: a batch and the binary mode are taken, and an id of a source once', async () => {
  const made = await newToken('cloudevents');
  const { data, datacontenttype, ...attributes } = CLOUDEVENT;
  const headers = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]),
  );

  const batch = await post(`cloudevents/${made.token}`, 'cloudevents', {
    body: JSON.stringify([CLOUDEVENT, { ...CLOUDEVENT, id: 'B' }]),
    headers: { 'Content-Type': 'application/cloudevents-batch+json; charset=UTF-8' },
  });
  const binary = await post(`cloudevents/${made.token}`, 'cloudevents', {
    body: JSON.stringify(data),
    headers: { 'Content-Type': datacontenttype, ...headers },
  });
  const text = await post(`cloudevents/${made.token}`, 'cloudevents', {
    body: 'Oven 3\nis hot',
    headers: { 'Content-Type': 'text/plain', ...headers, 'ce-id': 'C' },
  });

  assert.deepEqual(
    [batch, binary, text].map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual(
    Object.values(binary.json['posted'] ?? {}).map(({ replayed }) => replayed),
    [true],
  );
  assert.deepEqual(await titlesIn(made), [
    'Oven 3 is too hot',
    'Oven 3 is too hot',
    'com.example.oven.hot: oven/3',
  ]);
});

test('Slack is answered ok as text, and takes a form with the JSON as payload', async () => {
  const made = await newToken('slack');

  const json = await post(`slack/${made.token}`, 'slack');
  const form = await post(`slack/${made.token}`, 'slack', {
    body: new URLSearchParams({ payload: '{"text":"By a form"}' }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const empty = await post(`slack/${made.token}`, 'slack', {
    body: 'text=A',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

  assert.deepEqual([json.text, form.text], ['ok', 'ok']);
  assert.match(String(json.headers.get('content-type')), /^text\/plain/);
  assert.deepEqual(
    [formatCode(empty), ...listFields(empty)],
    ['422 fields_invalid', '/payload required'],
  );
  assert.deepEqual(await titlesIn(made), ['Danny left the oven on:', 'By a form']);
});

test('GitHub posts what it signed with the token, and a redelivery once', async () => {
  const made = await newToken('github');

  const first = await postSigned(made);
  const again = await postSigned(made);
  const next = await postSigned(made, { delivery: '2' });

  assert.deepEqual(
    [first, again, next].map(({ status, json }) => [status, json['posted']?.[0]?.['replayed']]),
    [
      [200, false],
      [200, true],
      [200, false],
    ],
  );
  assert.equal((await storedIn(made)).length, 2);
});

test('GitHub: a ping is answered and stores nothing', async () => {
  const made = await newToken('github');

  const answer = await postSigned(made, { event: 'ping' });

  assert.deepEqual([answer.status, answer.json], [200, { group_id: made.groupId, posted: [] }]);
  assert.deepEqual(await storedIn(made), []);
});

test('GitHub: what was not signed with the token of the address stores nothing', async () => {
  const [made, other] = [await newToken('github'), await newToken('github')];
  const body = JSON.stringify(GITHUB_EVENTS.issues);
  const flipped = (await sign(made.token, body)).replace(/.$/, (last) =>
    last === '0' ? '1' : '0',
  );

  const answers = [
    await postSigned(made, { signature: await sign(other.token, body) }),
    await postSigned(made, { signature: await sign(made.token, `${body} `) }),
    await postSigned(made, { signature: flipped }),
    await postSigned(made, { signature: 'sha256=' }),
    await postSigned(made, { signature: (await sign(made.token, body)).replace('sha256', 'sha1') }),
    await postSigned({ ...made, id: 'AAAAAAAAAA' }),
    await post('github', 'github', { headers: { Authorization: `Bearer ${made.token}` } }),
    await post(`github/${made.token}`, 'github'),
  ];

  assert.deepEqual(answers.map(formatCode), [
    '401 signature_invalid',
    '401 signature_invalid',
    '401 signature_invalid',
    '401 adapter_token_missing',
    '401 adapter_token_missing',
    '401 api_key_invalid',
    '401 adapter_token_missing',
    '401 adapter_token_missing',
  ]);
  assert.deepEqual([await storedIn(made), await storedIn(other)], [[], []]);
});

test('GitHub: a form is refused, saying what to choose', async () => {
  const made = await newToken('github');

  const answer = await postSigned(made, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

  assert.equal(formatCode(answer), '415 media_type_unsupported');
  assert.match(String(answer.json['detail']), /content type application\/json .* on GitHub/);
});

for (const adapter of ADAPTERS) {
  test(`the token of ${adapter} posts at no other adapter, and not at /api/v1/ingest`, async () => {
    const { token, groupId } = await newToken(adapter);
    const others = ADAPTERS.filter((other) => other !== adapter);

    const answers = [
      await booted.send({
        ...{ method: 'POST', path: INGEST, body: { title: 'A' } },
        headers: { 'X-Api-Key': token },
      }),
    ];
    for (const other of others) {
      answers.push(await post(`${other}/${token}`, other));
      answers.push(await post(other, other, { headers: { Authorization: `Bearer ${token}` } }));
    }

    assert.deepEqual(
      answers.map(formatCode),
      answers.map(() => '403 wrong_scope'),
    );
    assert.deepEqual(await storedIn({ groupId }), []);
  });

  test(`a key of the group does not post at ${adapter}`, async () => {
    const { ada, groupId } = await newToken(adapter);
    const issued = await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Oven' });
    const key = String(issued.json['key']);

    const answers = [
      await post(`${adapter}/${key}`, adapter),
      await post(adapter, adapter, { headers: { 'X-Api-Key': key } }),
    ];

    assert.deepEqual(answers.map(formatCode), ['403 wrong_scope', '403 wrong_scope']);
  });

  test(`${adapter} without a token, or with one that is none, is refused`, async () => {
    const answers = [
      await post(adapter, adapter),
      await post(`${adapter}/na_nothing`, adapter),
      await post(adapter, adapter, { headers: { Authorization: 'Digest x' } }),
    ];

    const unknown = adapter === 'github' ? '401 adapter_token_missing' : '401 api_key_invalid';
    assert.deepEqual(answers.map(formatCode), [
      '401 adapter_token_missing',
      unknown,
      '401 adapter_token_missing',
    ]);
    assert.match(String(answers[0]?.headers.get('www-authenticate')), /^Bearer .*, Basic /);
  });
}

test('a token that was revoked, or whose group is paused, posts no more', async () => {
  const slack = await newToken('slack');
  const github = await newToken('github', slack);
  const path = `/api/v1/groups/${slack.groupId}`;

  await slack.ada.send('PATCH', path, { paused: true });
  const paused = [await post(`slack/${slack.token}`, 'slack'), await postSigned(github)];
  await slack.ada.send('PATCH', path, { paused: false });
  for (const { id } of [slack, github]) await slack.ada.send('DELETE', `${path}/keys/${id}`);
  const revoked = [await post(`slack/${slack.token}`, 'slack'), await postSigned(github)];

  assert.deepEqual(paused.map(formatCode), ['403 group_paused', '403 group_paused']);
  assert.deepEqual(revoked.map(formatCode), ['401 api_key_revoked', '401 api_key_revoked']);
});

test('a rotated token gives way to one of the same adapter, with its configuration', async () => {
  const made = await newToken('github');
  const path = `/api/v1/groups/${made.groupId}/keys/${made.id}/rotate`;

  const rotated = await made.ada.send('POST', path);

  const { id, key, adapter, configuration } = rotated.json;
  const next = { id: String(id), token: String(key) };
  assert.equal(adapter, 'github');
  assert.ok(String(configuration).includes(next.token));
  assert.equal((await postSigned(next, { delivery: '1' })).status, 200);
  assert.equal((await postSigned(made, { delivery: '2' })).status, 200);
});

test('a token is in the list of keys and in the audit with its adapter, and its secret nowhere', async () => {
  const made = await newToken('slack');

  const list = await made.ada.get(`/api/v1/groups/${made.groupId}/keys`);
  const audit = await made.ada.get(`/api/v1/groups/${made.groupId}/audit`);

  assert.equal(list.json['items']?.[0]?.['adapter'], 'slack');
  const issued = Object.values(audit.json['items'] ?? {}).find(
    ({ action }) => String(action) === 'key_issued',
  );
  assert.deepEqual(issued?.['details'], { name: 'From slack', adapter: 'slack' });
  const secret = made.token.slice('na_'.length + made.id.length);
  assert.ok(![list.text, audit.text].some((text) => text.includes(secret)));
  const [row] = await booted.database.rows('select * from group_keys where id = ?', made.id);
  assert.ok(!JSON.stringify(row).includes(secret));
});

test('a token is in no log, whatever comes of its request', async () => {
  const made = await newToken('slack');
  const cloudevents = await newToken('cloudevents', made);
  const path = `${INGEST}/slack/${made.token}`;

  const answers = [
    await post(`slack/${made.token}`, 'slack'),
    await post(`slack/${made.token}`, 'slack', { body: '{' }),
    await post(`slack/${made.token}`, 'slack', { body: '{}' }),
    await post(`slack/${made.token}`, 'slack', { headers: { 'Content-Type': 'text/html' } }),
    await booted.call(path),
    await booted.call(`${path}/more`, { method: 'POST' }),
    await booted.call(`${path}%zz`, { method: 'POST' }),
    await booted.call(path, { headers: { Accept: 'text/html' } }),
  ];
  const { store } = booted.service;
  await store.write([sql`alter table idempotency_keys rename to hidden`]);
  const broken = await post(`cloudevents/${cloudevents.token}`, 'cloudevents');
  await store.write([sql`alter table hidden rename to idempotency_keys`]);

  assert.deepEqual(
    [...answers, broken].map(({ status }) => status),
    [200, 400, 422, 415, 405, 404, 400, 405, 500],
  );
  assert.match(booted.log(), /answering a request failed/);
  for (const { id, token } of [made, cloudevents]) {
    const secret = token.slice('na_'.length + id.length);
    assert.ok(!booted.log().includes(secret));
    assert.ok([...answers, broken].every(({ text }) => !text.includes(secret)));
  }
});

test('a body may have a mebibyte and no more', async () => {
  const made = await newToken('slack');
  const makeBody = (bytes: number): string => {
    const [begin, end] = ['{"text":"A","filling":"', '"}'];
    return begin + 'x'.repeat(bytes - begin.length - end.length) + end;
  };

  const [most, more] = [
    await post(`slack/${made.token}`, 'slack', { body: makeBody(ADAPTER_BODY_BYTES_MAX) }),
    await post(`slack/${made.token}`, 'slack', { body: makeBody(ADAPTER_BODY_BYTES_MAX + 1) }),
  ];

  assert.deepEqual([most.status, formatCode(more)], [200, '413 body_too_large']);
});

test('tokens are counted as keys are; of GitHub only what is signed with them', async () => {
  await using limited = await boot({ env: { NOTIFICATIONS_RATE_KEY_BURST: '1' } });
  const ada = await newPerson(limited);
  const groupId = await newGroup(ada);
  const sendAs = async (adapter: Adapter, secret?: string): Promise<string> => {
    const issued = await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'A', adapter });
    const { id, key } = issued.json;
    const body = JSON.stringify(BODIES[adapter]);
    const path = `${INGEST}/${adapter}/${String(adapter === 'github' ? id : key)}`;
    const statuses = [];
    for (let n = 0; n < 2; n += 1) {
      const headers = {
        'Content-Type': 'application/json',
        'X-GitHub-Event': 'issues',
        'X-Hub-Signature-256': await sign(secret ?? String(key), body),
      };
      statuses.push((await limited.call(path, { method: 'POST', headers, body })).status);
    }
    return statuses.join(' ');
  };

  const counted = [await sendAs('github', 'another secret'), await sendAs('github')];
  const ofGroup = await sendAs('slack');

  assert.deepEqual(counted, ['401 401', '200 429']);
  // The group may be sent twice what one of its keys may send.
  assert.equal(ofGroup, '200 429');
});

for (const [what, text, code] of [
  ['no JSON', '{', '400 json_invalid'],
  ['nothing', '', '400 json_invalid'],
  ['two members of one name', '{"text":"A","text":"B"}', '400 json_invalid'],
  ['another shape', '{"message":"A"}', '422 fields_invalid'],
] as const) {
  test(`a body of ${what} is refused and stores nothing`, async () => {
    const made = await newToken('slack');

    const answer = await post(`slack/${made.token}`, 'slack', { body: text });

    assert.equal(formatCode(answer), code);
    assert.deepEqual(await storedIn(made), []);
  });
}

test('bytes that are no UTF-8 are refused', async () => {
  const made = await newToken('slack');

  const answer = await post(`slack/${made.token}`, 'slack', { body: new Uint8Array([0x7b, 0xff]) });

  assert.equal(formatCode(answer), '400 text_not_utf8');
});

test('what is made for a sender can be pasted, and posts unchanged', async () => {
  const made = await newToken('slack');
  const tokens = [];
  for (const adapter of ADAPTERS) tokens.push(await newToken(adapter, made));

  const [alertmanager, grafana, github, cloudevents, slack] = tokens.map(
    ({ configuration }) => configuration,
  );

  const path = new URL(String(slack)).pathname;
  assert.equal((await post(path.slice(`${INGEST}/`.length), 'slack')).text, 'ok');
  assert.match(String(alertmanager), /\n {12}credentials: na_[0-9A-Za-z]{59}$/);
  assert.match(String(grafana), /Scheme: Bearer\n.*Credentials: na_/);
  assert.match(String(github), new RegExp(`/ingest/github/${String(tokens[2]?.id)}\n`));
  assert.match(String(cloudevents), /^curl -X POST '.*\/ingest\/cloudevents' \\\n/);
});
