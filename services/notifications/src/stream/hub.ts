// All open streams of a process. The newest entries of the feed are kept once for all of them. Each reader has a
// position in them, or an older one, for which it reads the tables until it has caught up.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import type { Socket } from 'node:net';
import type { PeopleStore } from '@lothub/people/store/store';
import { isEndedBy } from '../access/access-ends.ts';
import { noSuchGroup } from '../access/membership.ts';
import type { Person } from '../access/person.ts';
import { Problem } from '../errors.ts';
import type { FeedEntry, SignalEntry } from '../feed/feed-entry.ts';
import type { FeedFollower } from '../feed/follower.ts';
import { Audience, groupsHeard, hears, type Listener } from './audience.ts';
import { beginningFrame, readBeginning } from './beginning.ts';
import { CatchUp } from './catch-up.ts';
import { BEAT, stateFrame } from './frames.ts';
import { Pump } from './pump.ts';
import { Recent, RecentEntry } from './recent.ts';
import { RecentEnds } from './recent-ends.ts';
import { SessionWatch } from './session-watch.ts';
import { StateSender } from './state-sender.ts';
import { HANDED_BYTES_MAX, StreamReader } from './stream-reader.ts';

/** Time between two beats to each reader (docs/interface/notifications.md#streams). */
const BEAT_MS = 15_000;
/** The readers are divided over these ticks, so no tick has much to do. */
const TICKS_PER_BEAT = 15;
/**
 * For a reader whose socket has taken nothing from one tick to the next; with more it is cut off, and
 * resumes (docs/interface/notifications.md#streams). Who reads slowly is served at its own pace.
 */
export const PENDING_BYTES_MAX = 1_048_576;
/** When somebody with too many streams may try again. */
const RETRY_AFTER_SECONDS = 15;

export interface StreamHubOptions {
  readonly reader: DatabaseReader;
  readonly people: Pick<PeopleStore, 'reader' | 'onCommit'>;
  readonly follower: Pick<FeedFollower, 'position' | 'subscribe' | 'subscribeToSignals'>;
  readonly clock: Clock;
  /** Maximum number of streams of one person at a time. */
  readonly streamsPerPerson: number;
  /** How often a beat goes to each reader; BEAT_MS when not given. */
  readonly beatMs?: number | undefined;
  readonly onError: (error: unknown) => void;
}

export interface StreamRequest {
  readonly socket: Socket;
  readonly person: Person;
  /** When the credentials had not been looked at yet; of `performance.now()`. */
  readonly receivedMs: number;
  /** The only group of the stream; undefined: all groups of the person. */
  readonly only: string | undefined;
  /** The last position that the client received; undefined: from now on. */
  readonly cursor: number | undefined;
}

/** A stream that can be answered; next, the caller calls `begin` or `abandon` with it. */
export interface OpenedStream {
  readonly reader: StreamReader;
  /** What it begins with. */
  readonly first: Buffer;
}

export class StreamHub {
  readonly #options: StreamHubOptions;
  readonly #beatMs: number;
  readonly #audience = new Audience();
  readonly #ends = new RecentEnds();
  readonly #sessions: SessionWatch;
  readonly #pump: Pump;
  readonly #catchUp: CatchUp;
  readonly #states: StateSender;
  readonly #timer: NodeJS.Timeout;
  readonly #endSignals: () => void;
  #endEntries: (() => void) | undefined;
  #recent = new Recent(0);
  #position = 0;
  #beatTick = 0;
  #newestBeat = 0;
  #isClosed = false;

