// What becomes of requests as the senders' documents show them: title, text, severity, link, and what belongs
// together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import fc from 'fast-check';
import {
  ALERTMANAGER_FIRING,
  CLOUDEVENT,
  CLOUDEVENTS_BY_DATA,
  CLOUDEVENTS_IN_HEADERS,
  GITHUB_EVENTS,
  GRAFANA_FIRING,
  SLACK_MESSAGES,
} from '../../../test/adapters/payloads.ts';
import { Problem } from '../../errors.ts';
import { IngestSchema, type IngestBody } from '../../ingest/ingest-schema.ts';
import { ADAPTERS, type Adapter } from '../../keys/key-prefix.ts';
import { POSTS_MAX, type SenderPost, type SenderRequest } from '../sender.ts';
import { SENDERS } from './senders.ts';

function read(
  adapter: Adapter,
  json: unknown,
  changes: Partial<SenderRequest> = {},
): readonly SenderPost[] {
  const bytes = Buffer.from(JSON.stringify(json) ?? '');
  const request = { headers: {}, mediaType: 'application/json', bytes, json, ...changes };
  return SENDERS[adapter].readPosts(request);
}

function readContents(...args: Parameters<typeof read>): readonly IngestBody[] {
  return read(...args).map(({ content }) => content);
}

/** Of a request that is refused: which fields, and the sentence. */
function readRefusal(...args: Parameters<typeof read>): readonly [readonly string[], string] {
  try {
    read(...args);
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.code, 'fields_invalid');
    return [error.fields.map(({ pointer, code }) => `${pointer} ${code}`), error.message];
  }
  return assert.fail('it was taken');
}

test('Alertmanager: each alert is a post, and one that is over is info', () => {
  assert.deepEqual(readContents('alertmanager', ALERTMANAGER_FIRING), [
    {
      title: 'Oven 3 is too hot',
      body:
        '287 °C for five minutes, and the limit is 260 °C\n\n' +
        'instance: oven-3:9100\njob: ovens\n\nRunbook: https://wiki.example.com/ovens#hot',
      severity: 'critical',
      url: 'https://prometheus.example.com/graph?g0.expr=oven_celsius+%3E+260&g0.tab=1',
      dedup_key: '1a30ba71cca2921f',
      status: 'firing',
    },
    {
      title: 'Resolved: OvenTooHot: oven-4:9100',
      body: 'instance: oven-4:9100\njob: ovens',
      severity: 'info',
      url: 'https://alertmanager.example.com',
      dedup_key: '8c1bd0f1f2a9e3d4',
      status: 'resolved',
    },
  ]);
});

for (const [word, severity] of [
  ['critical', 'critical'],
  ['page', 'critical'],
  ['error', 'critical'],
  ['Critical', 'critical'],
  ['warning', 'warning'],
  ['info', 'info'],
  ['none', 'info'],
  [undefined, 'info'],
] as const) {
  test(`Alertmanager: the severity ${word} is ${severity}`, () => {
    const alert = { status: 'firing', labels: { alertname: 'A', severity: word } };

    const [content] = readContents('alertmanager', { alerts: [alert] });

    assert.equal(content?.severity, severity);
  });
}

test('Alertmanager: the same alert sent again has the same name, and fired anew another one', () => {
  const alert = { status: 'firing', labels: {}, fingerprint: 'f', startsAt: '1' };
  const listNames = (...alerts: readonly object[]) =>
    read('alertmanager', { alerts }).map(({ id }) => id?.join(' '));

  const names = listNames(
    alert,
    { ...alert, annotations: { summary: 'now 288 °C' } },
    { ...alert, status: 'resolved' },
    { ...alert, startsAt: '2' },
    { ...alert, fingerprint: undefined, labels: { b: '2', a: '1' } },
    { ...alert, fingerprint: undefined, labels: { a: '1', b: '2' } },
    { ...alert, fingerprint: undefined, startsAt: undefined },
  );

  assert.deepEqual(names, [
    'alertmanager f firing 1',
    'alertmanager f firing 1',
    'alertmanager f resolved 1',
    'alertmanager f firing 2',
    'alertmanager [["a","1"],["b","2"]] firing 1',
    'alertmanager [["a","1"],["b","2"]] firing 1',
    undefined,
  ]);
});

