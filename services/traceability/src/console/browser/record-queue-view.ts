// The list of events that wait on this device, and the results of those that were sent since the page was
// opened.
import type { KeptEntry } from './record-queue.ts';

/** How many stored events stay in the list. */
const STORED_SHOWN = 10;

export interface QueueActs {
  readonly discard: (entry: KeptEntry) => void;
  readonly correct: (entry: KeptEntry) => void;
}

interface Stored {
  readonly label: string;
  readonly block: string;
  readonly href: string;
  readonly words: readonly string[];
}

export class QueueView {
  readonly #section = document.querySelector<HTMLElement>('[data-queue]');
  readonly #state = document.querySelector<HTMLElement>('[data-queue-state]');
  readonly #list = document.querySelector<HTMLElement>('[data-queue-list]');
  readonly #words: ReadonlyMap<string, unknown>;
  readonly #login: string;
  readonly #acts: QueueActs;
  readonly #stored: Stored[] = [];

  constructor(form: HTMLFormElement, acts: QueueActs) {
    const words: unknown = JSON.parse(form.dataset['words'] ?? '{}');
    this.#words = new Map(typeof words === 'object' && words !== null ? Object.entries(words) : []);
    this.#login = form.dataset['login'] ?? '/console/login';
    this.#acts = acts;
  }

  /** @param state undefined: events can be sent */
  say(state: 'offline' | 'ended' | 'noPlace' | undefined): void {
    if (this.#state === null || this.#section === null) return;
    this.#state.hidden = state === undefined;
    this.#state.replaceChildren();
    if (state === undefined) return;
    this.#section.hidden = false;
    this.#state.append(this.#word(state));
    if (state !== 'ended') return;
    const link = document.createElement('a');
    link.href = this.#login;
    link.textContent = this.#word('logIn');
    this.#state.append(' ', link);
  }

  addStored(entry: KeptEntry, answer: Omit<Stored, 'label'>): void {
    this.#stored.unshift({ label: entry.label, ...answer });
    this.#stored.splice(STORED_SHOWN);
  }

  /** @param sending `order` of the entry that is being sent now */
  show(entries: readonly KeptEntry[], who: string, sending?: number): void {
    if (this.#section === null || this.#list === null) return;
    this.#section.hidden = entries.length === 0 && this.#stored.length === 0;
    this.#list.replaceChildren(
      ...entries.map((entry) => this.#entryItem(entry, { who, sending })),
      ...this.#stored.map((one) => this.#storedItem(one)),
    );
  }

  #entryItem(
    entry: KeptEntry,
    { who, sending }: { readonly who: string; readonly sending: number | undefined },
  ): HTMLElement {
    const state =
      entry.state === 'refused' ? 'refused' : entry.order === sending ? 'sending' : 'waiting';
    const item = this.#item(entry.label, state === 'refused' ? 'bad' : 'warn', this.#word(state));
    item.dataset['state'] = state;
    for (const words of entry.words) item.append(paragraph(words));
    if (entry.who !== who) item.append(paragraph(this.#word('otherPerson')));
    if (state !== 'refused' || entry.who !== who) return item;
    item.append(
      this.#button('correct', () => this.#acts.correct(entry)),
      this.#button('discard', () => {
        if (window.confirm(this.#word('discardAsk'))) this.#acts.discard(entry);
      }),
    );
    return item;
  }

  #storedItem({ label, block, href, words }: Stored): HTMLElement {
    const item = this.#item(label, 'good', this.#word('sent'));
    item.dataset['state'] = 'sent';
    const link = document.createElement('a');
    link.href = href;
    link.textContent = block;
    item.append(link);
    for (const one of words) item.append(paragraph(one));
    return item;
  }

  #item(label: string, kind: 'good' | 'bad' | 'warn', state: string): HTMLElement {
    const item = document.createElement('li');
    const name = document.createElement('bdi');
    name.textContent = label;
    const chip = document.createElement('span');
    chip.className = `chip ${kind}`;
    chip.textContent = state;
    item.append(chip, name);
    return item;
  }

  #button(word: string, act: () => void): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = this.#word(word);
    button.addEventListener('click', act);
    return button;
  }

  #word(name: string): string {
    const word = this.#words.get(name);
    return typeof word === 'string' ? word : '';
  }
}

function paragraph(words: string): HTMLElement {
  const made = document.createElement('p');
  made.className = 'hint';
  made.textContent = words;
  return made;
}
