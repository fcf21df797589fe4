// The button "Check in this browser". The verifier and its sentences are loaded when a reader
// presses it: most readers do not, and these are most of the bytes of the page.
import { html } from '@lothub/kit/html';

const PLACE_ID = 'check-here';

const place = document.getElementById(PLACE_ID);
if (place !== null) offer(place);

function offer(at: HTMLElement): void {
  // The template tag escapes all its values.
  at.innerHTML = html`<button type="button">${at.dataset['label']}</button>`.text;
  at.querySelector('button')?.addEventListener('click', ({ currentTarget }) => {
    if (currentTarget instanceof HTMLButtonElement) currentTarget.disabled = true;
    load(at).catch((error: unknown) => {
      console.warn(error);
      offer(at);
      at.append(at.dataset['failed'] ?? '');
    });
  });
}

async function load(at: HTMLElement): Promise<void> {
  const module = at.dataset['module'];
  if (module === undefined) throw new Error('the page does not say what checks');
  // The module is of this origin: the page's policy refuses any other.
  const { check } = (await import(module)) as { check: (at: HTMLElement) => Promise<void> };
  await check(at);
}