test('Alertmanager: how many alerts it left out is in the last one', () => {
  const alert = { status: 'firing', labels: { alertname: 'A' } };

  const contents = readContents('alertmanager', { alerts: [alert, alert], truncatedAlerts: 7 });

  assert.deepEqual(
    contents.map(({ body }) => body),
    [undefined, 'Alertmanager left out 7 more alerts of this group.'],
  );
});

test('Grafana: the link is the panel, else the dashboard, else the rule', () => {
  const contents = readContents('grafana', GRAFANA_FIRING);

  assert.deepEqual(contents, [
    {
      title: 'Silo 2 is nearly empty',
      body: 'Silo 2 holds less than a day\n\nteam: mill\n\nRunbook: https://wiki.example.com/silos#low',
      severity: 'warning',
      url: 'https://grafana.example.com/d/silos?viewPanel=2',
      dedup_key: 'c6eadffa33fcdf37',
      status: 'firing',
    },
    {
      title: 'Water is low',
      body: 'team: mill',
      severity: 'info',
      url: 'https://grafana.example.com/alerting/d1rdpdv7k/edit',
      dedup_key: 'bc97ff14869b13e3',
      status: 'firing',
    },
  ]);
});

const GITHUB_CASES: Readonly<Record<keyof typeof GITHUB_EVENTS, IngestBody | undefined>> = {
  ping: undefined,
  issues: {
    title: 'bakery/ovens#17: issues opened: The timer runs backwards',
    body: 'Since the last release.\n\nBy ada',
    severity: 'info',
    url: 'https://github.com/bakery/ovens/issues/17',
  },
  issue_comment: {
    title: 'bakery/ovens#17: issue comment created: The timer runs backwards',
    body: 'Mine, too.\n\nBy ada',
    severity: 'info',
    url: 'https://github.com/bakery/ovens/issues/17#c1',
  },
  pull_request: {
    title: 'bakery/ovens#18: pull request merged: Turn the timer round',
    body: 'By ada',
    severity: 'info',
    url: 'https://github.com/bakery/ovens/pull/18',
  },
  push: {
    title: 'bakery/ovens: a commit on main',
    body: '59b20b8 Turn the timer round\nBy ada',
    severity: 'info',
    url: 'https://github.com/bakery/ovens/compare/6113728f27ae...59b20b8d5c6f',
  },
  workflow_run: {
    title: 'bakery/ovens: Test failure on main',
    body: 'Turn the timer round\nBy ada',
    severity: 'warning',
    url: 'https://github.com/bakery/ovens/actions/runs/30433642',
    dedup_key: 'github bakery/ovens workflow_run Test main',
    status: 'firing',
  },
  dependabot_alert: {
    title: 'bakery/ovens: dependabot alert created: A parser that never ends',
    body: 'By ada',
    severity: 'critical',
    url: 'https://github.com/bakery/ovens/security/dependabot/4',
    dedup_key: 'github bakery/ovens dependabot_alert 4',
    status: 'firing',
  },
  release: {
    title: 'bakery/ovens: release published: Two',
    body: 'By ada',
    severity: 'info',
    url: 'https://github.com/bakery/ovens/releases/2',
  },
};

for (const [event, json] of Object.entries(GITHUB_EVENTS)) {
  test(`GitHub: ${event}`, () => {
    const headers = { 'x-github-event': event, 'x-github-delivery': 'd-1' };

    const posts = read('github', json, { headers });

    const expected = GITHUB_CASES[event as keyof typeof GITHUB_EVENTS];
    const wanted = expected === undefined ? [] : [{ content: expected, id: ['github', 'd-1'] }];
    assert.deepEqual(posts, wanted);
  });
}

