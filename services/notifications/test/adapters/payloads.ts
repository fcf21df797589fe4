// Requests as the documents of their senders show them: every member that a documented example has is here, in
// its place and of its type; the values are ours. GitHub's own examples are in github-examples.ts, word for word.

/** Prometheus, Alertmanager configuration, webhook_config: version 4. */
export const ALERTMANAGER_FIRING = {
  version: '4',
  groupKey: '{}/{severity="critical"}:{alertname="OvenTooHot"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'bakery',
  groupLabels: { alertname: 'OvenTooHot' },
  commonLabels: { alertname: 'OvenTooHot', job: 'ovens', severity: 'critical' },
  commonAnnotations: {},
  externalURL: 'https://alertmanager.example.com',
  alerts: [
    {
      status: 'firing',
      labels: {
        alertname: 'OvenTooHot',
        instance: 'oven-3:9100',
        job: 'ovens',
        severity: 'critical',
      },
      annotations: {
        summary: 'Oven 3 is too hot',
        description: '287 °C for five minutes, and the limit is 260 °C',
        runbook_url: 'https://wiki.example.com/ovens#hot',
      },
      startsAt: '2026-03-02T07:10:45.828Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'https://prometheus.example.com/graph?g0.expr=oven_celsius+%3E+260&g0.tab=1',
      fingerprint: '1a30ba71cca2921f',
    },
    {
      status: 'resolved',
      labels: {
        alertname: 'OvenTooHot',
        instance: 'oven-4:9100',
        job: 'ovens',
        severity: 'critical',
      },
      annotations: {},
      startsAt: '2026-03-02T06:10:45.828Z',
      endsAt: '2026-03-02T07:09:45.828Z',
      generatorURL: '',
      fingerprint: '8c1bd0f1f2a9e3d4',
    },
  ],
};

/** Grafana, webhook notifier for Alerting: the example of its page, and `imageURL` of the table below it. */
export const GRAFANA_FIRING = {
  receiver: 'Bakery',
  status: 'firing',
  orgId: 1,
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'Flour is low', team: 'mill', severity: 'warning' },
      annotations: {
        description: 'Silo 2 holds less than a day',
        runbook_url: 'https://wiki.example.com/silos#low',
        summary: 'Silo 2 is nearly empty',
      },
      startsAt: '2026-03-02T09:51:03.157076+01:00',
      endsAt: '0001-01-01T00:00:00Z',
      values: { B: 44.23943737541908, C: 1 },
      generatorURL: 'https://grafana.example.com/alerting/1afz29v7z/edit',
      fingerprint: 'c6eadffa33fcdf37',
      silenceURL: 'https://grafana.example.com/alerting/silence/new?matchers=team%3Dmill',
      dashboardURL: 'https://grafana.example.com/d/silos',
      panelURL: 'https://grafana.example.com/d/silos?viewPanel=2',
      imageURL: 'https://grafana.example.com/screenshots/2.png',
    },
    {
      status: 'firing',
      labels: { alertname: 'Water is low', team: 'mill' },
      annotations: {},
      startsAt: '2026-03-02T09:56:03.157076+01:00',
      endsAt: '0001-01-01T00:00:00Z',
      values: { B: 12, C: 1 },
      generatorURL: 'https://grafana.example.com/alerting/d1rdpdv7k/edit',
      fingerprint: 'bc97ff14869b13e3',
      silenceURL: 'https://grafana.example.com/alerting/silence/new?matchers=team%3Dmill',
      dashboardURL: '',
      panelURL: '',
    },
  ],
  groupLabels: {},
  commonLabels: { team: 'mill' },
  commonAnnotations: {},
  externalURL: 'https://grafana.example.com/',
  version: '1',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  title: '[FIRING:2] (mill)',
  state: 'alerting',
  message: '**Firing**',
};

const GITHUB_PLACE = {
  repository: {
    id: 1296269,
    full_name: 'bakery/ovens',
    html_url: 'https://github.com/bakery/ovens',
    private: true,
  },
  sender: { login: 'ada', id: 1 },
};

