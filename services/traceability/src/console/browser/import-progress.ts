// Follows an import while it runs: requests its page again and again, shows its progress, and at the end the
// whole page.
const EVERY_MS = 1_000;
const RUNNING = '[data-running]';

async function follow(): Promise<void> {
  const shown = document.querySelector(RUNNING);
  if (shown === null) return;
  try {
    const response = await fetch(location.href, { redirect: 'error' });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector(RUNNING);
    if (next === null) {
      location.reload();
      return;
    }
    shown.replaceChildren(...next.childNodes);
  } catch {
    // The network fails for a while: the next request may succeed.
  }
  later();
}

function later(): void {
  setTimeout(() => void follow(), EVERY_MS);
}

later();