test('GitHub: a run posts nothing before it ends, and a good end resolves a bad one', () => {
  const run = GITHUB_EVENTS.workflow_run;
  const headers = { 'x-github-event': 'workflow_run' };
  const good = { ...run, workflow_run: { ...run.workflow_run, conclusion: 'success' } };

  const begun = readContents('github', { ...run, action: 'in_progress' }, { headers });
  const [ended] = readContents('github', good, { headers });

  assert.deepEqual(begun, []);
  assert.deepEqual(
    [ended?.dedup_key, ended?.status, ended?.severity],
    [GITHUB_CASES.workflow_run?.dedup_key, 'resolved', 'info'],
  );
});

test('GitHub: an event that nobody here knows is named as GitHub names it', () => {
  const json = { action: 'created', repository: { full_name: 'bakery/ovens' } };

  const contents = readContents('github', json, { headers: { 'x-github-event': 'star_fall' } });

  assert.deepEqual(contents, [{ title: 'bakery/ovens: star fall created', severity: 'info' }]);
});

const CLOUDEVENT_CONTENT: IngestBody = {
  title: 'Oven 3 is too hot',
  body: 'com.example.oven.hot from https://ovens.example.com/3\noven/3\n2026-03-02T17:31:00Z',
  severity: 'critical',
  url: 'https://ovens.example.com/3',
};

test('CloudEvents: structured, batched and binary mode say the same', () => {
  const { data, datacontenttype, ...attributes } = CLOUDEVENT;
  const headers = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeURIComponent(value)]),
  );

  const structured = read('cloudevents', CLOUDEVENT, { mediaType: 'application/cloudevents+json' });
  const batched = read('cloudevents', [CLOUDEVENT, { ...CLOUDEVENT, id: 'B' }], {
    mediaType: 'application/cloudevents-batch+json',
  });
  const binary = read('cloudevents', data, { headers, mediaType: datacontenttype });

  const post = {
    content: CLOUDEVENT_CONTENT,
    id: ['cloudevents', CLOUDEVENT.source, CLOUDEVENT.id],
  };
  assert.deepEqual(structured, [post]);
  assert.deepEqual(batched, [post, { ...post, id: ['cloudevents', CLOUDEVENT.source, 'B'] }]);
  assert.deepEqual(binary, [post]);
});

test('CloudEvents: data without a title is shown as it is, text and base64 too', () => {
  const mediaType = 'application/cloudevents+json';
  const event = { specversion: '1.0', id: '1', source: '/ovens', type: 'hot' };
  const readBody = (changes: object): string | undefined =>
    readContents('cloudevents', { ...event, ...changes }, { mediaType })[0]?.body;

  assert.deepEqual(
    [
      readBody({}),
      readBody({ data: { celsius: 287 } }),
      readBody({ data: 'hot' }),
      readBody({ data_base64: 'aG90', datacontenttype: 'text/plain' }),
      readBody({ data_base64: 'AAEC', datacontenttype: 'image/png' }),
    ],
    [
      'hot from /ovens',
      '{\n  "celsius": 287\n}\n\nhot from /ovens',
      'hot\n\nhot from /ovens',
      'hot\n\nhot from /ovens',
      'hot from /ovens',
    ],
  );
});

test('CloudEvents: the examples of its JSON format say the same structured, in a batch and in headers', () => {
  const structured = CLOUDEVENTS_BY_DATA.flatMap((event) =>
    read('cloudevents', event, { mediaType: 'application/cloudevents+json' }),
  );
  const batched = read('cloudevents', CLOUDEVENTS_BY_DATA, {
    mediaType: 'application/cloudevents-batch+json',
  });
  const inHeaders = CLOUDEVENTS_IN_HEADERS.flatMap(({ headers, body }) => {
    const mediaType = headers['Content-Type'];
    const isJson = mediaType === 'application/json';
    const bytes = Buffer.from(body, 'latin1');
    return read('cloudevents', isJson ? JSON.parse(body) : undefined, {
      headers,
      mediaType,
      bytes,
    });
  });

  const from = 'com.example.oven from /ovens\n2026-03-02T17:31:00Z';
  const bodies = [
    from,
    `<oven hot="yes"/>\n\n${from}`,
    `{\n  "appinfoA": "abc",\n  "appinfoB": 123,\n  "appinfoC": true\n}\n\n${from}`,
    `Oven 3 is too hot\n\n${from}`,
  ];
  assert.deepEqual(
    structured,
    bodies.map((body, index) => ({
      content: { title: 'com.example.oven', body, severity: 'info' },
      id: ['cloudevents', '/ovens', CLOUDEVENTS_BY_DATA[index]?.id],
    })),
  );
  assert.deepEqual([batched, inHeaders], [structured, structured]);
});

