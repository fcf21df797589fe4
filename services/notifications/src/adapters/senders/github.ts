// Webhooks of GitHub (GitHub, webhook events and payloads): what happened to which repository. Events that
// this file does not know are named as GitHub names them.
import { fitted, severityOfWord, type Unfitted } from '../fitted.ts';
import { isMembers, listAt, membersAt, numberAt, present, textAt } from '../members.ts';
import type { Members } from '../members.ts';
import { fieldProblem, isJsonAlone, shapeProblem, type Sender } from '../sender.ts';

const EVENT_HEADER = 'x-github-event';
const DELIVERY_HEADER = 'x-github-delivery';

export const GITHUB: Sender = {
  adapter: 'github',
  name: 'GitHub',
  mediaTypes: ['application/json'],
  chooseBodyForm: isJsonAlone,
  mediaAdvice: 'Choose the content type application/json in the settings of the webhook on GitHub',
  readPosts: ({ headers, json }) => {
    const event = headers[EVENT_HEADER];
    const wrong = [
      ...(typeof event === 'string' ? [] : [fieldProblem(`header:${EVENT_HEADER}`, 'required')]),
      ...(isMembers(json) ? [] : [fieldProblem('', 'wrong_type', { limit: 'object' })]),
    ];
    if (typeof event !== 'string' || !isMembers(json) || wrong.length > 0) {
      throw shapeProblem(
        'A webhook of GitHub was looked for: the header X-GitHub-Event, and an object',
        ...wrong,
      );
    }
    const said = describeEvent(event, json);
    if (said === undefined) return [];
    const delivery = headers[DELIVERY_HEADER];
    // A redelivery has the id of the first.
    const id = typeof delivery === 'string' ? ['github', delivery] : undefined;
    return [{ content: fitted(said), id }];
  },
};

/** GitHub sends three events for each run. Only the end of a run becomes a notification. */
const RUNS = new Set(['workflow_run', 'workflow_job', 'check_run', 'check_suite']);
/** By event: the member that describes the alert. */
const ALERTS: ReadonlyMap<string, string> = new Map([
  ['dependabot_alert', 'alert'],
  ['code_scanning_alert', 'alert'],
  ['secret_scanning_alert', 'alert'],
  ['repository_vulnerability_alert', 'alert'],
  ['security_advisory', 'security_advisory'],
]);
/** What a webhook begins with, to see whether somebody answers. */
const PING = 'ping';

/** @returns undefined when the event becomes no notification */
function describeEvent(event: string, json: Members): Unfitted | undefined {
  if (event === PING) return undefined;
  if (RUNS.has(event)) {
    const run = membersAt(json, event);
    return textAt(json, 'action') === 'completed' ? readRun(event, json, run) : undefined;
  }
  const alertName = ALERTS.get(event);
  if (alertName !== undefined) return readAlert(event, json, membersAt(json, alertName));
  switch (event) {
    case 'status':
      return readCommitStatus(json);
    case 'push':
      return describePush(json);
    case 'create':
    case 'delete':
      return readRefChange(event, json);
    default:
      return describeOther(event, json);
  }
}

const TITLE_ELSE = 'Something happened on GitHub';

function readPlace(json: Members): string {
  return (
    textAt(json, 'repository', 'full_name') ?? textAt(json, 'organization', 'login') ?? 'GitHub'
  );
}

function doneBy(json: Members): string | undefined {
  const who = textAt(json, 'sender', 'login');
  return who === undefined ? undefined : `By ${who}`;
}

const FAILED = new Set(['failure', 'timed_out', 'startup_failure', 'action_required', 'error']);

function readRun(event: string, json: Members, run: Members): Unfitted {
  const conclusion = textAt(run, 'conclusion') ?? 'completed';
  const branch = textAt(run, 'head_branch') ?? textAt(run, 'check_suite', 'head_branch');
  const name = textAt(run, 'name') ?? textAt(run, 'app', 'name') ?? toWords(event);
  const hasFailed = FAILED.has(conclusion);
  const isOver = conclusion === 'success';
  return {
    title: `${readPlace(json)}: ${present([name, toWords(conclusion)]).join(' ')}${on(branch)}`,
    titleElse: TITLE_ELSE,
    body: present([textAt(run, 'display_title'), doneBy(json)]).join('\n'),
    severity: hasFailed ? 'warning' : 'info',
    links: [textAt(run, 'html_url'), textAt(json, 'repository', 'html_url')],
    ...(hasFailed || isOver
      ? {
          dedupKey: ['github', readPlace(json), event, name, branch ?? ''].join(' '),
          status: hasFailed ? ('firing' as const) : ('resolved' as const),
        }
      : {}),
  };
}

/** What other systems report of a commit, in the form of a run. */
function readCommitStatus(json: Members): Unfitted | undefined {
  const state = textAt(json, 'state');
  if (state === 'pending') return undefined;
  const [message] = (textAt(json, 'commit', 'commit', 'message') ?? '').split('\n');
  return readRun('status', json, {
    name: textAt(json, 'context'),
    conclusion: state,
    head_branch: textAt(listAt(json, 'branches')[0], 'name'),
    display_title: textAt(json, 'description') ?? message,
    html_url: textAt(json, 'target_url') ?? textAt(json, 'commit', 'html_url'),
  });
}

/** Actions after which an alert asks nothing of anybody. */
const SETTLED = /fixed|dismiss|resolve|closed|withdrawn/;

