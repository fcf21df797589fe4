// Webhooks of other formats, and trying one out: over HTTP, to a receiver on this machine.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startReceiver, type Receiver } from '@lothub/delivery/test/receiver';
import { Webhook as Verifier } from 'standardwebhooks';
import { boot, type Answer } from '../boot.ts';
import { join, newGroup, newPerson } from '../people/person.ts';
import { formatCode, listFields } from '../posting.ts';
import { postTo } from '../stored-group.ts';

const booted = await boot({ env: { NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1' } });
after(() => booted[Symbol.asyncDispose]());
const ada = await newPerson(booted);

async function make(
  groupId: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Answer & { readonly path: string }> {
  const path = `/api/v1/groups/${groupId}/webhooks`;
  const made = await ada.send('POST', path, { name: 'Chat', ...values });
  return { ...made, path: `${path}/${String(made.json['id'])}` };
}

async function readBody(receiver: Receiver, index = 0): Promise<Readonly<Record<string, unknown>>> {
  await receiver.arrived(index + 1);
  return JSON.parse(receiver.received[index]?.body ?? '') as Readonly<Record<string, unknown>>;
}

test('a Slack webhook is sent a message of Slack without a signature, and has no secret', async () => {
  await using receiver = await startReceiver();
  const groupId = await newGroup(ada);
  const made = await make(groupId, { url: `${receiver.base}/T1/B1`, format: 'slack' });
  const rotated = await ada.send('POST', `${made.path}/rotate-secret`);

  await booted.service.store.post(postTo(groupId, { title: 'Hot <oven>' }));

  const { text } = await readBody(receiver);
  assert.equal(text, ':large_blue_circle: Info: Hot &lt;oven&gt;');
  const headers = Object.keys(receiver.received[0]?.headers ?? {});
  assert.deepEqual(
    headers.filter((name) => name.startsWith('webhook-')),
    [],
  );
  assert.deepEqual([made.status, made.json['secret'], made.json['format']], [201, null, 'slack']);
  assert.equal(formatCode(rotated), '409 conflict');
});

test('an ntfy webhook is sent to its server with the token, which is shown nowhere and can be taken away', async () => {
  await using receiver = await startReceiver();
  const groupId = await newGroup(ada);
  const made = await make(groupId, {
    url: `${receiver.base}/alarms`,
    format: 'ntfy',
    access_token: 'tk_secret123',
  });
  await booted.service.store.post(postTo(groupId, { severity: 'critical' }));
  const first = await readBody(receiver);
  const removed = await ada.send('PATCH', made.path, { access_token: null });
  await booted.service.store.post(postTo(groupId));
  await receiver.arrived(2);

  assert.deepEqual([first['topic'], first['priority']], ['alarms', 5]);
  assert.deepEqual(
    receiver.received.map(({ path, headers }) => [path, headers.authorization]),
    [
      ['/', 'Bearer tk_secret123'],
      ['/', undefined],
    ],
  );
  assert.deepEqual(
    [made.json['has_access_token'], removed.json['has_access_token']],
    [true, false],
  );
  const pages = await Promise.all([
    ada.get(`/inbox/groups/${groupId}/webhooks/${String(made.json['id'])}`),
    ada.get(`/api/v1/groups/${groupId}/audit`),
    Promise.resolve(made),
  ]);
  assert.ok(pages.every(({ text }) => !text.includes('tk_secret123')));
  assert.ok(!booted.log().includes('tk_secret123'));
});

test('what does not fit a format is refused', async () => {
  const groupId = await newGroup(ada);
  const url = 'https://hooks.example.com/';

  const answers = await Promise.all([
    make(groupId, { url, format: 'teams' }),
    make(groupId, { url, format: 'ntfy' }),
    make(groupId, { url, format: 'slack', access_token: 'tk_1' }),
    make(groupId, { url: `${url}topic`, format: 'ntfy', access_token: 'tk 1\n' }),
  ]);

  assert.deepEqual(
    answers.map((answer) =>
      listFields(answer).map((field) => field.split(' ').slice(0, 2).join(' ')),
    ),
    [
      ['/format not_one_of'],
      ['/url wrong_form'],
      ['/access_token wrong_form'],
      ['/access_token wrong_form'],
    ],
  );
});

test('a test is sent by the way of every delivery, and shows what was answered', async () => {
  const long = `<b>${'x'.repeat(3_000)}`;
  await using receiver = await startReceiver({
    answer: (response) => void response.writeHead(202).end(long),
  });
  const groupId = await newGroup(ada);
  const made = await make(groupId, { url: `${receiver.base}/` });
  await ada.send('PATCH', made.path, { status: 'paused' });

  const tested = await ada.send('POST', `${made.path}/test`);
  const page = await booted.call(
    `/inbox/groups/${groupId}/webhooks/${String(made.json['id'])}/test`,
    { method: 'POST', headers: ada.headers },
  );

  assert.deepEqual(
    [tested.status, tested.json['delivered'], tested.json['http_status']],
    [200, true, 202],
  );
  assert.equal(String(tested.json['body']), long.slice(0, 1_000));
  const [request] = receiver.received;
  const verifier = new Verifier(String(made.json['secret']));
  const payload = verifier.verify(request?.body ?? '', request?.headers as Record<string, string>);
  assert.equal((payload as { readonly type: string }).type, 'notification.test');
  assert.ok(page.text.includes('&lt;b&gt;xxx') && !page.text.includes('<b>xxx'));
  const stored = await booted.database.rows(
    'select id from deliveries where group_id = ?',
    groupId,
  );
  assert.deepEqual(stored, []);
});

test('a test that finds nobody says so, is for owners, and cannot be sent without end', async () => {
  const receiver = await startReceiver();
  await receiver[Symbol.asyncDispose]();
  const eve = await newPerson(booted, 'Eve');
  const groupId = await newGroup(ada);
  const made = await make(groupId, { url: `${receiver.base}/` });
  await join(booted, { groupId, person: eve });

  const unanswered = await ada.send('POST', `${made.path}/test`);
  const refused = await eve.send('POST', `${made.path}/test`);
  let last = unanswered;
  for (let count = 0; count < 20 && last.status === 200; count += 1) {
    last = await ada.send('POST', `${made.path}/test`);
  }

  assert.deepEqual(
    [unanswered.json['delivered'], unanswered.json['error'], unanswered.json['body']],
    [false, 'The host refused the connection', null],
  );
  assert.equal(formatCode(refused), '403 owner_only');
  assert.equal(formatCode(last), '429 rate_limited');
  assert.ok(last.headers.has('retry-after'));
});
