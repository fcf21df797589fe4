// The form for one event under a scanner: Enter goes to the next field, codes are looked up as they come,
// lines are added on the spot. An event first goes into a queue on this device. From there it is sent to the
// hub, in order, until the hub has answered: nothing is lost without a connection, and nothing is stored
// twice.
import { RecordQueue, type KeptEntry } from './record-queue.ts';
import { beep } from './record-sound.ts';
import { LineEditor } from './record-lines.ts';
import { QueueView } from './record-queue-view.ts';
import { sendEntry } from './record-send.ts';

/** Between tries while there is no connection. */
const RETRY_MIN_MS = 2_000;
const RETRY_MAX_MS = 30_000;
const ID_BYTES = 12;
const COPIES = 'lothub-record';
const LOCK = 'lothub-record';

class Recording {
  readonly #form: HTMLFormElement;
  readonly #queue: RecordQueue;
  readonly #view: QueueView;
  readonly #lines: LineEditor;
  #retryMs = RETRY_MIN_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending = false;
  /** True if an event was added while another one was being sent. */
  #again = false;
  /** Events that are being written to the disk of the device: leaving the page now would lose them. */
  #keeping = 0;

  constructor(form: HTMLFormElement, queue: RecordQueue) {
    this.#form = form;
    this.#queue = queue;
    this.#lines = new LineEditor(form);
    this.#view = new QueueView(form, {
      discard: (entry) => void this.#discard(entry),
      correct: (entry) => void this.#correct(entry),
    });
  }

  start(): void {
    this.#form.addEventListener('submit', (event) => {
      const { submitter } = event;
      const name = submitter instanceof HTMLButtonElement ? submitter.name : '';
      event.preventDefault();
      if (name === 'add') this.#lines.add();
      else if (name === 'remove' && submitter !== null) this.#lines.remove(submitter);
      else if (name === 'check') this.#lines.checkAll();
      else void this.#store();
    });
    window.addEventListener('online', () => {
      this.#retryMs = RETRY_MIN_MS;
      void this.send();
    });
    window.addEventListener('beforeunload', (event) => {
      if (this.#keeping > 0) event.preventDefault();
    });
    void this.#show();
    void this.send();
  }

  async #show(): Promise<void> {
    this.#view.show(await this.#queue.list(this.#brand), this.#who);
  }

  get #brand(): string {
    return this.#form.dataset['brand'] ?? '';
  }

  get #who(): string {
    return this.#form.dataset['who'] ?? '';
  }

  async #store(): Promise<void> {
    const values = new URLSearchParams();
    for (const [name, value] of new FormData(this.#form)) {
      if (typeof value === 'string') values.append(name, value);
    }
    const externalId = this.#lines.correctedId ?? newExternalId();
    values.set('external_id', externalId);
    values.set('store', 'yes');
    if ((values.get('occurred_at') ?? '') === '')
      values.set('occurred_at', new Date().toISOString());
    const label = `${this.#form.dataset['type'] ?? ''} · ${this.#lines.label()}`;
    // This comes before any wait, because a scanner types the next code at once.
    this.#lines.empty();
    this.#keeping += 1;
    try {
      await this.#queue.add({
        ...{ externalId, brand: this.#brand, who: this.#who },
        ...{ body: values.toString(), label, state: 'waiting', words: [] },
      });
    } catch {
      // The device has no room, or lets no page store anything: the form gets the typed values back.
      this.#lines.fill(values, externalId);
      this.#view.say('noPlace');
      beep('bad');
      return;
    } finally {
      this.#keeping -= 1;
    }
    await this.#show();
    await this.send();
  }

  /** Sends the waiting events in their order; one page of this browser does so at a time. */
  async send(): Promise<void> {
    if (this.#sending) {
      this.#again = true;
      return;
    }
    this.#sending = true;
    clearTimeout(this.#timer);
    try {
      do {
        this.#again = false;
        await withLock(() => this.#sendAll());
      } while (this.#again);
    } finally {
      this.#sending = false;
    }
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const entries = await this.#queue.list(this.#brand);
      const next = entries.find(({ state, who }) => state === 'waiting' && who === this.#who);
      this.#view.show(entries, this.#who, next?.order);
      if (next === undefined) {
        this.#view.say(undefined);
        return;
      }
      const outcome = await sendEntry(this.#form.action, next);
      switch (outcome.kind) {
        case 'stored':
          this.#view.addStored(next, outcome);
          await this.#queue.remove(next.order);
          this.#retryMs = RETRY_MIN_MS;
          beep('good');
          break;
        case 'refused':
          await this.#queue.put({ ...next, state: 'refused', words: outcome.words });
          beep('bad');
          break;
        case 'ended':
          this.#view.say('ended');
          this.#later();
          await this.#show();
          return;
        case 'unanswered':
          this.#view.say('offline');
          this.#later();
          await this.#show();
          return;
      }
    }
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      // Only here: what somebody records meanwhile is a try too, and must not make the next one later.
      this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
      void this.send();
    }, this.#retryMs);
  }

  async #discard(entry: KeptEntry): Promise<void> {
    await this.#queue.remove(entry.order);
    await this.#show();
  }

  /** Puts an event that was not stored back into the form, under its id. */
  async #correct(entry: KeptEntry): Promise<void> {
    this.#lines.fill(new URLSearchParams(entry.body), entry.externalId);
    await this.#queue.remove(entry.order);
    await this.#show();
  }
}

/** In a browser without locks two pages may send the same event; the hub stores it once. */
async function withLock(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(LOCK, work);
  else await work();
}

function newExternalId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return `rec-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Stores a copy of this page and of what it loads, so that it opens without a connection. */
async function keepCopy(worker: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(worker, { scope: '/console/' });
  const assets = [...document.querySelectorAll('link[rel=stylesheet], link[rel=icon], script[src]')]
    .map((one) => one.getAttribute('href') ?? one.getAttribute('src'))
    .filter((address) => address !== null);
  const type = new URLSearchParams(location.search).get('type');
  const page =
    type === null ? location.pathname : `${location.pathname}?type=${encodeURIComponent(type)}`;
  const copies = await caches.open(COPIES);
  const answer = await fetch(page, { redirect: 'error' });
  if (answer.ok) await copies.put(page, answer);
  await copies.addAll(assets);
}

async function begin(form: HTMLFormElement): Promise<void> {
  try {
    new Recording(form, await RecordQueue.open()).start();
    await navigator.storage?.persist?.();
    await keepCopy(form.dataset['worker'] ?? '');
  } catch (error) {
    // Without storage, or offline, the form works as it does without scripts.
    console.debug(error);
  }
}

const form = document.querySelector('form[data-record]');
if (form instanceof HTMLFormElement && 'indexedDB' in window) void begin(form);
