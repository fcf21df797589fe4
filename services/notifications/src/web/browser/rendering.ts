// From the markup that server and browser share to elements of the page.
import type { Html } from '@lothub/kit/html';

/** @throws Error when the markup is not one element */
export function renderElement(markup: Html): HTMLElement {
  const template = document.createElement('template');
  // Every value in it was escaped by the tag that made it.
  template.innerHTML = markup.text.trim();
  const element = template.content.firstElementChild;
  if (!(element instanceof HTMLElement)) throw new Error('the markup is no element');
  return element;
}

/** Puts `element` in the place of `old`; the focus stays on the first button of it. */
export function replaceKeepingFocus(old: Element, element: HTMLElement): void {
  const hadFocus = old.contains(document.activeElement);
  old.replaceWith(element);
  if (!hadFocus) return;
  const target = element.querySelector<HTMLElement>('button, a') ?? element;
  if (target === element) element.tabIndex = -1;
  target.focus({ preventScroll: true });
}

export function getById(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}
