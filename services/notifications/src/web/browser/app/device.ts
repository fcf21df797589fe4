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
}

/** What the page says about this browser; each has its words there. */
type State = 'offered' | 'added' | 'denied' | 'install-first' | 'impossible';

export function startDevice(): void {
  if ('serviceWorker' in navigator) addEventListener('load', () => void register());
  startBadge();
  endAtLogOut();
  const panel = document.querySelector<HTMLElement>('[data-device]');
  if (panel !== null) void startPanel(panel);
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
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  const subscription = await registration?.pushManager.getSubscription();
  const own = remembered();
  const isListed = own !== undefined && rowOf(own.id) !== null;
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
  const answer = await fetch(DEVICES, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ subscription }),
  });
  const fields = readFields(await answer.text());
  const id = textAt(fields, 'id');
  if (!answer.ok || id === undefined) {
    await subscription.unsubscribe();
    throw new Error(textAt(fields, 'detail') ?? 'The service did not take it.');
  }
  localStorage.setItem(REMEMBERED, JSON.stringify({ id, reader: reader() }));
}

function remembered(): OwnDevice | undefined {
  const fields = readFields(localStorage.getItem(REMEMBERED) ?? '{}');
  const id = textAt(fields, 'id');
  const whose = textAt(fields, 'reader');
  return id === undefined || whose === undefined ? undefined : { id, reader: whose };
}

function rowOf(id: string): Element | null {
  return document.querySelector(`[data-device-id="${CSS.escape(id)}"]`);
}

/** Says which of the listed devices this one is. */
function markOwn(): void {
  const own = remembered();
  const mark = own === undefined ? null : rowOf(own.id)?.querySelector<HTMLElement>('[data-own]');
  if (mark) mark.hidden = false;
}

/** In the browser, and at the service as long as somebody is logged in. */
async function endSubscription(): Promise<void> {
  const own = remembered();
  localStorage.removeItem(REMEMBERED);
  await showBadge(0);
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
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