  constructor(options: StreamHubOptions) {
    this.#options = options;
    this.#beatMs = options.beatMs ?? BEAT_MS;
    this.#pump = new Pump((reader) => this.#serve(reader));
    this.#catchUp = new CatchUp({
      reader: options.reader,
      readScope: (reader) => ({ groupIds: this.#listGroups(reader), upTo: this.#position }),
      join: (reader) => this.#join(reader),
      onError: options.onError,
    });
    this.#states = new StateSender({
      reader: options.reader,
      send: (reader, standings) => {
        this.#give(reader, Infinity);
        reader.push(stateFrame(standings, undefined));
        this.#pump.add(reader);
      },
      onError: options.onError,
    });
    this.#sessions = new SessionWatch({
      people: options.people,
      hasOpen: () => this.#audience.size > 0,
      open: () =>
        [...this.#audience.readers()].flatMap(({ person: { via } }) => listTokenHashes(via)),
      onEnded: (tokenHashes) => this.#endSessions(tokenHashes),
      onError: options.onError,
    });
    this.#endSignals = options.follower.subscribeToSignals((entries) => this.#heedEnds(entries));
    this.#timer = setInterval(() => this.#tick(), this.#beatMs / TICKS_PER_BEAT).unref();
  }

  /**
   * Finds out where a stream begins.
   * @throws Problem `rate_limited` with too many streams of the person, `not_found` when it is not in the
   * group, `login_required` when the credentials have ended, `unavailable` while the service is closing
   */
  async open(request: StreamRequest): Promise<OpenedStream> {
    const { socket, person, only } = request;
    if (this.#isClosed || socket.destroyed) throw stopping();
    if (this.#ends.haveEnded(person, request.receivedMs)) throw accessEnded();
    const held = this.#audience.findListener(person.accountId)?.readers.size ?? 0;
    if (held >= this.#options.streamsPerPerson) throw tooManyStreams(held);
    const reader = new StreamReader({ socket, person, only, owner: this });
    const listener = this.#audience.add(reader);
    this.#endEntries ??= this.#listen();
    const left = new Set<string>();
    listener.leftMeanwhile.add(left);
    try {
      return { reader, first: await this.#readBeginning(reader, { listener, left, request }) };
    } catch (error) {
      this.abandon(reader);
      throw error;
    } finally {
      listener.leftMeanwhile.delete(left);
    }
  }

  /** Open streams, counted when it is asked for. */
  get size(): number {
    return [...this.#audience.readers()].length;
  }

  /** The answer has begun: from here on the socket is the reader's. */
  begin({ reader, first }: OpenedStream): void {
    if (reader.phase !== 'opening') {
      // Its credentials ended, or its client has gone, since it was opened.
      reader.socket.destroy();
      return;
    }
    reader.phase = 'behind';
    this.#newestBeat = (this.#newestBeat + 1) % TICKS_PER_BEAT;
    reader.beat = this.#newestBeat;
    reader.push(first);
    reader.flush();
    if (!this.#join(reader)) this.#catchUp.add(reader);
  }

  /** The stream is not answered. */
  abandon(reader: StreamReader): void {
    reader.detachSocket();
    this.onClosed(reader);
  }

  onDrained(reader: StreamReader): void {
    reader.flush();
    if (reader.phase === 'live' && (reader.hasMore || reader.missedState)) this.#pump.add(reader);
    if (reader.phase === 'behind' && reader.isParked && reader.canTake) this.#catchUp.add(reader);
  }

  onClosed(reader: StreamReader): void {
    this.#audience.remove(reader);
    if (this.#audience.size > 0) return;
    this.#endEntries?.();
    this.#endEntries = undefined;
    this.#recent = new Recent(this.#position);
    this.#states.forget();
  }

  /** Ends all streams in order: clients reconnect, to another process or to the next one. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#endSignals();
    this.#sessions.close();
    for (const reader of [...this.#audience.readers()]) this.#end(reader);
  }

  #listen(): () => void {
    this.#position = this.#options.follower.position;
    this.#recent = new Recent(this.#position);
    return this.#options.follower.subscribe((entries) => this.#hear(entries));
  }

  async #readBeginning(
    reader: StreamReader,
    {
      listener,
      left,
      request,
    }: {
      readonly listener: Listener;
      readonly left: ReadonlySet<string>;
      readonly request: StreamRequest;
    },
  ): Promise<Buffer> {
    for (const tokenHash of listTokenHashes(request.person.via)) {
      if (!(await this.#sessions.isValid(tokenHash))) throw accessEnded();
    }
    const beginning = await readBeginning(this.#options.reader, {
      accountId: reader.person.accountId,
      only: request.only,
      cursor: request.cursor,
      heard: this.#position,
    });
    if (this.#isClosed) throw stopping();
    if (reader.phase === 'ended') throw accessEnded();
    // Who left while this was read has left, whichever of the two was first.
    const standings = beginning.standings.filter(({ groupId }) => !left.has(groupId));
    if (request.only !== undefined && standings.length === 0) throw noSuchGroup();
    for (const { groupId } of standings) this.#audience.join(listener, groupId);
    reader.position = beginning.position;
    return beginningFrame({ ...beginning, standings }, { beatMs: this.#beatMs });
  }

  /** @returns whether the reader needs nothing from the tables */
  #join(reader: StreamReader): boolean {
    if (reader.phase !== 'behind') return true;
    if (reader.position < this.#recent.since) return false;
    reader.phase = 'live';
    reader.hasBeenLive = true;
    this.#pump.add(reader);
    return true;
  }

  #serve(reader: StreamReader): void {
    if (reader.phase !== 'live') return;
    reader.hasMore = true;
    // When it has drained, its turn comes again.
    if (!reader.canTake) return;
    this.#give(reader, HANDED_BYTES_MAX);
    reader.flush();
    if (!reader.hasMore) this.#makeUpState(reader);
    else if (reader.canTake) this.#pump.add(reader);
  }

  #makeUpState(reader: StreamReader): void {
    if (!reader.missedState) return;
    reader.missedState = false;
    const listener = this.#audience.findListener(reader.person.accountId);
    if (listener !== undefined) this.#states.makeStale(listener, groupsHeard(reader, listener));
  }

  /** What is new to a reader now waits to be written to it, as much of it as `bytesMax` allows. */
  #give(reader: StreamReader, bytesMax: number): void {
    const listener = this.#audience.findListener(reader.person.accountId);
    if (reader.phase !== 'live' || listener === undefined) return;
    if (reader.position < this.#recent.since) {
      // So much came in at once that it is gone from here.
      reader.phase = 'behind';
      this.#catchUp.add(reader);
      return;
    }
    for (const entry of this.#recent.after(reader.position)) {
      if (reader.pendingBytes > bytesMax) return;
      reader.position = entry.position;
      const frame = hears(reader, listener, entry) ? entry.frame : undefined;
      if (frame !== undefined) reader.push(frame);
    }
    reader.position = Math.max(reader.position, this.#position);
    reader.hasMore = false;
  }

  /** How much a reader has not taken, as far as it matters. */
  #measureBacklog(reader: StreamReader): number {
    const listener = this.#audience.findListener(reader.person.accountId);
    if (listener === undefined) return 0;
    if (reader.position < this.#recent.since) return Infinity;
    let bytes = reader.pendingBytes;
    for (const entry of this.#recent.after(reader.position)) {
      if (bytes > PENDING_BYTES_MAX) break;
      if (hears(reader, listener, entry)) bytes += entry.frame?.length ?? 0;
    }
    return bytes;
  }

  /** Entries of the feed, each once and in order. */
  #hear(entries: readonly FeedEntry[]): void {
    const before = this.#position;
    const groupIds = new Set<string>();
    for (const entry of entries) {
      const recent = new RecentEntry(entry);
      if (entry.kind === 'notification') {
        this.#states.heard(entry.notification);
        groupIds.add(entry.notification.groupId);
        this.#keep(recent);
      } else if (entry.signal.kind === 'membership') {
        this.#heedMembership(entry, recent);
        if (recent.groupId !== null) groupIds.add(recent.groupId);
      } else {
        const { signal } = entry;
        if (signal.kind === 'redacted') this.#recent.redact({ ...signal, ...signal.detail });
        this.#keep(recent);
        if (recent.accountId !== undefined) this.#heedRead(recent, before);
        else if (recent.groupId !== null) groupIds.add(recent.groupId);
      }
    }
    for (const groupId of groupIds) {
      for (const { readers } of this.#audience.listListeners(groupId)) {
        for (const reader of readers) {
          if (reader.only === undefined || reader.only === groupId) this.#makeDue(reader, before);
        }
      }
    }
  }

  #keep(entry: RecentEntry): void {
    this.#recent.add(entry);
    this.#position = entry.position;
  }

  /** @param before nothing up to it is new to a reader that has been given all there was */
  #makeDue(reader: StreamReader, before: number): void {
    if (reader.phase !== 'live' || reader.isDue) return;
    if (!reader.hasMore) reader.position = Math.max(reader.position, before);
    this.#pump.add(reader);
  }

  #heedRead({ accountId, groupId, position }: RecentEntry, before: number): void {
    const listener = this.#audience.findListener(accountId ?? '');
    if (listener === undefined || groupId === null) return;
    for (const reader of listener.readers) this.#makeDue(reader, before);
    if (isNewToSome(listener, position)) this.#states.makeStale(listener, [groupId]);
  }

  /** A person who joins gets the entries that follow; one who leaves gets this signal, and nothing more of the group. */
  #heedMembership({ signal }: SignalEntry, recent: RecentEntry): void {
    const { groupId, accountId } = signal;
    const listener = accountId === null ? undefined : this.#audience.findListener(accountId);
    if (signal.kind !== 'membership' || listener === undefined || groupId === null) {
      this.#keep(recent);
      return;
    }
    // With the groups of before.
    for (const reader of listener.readers) this.#give(reader, Infinity);
    switch (signal.detail.change) {
      case 'joined':
        for (const left of listener.leftMeanwhile) left.delete(groupId);
        this.#audience.join(listener, groupId);
        this.#keep(recent);
        if (isNewToSome(listener, recent.position)) this.#states.makeStale(listener, [groupId]);
        return;
      case 'role':
        this.#keep(recent);
        return;
      case 'removed':
        this.#keep(recent);
        for (const left of listener.leftMeanwhile) left.add(groupId);
        for (const reader of listener.readers) {
          this.#give(reader, Infinity);
          if (reader.phase === 'live') this.#pump.add(reader);
        }
        this.#audience.leave(listener, groupId);
        for (const reader of [...listener.readers]) {
          if (reader.only === groupId && reader.phase !== 'opening') this.#end(reader);
        }
    }
  }

  #heedEnds(entries: readonly SignalEntry[]): void {
    for (const { signal } of entries) {
      if (signal.kind !== 'access') continue;
      this.#ends.add(signal);
      const listener = this.#audience.findListener(signal.accountId ?? '');
      for (const reader of [...(listener?.readers ?? [])]) {
        if (isEndedBy(reader.person, signal)) this.#end(reader);
      }
    }
  }

  #endSessions(tokenHashes: ReadonlySet<string>): void {
    for (const reader of [...this.#audience.readers()]) {
      if (listTokenHashes(reader.person.via).some((one) => tokenHashes.has(one))) this.#end(reader);
    }
  }

  #end(reader: StreamReader): void {
    if (reader.phase === 'opening') {
      reader.phase = 'ended';
      return;
    }
    if (reader.canTake) this.#give(reader, Infinity);
    reader.end();
  }

  #tick(): void {
    this.#beatTick = (this.#beatTick + 1) % TICKS_PER_BEAT;
    const nowMs = this.#options.clock.nowMs();
    const ended: StreamReader[] = [];
    for (const reader of this.#audience.readers()) {
      const { validUntil } = reader.person.via;
      const isOver = validUntil !== null && validUntil <= nowMs;
      if (isOver || this.#isStalled(reader)) ended.push(reader);
      else if (reader.beat === this.#beatTick && reader.pendingBytes === 0) this.#beat(reader);
    }
    // Stalled readers are cut off.
    for (const reader of ended) this.#end(reader);
  }

  #isStalled(reader: StreamReader): boolean {
    // One that was live and fell behind a burst is held to the same limit.
    if (!reader.hasBeenLive || reader.canTake) return false;
    if (reader.isBlocked) return this.#measureBacklog(reader) > PENDING_BYTES_MAX;
    reader.isBlocked = true;
    return false;
  }

  #beat(reader: StreamReader): void {
    if (reader.phase === 'opening') return;
    reader.push(BEAT);
    if (reader.phase === 'live') this.#pump.add(reader);
    else reader.flush();
  }

  #listGroups(reader: StreamReader): readonly string[] {
    const listener = this.#audience.findListener(reader.person.accountId);
    return listener === undefined ? [] : groupsHeard(reader, listener);
  }
}

/** A read token has no session, so there is no hash. */
function listTokenHashes(via: Person['via']): readonly string[] {
  return via.kind === 'session' ? [via.tokenHash] : [];
}

/** The state that a stream begins with has everything up to its position in it. */
function isNewToSome({ readers }: Listener, position: number): boolean {
  return readers.values().some((reader) => reader.position < position);
}

function stopping(): Problem {
  return new Problem('unavailable', 'The service or the connection is about to end');
}

function accessEnded(): Problem {
  return new Problem('login_required', 'The session or read token has just ended');
}

function tooManyStreams(held: number): Problem {
  return new Problem('rate_limited', `You have ${held} streams open: close one of them`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
