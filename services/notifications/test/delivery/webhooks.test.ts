// Webhooks over HTTP: making, setting and deleting them, and looking up what became of deliveries.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { boot, type Answer, type Booted, type Json } from '../boot.ts';
import { until } from './outbox.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { startReceiver } from '@lothub/delivery/test/receiver';

let booted: Booted;
let owner: TestPerson;

before(async () => {
  booted = await boot({ env: { NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1' } });
  owner = await newPerson(booted);
});

after(() => booted[Symbol.asyncDispose]());

const URL_RIGHT = 'https://hooks.example.com/lothub?token=abc';

const buildPath = (groupId: string, ...more: readonly unknown[]): string =>
  ['/api/v1/groups', groupId, 'webhooks', ...more].join('/');

async function newWebhook(groupId: string, url = URL_RIGHT): Promise<Answer> {
  return await owner.send('POST', buildPath(groupId), { name: 'Incident tool', url });
}

function listItems(answer: Answer): readonly Json[] {
  return answer.json['items'] as unknown as readonly Json[];
}

test('a webhook is made with a secret that is shown once', async () => {
  const groupId = await newGroup(owner);

  const made = await newWebhook(groupId);
  const id = String(made.json['id']);
  const shown = await owner.get(buildPath(groupId, id));
  const list = await owner.get(buildPath(groupId));

  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), buildPath(groupId, id));
  assert.equal(made.headers.get('cache-control'), 'no-store');
  const { secret, ...rest } = made.json;
  assert.match(String(secret), /^whsec_[\w+/]{43}=$/);
  assert.match(id, /^whk_\w{12}$/);
  assert.deepEqual(rest, {
    id,
    group_id: groupId,
    name: 'Incident tool',
    url: URL_RIGHT,
    min_severity: 'info',
    format: 'standard',
    has_access_token: false,
    status: 'active',
    disabled_reason: null,
    failures: 0,
    failing_since: null,
    previous_secret_until: null,
    created_by: owner.accountId,
    created_at: made.json['created_at'],
  });
  assert.deepEqual(shown.json, rest);
  assert.deepEqual(list.json, { items: [rest], next: null });
});

for (const [what, body, fields] of [
  ['without fields', {}, ['/name required', '/url required']],
  ['with what is unknown', { name: 'a', url: URL_RIGHT, secret: 'whsec_x' }, ['/secret unknown']],
  ['of a private address', { name: 'a', url: 'https://10.0.0.1/' }, ['/url wrong_form']],
  ['of plain http', { name: 'a', url: 'http://8.8.8.8/' }, ['/url wrong_form']],
  ['with a password', { name: 'a', url: 'https://a:b@example.com/' }, ['/url wrong_form']],
  [
    'with another severity',
    { name: 'a', url: URL_RIGHT, min_severity: 'low' },
    ['/min_severity not_one_of'],
  ],
] as const) {
  test(`a webhook ${what} is refused`, async () => {
    const groupId = await newGroup(owner);

    const answer = await owner.send('POST', buildPath(groupId), body);

    assert.equal(answer.status, 422);
    assert.equal(answer.json['code'], 'fields_invalid');
    const errors = answer.json['errors'] as unknown as readonly Json[];
    assert.deepEqual(
      errors.map((error) => `${String(error['pointer'])} ${String(error['code'])}`).sort(),
      fields,
    );
    assert.deepEqual(listItems(await owner.get(buildPath(groupId))), []);
  });
}

test('a group has at most ten webhooks, also when they are made at the same moment', async () => {
  const groupId = await newGroup(owner);

  const answers = await Promise.all(Array.from({ length: 12 }, () => newWebhook(groupId)));

  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [...new Array<number>(10).fill(201), 422, 422]);
  assert.equal(answers.find(({ status }) => status === 422)?.json['code'], 'limit_reached');
  assert.equal(listItems(await owner.get(buildPath(groupId))).length, 10);
});

