// Requests as the documents of their senders show them: members and forms are theirs, the values are ours.

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

/** Grafana, webhook notifier for Alerting. */
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
  attachments: {
    attachments: [
      {
        fallback: 'Required plain-text summary',
        color: 'danger',
        pretext: 'From the mill',
        title: 'Millstone 1 stands still',
        title_link: 'https://mill.example.com/1',
        text: 'No turn for ten minutes',
        fields: [{ title: 'Priority', value: 'High', short: false }],
        footer: 'Mill watch',
        ts: 123456789,
      },
    ],
  },
} as const;
