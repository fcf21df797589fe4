// What is pushed, as the system shows it, and what a tap on it does.
import { fieldsAt, readFields, numberAt, textAt } from '../events.ts';

const INBOX = '/inbox';
const ICON = '/inbox/icon-192.png';
const BADGE = '/inbox/badge-96.png';
export const ACKNOWLEDGE = 'ack';
const SEVERITY_WORDS: Readonly<Record<string, string>> = {
  critical: 'Critical',
  warning: 'Warning',
};

/** Beyond what the library of types knows. */
interface ShownOptions extends NotificationOptions {
  readonly renotify: boolean;
  readonly timestamp?: number;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}

interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

declare const registration: ServiceWorkerRegistration;
declare const clients: {
  matchAll(options: { readonly type: 'window' }): Promise<readonly WindowClient[]>;
  openWindow(url: string): Promise<unknown>;
};

/** Shows a notification for every message: a browser withdraws the permission of a page that shows none. */
export async function showPushed(text: string | undefined): Promise<void> {
  const message = readFields(text ?? '{}');
  const notification = fieldsAt(message, 'notification');
  const severity = textAt(notification, 'severity') ?? 'info';
  const isCritical = severity === 'critical';
  const isResolved = textAt(notification, 'status') === 'resolved';
  const groupId = textAt(notification, 'group_id');
  const seq = numberAt(notification, 'seq');
  const isKnown = groupId !== undefined && seq !== undefined;
  const options: ShownOptions = {
    body: buildBody(message, notification),
    tag: textAt(message, 'tag') ?? '',
    renotify: isCritical && textAt(message, 'tag') !== undefined,
    requireInteraction: isCritical && !isResolved,
    silent: severity === 'info',
    icon: ICON,
    badge: BADGE,
    data: isKnown ? { groupId, seq } : null,
    actions: isKnown && isCritical ? [{ action: ACKNOWLEDGE, title: 'Acknowledge' }] : [],
  };
  const word = isResolved ? 'Resolved' : SEVERITY_WORDS[severity];
  const title = textAt(message, 'title') ?? 'Something came into the inbox';
  await registration.showNotification(word === undefined ? title : `${word}: ${title}`, options);
  await showBadge(numberAt(message, 'unread'));
}

function buildBody(
  message: Readonly<Record<string, unknown>>,
  notification: Readonly<Record<string, unknown>>,
): string {
  const parts = [textAt(notification, 'group'), textAt(message, 'body')];
  return parts.filter((part) => part !== undefined).join('\n');
}

/** Shows the number of unread notifications on the icon, where the system supports it. */
export async function showBadge(unread: number | undefined): Promise<void> {
  if (unread === undefined || !('setAppBadge' in navigator)) return;
  // 0 takes it away.
  await navigator.setAppBadge(unread).catch(() => undefined); // not installed
}

/** @param data as `showPushed` gave it; of a page when it opens nothing of its own */
export async function openPushed(data: unknown, action: string): Promise<void> {
  const place = placeIn(data);
  if (place === undefined) return await openPage(INBOX);
  const { groupId, seq } = place;
  const group = encodeURIComponent(groupId);
  if (action === ACKNOWLEDGE && (await acknowledge(group, seq))) return;
  await openPage(`${INBOX}/groups/${group}/n/${seq}`);
}

/** @returns false when it did not work, for whatever reason: the page says which */
async function acknowledge(group: string, seq: number): Promise<boolean> {
  const path = `/api/v1/groups/${group}/notifications/${seq}`;
  const done = await fetch(`${path}/ack`, { method: 'PUT' }).catch(() => undefined);
  if (done?.ok !== true) return false;
  await fetch(`${path}/read`, { method: 'PUT' }).catch(() => undefined); // it counts as unread for longer
  return true;
}

async function openPage(path: string): Promise<void> {
  const { href } = new URL(path, location.origin);
  const windows = await clients.matchAll({ type: 'window' });
  const open = windows.find(({ url }) => new URL(url).pathname.startsWith(INBOX));
  if (open === undefined) {
    await clients.openWindow(href);
    return;
  }
  await open.focus().catch(() => undefined); // it is opened behind others
  await open.navigate(href).catch(() => clients.openWindow(href));
}

function placeIn(data: unknown): { readonly groupId: string; readonly seq: number } | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (!('groupId' in data) || !('seq' in data)) return undefined;
  const { groupId, seq } = data;
  return typeof groupId === 'string' && typeof seq === 'number' ? { groupId, seq } : undefined;
}

/** Subscribes again after the browser has ended the subscription, if somebody is logged in. */
export async function subscribeAgain(): Promise<void> {
  const key = readFields(await (await fetch('/api/v1/me/push-key')).text());
  const applicationServerKey = textAt(key, 'public_key');
  if (applicationServerKey === undefined) return;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  });
  await fetch('/api/v1/me/devices', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ subscription }),
  });
}