test('webhooks are for owners: members hear so, and others that there is no such group', async () => {
  const groupId = await newGroup(owner);
  const id = String((await newWebhook(groupId)).json['id']);
  const [member, stranger] = [await newPerson(booted, 'Bo'), await newPerson(booted, 'Cy')];
  await join(booted, { groupId, person: member });

  const requests = (person: TestPerson): readonly Promise<Answer>[] => [
    person.get(buildPath(groupId)),
    person.send('POST', buildPath(groupId), { name: 'a', url: URL_RIGHT }),
    person.get(buildPath(groupId, id)),
    person.send('PATCH', buildPath(groupId, id), { name: 'b' }),
    person.send('POST', buildPath(groupId, id, 'rotate-secret')),
    person.send('DELETE', buildPath(groupId, id)),
    person.get(buildPath(groupId, id, 'deliveries')),
    person.get(buildPath(groupId, id, 'deliveries', 'msg_1')),
    person.send('POST', buildPath(groupId, id, 'deliveries', 'msg_1', 'replay')),
  ];
  const ofMember = await Promise.all(requests(member));
  const ofStranger = await Promise.all(requests(stranger));
  const ofNobody = await booted.call(buildPath(groupId));

  assert.deepEqual(new Set(ofMember.map(({ json }) => json['code'])), new Set(['owner_only']));
  assert.deepEqual(new Set(ofStranger.map(({ json }) => json['code'])), new Set(['not_found']));
  assert.equal(ofNobody.status, 401);
});

test('a webhook of another group is not found', async () => {
  const id = String((await newWebhook(await newGroup(owner))).json['id']);
  const otherGroupId = await newGroup(owner);

  const answers = await Promise.all([
    owner.get(buildPath(otherGroupId, id)),
    owner.send('PATCH', buildPath(otherGroupId, id), { name: 'b' }),
    owner.send('DELETE', buildPath(otherGroupId, id)),
    owner.get(buildPath(otherGroupId, id, 'deliveries')),
  ]);

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]));
});

test('what is set is in the audit, without secrets and without the rest of the URL', async () => {
  const groupId = await newGroup(owner);
  const made = await newWebhook(groupId);
  const id = String(made.json['id']);

  const changed = await owner.send('PATCH', buildPath(groupId, id), {
    name: 'Pager',
    url: 'https://pager.example.com:8443/path-that-may-be-secret',
    status: 'paused',
  });
  const again = await owner.send('PATCH', buildPath(groupId, id), { status: 'active' });
  const rotated = await owner.send('POST', buildPath(groupId, id, 'rotate-secret'));
  const removed = await owner.send('DELETE', buildPath(groupId, id));

  assert.equal(changed.json['name'], 'Pager');
  assert.equal(changed.json['status'], 'paused');
  assert.equal(again.json['status'], 'active');
  assert.equal(again.json['url'], 'https://pager.example.com:8443/path-that-may-be-secret');
  assert.equal(rotated.headers.get('cache-control'), 'no-store');
  assert.notEqual(rotated.json['secret'], made.json['secret']);
  assert.equal(removed.status, 204);
  assert.equal((await owner.get(buildPath(groupId, id))).status, 404);
  const rows = await booted.database.rows(
    'select action, details from audit where group_id = ? and subject = ? order by id',
    groupId,
    id,
  );
  assert.deepEqual(
    rows.map(({ action, details }): readonly unknown[] => [action, JSON.parse(String(details))]),
    [
      [
        'webhook_created',
        { name: 'Incident tool', host: 'hooks.example.com', min_severity: 'info' },
      ],
      ['webhook_changed', { name: 'Pager', host: 'pager.example.com:8443', status: 'paused' }],
      ['webhook_changed', { status: 'active' }],
      ['webhook_secret_rotated', {}],
      ['webhook_deleted', { name: 'Pager' }],
    ],
  );
});

test('a person cannot disable a webhook, and a change to what it is leaves no trace', async () => {
  const groupId = await newGroup(owner);
  const id = String((await newWebhook(groupId)).json['id']);

  const refused = await owner.send('PATCH', buildPath(groupId, id), { status: 'disabled' });
  const same = await owner.send('PATCH', buildPath(groupId, id), { name: 'Incident tool' });

  assert.equal(refused.json['code'], 'fields_invalid');
  assert.equal(same.status, 200);
  const rows = await booted.database.rows(
    "select 1 as found from audit where group_id = ? and action = 'webhook_changed'",
    groupId,
  );
  assert.equal(rows.length, 0);
});

