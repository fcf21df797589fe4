// This browser as a device: adding it on the page of one's own settings, and ending it when somebody logs out.
import { readFields, textAt } from '../events.ts';
import { showBadge } from './pushed.ts';

const WORKER = '/inbox/sw.js';
const SCOPE = '/inbox';
const DEVICES = '/api/v1/me/devices';
/** Which device this browser is, and whose. */
const REMEMBERED = 'lothub-inbox-device';
/** A log-out waits no longer for the end of a subscription. */
const END_MAX_MS = 3_000;

interface OwnDevice {
  readonly id: string;
  readonly reader: string;
  /** Of its subscription; the browser may replace it while no page is open. */
  readonly endpoint: string | undefined;
}

/** What the page says about this browser; each has its words there. */
type State = 'offered' | 'added' | 'denied' | 'install-first' | 'impossible';

export function startDevice(): void {
  if ('serviceWorker' in navigator) addEventListener('load', () => void register());
  startBadge();
  endAtLogOut();
  const panel = document.querySelector<HTMLElement>('[data-device]');
  void followReplaced()
    .catch(() => false) // the next page tries again
    .then((hasFollowed) => {
      if (panel === null) return undefined;
      if (hasFollowed) return location.reload(); // its list has the device of before
      return startPanel(panel);
    });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  const options = { scope: SCOPE, updateViaCache: 'none' } as const;
  const registered = await serviceWorker.register(WORKER, options).catch(() => undefined);
  // Private windows of some browsers, and broken profiles, have no workers.
  if (registered !== undefined) await endOfAnother().catch(() => undefined); // the next page tries again
}

function reader(): string {
  return document.body.dataset['reader'] ?? '';
}

/** Whoever logs in where another person had a device does not get what is for that one. */
async function endOfAnother(): Promise<void> {
  const own = remembered();
  if (own === undefined || reader() === '' || own.reader === reader()) return;
  await endSubscription();
}

/**
 * The worker has added the subscription with which the browser replaced the one of this device: remembers it, and
 * gives it the settings of the device of before, which is removed.
 * @returns whether another device is remembered now
 */
async function followReplaced(): Promise<boolean> {
  const own = remembered();
  if (own === undefined || own.reader !== reader() || !('serviceWorker' in navigator)) return false;
  const subscription = await findSubscription();
  if (!subscription || subscription.toJSON().endpoint === own.endpoint) return false;
  // The service answers with the device that has this subscription.
  const id = await addSubscription(subscription);
  if (id === own.id) return false;
  const path = `${DEVICES}/${encodeURIComponent(own.id)}`;
  const { items } = readFields(await (await fetch(DEVICES)).text());
  const listed = Array.isArray(items) ? items.map((item: unknown) => readFields(item)) : [];
  const before = listed.find((device) => textAt(device, 'id') === own.id);
  if (before === undefined) return true;
  const { name, min_severity, status } = before;
  const kept = { name, min_severity, ...(status === 'paused' ? { status } : {}) };
  const changed = await sendJson('PATCH', `${DEVICES}/${encodeURIComponent(id)}`, kept);
  if (changed.ok) await fetch(path, { method: 'DELETE' });
  return true;
}

async function startPanel(panel: HTMLElement): Promise<void> {
  const show = (state: State): void => {
    for (const part of panel.querySelectorAll<HTMLElement>('[data-when]')) {
      part.hidden = part.dataset['when'] !== state;
    }
  };
  const failed = panel.querySelector<HTMLElement>('[data-device-failed]');
  show(await stateNow());
  panel.querySelector('[data-device-add]')?.addEventListener('click', () => {
    if (failed !== null) failed.hidden = true;
    subscribe(panel.dataset['device'] ?? '').then(
      () => location.reload(),
      async (error: unknown) => {
        const state = await stateNow();
        show(state);
        if (failed === null || state !== 'offered') return;
        failed.hidden = false;
        const said = failed.querySelector('[data-device-why]');
        if (said !== null) said.textContent = error instanceof Error ? error.message : '';
      },
    );
  });
  const zone = document.querySelector<HTMLInputElement>('[data-zone-unsaid] [name=time_zone]');
  if (zone !== null) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  markOwn();
}

async function stateNow(): Promise<State> {
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window;
  if (!canPush) return isAppleAtRest() ? 'install-first' : 'impossible';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await findSubscription();
  const own = remembered();
  const isListed = own !== undefined && findRow(own.id) !== null;
  return subscription && isListed ? 'added' : 'offered';
}

/** Safari of telephones sends to what is on the home screen alone. */
function isAppleAtRest(): boolean {
  return (
    /iPhone|iPad/.test(navigator.userAgent) && !matchMedia('(display-mode: standalone)').matches
  );
}

async function subscribe(applicationServerKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('It was not allowed.');
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  });
  try {
    await addSubscription(subscription);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

async function findSubscription(): Promise<PushSubscription | null | undefined> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return await registration?.pushManager.getSubscription();
}

/** Registers the device with the service, and remembers it. @returns its id */
async function addSubscription(subscription: PushSubscription): Promise<string> {
  const answer = await sendJson('POST', DEVICES, { subscription });
  const fields = readFields(await answer.text());
  const id = textAt(fields, 'id');
  if (!answer.ok || id === undefined) {
    throw new Error(textAt(fields, 'detail') ?? 'The service did not take it.');
  }
  const { endpoint } = subscription.toJSON();
  localStorage.setItem(REMEMBERED, JSON.stringify({ id, reader: reader(), endpoint }));
  return id;
}

function sendJson(method: string, path: string, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(path, { method, headers, body: JSON.stringify(body) });
}

function remembered(): OwnDevice | undefined {
  const fields = readFields(localStorage.getItem(REMEMBERED) ?? '{}');
  const id = textAt(fields, 'id');
  const whose = textAt(fields, 'reader');
  if (id === undefined || whose === undefined) return undefined;
  return { id, reader: whose, endpoint: textAt(fields, 'endpoint') };
}

function findRow(id: string): Element | null {
  return document.querySelector(`[data-device-id="${CSS.escape(id)}"]`);
}

/** Says which of the listed devices this one is. */
function markOwn(): void {
  const own = remembered();
  const mark = own === undefined ? null : findRow(own.id)?.querySelector<HTMLElement>('[data-own]');
  if (mark) mark.hidden = false;
}

/** In the browser, and at the service as long as somebody is logged in. */
async function endSubscription(): Promise<void> {
  const own = remembered();
  localStorage.removeItem(REMEMBERED);
  await showBadge(0);
  await (await findSubscription())?.unsubscribe();
  if (own === undefined || own.reader !== reader()) return;
  await fetch(`${DEVICES}/${encodeURIComponent(own.id)}`, { method: 'DELETE' });
}

function endAtLogOut(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/inbox/logout"]')) {
    form.addEventListener('submit', (event) => {
      if (!('serviceWorker' in navigator)) return;
      event.preventDefault();
      const late = new Promise((resolve) => setTimeout(resolve, END_MAX_MS));
      const ended = endSubscription().catch(() => undefined); // the log-out continues
      void Promise.race([ended, late]).then(() => form.submit());
    });
  }
}

/** The number on the icon follows the one at the side. */
function startBadge(): void {
  const count = document.querySelector<HTMLElement>('[data-count="all"]');
  if (count === null) return;
  const show = (): void => void showBadge(Number(count.dataset['unread']));
  new MutationObserver(show).observe(count, { attributeFilter: ['data-unread'] });
  show();
}
