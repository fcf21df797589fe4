// How many critical ones wait to be acknowledged, beside the view that lists them. The number is loaded again
// soon after an event that may have changed it, such as a new firing or a resolution.
import { shortCount } from './words.ts';

/** What comes in together is counted once; spread, so that pages do not all ask at one moment. */
const DELAY_MS = 400;
const SPREAD_MS = 800;

let isDue = false;

export function renewOpenCount(): void {
  const shown = document.querySelector('[data-tab-count="open"]');
  if (shown === null || isDue) return;
  isDue = true;
  setTimeout(
    () => {
      isDue = false;
      if (document.visibilityState === 'visible') void renew(shown);
      else document.addEventListener('visibilitychange', renewOpenCount, { once: true });
    },
    DELAY_MS + Math.random() * SPREAD_MS,
  );
}

async function renew(shown: Element): Promise<void> {
  const scope = document.getElementById('items')?.dataset['scope'] ?? 'all';
  const path = scope === 'all' ? '' : `/groups/${encodeURIComponent(scope)}`;
  const response = await fetch(`/api/v1${path}/notifications?ack=open&limit=1`).catch(
    () => undefined, // the next change asks again
  );
  if (response?.ok !== true) return;
  const answer: unknown = await response.json();
  if (typeof answer !== 'object' || answer === null || !('open' in answer)) return;
  const { open } = answer;
  if (typeof open === 'number') shown.textContent = open === 0 ? '' : shortCount(open);
}