/** GitHub, webhook events and payloads, by `X-GitHub-Event`. */
export const GITHUB_EVENTS = {
  ping: {
    zen: 'Keep it simple.',
    hook_id: 30,
    hook: { type: 'Repository', id: 30 },
    ...GITHUB_PLACE,
  },
  issues: {
    action: 'opened',
    issue: {
      number: 17,
      title: 'The timer runs backwards',
      body: 'Since the last release.',
      html_url: 'https://github.com/bakery/ovens/issues/17',
    },
    ...GITHUB_PLACE,
  },
  issue_comment: {
    action: 'created',
    issue: { number: 17, title: 'The timer runs backwards', html_url: 'https://github.com/i/17' },
    comment: { body: 'Mine, too.', html_url: 'https://github.com/bakery/ovens/issues/17#c1' },
    ...GITHUB_PLACE,
  },
  pull_request: {
    action: 'closed',
    number: 18,
    pull_request: {
      number: 18,
      title: 'Turn the timer round',
      body: null,
      merged: true,
      html_url: 'https://github.com/bakery/ovens/pull/18',
    },
    ...GITHUB_PLACE,
  },
  push: {
    ref: 'refs/heads/main',
    before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
    after: '59b20b8d5c6ff8d09518216e87bc4f4b2f6a3b3e',
    created: false,
    deleted: false,
    compare: 'https://github.com/bakery/ovens/compare/6113728f27ae...59b20b8d5c6f',
    commits: [
      {
        id: '59b20b8d5c6ff8d09518216e87bc4f4b2f6a3b3e',
        message: 'Turn the timer round\n\nFixes 17.',
      },
    ],
    pusher: { name: 'ada' },
    ...GITHUB_PLACE,
  },
  workflow_run: {
    action: 'completed',
    workflow_run: {
      id: 30433642,
      name: 'Test',
      head_branch: 'main',
      display_title: 'Turn the timer round',
      status: 'completed',
      conclusion: 'failure',
      html_url: 'https://github.com/bakery/ovens/actions/runs/30433642',
    },
    ...GITHUB_PLACE,
  },
  dependabot_alert: {
    action: 'created',
    alert: {
      number: 4,
      state: 'open',
      security_advisory: { summary: 'A parser that never ends', severity: 'high' },
      html_url: 'https://github.com/bakery/ovens/security/dependabot/4',
    },
    ...GITHUB_PLACE,
  },
  release: {
    action: 'published',
    release: {
      tag_name: 'v2.0.0',
      name: 'Two',
      html_url: 'https://github.com/bakery/ovens/releases/2',
    },
    ...GITHUB_PLACE,
  },
} as const;

/** CloudEvents, JSON event format, section 3.1. */
export const CLOUDEVENT = {
  specversion: '1.0',
  type: 'com.example.oven.hot',
  source: 'https://ovens.example.com/3',
  subject: 'oven/3',
  id: 'A234-1234-1234',
  time: '2026-03-02T17:31:00Z',
  datacontenttype: 'application/json',
  data: { title: 'Oven 3 is too hot', celsius: 287, severity: 'critical' },
};

const FROM_OVEN = {
  specversion: '1.0',
  type: 'com.example.oven',
  source: '/ovens',
  time: '2026-03-02T17:31:00Z',
  comexampleextension1: 'east',
  comexampleothervalue: 5,
};

/** CloudEvents, JSON event format, section 3.2: data as bytes, as another text, as JSON, and as a JSON string. */
export const CLOUDEVENTS_BY_DATA = [
  {
    ...FROM_OVEN,
    id: 'A234-1234-1234',
    datacontenttype: 'application/vnd.apache.thrift.binary',
    data_base64: 'gAEAAQAAAANob3QAAAABAA==',
  },
  {
    ...FROM_OVEN,
    id: 'B234-1234-1234',
    unsetextension: null,
    datacontenttype: 'application/xml',
    data: '<oven hot="yes"/>',
  },
  {
    ...FROM_OVEN,
    subject: null,
    id: 'C234-1234-1234',
    datacontenttype: 'application/json',
    data: { appinfoA: 'abc', appinfoB: 123, appinfoC: true },
  },
  { ...FROM_OVEN, subject: null, id: 'D234-1234-1234', data: 'Oven 3 is too hot' },
] as const;

/** The same in binary mode, as that section shows them: headers, and the body. */
export const CLOUDEVENTS_IN_HEADERS = (
  [
    ['A234-1234-1234', 'application/vnd.apache.thrift.binary', '\x80\x01\x00\x01\x00'],
    ['B234-1234-1234', 'application/xml', '<oven hot="yes"/>'],
    ['C234-1234-1234', 'application/json', '{"appinfoA":"abc","appinfoB":123,"appinfoC":true}'],
    ['D234-1234-1234', 'application/json', '"Oven 3 is too hot"'],
  ] as const
).map(([id, contentType, body]) => ({
  body,
  headers: {
    'ce-specversion': '1.0',
    'ce-type': FROM_OVEN.type,
    'ce-source': FROM_OVEN.source,
    'ce-id': id,
    'ce-time': FROM_OVEN.time,
    'ce-comexampleextension1': FROM_OVEN.comexampleextension1,
    'ce-comexampleothervalue': String(FROM_OVEN.comexampleothervalue),
    'Content-Type': contentType,
  },
}));