test('a test post arrives signed, and its delivery can be looked up and sent anew', async () => {
  await using receiver = await startReceiver();
  const groupId = await newGroup(owner);
  const made = await newWebhook(groupId, `${receiver.base}/hook`);
  const id = String(made.json['id']);

  const posted = await owner.send('POST', `/api/v1/groups/${groupId}/test`, {});
  const deliveryId = `msg_${String(posted.json['id'])}_${id}`;
  const path = buildPath(groupId, id, 'deliveries', deliveryId);
  const status = async (): Promise<unknown> => (await owner.get(path)).json['status'];
  await until('it is delivered', async () => (await status()) === 'delivered');
  const first = await owner.get(path);
  const replayed = await owner.send('POST', `${path}/replay`);
  await receiver.arrived(2);
  await until('it is delivered again', async () => (await status()) === 'delivered');

  const [request] = receiver.received;
  const headers = request?.headers as Record<string, string>;
  const verifier = new Verifier(String(made.json['secret']));
  const payload = verifier.verify(String(request?.body), headers) as Json;
  assert.equal(payload['type'], 'notification.created');
  const {
    read: _read,
    acknowledged: _acknowledged,
    ...shown
  } = (await owner.get(`/api/v1/groups/${groupId}/notifications/1`)).json;
  assert.deepEqual(payload['data'], shown);
  const { log, ...delivery } = first.json;
  assert.deepEqual(delivery, {
    id: deliveryId,
    webhook_id: id,
    seq: 1,
    status: 'delivered',
    attempts: 1,
    next_attempt_at: null,
    created_at: posted.json['created_at'],
    ended_at: first.json['ended_at'],
  });
  const [attempt] = log as unknown as readonly Json[];
  assert.equal(attempt?.['http_status'], 204);
  assert.equal(replayed.status, 200);
  assert.equal(replayed.json['status'], 'pending');
  assert.deepEqual(
    new Set(receiver.received.map((one) => one.headers['webhook-id'])),
    new Set([deliveryId]),
  );
});

test('a delivery that is pending, or of a paused webhook, is not sent anew', async () => {
  await using receiver = await startReceiver({
    answer: (response) => void response.writeHead(500).end(),
  });
  const groupId = await newGroup(owner);
  const id = String((await newWebhook(groupId, receiver.base)).json['id']);
  const posted = await owner.send('POST', `/api/v1/groups/${groupId}/test`, {});
  const path = buildPath(groupId, id, 'deliveries', `msg_${String(posted.json['id'])}_${id}`);

  const pending = await owner.send('POST', `${path}/replay`);
  await owner.send('PATCH', buildPath(groupId, id), { status: 'paused' });
  const status = async (): Promise<unknown> => (await owner.get(path)).json['status'];
  await until('it has ended', async () => (await status()) === 'failed');
  const paused = await owner.send('POST', `${path}/replay`);

  assert.equal(pending.json['code'], 'conflict');
  assert.equal(paused.json['code'], 'conflict');
});

test('deliveries are listed page by page, the newest first, also by status', async () => {
  const refusing = new Set([2, 4]);
  await using receiver = await startReceiver({
    answer: (response, request) => {
      const { data } = JSON.parse(request.body) as { data: { seq: number } };
      response.writeHead(refusing.has(data.seq) ? 410 : 204).end();
    },
  });
  const groupId = await newGroup(owner);
  const id = String((await newWebhook(groupId, receiver.base)).json['id']);
  const list = async (query: string): Promise<Json> =>
    (await owner.get(`${buildPath(groupId, id, 'deliveries')}?${query}`)).json;
  const listSeqs = (page: Json): readonly unknown[] =>
    (page['items'] as unknown as readonly Json[]).map(({ seq }) => seq);
  for (let seq = 1; seq <= 5; seq += 1) {
    await owner.send('POST', `/api/v1/groups/${groupId}/test`, {});
    await until(
      'nothing is pending',
      async () => listSeqs(await list('status=pending')).length === 0,
    );
    // 410 disables it.
    await owner.send('PATCH', buildPath(groupId, id), { status: 'active' });
  }

  const pages: (readonly unknown[])[] = [];
  let after = '';
  do {
    const page = await list(`limit=2${after}`);
    pages.push(listSeqs(page));
    after = page['next'] === null ? '' : `&after=${String(page['next'])}`;
  } while (after !== '');
  const failed = await list('status=failed');

  assert.deepEqual(pages, [[5, 4], [3, 2], [1]]);
  assert.deepEqual(listSeqs(failed), [4, 2]);
});

test('the log of the service holds no secret of a webhook and no URL', async () => {
  const groupId = await newGroup(owner);
  const made = await newWebhook(groupId, 'https://hooks.example.com/very-secret-path');

  const log = booted.log();

  assert.doesNotMatch(log, /very-secret-path/);
  assert.ok(!log.includes(String(made.json['secret'])));
});
