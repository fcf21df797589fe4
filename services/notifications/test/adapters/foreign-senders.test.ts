// What senders document is posted to a running service, each of it, and by their own libraries where there are any:
// every request is taken, and stored as often as it says.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sign } from '@octokit/webhooks-methods';
import { IncomingWebhook } from '@slack/webhook';
import { textAt } from '../../src/adapters/members.ts';
import { boot } from '../boot.ts';
import { INGEST } from '../posting.ts';
import { readGitHubExamples } from './github-examples.ts';
import {
  ALERTMANAGER_FIRING,
  CLOUDEVENTS_BY_DATA,
  CLOUDEVENTS_IN_HEADERS,
  GRAFANA_FIRING,
  SLACK_MESSAGES,
} from './payloads.ts';
import { issueToken, type AdapterToken } from './token.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

/** Of all deliveries of GitHub's examples: enough for posts to be committed together. */
const DELIVERIES_AT_A_TIME = 16;

async function titlesIn({ groupId }: AdapterToken): Promise<readonly string[]> {
  const rows = await booted.database.rows(
    'select title from notifications where group_id = ? order by seq',
    groupId,
  );
  return rows.map(({ title }) => String(title));
}

test('GitHub: every documented payload, signed by its library, is taken, and once when it is delivered again', async () => {
  const made = await issueToken(booted, 'github');
  const examples = readGitHubExamples();
  const deliver = async (event: string, payload: unknown, delivery: string) => {
    const body = JSON.stringify(payload);
    const { status, json } = await booted.call(`${INGEST}/github/${made.id}`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'GitHub-Hookshot/044aadd',
        'X-GitHub-Event': event,
        'X-GitHub-Delivery': delivery,
        'X-GitHub-Hook-ID': '292430182',
        'X-GitHub-Hook-Installation-Target-ID': '79929171',
        'X-GitHub-Hook-Installation-Target-Type': 'repository',
        'X-Hub-Signature-256': await sign(made.token, body),
      },
    });
    return { event, status, posted: Object.values(json['posted'] ?? {}) };
  };

  const deliveries = examples.map((example, index) => ({ ...example, id: `delivery-${index}` }));
  const answers = [];
  for (let from = 0; from < deliveries.length; from += DELIVERIES_AT_A_TIME) {
    const some = deliveries.slice(from, from + DELIVERIES_AT_A_TIME);
    const delivered = some.map(({ event, payload, id }) => deliver(event, payload, id));
    answers.push(...(await Promise.all(delivered)));
  }
  const [first] = examples;
  const again = await deliver(first?.event ?? '', first?.payload, 'delivery-0');

  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  const posted = answers.flatMap((answer) => answer.posted);
  assert.ok(posted.length > examples.length / 2);
  assert.equal((await titlesIn(made)).length, posted.length);
  assert.deepEqual(
    again.posted.map(({ replayed }) => replayed),
    [true],
  );
});

for (const [adapter, payload, titles] of [
  ['alertmanager', ALERTMANAGER_FIRING, ['Oven 3 is too hot', 'Resolved: OvenTooHot: oven-4:9100']],
  ['grafana', GRAFANA_FIRING, ['Silo 2 is nearly empty', 'Water is low']],
] as const) {
  test(`${adapter}: the documented payload is posted once, however often it is sent`, async () => {
    const made = await issueToken(booted, adapter);
    const send = () =>
      booted.call(`${INGEST}/${adapter}`, {
        method: 'POST',
        body: JSON.stringify(payload),
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${made.token}` },
      });

    const statuses = [(await send()).status, (await send()).status];

    assert.deepEqual(statuses, [200, 200]);
    assert.deepEqual(await titlesIn(made), titles);
  });
}

test('CloudEvents: the documented events are one each, structured, in a batch, and in headers', async () => {
  const made = await issueToken(booted, 'cloudevents');
  const path = `${INGEST}/cloudevents/${made.token}`;
  const requests = [
    ...CLOUDEVENTS_BY_DATA.map((event) => ({
      body: JSON.stringify(event),
      headers: { 'Content-Type': 'application/cloudevents+json; charset=UTF-8' },
    })),
    ...[CLOUDEVENTS_BY_DATA, []].map((batch) => ({
      body: JSON.stringify(batch),
      headers: { 'Content-Type': 'application/cloudevents-batch+json; charset=UTF-8' },
    })),
    ...CLOUDEVENTS_IN_HEADERS.map(({ body, headers }) => ({
      body: new Uint8Array(Buffer.from(body, 'latin1')),
      headers,
    })),
  ];

  const statuses = [];
  for (const request of requests) {
    statuses.push((await booted.call(path, { method: 'POST', ...request })).status);
  }

  assert.deepEqual([...new Set(statuses)], [200]);
  assert.equal((await titlesIn(made)).length, CLOUDEVENTS_BY_DATA.length);
});

test("Slack: its own library posts each documented message, and reads the answer as Slack's", async () => {
  const made = await issueToken(booted, 'slack');
  const webhook = new IncomingWebhook(`${booted.base}${INGEST}/slack/${made.token}`);

  const answers = [await webhook.send('Oven 3 is too hot')];
  for (const message of Object.values(SLACK_MESSAGES)) {
    // As it is documented, which is wider than the types of the library.
    const copy: unknown = JSON.parse(JSON.stringify(message));
    assert.ok(typeof copy === 'object' && copy !== null);
    answers.push(await webhook.send(copy));
  }

  assert.deepEqual([...new Set(answers.map(({ text }) => text))], ['ok']);
  const titles = await titlesIn(made);
  assert.equal(titles.length, answers.length);
  assert.equal(titles[0], 'Oven 3 is too hot');
});

test('Slack: its own library reports what is refused, with the status and the reason', async () => {
  const made = await issueToken(booted, 'slack');
  const webhook = new IncomingWebhook(`${booted.base}${INGEST}/slack/${made.token}`);

  const refused: unknown = await webhook.send({ blocks: [] }).catch((error: unknown) => error);

  assert.ok(refused instanceof Error);
  assert.match(refused.message, /422/);
  assert.match(String(textAt({ ...refused }, 'body')), /A message for Slack was looked for/);
  assert.deepEqual(await titlesIn(made), []);
});
