// Single keys for people who read many notifications. They can be turned off (WCAG 2.2, 2.1.4), for
// people who use speech input.
import { getById } from './rendering.ts';

const OFF = 'inbox-keys-off';

export function startKeyboard(): void {
  const dialog = document.getElementById('help');
  const hasList = document.getElementById('items') !== null;
  if (!hasList || !(dialog instanceof HTMLDialogElement)) return;
  const button = getById('help-open');
  button.hidden = false;
  button.addEventListener('click', () => dialog.showModal());
  const toggle = getById('keys-on');
  if (toggle instanceof HTMLInputElement) {
    toggle.checked = isOn();
    toggle.addEventListener('change', () => {
      if (toggle.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, 'yes');
    });
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return;
    if (event.target instanceof Element && event.target.closest('input, select, textarea')) return;
    if (!isOn()) return;
    const act = chooseAct(event.key, dialog);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

function isOn(): boolean {
  return localStorage.getItem(OFF) === null;
}

function chooseAct(key: string, dialog: HTMLDialogElement): (() => void) | undefined {
  switch (key) {
    case 'j':
      return () => step(1);
    case 'k':
      return () => step(-1);
    case 'r':
      return () => press('form[data-act="read"] button, form[data-act="unread"] button');
    case 'a':
      return () => press('form[data-act="ack"] button');
    case 'o':
      return () => findHolder()?.querySelector<HTMLElement>('.item-url, .detail-url')?.click();
    case '/':
      return () => document.getElementById('q')?.focus();
    case '?':
      return () => dialog.showModal();
    default:
      return undefined;
  }
}

/** Moves the focus to the next or the previous row; beside a detail it opens it. */
function step(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.item-link')];
  const focused = document.activeElement?.closest('.item');
  const at = links.findIndex((link) =>
    focused === null || focused === undefined
      ? link.hasAttribute('aria-current')
      : focused.contains(link),
  );
  const next = links[at === -1 ? (by === 1 ? 0 : -1) : at + by];
  if (next === undefined) return;
  next.focus();
  next.closest('.item')?.scrollIntoView({ block: 'nearest' });
}

/** Presses a button of the row that has the focus, or else of the detail. */
function press(selector: string): void {
  findHolder()?.querySelector<HTMLButtonElement>(selector)?.click();
}

/** The row that has the focus, or else the detail. */
function findHolder(): Element | undefined {
  return document.activeElement?.closest('.item') ?? document.querySelector('.detail') ?? undefined;
}
