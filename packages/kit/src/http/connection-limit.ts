// Limits the connections of a server, so that clients cannot use up the file descriptors of databases and files.
// At the limit a new connection replaces the one that was idle longest, then the oldest stream, and never a request
// in progress. If there is none to replace, the new one is accepted for a moment without a place: its requests are
// refused, except those for the state of the process.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections without a place, among the descriptors that are kept (connections-max.ts). */
const WITHOUT_PLACE_MAX = 16;
const STREAM_TYPE = 'text/event-stream';

/** `evicted`: connections made room for others. `refused`: there was no room to be made. */
export const LIMIT_NEWS = ['evicted', 'refused'] as const;
export type LimitNews = (typeof LIMIT_NEWS)[number];

export interface ConnectionLimitOptions {
  readonly max: number;
  readonly onReached: (news: LimitNews) => void;
}

/** Limits the connections of a server that does not listen yet. */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const limit = new ConnectionLimit(options);
  server.on('connection', (socket: Socket) => limit.take(socket));
  // Runs before all other listeners: a request counts from its first line on.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    connectionOf.get(request.socket)?.begin(response);
  });
}

/**
 * Whether a request is answered: its connection has a place, or one could be made for it.
 * @param operationPaths routes that say how the process is, which are answered without a place
 */
export function isAnswered(
  request: {
    readonly routeOptions: { readonly url?: string | undefined };
    readonly raw: { readonly socket: Socket };
  },
  operationPaths: readonly string[],
): boolean {
  const { url } = request.routeOptions;
  return operationPaths.some((path) => path === url) || hasPlace(request.raw.socket);
}

/** Whether the connection has a place, or one could be made for it. */
export function hasPlace(socket: Socket): boolean {
  return connectionOf.get(socket)?.hasPlace() ?? true;
}

/** What a limited connection is refused with: nothing of the request was looked at. */
export const NO_PLACE =
  'There are too many connections: nothing was stored, close this one and try again';

const connectionOf = new WeakMap<Socket, Connection>();

class ConnectionLimit {
  readonly #options: ConnectionLimitOptions;
  readonly #placed = new Lane();
  readonly #others = new Lane();

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
  }

  take(socket: Socket): void {
    const lane = this.#roomFor();
    if (lane === undefined) {
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, lane, (one) => this.#findPlace(one));
    connectionOf.set(socket, connection);
    socket.once('close', () => connection.leave());
  }

  #roomFor(): Lane | undefined {
    if (this.#hasRoom()) return this.#placed;
    this.#options.onReached('refused');
    if (this.#others.size < WITHOUT_PLACE_MAX || this.#others.evictIdle()) return this.#others;
    return undefined;
  }

  #hasRoom(): boolean {
    if (this.#placed.size < this.#options.max) return true;
    const hasEvicted = this.#placed.evictIdle() || this.#placed.evictStream();
    if (hasEvicted) this.#options.onReached('evicted');
    return hasEvicted;
  }

  #findPlace(connection: Connection): boolean {
    if (connection.lane === this.#placed) return true;
    if (!this.#hasRoom()) return false;
    connection.moveTo(this.#placed);
    return true;
  }
}

/** Connections that are counted together, those that have waited longest first. */
class Lane {
  readonly idle = new Set<Connection>();
  readonly busy = new Set<Connection>();

  get size(): number {
    return this.idle.size + this.busy.size;
  }

  evictIdle(): boolean {
    const [longest] = this.idle;
    longest?.evict();
    return longest !== undefined;
  }

  evictStream(): boolean {
    for (const connection of this.busy) {
      if (!connection.isStream) continue;
      connection.evict();
      return true;
    }
    return false;
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #findPlace: (connection: Connection) => boolean;
  #lane: Lane;
  /** Answers that are not finished; a client may send several requests at once. */
  readonly #responses = new Set<ServerResponse>();

  constructor(socket: Socket, lane: Lane, findPlace: (connection: Connection) => boolean) {
    this.#socket = socket;
    this.#lane = lane;
    this.#findPlace = findPlace;
    lane.idle.add(this);
  }

  get lane(): Lane {
    return this.#lane;
  }

  /** Whether only streams are in progress: their readers reconnect and miss nothing. */
  get isStream(): boolean {
    return [...this.#responses].every(
      (response) =>
        response.headersSent && String(response.getHeader('Content-Type')).startsWith(STREAM_TYPE),
    );
  }

  hasPlace(): boolean {
    return this.#findPlace(this);
  }

  begin(response: ServerResponse): void {
    const isHere = this.#lane.idle.delete(this) || this.#lane.busy.has(this);
    if (!isHere) return;
    this.#responses.add(response);
    this.#lane.busy.add(this);
    response.once('close', () => this.#end(response));
  }

  #end(response: ServerResponse): void {
    this.#responses.delete(response);
    const isHere = this.#lane.busy.has(this);
    if (!isHere || this.#responses.size > 0) return;
    this.#lane.busy.delete(this);
    this.#lane.idle.add(this);
  }

  moveTo(lane: Lane): void {
    this.leave();
    this.#lane = lane;
    if (this.#responses.size > 0) lane.busy.add(this);
    else lane.idle.add(this);
  }

  leave(): void {
    this.#lane.idle.delete(this);
    this.#lane.busy.delete(this);
  }

  /** Frees the descriptor at once: what was written goes out all the same. */
  evict(): void {
    this.leave();
    this.#socket.destroy();
  }
}
