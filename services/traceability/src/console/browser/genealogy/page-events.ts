// Finds the part of the page of a genealogy that an event is about.
import type { Arrow } from './directions.ts';

export const ARROWS: Readonly<Record<string, Arrow>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** @throws Error when the page has none */
export function elementIn(root: HTMLElement, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

export function nodeIdAt({ target }: Event): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<SVGElement>('[data-node]')?.dataset['node'];
}

export function openerAt({ target }: Event): Element | undefined {
  return target instanceof Element ? (target.closest('[data-opener]') ?? undefined) : undefined;
}

export function isModified(event: MouseEvent | KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
