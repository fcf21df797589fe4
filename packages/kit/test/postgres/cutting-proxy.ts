// A proxy between a test's pool and its server, which cuts connections at a given word, and freezes.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The kind of a message and its length, which are before the text of a simple query. */
const MESSAGE_HEAD_BYTES = 5;

export interface CuttingProxy extends AsyncDisposable {
  /** The server's URL, by way of the proxy. */
  readonly url: string;
  /**
   * The next message in which this side says this is not passed on, only what came before it: then
   * every connection is cut. Holds once.
   */
  cutWhen(side: 'client' | 'server', says: string): void;
  /** Cuts every connection now; new ones are taken. */
  cut(): void;
  /** Connections from now on go to this server, as when an address is given to a promoted standby. */
  leadTo(serverUrl: string): void;
  /** From now on every connection stays open, new ones are taken, and nothing is passed on. */
  freeze(): void;
  /** What was held back is passed on. */
  thaw(): void;
}

export async function startCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cutAt: { readonly side: 'client' | 'server'; readonly says: string } | undefined;

  const cut = (): void => {
    cutAt = undefined;
    // What was written before leaves before the end does.
    for (const socket of sockets) socket.destroySoon();
  };
  const passOn = (side: 'client' | 'server', sent: Buffer | string, to: Socket): void => {
    const bytes = Buffer.from(sent);
    const found = cutAt?.side === side ? bytes.indexOf(cutAt.says) : -1;
    if (found === -1) {
      to.write(bytes);
    } else {
      to.write(bytes.subarray(0, Math.max(0, found - MESSAGE_HEAD_BYTES)));
      cut();
    }
  };

  let isFrozen = false;
  let server = new URL(serverUrl);
  const proxy = createServer((inside) => {
    const outside = connect(Number(server.port), server.hostname);
    for (const [socket, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
      });
    }
    inside.on('data', (bytes) => passOn('client', bytes, outside));
    outside.on('data', (bytes) => passOn('server', bytes, inside));
    // Listening for data sets a socket going.
    if (isFrozen) for (const socket of [inside, outside]) socket.pause();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const url = new URL(serverUrl);
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);

  return {
    url: url.href,
    cutWhen: (side, says) => (cutAt = { side, says }),
    cut,
    leadTo: (promotedUrl) => (server = new URL(promotedUrl)),
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
