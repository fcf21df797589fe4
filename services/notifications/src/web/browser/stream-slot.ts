// Over HTTP/1.1 a browser opens six connections to a server for all its tabs together. Each live page
// holds one for good, so only some of them may be live: otherwise the seventh tab would load for ever.

/** Leaves two of the six for everything else. */
const SLOTS = 4;
const LOCK_NAME = 'inbox-stream-';
const OLD_PROTOCOL = 'http/1.1';

/**
 * Resolves once this page may hold a stream; it keeps its slot until it is closed.
 * @param onWaiting called when other tabs have all of them
 */
export async function untilSlot(onWaiting: () => void): Promise<void> {
  if (!isScarce()) return;
  for (let slot = 0; slot < SLOTS; slot += 1) {
    if (await takeFree(`${LOCK_NAME}${slot}`)) return;
  }
  onWaiting();
  await takeFirstFree();
}

/**
 * HTTP/2 and later carry any number of streams; locks are there over https and on this machine. A page that came
 * through the service worker says nothing of its protocol: what it has loaded does, and without that one it counts as
 * the old one.
 */
function isScarce(): boolean {
  const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
  const protocol = entries
    .map((entry) => (entry instanceof PerformanceResourceTiming ? entry.nextHopProtocol : ''))
    .find((known) => known !== '');
  return (protocol ?? OLD_PROTOCOL) === OLD_PROTOCOL && 'locks' in navigator;
}

async function takeFree(name: string): Promise<boolean> {
  return await new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : untilClosed();
    });
  });
}

async function takeFirstFree(): Promise<void> {
  const found = new AbortController();
  await new Promise<void>((resolve) => {
    for (let slot = 0; slot < SLOTS; slot += 1) {
      const holding = navigator.locks.request(
        `${LOCK_NAME}${slot}`,
        { signal: found.signal },
        () => {
          if (found.signal.aborted) return undefined;
          found.abort();
          resolve();
          return untilClosed();
        },
      );
      holding.catch(() => undefined); // another slot was free earlier
    }
  });
}

/** Held until the page goes, which gives the lock back. */
function untilClosed(): Promise<void> {
  return new Promise(() => undefined);
}