/** Slack, incoming webhooks, block kit and attachments. */
export const SLACK_MESSAGES = {
  text: { text: 'Danny left the oven on:\n<https://ovens.example.com/3|Oven 3> &amp; the mixer' },
  blocks: {
    text: 'A new order came in',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Order 4711', emoji: true } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: 'Of *Ada*, <https://orders.example.com/4711|see it>' },
        fields: [
          { type: 'mrkdwn', text: 'When: today' },
          { type: 'mrkdwn', text: 'Loaves: 12' },
        ],
      },
      { type: 'divider' },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'Paid by ' },
              { type: 'link', url: 'https://pay.example.com/1', text: 'card' },
            ],
          },
        ],
      },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'Bake' } }],
      },
    ],
  },
  // The example of the page about incoming webhooks.
  review: {
    text: 'Ada gave the bread one star.',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: 'Ada wrote about your bread:' } },
      {
        type: 'section',
        block_id: 'section567',
        text: {
          type: 'mrkdwn',
          text: '<https://bread.example.com|Rye, 1 kg> \n :star: \n The crust was burnt, and the crumb was raw.',
        },
        accessory: {
          type: 'image',
          image_url: 'https://bread.example.com/rye.jpg',
          alt_text: 'A loaf of rye',
        },
      },
      {
        type: 'section',
        block_id: 'section789',
        fields: [{ type: 'mrkdwn', text: '*Average*\n1.0' }],
      },
    ],
  },
  // Every element that rich text may have, a table, and a context.
  rich: {
    blocks: [
      {
        type: 'rich_text',
        block_id: 'rich',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'emoji', name: 'fire', unicode: '1f525' },
              { type: 'text', text: ' Oven 3, ', style: { bold: true } },
              { type: 'user', user_id: 'U012AB3CD' },
              { type: 'text', text: ' and ' },
              { type: 'usergroup', usergroup_id: 'S012AB3CD' },
              { type: 'text', text: ' in ' },
              { type: 'channel', channel_id: 'C012AB3CD' },
              { type: 'text', text: ', ' },
              { type: 'broadcast', range: 'here' },
              { type: 'text', text: ' since ' },
              { type: 'date', timestamp: 1772463600, format: '{time}', fallback: '15:00' },
            ],
          },
          {
            type: 'rich_text_list',
            style: 'bullet',
            indent: 0,
            elements: [
              { type: 'rich_text_section', elements: [{ type: 'text', text: 'Open the door' }] },
              { type: 'rich_text_section', elements: [{ type: 'text', text: 'Call Bo' }] },
            ],
          },
          {
            type: 'rich_text_preformatted',
            border: 0,
            elements: [{ type: 'text', text: 'celsius 287' }],
          },
          { type: 'rich_text_quote', elements: [{ type: 'text', text: 'It smells.' }] },
        ],
      },
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'Oven' },
            { type: 'raw_text', text: '°C' },
          ],
          [
            { type: 'raw_text', text: '3' },
            {
              type: 'rich_text',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '287' }] }],
            },
          ],
        ],
      },
      {
        type: 'context',
        elements: [
          { type: 'image', image_url: 'https://ovens.example.com/i.png', alt_text: 'an oven' },
          { type: 'mrkdwn', text: 'Location: *bakery*' },
        ],
      },
    ],
  },
  // The example of the page about secondary attachments, with its full range of fields.
  attachments: {
    channel: 'C012AB3CD',
    attachments: [
      {
        fallback: 'Required plain-text summary',
        mrkdwn_in: ['text'],
        color: 'danger',
        pretext: 'From the mill',
        author_name: 'Millstone watch',
        author_link: 'https://mill.example.com/watch',
        author_icon: 'https://mill.example.com/icon.png',
        title: 'Millstone 1 stands still',
        title_link: 'https://mill.example.com/1',
        text: 'No turn for ten minutes',
        fields: [
          { title: 'Priority', value: 'High', short: false },
          { title: 'Stone', value: '1', short: true },
          { title: 'Turns', value: '0', short: true },
        ],
        thumb_url: 'https://mill.example.com/thumb.png',
        footer: 'Mill watch',
        footer_icon: 'https://mill.example.com/icon.png',
        ts: 123456789,
      },
    ],
  },
} as const;
