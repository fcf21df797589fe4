// Notifies this device of recalls of the page's subject, or ends that. The consent is the browser's
// own question. The buttons stay hidden if the browser lacks a service worker, push or
// notifications.
const SCOPE = '/watch/';
const WORKER = '/watch/worker.js';

/** The requests about this device, with the fields of the form. */
type Question = 'state' | 'end' | '';

const form = document.querySelector<HTMLFormElement>('form[data-watch]');
const isAble = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
if (form !== null && isAble) offer(form).catch(() => undefined);

async function offer(watched: HTMLFormElement): Promise<void> {
  watched.hidden = false;
  const on = button(watched, 'on');
  const off = button(watched, 'off');
  const show = (isWatched: boolean): void => {
    on.hidden = isWatched;
    off.hidden = !isWatched;
    on.parentElement?.removeAttribute('hidden');
  };
  const look = async (): Promise<void> => {
    const known = await findSubscription();
    const isWatched = known !== undefined && (await ask(watched, known, 'state')).isWatched;
    show(isWatched);
  };
  const act = async (work: () => Promise<string>): Promise<void> => {
    on.disabled = off.disabled = true;
    try {
      say(watched, await work());
    } catch {
      say(watched, 'failed');
    }
    on.disabled = off.disabled = false;
  };
  const begin = async (): Promise<string> => {
    if ((await Notification.requestPermission()) !== 'granted') return 'blocked';
    await ask(watched, await subscribe(watched.dataset['watch'] ?? ''), '');
    show(true);
    return 'added';
  };
  const end = async (): Promise<string> => {
    const known = await findSubscription();
    if (known !== undefined) await ask(watched, known, 'end');
    show(false);
    return 'ended';
  };
  on.addEventListener('click', () => void act(begin));
  off.addEventListener('click', () => void act(end));
  watched.addEventListener('change', () => void look().catch(() => undefined));
  await look();
}

function button(watched: HTMLFormElement, name: 'on' | 'off'): HTMLButtonElement {
  const found = watched.querySelector<HTMLButtonElement>(`[data-watch-${name}]`);
  if (found === null) throw new Error(`the form has no button ${name}`);
  return found;
}

/** @param name of a text in the form */
function say(watched: HTMLFormElement, name: string): void {
  const status = watched.querySelector('[data-watch-status]');
  if (status !== null) status.textContent = watched.dataset[name] ?? '';
}

async function findSubscription(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  if (registration?.scope.endsWith(SCOPE) !== true) return undefined;
  return (await registration.pushManager.getSubscription()) ?? undefined;
}

async function subscribe(vapidKey: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  await isActive(registration);
  const wanted = { userVisibleOnly: true, applicationServerKey: vapidKey };
  try {
    return await registration.pushManager.subscribe(wanted);
  } catch (error) {
    // The old subscription is for another key, such as that of the hub before a new set-up.
    const old = await registration.pushManager.getSubscription();
    if (old === null) throw error;
    await old.unsubscribe();
    return await registration.pushManager.subscribe(wanted);
  }
}

async function isActive(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active !== null || worker === null) return;
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
    });
  });
}

async function ask(
  watched: HTMLFormElement,
  subscription: PushSubscription,
  question: Question,
): Promise<{ readonly isWatched: boolean }> {
  const fields = Object.fromEntries(
    [...new FormData(watched)].filter(([name]) => name !== 'email'),
  );
  const response = await fetch(`/watch/device${question === '' ? '' : `/${question}`}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fields, subscription }),
  });
  if (!response.ok) throw new Error(`the hub answered ${response.status}`);
  const answer: unknown = await response.json();
  const isWatched = typeof answer === 'object' && answer !== null && 'watched' in answer;
  return { isWatched: isWatched && answer.watched === true };
}
