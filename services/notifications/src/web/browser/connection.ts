// The stream of everything that concerns the reader, opened again after each break or silence,
// from the last received position on: nothing is missed, and nothing comes twice.
import { readFields, numberAt } from './events.ts';

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting' }
  /** The time of the last event. */
  | { readonly kind: 'offline'; readonly sinceMs: number }
  /** The session has ended. */
  | { readonly kind: 'logged-out' };

export const EVENT_KINDS = [
  'state',
  'reset',
  'notification',
  'read',
  'ack',
  'redacted',
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
/** Tabs that lose a server at the same time reconnect at different times. */
const RETRY_SPREAD = 0.3;
/** A shorter break is not shown as offline. */
const OFFLINE_AFTER_MS = 8_000;
/**
 * The service begins a stream within milliseconds; after this the connection is taken for dead. A browser
 * may keep several dead ones, and tries each of them before it opens a new one. A slow network gets more
 * time with each try.
 */
const ANSWER_FIRST_MS = 3_000;
const ANSWER_MORE_MS = 1_000;
const ANSWER_MAX_MS = 15_000;
/**
 * A stream that is silent for so many beats is dead, whatever its socket says: a proxy may hold it open
 * and forward nothing, and a computer that slept has lost it.
 */
const SILENT_BEATS_MAX = 2;
/** The same for a page that is looked at again: a beat that is only late by a little is on its way. */
const SILENT_BEATS_WHEN_SHOWN = 1.2;
/** Until the first event of a stream says how often it beats. */
const BEAT_MS_FIRST = 15_000;
const LOOK_EVERY_MS = 1_000;

interface Break {
  readonly noticedAtMs: number;
  /** The time of the last event. */
  readonly sinceMs: number;
}

export function listenFrom(
  position: number,
  onState: (state: LinkState) => void,
  onHeard: (heard: Heard) => void,
): void {
  let last = position;
  let source: EventSource | undefined;
  /** When the stream was opened, or its last event arrived. */
  let heardAtMs = 0;
  let hasBegun = false;
  let beatMs = BEAT_MS_FIRST;
  let failures = 0;
  let broken: Break | undefined;
  let retry: number | undefined;
  let isOver = false;

  const open = (): void => {
    clearTimeout(retry);
    retry = undefined;
    source?.close();
    const opened = new EventSource(`${STREAM}?after=${last}`);
    source = opened;
    heardAtMs = Date.now();
    hasBegun = false;
    opened.addEventListener('error', () => {
      if (source !== opened) return;
      onBroken(Date.now());
      openIn(Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS));
    });
    opened.addEventListener('beat', () => {
      if (source === opened) onAlive();
    });
    for (const kind of EVENT_KINDS) {
      opened.addEventListener(kind, ({ data, lastEventId }) => {
        if (source !== opened) return;
        if (!hasBegun) beatMs = numberAt(readFields(data), 'beat_ms') ?? beatMs;
        onAlive();
        const at = Number(lastEventId);
        // Events with a position come in order; one at or before the last position was received already.
        if (kind !== 'state' && kind !== 'reset' && at <= last) return;
        last = Math.max(last, at);
        onHeard({ kind, data });
      });
    }
  };

  /** An answer alone is no sign of life: a proxy may send its headers and hold back what follows. */
  const onAlive = (): void => {
    heardAtMs = Date.now();
    hasBegun = true;
    failures = 0;
    broken = undefined;
    onState({ kind: 'live' });
  };

  const onBroken = (sinceMs: number): void => {
    source?.close();
    source = undefined;
    broken ??= { noticedAtMs: Date.now(), sinceMs };
    failures += 1;
    announceBroken();
    void endIfLoggedOut();
  };

  const openIn = (waitMs: number): void => {
    retry = setTimeout(open, waitMs * (1 + RETRY_SPREAD * Math.random()));
  };

  const answerMaxMs = (): number =>
    Math.min(ANSWER_FIRST_MS + failures * ANSWER_MORE_MS, ANSWER_MAX_MS);

  const announceBroken = (): void => {
    if (broken === undefined || isOver) return;
    const isLong = Date.now() - broken.noticedAtMs >= OFFLINE_AFTER_MS;
    onState(isLong ? { kind: 'offline', sinceMs: broken.sinceMs } : { kind: 'reconnecting' });
  };

  const endIfLoggedOut = async (): Promise<void> => {
    // Requests without an answer would use up all connections that a browser opens to the service.
    const signal = AbortSignal.timeout(answerMaxMs());
    const status = await fetch(WHO_AM_I, { method: 'HEAD', signal }).then(
      (response) => response.status,
      () => undefined, // offline: the retries continue
    );
    if (status !== LOGIN_REQUIRED_STATUS) return;
    isOver = true;
    clearTimeout(retry);
    source?.close();
    onState({ kind: 'logged-out' });
  };

  /** Takes a stream for broken that was silent for too long. */
  const endIfSilent = (beatsMax: number): void => {
    if (source === undefined || isOver) return;
    const nowMs = Date.now();
    // A clock that was put back would hide the silence.
    heardAtMs = Math.min(heardAtMs, nowMs);
    const silentMaxMs = Math.min(beatsMax * beatMs, hasBegun ? Infinity : answerMaxMs());
    if (nowMs - heardAtMs <= silentMaxMs) return;
    onBroken(heardAtMs);
    // The try itself took its time.
    openIn(RETRY_FIRST_MS);
  };

  addEventListener('online', () => {
    if (isOver) return;
    // The network is another one: a connection over the old one may be dead without a word.
    broken ??= { noticedAtMs: Date.now(), sinceMs: heardAtMs };
    announceBroken();
    open();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || isOver) return;
    if (source === undefined) open();
    else endIfSilent(SILENT_BEATS_WHEN_SHOWN);
  });
  setInterval(() => {
    endIfSilent(SILENT_BEATS_MAX);
    announceBroken();
  }, LOOK_EVERY_MS);

  onState({ kind: 'connecting' });
  open();
}
