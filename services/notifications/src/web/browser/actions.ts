// Marking and acknowledging without leaving the page. What fails here is done as the form alone would.
import { acknowledgedFrom, fieldsAt, readFields, standingsFrom } from './events.ts';
import { renewOpenCount } from './open-count.ts';
import {
  isUnread,
  readPlace,
  showAcknowledged,
  showAllReadUpTo,
  showRead,
  showReadUpTo,
  showUnread,
} from './parts.ts';
import type { Place } from './parts.ts';

export function startActions(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const { act, confirm: question } = form.dataset;
    if (question !== undefined && !confirm(question)) {
      event.preventDefault();
      return;
    }
    const request = chooseRequest(form, act);
    if (request === undefined) return;
    event.preventDefault();
    void request().then(
      (isDone) => {
        if (!isDone) form.submit();
      },
      () => form.submit(),
    );
  });
  markOpened();
}

function chooseRequest(
  form: HTMLFormElement,
  act: string | undefined,
): (() => Promise<boolean>) | undefined {
  if (act === 'read-all') return () => markAllRead(form);
  const place = readPlace(form);
  if (place === undefined) return undefined;
  if (act === 'read' || act === 'unread') return () => mark(place, act === 'read');
  return act === 'ack' ? () => acknowledge(place, form) : undefined;
}

function apiPath({ groupId, seq }: Place, act: string): string {
  return `/api/v1/groups/${encodeURIComponent(groupId)}/notifications/${seq}/${act}?grouped=true`;
}

async function mark(place: Place, read: boolean): Promise<boolean> {
  const response = await fetch(apiPath(place, 'read'), { method: read ? 'PUT' : 'DELETE' });
  if (!response.ok) return false;
  showRead(place, read);
  showStanding(await response.json());
  return true;
}

async function acknowledge(place: Place, form: HTMLFormElement): Promise<boolean> {
  const comment = new FormData(form).get('comment');
  const response = await fetch(apiPath(place, 'ack'), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(typeof comment === 'string' ? { comment } : {}),
  });
  if (!response.ok) return false;
  const acknowledged = acknowledgedFrom(
    fieldsAt(readFields(await response.json()), 'acknowledged'),
  );
  if (acknowledged !== undefined) showAcknowledged(place, acknowledged);
  renewOpenCount();
  return true;
}

async function markAllRead(form: HTMLFormElement): Promise<boolean> {
  const upTo = Number(new FormData(form).get('up_to'));
  const { scope = 'all' } = form.dataset;
  const path = scope === 'all' ? '' : `/groups/${encodeURIComponent(scope)}`;
  const response = await fetch(`/api/v1${path}/read-state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ up_to: upTo }),
  });
  if (!response.ok) return false;
  const answer: unknown = await response.json();
  if (scope === 'all') {
    showAllReadUpTo(upTo);
    for (const { groupId, unread } of standingsFrom(readFields(answer)))
      showUnread(groupId, unread);
  } else {
    showReadUpTo(scope, upTo);
    showStanding(answer);
  }
  return true;
}

function showStanding(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  if (!('group_id' in answer) || !('unread' in answer)) return;
  if (typeof answer.group_id === 'string' && typeof answer.unread === 'number') {
    showUnread(answer.group_id, answer.unread);
  }
}

/** Whoever opens a notification has read it. */
function markOpened(): void {
  const detail = document.querySelector<HTMLElement>('.detail');
  const place = detail === null ? undefined : readPlace(detail);
  if (detail === null || place === undefined || !isUnread(detail)) return;
  if (document.visibilityState === 'visible') {
    void mark(place, true).catch(() => undefined); // the button is still there
  } else {
    document.addEventListener('visibilitychange', markOpened, { once: true });
  }
}