for (const [what, sent, subject] of [
  ['percent-encoded', 'Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
  ['quoted, as older senders do', '"oven \\"3\\" \\\\ east"', 'oven "3" \\ east'],
] as const) {
  test(`CloudEvents: a header that is ${what} is read`, () => {
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': '1',
      'ce-source': '/ovens',
      'ce-type': 'hot',
      'ce-subject': sent,
    };

    const [content] = readContents('cloudevents', {}, { headers });

    assert.equal(content?.title, `hot: ${subject}`);
  });
}

test('CloudEvents: data may say what our own members say', () => {
  const data = { title: 'T', url: 'https://a.example/', dedup_key: 'k', status: 'resolved' };

  const [content] = readContents(
    'cloudevents',
    { ...CLOUDEVENT, data },
    { mediaType: 'application/cloudevents+json' },
  );

  const { url, dedup_key, status } = content ?? {};
  assert.deepEqual([url, dedup_key, status], ['https://a.example/', 'k', 'resolved']);
});

test('Slack: the first line is the title, mark-up becomes text, the first link the link', () => {
  assert.deepEqual(readContents('slack', SLACK_MESSAGES.text), [
    {
      title: 'Danny left the oven on:',
      body: 'Oven 3 (https://ovens.example.com/3) & the mixer',
      severity: 'info',
      url: 'https://ovens.example.com/3',
    },
  ]);
});

test('Slack: blocks become lines, without what can only be clicked', () => {
  assert.deepEqual(readContents('slack', SLACK_MESSAGES.blocks), [
    {
      title: 'A new order came in',
      body:
        'Order 4711\nOf *Ada*, see it (https://orders.example.com/4711)\nWhen: today\nLoaves: 12\n' +
        'Paid by card (https://pay.example.com/1)',
      severity: 'info',
      url: 'https://orders.example.com/4711',
    },
  ]);
});

test('Slack: the example of its incoming webhooks', () => {
  assert.deepEqual(readContents('slack', SLACK_MESSAGES.review), [
    {
      title: 'Ada gave the bread one star.',
      body:
        'Ada wrote about your bread:\nRye, 1 kg (https://bread.example.com)\n:star:\n' +
        'The crust was burnt, and the crumb was raw.\n*Average*\n1.0',
      severity: 'info',
      url: 'https://bread.example.com',
    },
  ]);
});

test('Slack: each element of rich text is shown, the cells of a table, and a context', () => {
  assert.deepEqual(readContents('slack', SLACK_MESSAGES.rich), [
    {
      title: ':fire: Oven 3, @U012AB3CD and @S012AB3CD in #C012AB3CD, @here since 15:00',
      body:
        'Open the door\nCall Bo\ncelsius 287\nIt smells.\nOven | °C\n3 | 287\n' +
        'an oven Location: *bakery*',
      severity: 'info',
    },
  ]);
});

test('Slack: attachments have a link, a colour and fields', () => {
  assert.deepEqual(readContents('slack', SLACK_MESSAGES.attachments), [
    {
      title: 'From the mill',
      body:
        'Millstone watch\nMillstone 1 stands still\nNo turn for ten minutes\nPriority: High\nStone: 1\n' +
        'Turns: 0\nMill watch',
      severity: 'critical',
      url: 'https://mill.example.com/1',
    },
  ]);
});

const FIRING = { status: 'firing', labels: {} };

