// What Slack and ntfy are sent: every text as text, within their limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SentNotification } from './format.ts';
import { ntfyPlace, ntfyRequest } from './ntfy.ts';
import { slackBody } from './slack.ts';

const LINK = 'https://inbox.example.com/inbox/groups/grp_1/n/7';

function notification(changes: Partial<SentNotification> = {}): SentNotification {
  return {
    id: 42,
    groupId: 'grp_1',
    seq: 7,
    title: 'Oven 3 is too hot',
    body: '287 °C',
    severity: 'critical',
    url: null,
    dedupKey: null,
    status: null,
    createdAt: 0,
    keyId: 'k1',
    keyName: 'Oven control',
    accountId: null,
    accountName: null,
    redactedAt: null,
    ...changes,
  };
}

interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: { readonly type: string; readonly text: string };
    readonly elements?: readonly { readonly text: string }[];
  }[];
}

function buildSlack(changes: Partial<SentNotification> = {}): SlackMessage {
  return JSON.parse(slackBody(notification(changes), LINK)) as SlackMessage;
}

test('Slack gets title, text, severity, sender and a link, none of them as markup', () => {
  const message = buildSlack({
    title: '<!channel> a & b',
    body: '<https://evil.example|click> & go',
    keyName: '*bold* <@U1>',
  });

  assert.equal(message.text, ':red_circle: Critical: &lt;!channel&gt; a &amp; b');
  assert.deepEqual(
    message.blocks.map(({ type, text }) => [type, text?.type, text?.text]),
    [
      ['header', 'plain_text', '&lt;!channel&gt; a &amp; b'],
      ['section', 'plain_text', '&lt;https://evil.example|click&gt; &amp; go'],
      ['context', undefined, undefined],
    ],
  );
  const context = message.blocks[2]?.elements?.[0]?.text ?? '';
  assert.ok(context.includes(`<${LINK}|Open in the inbox>`));
  assert.ok(context.includes('&lt;@U1&gt;') && !context.includes('*bold*'));
});

test('a link of the sender cannot end the markup that it is in', () => {
  const message = buildSlack({ url: 'https://a.example/?q=1&x=|y>z' });

  const context = message.blocks[2]?.elements?.[0]?.text ?? '';
  assert.ok(
    context.includes('<https://a.example/?q=1&amp;x=%7Cy%3Ez|Where it comes from>'),
    context,
  );
});

test('texts are cut to what Slack takes, escaped, and no escape is cut in two', () => {
  const { blocks } = buildSlack({ title: '<'.repeat(120), body: '&'.repeat(4_000) });

  const [title = '', body = ''] = blocks.map(({ text }) => text?.text);
  assert.ok(title.length <= 150 && title.endsWith('&lt;…'));
  assert.ok(body.length <= 3_000 && body.endsWith('&amp;…'));
});

test('a notification without a text has no empty block', () => {
  assert.deepEqual(
    buildSlack({ body: null }).blocks.map(({ type }) => type),
    ['header', 'context'],
  );
});

function buildNtfy(changes: Partial<SentNotification> = {}, accessToken: string | null = null) {
  const url = new URL('https://ntfy.example.com/bakery-alarms');
  const request = ntfyRequest(notification(changes), { url, link: LINK, accessToken });
  return { ...request, message: JSON.parse(request.body) as Readonly<Record<string, unknown>> };
}

test('ntfy gets the topic of its address, priority and tags by severity, and where to go on a tap', () => {
  const { url, headers, message } = buildNtfy({
    title: 'Müller & Söhne\n',
    body: 'Zeile 1\nZeile 2',
  });

  assert.equal(url.href, 'https://ntfy.example.com/');
  assert.deepEqual(headers, {});
  assert.deepEqual(message, {
    topic: 'bakery-alarms',
    title: 'Müller & Söhne\n',
    message: 'Zeile 1\nZeile 2',
    priority: 5,
    tags: ['rotating_light'],
    click: LINK,
  });
  const priorities = (['info', 'warning'] as const).map(
    (severity) => buildNtfy({ severity }).message['priority'],
  );
  assert.deepEqual(priorities, [3, 4]);
});

test('ntfy shows the title where there is no text, and opens the link of the sender', () => {
  const { message } = buildNtfy({ body: null, url: 'https://a.example/' });

  assert.equal(message['message'], 'Oven 3 is too hot');
  assert.ok(!('title' in message));
  assert.equal(message['click'], 'https://a.example/');
});

test('a message of ntfy is cut by bytes, and its token goes into a header alone', () => {
  const { message, headers, body } = buildNtfy({ body: '🔥'.repeat(2_000) }, 'tk_secret');

  assert.ok(Buffer.byteLength(String(message['message'])) <= 4_000);
  assert.ok(String(message['message']).endsWith('🔥…'));
  assert.deepEqual(headers, { authorization: 'Bearer tk_secret' });
  assert.ok(!body.includes('tk_secret'));
});

test('an address without a topic is none of ntfy', () => {
  const places = [
    'https://ntfy.sh/alarms',
    'https://host.example/ntfy/alarms',
    'https://ntfy.sh/',
    'https://ntfy.sh/a b',
    'https://ntfy.sh/alarms?auth=x',
  ].map((text) => {
    const place = ntfyPlace(new URL(text));
    return place === undefined ? undefined : `${place.server.href} ${place.topic}`;
  });

  assert.deepEqual(places, [
    'https://ntfy.sh/ alarms',
    'https://host.example/ntfy/ alarms',
    undefined,
    undefined,
    undefined,
  ]);
});
