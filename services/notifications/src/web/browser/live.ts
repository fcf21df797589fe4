// Keeps an open page up to date: what comes in, what is read elsewhere, who acknowledged, which groups
// there are.
import { listenFrom, type Heard, type LinkState } from './connection.ts';
import {
  acknowledgedFrom,
  fieldsAt,
  readFields,
  notificationFrom,
  numberAt,
  standingsFrom,
  textAt,
} from './events.ts';
import type { GroupStanding } from './events.ts';
import type { ShownNotification } from './notification-item.ts';
import { addNotification, changeWaiting } from './list.ts';
import { renewOpenCount } from './open-count.ts';
import {
  showAcknowledged,
  showItemRead,
  showRead,
  showReadUpTo,
  showRedacted,
  showUnread,
  readUnread,
} from './parts.ts';
import { getById } from './rendering.ts';
import { untilSlot } from './stream-slot.ts';
import { clockWords } from './times.ts';

export function startLive(): void {
  const position = Number(getById('content').dataset['position'] ?? Number.NaN);
  if (Number.isNaN(position)) return;
  // A page that comes out of the browser's memory is as old as when it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  void untilSlot(() => showState({ kind: 'paused' })).then(() =>
    listenFrom(position, showState, show),
  );
}

/** `paused`: other tabs of this browser are live, as many as may be. */
type ShownState = LinkState | { readonly kind: 'paused' };

const CHIP_WORDS: Readonly<Record<ShownState['kind'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  paused: 'Live in other tabs',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  'logged-out': 'Logged out',
};

function showState(state: ShownState): void {
  const chip = getById('chip');
  const since = state.kind === 'offline' ? ` since ${clockWords(state.sinceMs)}` : '';
  const words = `${CHIP_WORDS[state.kind]}${since}`;
  chip.hidden = false;
  chip.dataset['state'] = state.kind;
  // Said again it would be read out again.
  if (chip.textContent !== words) chip.textContent = words;
  if (state.kind === 'logged-out') location.reload(); // which leads to the log-in and back
}

function show({ kind, data }: Heard): void {
  const fields = readFields(data);
  const groupId = textAt(fields, 'group_id');
  switch (kind) {
    case 'state':
      standingsFrom(fields).forEach(showStanding);
      return;
    case 'notification': {
      const one = notificationFrom(fields);
      if (one === undefined) return;
      addNotification(one);
      count(one);
      if (one.severity === 'critical' || one.first_seq !== undefined) renewOpenCount();
      return;
    }
    case 'read':
      if (groupId !== undefined) showReading(groupId, fields);
      return;
    case 'ack': {
      const seq = numberAt(fields, 'seq');
      const acknowledged = acknowledgedFrom(fieldsAt(fields, 'acknowledged'));
      if (groupId === undefined || seq === undefined || acknowledged === undefined) return;
      showAcknowledged({ groupId, seq }, acknowledged);
      changeWaiting((one) =>
        one.group_id === groupId && one.seq === seq ? { ...one, acknowledged } : one,
      );
      renewOpenCount();
      return;
    }
    case 'redacted': {
      const seq = numberAt(fields, 'seq');
      const redacted_at = textAt(fields, 'redacted_at') ?? '';
      if (groupId === undefined || seq === undefined) return;
      showRedacted({ groupId, seq });
      changeWaiting((one) =>
        one.group_id === groupId && one.seq === seq
          ? { ...one, redacted_at, title: '', body: null, url: undefined }
          : one,
      );
      return;
    }
    case 'group':
    case 'membership':
      void renewSide();
      return;
    case 'reset':
      location.reload();
  }
}

/** Up to which seq the unread count of a group holds what came in. */
const countedUpTo = new Map<string, number>();

/** A state may count notifications that arrive after it, and none that arrived before it. */
function showStanding({ groupId, headSeq, unread }: GroupStanding): void {
  const heardBeyond = Math.max(0, (countedUpTo.get(groupId) ?? 0) - headSeq);
  showUnread(groupId, unread + heardBeyond);
  countedUpTo.set(groupId, headSeq + heardBeyond);
}

function count({ group_id: groupId, seq, read }: ShownNotification): void {
  if (seq <= (countedUpTo.get(groupId) ?? 0)) return;
  countedUpTo.set(groupId, seq);
  if (!read) showUnread(groupId, readUnread(groupId) + 1);
}

/** The number of unread ones comes with the next state. */
function showReading(groupId: string, fields: Readonly<Record<string, unknown>>): void {
  const upTo = numberAt(fields, 'up_to');
  const seq = numberAt(fields, 'seq');
  const firstSeq = numberAt(fields, 'first_seq');
  if (seq !== undefined && firstSeq !== undefined) {
    showItemRead({ groupId, firstSeq, upTo: seq });
    changeWaiting((one) =>
      one.group_id === groupId && one.first_seq === firstSeq && one.seq <= seq
        ? { ...one, read: true }
        : one,
    );
    return;
  }
  if (seq !== undefined) showRead({ groupId, seq }, fields['read'] === true);
  else if (upTo !== undefined) showReadUpTo(groupId, upTo);
  changeWaiting((one) => {
    if (one.group_id !== groupId) return one;
    if (seq !== undefined) return one.seq === seq ? { ...one, read: fields['read'] === true } : one;
    return upTo !== undefined && one.seq <= upTo ? { ...one, read: true } : one;
  });
}

/** Loads the page again and takes the list of groups from it. */
async function renewSide(): Promise<void> {
  const response = await fetch(location.href).catch(() => undefined);
  if (response === undefined) return;
  if (response.status === 404) {
    location.assign('/inbox'); // the group of this page is no longer the reader's
    return;
  }
  if (!response.ok) return;
  const anew = new DOMParser().parseFromString(await response.text(), 'text/html');
  const side = anew.getElementById('side');
  if (side !== null) getById('side').replaceChildren(...side.childNodes);
}