for (const [what, adapter, json, changes, fields] of [
  ['no object', 'alertmanager', 5, {}, ['/alerts required']],
  ['another object', 'grafana', { title: 'A' }, {}, ['/alerts required']],
  ['no alert', 'alertmanager', { alerts: [] }, {}, ['/alerts too_short']],
  [
    'too many alerts',
    'grafana',
    { alerts: Array(POSTS_MAX + 1).fill(FIRING) },
    {},
    ['/alerts too_many'],
  ],
  [
    'alerts of another shape',
    'alertmanager',
    { alerts: [FIRING, 5, { labels: [], status: 'burning' }] },
    {},
    ['/alerts/1 wrong_type', '/alerts/2/labels required', '/alerts/2/status not_one_of'],
  ],
  ['no event', 'github', {}, {}, ['header:x-github-event required']],
  ['a list', 'github', [], { headers: { 'x-github-event': 'push' } }, [' wrong_type']],
  [
    'an event of another version',
    'cloudevents',
    { ...CLOUDEVENT, specversion: '0.3' },
    { mediaType: 'application/cloudevents+json' },
    ['/specversion not_one_of'],
  ],
  [
    'an event without its attributes',
    'cloudevents',
    [CLOUDEVENT, { specversion: '1.0', id: '' }],
    { mediaType: 'application/cloudevents-batch+json' },
    ['/1/id required', '/1/source required', '/1/type required'],
  ],
  [
    'headers without all attributes',
    'cloudevents',
    {},
    { headers: { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-type': 'a' } },
    ['header:ce-source required'],
  ],
  [
    'a batch that is none',
    'cloudevents',
    CLOUDEVENT,
    { mediaType: 'application/cloudevents-batch+json' },
    [' wrong_type'],
  ],
  [
    'too large a batch',
    'cloudevents',
    Array(POSTS_MAX + 1).fill(CLOUDEVENT),
    { mediaType: 'application/cloudevents-batch+json' },
    [' too_many'],
  ],
  ['nothing to say', 'slack', { username: 'oven', text: ' ' }, {}, ['/text required']],
  ['a text that is none', 'slack', { text: 5 }, {}, ['/text required']],
] as const) {
  test(`${adapter}: ${what} is refused, saying what was looked for`, () => {
    const [wrong, sentence] = readRefusal(adapter, json, changes);

    assert.deepEqual(wrong, fields);
    assert.match(sentence, /^Nothing was stored\. A .* was looked for: /);
  });
}

const check = compileValueSchema<IngestBody>(IngestSchema);

/** Requests as documented, by what they are read as. */
const SAMPLES: Readonly<Record<Adapter, readonly unknown[]>> = {
  alertmanager: [ALERTMANAGER_FIRING],
  grafana: [GRAFANA_FIRING],
  github: Object.values(GITHUB_EVENTS),
  cloudevents: [CLOUDEVENT, ...CLOUDEVENTS_BY_DATA],
  slack: Object.values(SLACK_MESSAGES),
};

/** A value with one of its parts replaced, at a way that `picks` choose. */
function withPart(value: unknown, picks: readonly number[], part: unknown): unknown {
  const [pick, ...rest] = picks;
  if (typeof value !== 'object' || value === null || pick === undefined) return part;
  const names = Object.keys(value);
  const name = names[pick % Math.max(1, names.length)] ?? 'a';
  const changed = { [name]: withPart(Reflect.get(value, name), rest, part) };
  return Array.isArray(value)
    ? Object.assign([...(value as readonly unknown[])], changed)
    : { ...value, ...changed };
}

for (const adapter of ADAPTERS) {
  test(`${adapter}: whatever is sent is refused in words, or fits the interface`, () => {
    const picks = fc.array(fc.nat(20), { maxLength: 5 });
    const event = fc.constantFrom(...Object.keys(GITHUB_EVENTS));
    const sample = fc.constantFrom(...SAMPLES[adapter]);
    fc.assert(
      fc.property(sample, picks, fc.jsonValue(), event, (whole, way, part, name) => {
        const mediaType = adapter === 'cloudevents' ? 'application/cloudevents+json' : undefined;
        const json = withPart(whole, way, part);
        try {
          for (const content of readContents(adapter, json, {
            mediaType,
            headers: { 'x-github-event': name },
          })) {
            assert.equal(check(content).kind, 'valid');
          }
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      }),
      { numRuns: 200 },
    );
  });
}
