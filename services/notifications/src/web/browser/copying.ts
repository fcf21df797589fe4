// Buttons that copy a secret which is shown this once.
const SHOWN_MS = 2_000;

export function startCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.hidden = false;
    const words = button.innerHTML;
    button.addEventListener('click', () => {
      const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
      void navigator.clipboard.writeText(text).then(
        () => tell(button, 'Copied', words),
        () => tell(button, 'Select it and copy', words),
      );
    });
  }
}

function tell(button: HTMLButtonElement, words: string, before: string): void {
  button.textContent = words;
  setTimeout(() => {
    button.innerHTML = before;
  }, SHOWN_MS);
}
