// Requests the rows of the list of lots while the reader types, and updates the address. Without it the form
// does the same when it is sent.

/** How long typing must pause before rows are requested. */
const PAUSE_MS = 180;

const form = document.querySelector<HTMLFormElement>('[data-lot-search]');
const rows = document.querySelector<HTMLElement>('[data-lot-rows]');
const count = document.querySelector<HTMLElement>('[data-lot-count]');
if (form !== null && rows !== null && count !== null) start(form, rows, count);

function start(search: HTMLFormElement, place: HTMLElement, status: HTMLElement): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  const ask = (): void => {
    asking?.abort();
    asking = new AbortController();
    void showRows(asking.signal);
  };
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, PAUSE_MS);
  });
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    ask();
  });

  async function showRows(signal: AbortSignal): Promise<void> {
    const query = buildQuery(search);
    try {
      const response = await fetch(`${place.dataset['lotRows'] ?? ''}?${query}`, { signal });
      // A session that ended leads to the log-in: the page goes there itself and comes back.
      if (response.redirected || !response.ok) return leave(query);
      place.innerHTML = await response.text();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      return leave(query);
    }
    history.replaceState(null, '', pathWith(query));
    status.textContent = place.querySelector<HTMLElement>('[data-found]')?.dataset['found'] ?? '';
  }

  function leave(query: string): void {
    location.assign(pathWith(query));
  }

  function pathWith(query: string): string {
    const { pathname } = new URL(search.action);
    return query === '' ? pathname : `${pathname}?${query}`;
  }
}

/** Builds the query from the filled fields; empty ones are left out. */
function buildQuery(search: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(search)) {
    if (typeof value === 'string' && value !== '') query.append(name, value);
  }
  return query.toString();
}
