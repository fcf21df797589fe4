// Alertmanager and Grafana, whose requests have one shape: a list of alerts with labels and annotations
// (Prometheus, Alertmanager configuration, webhook_config; Grafana, webhook notifier).
import { fitted, severityOfWord } from '../fitted.ts';
import { isMembers, listAt, membersAt, numberAt, present, textAt } from '../members.ts';
import type { Members } from '../members.ts';
import { POSTS_MAX, fieldProblem, isJsonAlone, shapeProblem } from '../sender.ts';
import type { Sender, SenderPost } from '../sender.ts';
import type { Status } from '../../store/post.ts';

export const ALERTMANAGER: Sender = {
  adapter: 'alertmanager',
  name: 'Alertmanager',
  mediaTypes: ['application/json'],
  chooseBodyForm: isJsonAlone,
  mediaAdvice: 'Send Content-Type: application/json, as Alertmanager does',
  readPosts: ({ json }) => readAlerts(json, ALERTMANAGER, ['generatorURL']),
};

export const GRAFANA: Sender = {
  adapter: 'grafana',
  name: 'Grafana',
  mediaTypes: ['application/json'],
  chooseBodyForm: isJsonAlone,
  mediaAdvice: 'Send Content-Type: application/json, as a Grafana webhook does',
  readPosts: ({ json }) => readAlerts(json, GRAFANA, ['panelURL', 'dashboardURL', 'generatorURL']),
};

/** Said elsewhere in a notification. */
const LABELS_LEFT_OUT = new Set(['alertname', 'severity']);

/** @param linkNames members of an alert that lead to it, the best first */
function readAlerts(
  json: unknown,
  { adapter, name }: Sender,
  linkNames: readonly string[],
): readonly SenderPost[] {
  const alerts = listAt(json, 'alerts');
  const lookedFor =
    `A webhook of ${name} was looked for: an object with \`alerts\`, a list of 1 to ${POSTS_MAX} ` +
    'objects with `labels` and a `status` of firing or resolved';
  const counted = { limit: alerts.length > POSTS_MAX ? POSTS_MAX : 1, actual: alerts.length };
  if (!isMembers(json) || !Array.isArray(json['alerts'])) {
    throw shapeProblem(lookedFor, fieldProblem('/alerts', 'required'));
  }
  if (alerts.length === 0)
    throw shapeProblem(lookedFor, fieldProblem('/alerts', 'too_short', counted));
  if (alerts.length > POSTS_MAX) {
    throw shapeProblem(
      `${lookedFor}. Set max_alerts of its webhook to ${POSTS_MAX} or less`,
      fieldProblem('/alerts', 'too_many', counted),
    );
  }
  const wrong = alerts.flatMap((alert, index) => listProblems(alert, `/alerts/${index}`));
  if (wrong.length > 0) throw shapeProblem(lookedFor, ...wrong);
  const externalUrl = textAt(json, 'externalURL');
  const cutOff = numberAt(json, 'truncatedAlerts') ?? 0;
  return alerts.map((alert, index) => {
    const isLast = index === alerts.length - 1;
    const note =
      isLast && cutOff > 0 ? `${name} left out ${cutOff} more alerts of this group.` : undefined;
    const links = [...linkNames.map((link) => textAt(alert, link)), externalUrl];
    return buildPost(alert, { adapter, links, note });
  });
}

function listProblems(alert: unknown, pointer: string) {
  if (!isMembers(alert)) return [fieldProblem(pointer, 'wrong_type', { limit: 'object' })];
  return [
    ...(isMembers(alert['labels']) ? [] : [fieldProblem(`${pointer}/labels`, 'required')]),
    ...(readStatus(alert) === undefined
      ? [fieldProblem(`${pointer}/status`, 'not_one_of', { limit: 'firing, resolved' })]
      : []),
  ];
}

function readStatus(alert: unknown): Status | undefined {
  const status = textAt(alert, 'status');
  return status === 'firing' || status === 'resolved' ? status : undefined;
}

function buildPost(
  alert: unknown,
  said: {
    readonly adapter: string;
    readonly links: readonly (string | undefined)[];
    readonly note: string | undefined;
  },
): SenderPost {
  const labels = membersAt(alert, 'labels');
  const status = readStatus(alert);
  const fingerprint = textAt(alert, 'fingerprint');
  const title = findTitle(alert, labels);
  const content = fitted({
    title: status === 'resolved' && title !== undefined ? `Resolved: ${title}` : title,
    titleElse: status === 'resolved' ? 'Resolved: an alert' : 'An alert',
    body: buildBody(alert, labels, said.note),
    // A resolved alert is not urgent.
    severity: status === 'resolved' ? 'info' : severityOfWord(textAt(labels, 'severity')),
    links: said.links,
    dedupKey: fingerprint,
    status,
  });
  const startsAt = textAt(alert, 'startsAt');
  const name = fingerprint ?? (startsAt === undefined ? undefined : nameOfLabels(labels));
  if (name === undefined || status === undefined) return { content, id: undefined };
  // An alert that is sent again, as a reminder or by another replica, is the same until it fires again.
  return { content, id: [said.adapter, name, status, startsAt ?? ''] };
}

/** What a fingerprint is made of: Alertmanager before 0.19 sends none. */
function nameOfLabels(labels: Members): string {
  return JSON.stringify(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function findTitle(alert: unknown, labels: Members): string | undefined {
  const summary = textAt(alert, 'annotations', 'summary') ?? textAt(alert, 'annotations', 'title');
  if (summary !== undefined) return summary;
  const named = present([textAt(labels, 'alertname'), textAt(labels, 'instance')]);
  return named.length === 0 ? undefined : named.join(': ');
}

function buildBody(alert: unknown, labels: Members, note: string | undefined): string {
  const annotations = membersAt(alert, 'annotations');
  const lines = Object.entries(labels)
    .filter(([name, value]) => !LABELS_LEFT_OUT.has(name) && typeof value === 'string')
    .map(([name, value]) => `${name}: ${String(value)}`);
  const runbook = textAt(annotations, 'runbook_url');
  return present([
    textAt(annotations, 'description') ?? textAt(annotations, 'message'),
    lines.join('\n'),
    runbook === undefined ? undefined : `Runbook: ${runbook}`,
    note,
  ]).join('\n\n');
}
