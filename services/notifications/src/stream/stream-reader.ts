// One open stream: a socket, how far its reader is, and what waits to be written. There may be many
// thousands, so each has as little of its own as can be: listeners are shared, frames are everybody's.
import type { Socket } from 'node:net';
import type { Person } from '../access/person.ts';

/** Handed to a reader before it has taken it; everything else waits where it is everybody's. */
export const HANDED_BYTES_MAX = 262_144;
/** Entries of the first page that a reader missed; mostly there is no second page. */
const PAGE_ENTRIES_FIRST = 100;
/** Frames that are written together are copied into one piece up to this size. */
const JOINED_BYTES_MAX = 65_536;

/** Hears of the readers' sockets. */
export interface SocketOwner {
  onDrained(reader: StreamReader): void;
  onClosed(reader: StreamReader): void;
}

/**
 * `opening`: not answered yet. `behind`: missed entries are read from the tables. `live`: gets new
 * entries. `ended`: gets nothing any more.
 */
export type ReaderPhase = 'opening' | 'behind' | 'live' | 'ended';

export interface ReaderOptions {
  readonly socket: Socket;
  readonly person: Person;
  readonly only: string | undefined;
  readonly owner: SocketOwner;
}

export class StreamReader {
  readonly socket: Socket;
  readonly person: Person;
  /** The only group of the stream; undefined: all groups of the person. */
  readonly only: string | undefined;
  phase: ReaderPhase = 'opening';
  /** Every entry for it up to this position was queued. */
  position = 0;
  /** Whether it was live once; it may have fallen behind a burst since. */
  hasBeenLive = false;
  /** Whether it waits for its turn to be given what is new. */
  isDue = false;
  /** Whether there is more for it that was not given to it in its turn. */
  hasMore = false;
  /** Whether its socket was full when it was looked at last, and has not drained since. */
  isBlocked = false;
  /** Whether it waits for its socket to take more before the next page of what it missed. */
  isParked = false;
  /** Entries that its next page of what it missed aims at. */
  pageEntries = PAGE_ENTRIES_FIRST;
  /** Whether it missed a newer state than the last one that was sent to it. */
  missedState = false;
  /** Which tick of the beat is its own. */
  beat = 0;
  readonly #owner: SocketOwner;
  #queue: Buffer[] | undefined;
  #queuedBytes = 0;

  /** Listens to the socket until `detachSocket`, or until the socket closes. */
  constructor(options: ReaderOptions) {
    this.socket = options.socket;
    this.person = options.person;
    this.only = options.only;
    this.#owner = options.owner;
    readerOfSocket.set(this.socket, this);
    this.socket.on('drain', onDrain);
    this.socket.on('close', onClose);
  }

  static isOpenAt(socket: Socket): boolean {
    return readerOfSocket.has(socket);
  }

  get pendingBytes(): number {
    return this.#queuedBytes + this.socket.writableLength;
  }

  get canTake(): boolean {
    return !this.socket.writableNeedDrain;
  }

  /** Adds a frame; `flush` writes it. */
  push(frame: Buffer): void {
    if (this.phase === 'ended') return;
    (this.#queue ??= []).push(frame);
    this.#queuedBytes += frame.length;
  }

  /** Writes the queued frames, unless the socket is full. */
  flush(): void {
    const queue = this.#queue;
    if (queue === undefined || this.phase === 'ended' || !this.canTake) return;
    const bytes = this.#queuedBytes;
    this.#queue = undefined;
    this.#queuedBytes = 0;
    writeAll(this.socket, queue, bytes);
  }

  /** Ends the stream after the queued frames, for a client that reads. */
  end(): void {
    if (this.phase === 'ended') return;
    this.flush();
    if (this.pendingBytes > 0) {
      this.cut();
      return;
    }
    this.phase = 'ended';
    this.socket.end();
  }

  /** Closes the socket at once, for a client that does not read. */
  cut(): void {
    this.phase = 'ended';
    this.#queue = undefined;
    this.socket.destroy();
  }

  /** Removes this reader from its socket. */
  detachSocket(): void {
    this.phase = 'ended';
    readerOfSocket.delete(this.socket);
    this.socket.off('drain', onDrain);
    this.socket.off('close', onClose);
  }

  drained(): void {
    this.isBlocked = false;
    this.#owner.onDrained(this);
  }

  closed(): void {
    this.phase = 'ended';
    this.#queue = undefined;
    readerOfSocket.delete(this.socket);
    this.#owner.onClosed(this);
  }
}

/** Instead of a closure for each socket and event. */
const readerOfSocket = new WeakMap<Socket, StreamReader>();

function onDrain(this: Socket): void {
  readerOfSocket.get(this)?.drained();
}

function onClose(this: Socket): void {
  readerOfSocket.get(this)?.closed();
}

/** The buffers that were joined last. Readers at the same position of one group get the same bytes. */
let joinedOf: readonly Buffer[] = [];
let joined = Buffer.alloc(0);

function writeAll(socket: Socket, frames: readonly Buffer[], bytes: number): void {
  const [first] = frames;
  if (frames.length === 1 && first !== undefined) {
    socket.write(first);
  } else if (bytes <= JOINED_BYTES_MAX) {
    if (frames.length !== joinedOf.length || frames.some((one, n) => one !== joinedOf[n])) {
      joinedOf = frames;
      joined = Buffer.concat(frames);
    }
    socket.write(joined);
  } else {
    socket.cork();
    for (const one of frames) socket.write(one);
    socket.uncork();
  }
}
