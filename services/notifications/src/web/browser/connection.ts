// The stream of everything that concerns the reader, opened again whenever it breaks, behind the last
// position that was heard: nothing is missed, and nothing comes twice.

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting' }
  /** Since when nothing was heard. */
  | { readonly kind: 'offline'; readonly sinceMs: number }
  /** The session has ended. */
  | { readonly kind: 'logged-out' };

export const EVENT_KINDS = [
  'state',
  'reset',
  'notification',
  'read',
  'ack',
  'membership',
  'group',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export interface Heard {
  readonly kind: EventKind;
  readonly data: unknown;
}

const STREAM = '/api/v1/stream';
/** Asked when a stream is refused, to learn whether the session has ended. */
const WHO_AM_I = '/api/v1/me';
const LOGIN_REQUIRED_STATUS = 401;

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 10_000;
/** Tabs that lose a server at the same time do not come back at the same time. */
const RETRY_SPREAD = 0.3;
/** A break that ends sooner is not worth a word like offline. */
const OFFLINE_AFTER_MS = 8_000;
/** A clock that jumps by so much says that the computer slept; its connections are dead. */
const SLEPT_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

export function listenFrom(
  position: number,
  onState: (state: LinkState) => void,
  onHeard: (heard: Heard) => void,
): void {
  let last = position;
  let source: EventSource | undefined;
  let failures = 0;
  let brokenAtMs: number | undefined;
  let retry: number | undefined;
  let isOver = false;

  const open = (): void => {
    clearTimeout(retry);
    retry = undefined;
    source?.close();
    const opened = new EventSource(`${STREAM}?after=${last}`);
    source = opened;
    opened.addEventListener('open', () => {
      failures = 0;
      brokenAtMs = undefined;
      onState({ kind: 'live' });
    });
    opened.addEventListener('error', () => {
      if (source === opened) onBroken();
    });
    for (const kind of EVENT_KINDS) {
      opened.addEventListener(kind, ({ data, lastEventId }) => {
        if (source !== opened) return;
        const at = Number(lastEventId);
        // What has a position comes in its order; anything at or before the last was heard already.
        if (kind !== 'state' && kind !== 'reset' && at <= last) return;
        last = Math.max(last, at);
        onHeard({ kind, data });
      });
    }
  };

  const onBroken = (): void => {
    source?.close();
    source = undefined;
    brokenAtMs ??= Date.now();
    failures += 1;
    tellBroken();
    void endIfLoggedOut();
    const waitMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS);
    retry = setTimeout(open, waitMs * (1 + RETRY_SPREAD * Math.random()));
  };

  const tellBroken = (): void => {
    if (brokenAtMs === undefined || isOver) return;
    const isLong = Date.now() - brokenAtMs >= OFFLINE_AFTER_MS;
    onState(isLong ? { kind: 'offline', sinceMs: brokenAtMs } : { kind: 'reconnecting' });
  };

  const endIfLoggedOut = async (): Promise<void> => {
    const status = await fetch(WHO_AM_I, { method: 'HEAD' }).then(
      (response) => response.status,
      () => undefined, // offline: the retries go on
    );
    if (status !== LOGIN_REQUIRED_STATUS) return;
    isOver = true;
    clearTimeout(retry);
    source?.close();
    onState({ kind: 'logged-out' });
  };

  const wake = (): void => {
    if (!isOver && source === undefined) open();
  };
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake();
  });
  let lookedAtMs = Date.now();
  setInterval(() => {
    const sleptMs = Date.now() - lookedAtMs - LOOK_EVERY_MS;
    lookedAtMs = Date.now();
    if (sleptMs > SLEPT_MS && !isOver) open();
    tellBroken();
  }, LOOK_EVERY_MS);

  onState({ kind: 'connecting' });
  open();
}