function readAlert(event: string, json: Members, alert: Members): Unfitted {
  const action = textAt(json, 'action') ?? '';
  const severity =
    textAt(alert, 'security_advisory', 'severity') ??
    textAt(alert, 'rule', 'security_severity_level') ??
    textAt(alert, 'rule', 'severity') ??
    textAt(alert, 'severity') ??
    // A secret that is public has to be replaced at once.
    (event === 'secret_scanning_alert' ? 'critical' : 'warning');
  const what =
    textAt(alert, 'security_advisory', 'summary') ??
    textAt(alert, 'rule', 'description') ??
    textAt(alert, 'secret_type_display_name') ??
    textAt(alert, 'secret_type') ??
    textAt(alert, 'summary') ??
    textAt(alert, 'affected_package_name');
  const isSettled = SETTLED.test(action);
  const number =
    numberAt(alert, 'number') ?? numberAt(alert, 'id') ?? textAt(alert, 'ghsa_id') ?? '';
  const references = listAt(alert, 'references').map((one) => textAt(one, 'url'));
  return {
    title: `${readPlace(json)}: ${present([toWords(event), toWords(action)]).join(' ')}${about(what)}`,
    titleElse: TITLE_ELSE,
    body: present([textAt(alert, 'description'), doneBy(json)]).join('\n\n'),
    severity: isSettled ? 'info' : severityOfWord(severity),
    links: [
      textAt(alert, 'html_url'),
      textAt(alert, 'external_reference'),
      ...references,
      textAt(json, 'repository', 'html_url'),
    ],
    dedupKey: ['github', readPlace(json), event, number].join(' '),
    status: isSettled ? 'resolved' : 'firing',
  };
}

/** Characters of a commit's hash that are enough to name it. */
const SHORT_HASH_CHARS = 7;

function describePush(json: Members): Unfitted {
  const ref = (textAt(json, 'ref') ?? '').replace(/^refs\/(?:heads|tags)\//, '');
  const commits = listAt(json, 'commits');
  const count = commits.length === 1 ? 'a commit' : `${commits.length} commits`;
  const done =
    json['deleted'] === true ? 'deleted' : json['created'] === true ? 'created' : `${count} on`;
  const lines = commits.map((commit) => {
    const [line] = (textAt(commit, 'message') ?? '').split('\n');
    return `${(textAt(commit, 'id') ?? '').slice(0, SHORT_HASH_CHARS)} ${line}`;
  });
  const who = textAt(json, 'pusher', 'name');
  return {
    title: `${readPlace(json)}: ${done} ${ref}`,
    titleElse: TITLE_ELSE,
    body: present([...lines, who === undefined ? doneBy(json) : `By ${who}`]).join('\n'),
    severity: 'info',
    links: [textAt(json, 'compare'), textAt(json, 'repository', 'html_url')],
  };
}

/** A branch or tag that is made or deleted. */
function readRefChange(event: 'create' | 'delete', json: Members): Unfitted {
  const ref = present([textAt(json, 'ref_type'), textAt(json, 'ref')]).join(' ');
  return {
    title: `${readPlace(json)}: ${event}d ${ref}`,
    titleElse: TITLE_ELSE,
    body: doneBy(json),
    severity: 'info',
    links: [textAt(json, 'repository', 'html_url')],
  };
}

/** Members that an event may be about, the nearest first. */
const SUBJECTS = [
  'comment',
  'review',
  'issue',
  'pull_request',
  'discussion',
  'release',
  'deployment_status',
  'build',
  'forkee',
] as const;
/** GitHub's name for its wiki. */
const WIKI = 'gollum';
const BREAKABLE = new Set(['deployment_status', 'page_build']);
const BROKEN_STATES = new Set(['failure', 'error', 'errored']);

function describeOther(event: string, json: Members): Unfitted {
  const subjects = [
    ...[event, ...SUBJECTS].map((name) => membersAt(json, name)),
    ...listAt(json, 'pages').filter(isMembers),
  ];
  const near = subjects.find((one) => Object.keys(one).length > 0) ?? {};
  const titled = subjects.find((one) => findTitle(one) !== undefined);
  const number = numberAt(json, 'issue', 'number') ?? numberAt(json, 'pull_request', 'number');
  const state = textAt(near, 'state') ?? textAt(json, 'build', 'status');
  const done = readAction(event, json, near) ?? state;
  const hasFailed = BREAKABLE.has(event) && BROKEN_STATES.has(state ?? '');
  const what = (titled && findTitle(titled)) ?? textAt(near, 'environment');
  const said =
    textAt(near, 'body') ?? textAt(near, 'description') ?? textAt(near, 'error', 'message');
  return {
    title:
      `${readPlace(json)}${number === undefined ? '' : `#${number}`}: ` +
      `${present([event === WIKI ? 'wiki page' : toWords(event), toWords(done)]).join(' ')}${about(what)}`,
    titleElse: TITLE_ELSE,
    body: present([said, doneBy(json)]).join('\n\n'),
    severity: hasFailed ? 'warning' : 'info',
    links: [
      ...subjects.map((one) => textAt(one, 'html_url')),
      textAt(near, 'target_url'),
      textAt(json, 'repository', 'html_url'),
    ],
  };
}

/** What was done; undefined where the state of its subject says more. */
function readAction(event: string, json: Members, near: Members): string | undefined {
  if (event === 'deployment_status') return undefined;
  if (membersAt(json, 'pull_request')['merged'] === true) return 'merged';
  const action = textAt(json, 'action') ?? textAt(near, 'action');
  return event === 'pull_request_review' && action === 'submitted' ? undefined : action;
}

function findTitle(subject: Members): string | undefined {
  return textAt(subject, 'title') ?? textAt(subject, 'name') ?? textAt(subject, 'tag_name');
}

function toWords(name: string | undefined): string | undefined {
  return name?.replaceAll('_', ' ');
}

function about(what: string | undefined): string {
  return what === undefined ? '' : `: ${what}`;
}

function on(branch: string | undefined): string {
  return branch === undefined ? '' : ` on ${branch}`;
}
