// A TCP proxy in front of a service that can hold its connections: their sockets stay open, and nothing
// passes any more in either direction.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class StallingProxy implements Disposable {
  /** Where a client reaches the service through the proxy. */
  readonly base: string;
  readonly #server: Server;
  readonly #sockets: ReadonlySet<Socket>;
  readonly #stall: () => void;
  readonly #resume: () => void;

  static async open(target: string): Promise<StallingProxy> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    let isStalled = false;
    const server = createServer((client) => {
      keep(client);
      if (isStalled) return; // it is never read
      const service = connect({ host: hostname, port: Number(port) });
      keep(service);
      client.pipe(service).pipe(client);
      client.on('close', () => service.destroy());
      service.on('close', () => client.destroy());
    });
    const keep = (socket: Socket): void => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    };
    const stall = (): void => {
      isStalled = true;
      for (const socket of sockets) socket.unpipe().pause();
    };
    const resume = (): void => {
      isStalled = false;
    };
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StallingProxy(server, { sockets, stall, resume });
  }

  constructor(
    server: Server,
    connection: {
      readonly sockets: ReadonlySet<Socket>;
      readonly stall: () => void;
      readonly resume: () => void;
    },
  ) {
    this.#server = server;
    this.#sockets = connection.sockets;
    this.#stall = connection.stall;
    this.#resume = connection.resume;
    const { port } = server.address() as AddressInfo;
    this.base = `http://127.0.0.1:${port}`;
  }

  /** Holds all connections, also those that are made from here on. */
  stall(): void {
    this.#stall();
  }

  /** Forwards connections that are made from here on; those that were held stay held. */
  resume(): void {
    this.#resume();
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
