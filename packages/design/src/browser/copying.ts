// Shows the buttons that copy a text, and lets them copy it.

const SAID_MS = 2_000;

export function startCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy-text]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(button.dataset['copyText'] ?? '').then(
        () => say(button, 'done'),
        () => say(button, 'failed'),
      );
    });
  }
}

/** Writes for a while what became of it in the place of the words of the button. */
function say(button: HTMLButtonElement, outcome: 'done' | 'failed'): void {
  const place = button.querySelector('[data-words]');
  const words = button.dataset[outcome];
  if (place === null || words === undefined || button.classList.contains(outcome)) return;
  const before = place.textContent;
  button.classList.add(outcome);
  place.textContent = words;
  setTimeout(() => {
    button.classList.remove(outcome);
    place.textContent = before;
  }, SAID_MS);
}
