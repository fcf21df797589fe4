// A server at its limit of connections: which one makes room, which one never does, and who is refused.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { hasPlace, limitConnections, type LimitNews } from './connection-limit.ts';

interface Limited extends AsyncDisposable {
  readonly news: readonly LimitNews[];
  /** Resolves once the server has taken or refused the connection. */
  open(): Promise<Client>;
  /** Opens a connection with a request under way; `answer` is its status to come. */
  openBusy(): Promise<{ readonly answer: Promise<number> }>;
  /** Answers the oldest request to `/held`. */
  answerHeld(): void;
}

class Client {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  #text = '';
  #wake = (): void => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString('latin1');
      this.#wake();
    });
    socket.on('close', () => this.#wake());
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** The status of the answer, once its headers are there; 0 when the connection ends without. */
  async ask(path: string): Promise<number> {
    this.#text = '';
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    while (!this.#text.includes('\r\n\r\n') && this.isOpen) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.#text)?.[1] ?? 0);
  }
}

/** `/held` is answered later, `/stream` is a stream, `/health` is answered without a place. */
async function newLimited(max: number): Promise<Limited> {
  const held: ServerResponse[] = [];
  const news: LimitNews[] = [];
  const clients: Client[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/health' && !hasPlace(request.socket)) {
      response.writeHead(503).end();
    } else if (request.url === '/stream') {
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
      response.writeHead(200).flushHeaders();
    } else if (request.url === '/held') {
      held.push(response);
      server.emit('held');
    } else response.end('ok');
  });
  limitConnections(server, { max, onReached: (one) => news.push(one) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Client> => {
    const taken = once(server, 'connection');
    const client = new Client(connect(port, '127.0.0.1'));
    clients.push(client);
    await taken;
    return client;
  };
  return {
    news,
    open,
    openBusy: async () => {
      const client = await open();
      const isHeld = once(server, 'held');
      const answer = client.ask('/held');
      await isHeld;
      return { answer };
    },
    answerHeld: () => held.shift()!.end('done'),
    [Symbol.asyncDispose]: async () => {
      for (const { socket } of clients) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a new connection takes the place of the one that was idle longest', async () => {
  await using limited = await newLimited(3);
  const [first, second, third] = [await limited.open(), await limited.open(), await limited.open()];
  await first.ask('/');

  const fourth = await limited.open();
  await second.closed;

  assert.deepEqual([first.isOpen, third.isOpen], [true, true]);
  assert.equal(await fourth.ask('/'), 200);
  assert.equal(await first.ask('/'), 200);
  assert.deepEqual(limited.news, ['evicted']);
});

test('streams make room when no connection is idle, the first one first', async () => {
  await using limited = await newLimited(2);
  const [first, second] = [await limited.open(), await limited.open()];
  await first.ask('/stream');
  await second.ask('/stream');

  const third = await limited.open();
  await first.closed;

  assert.equal(await third.ask('/'), 200);
  assert.equal(second.isOpen, true);
});

test('a request under way keeps its place: others are refused, but for their health', async () => {
  await using limited = await newLimited(2);
  const [first, second] = [await limited.openBusy(), await limited.openBusy()];
  const third = await limited.open();

  const statuses = [await third.ask('/'), await third.ask('/health'), await third.ask('/')];
  limited.answerHeld();
  const answered = await first.answer;
  const later = await third.ask('/');

  assert.deepEqual(statuses, [503, 200, 503]);
  assert.equal(answered, 200);
  // The one that was answered is idle, and makes room.
  assert.equal(later, 200);
  limited.answerHeld();
  assert.equal(await second.answer, 200);
  assert.equal(limited.news[0], 'refused');
});

test('connections without a place are few: the one that was idle longest is closed', async () => {
  await using limited = await newLimited(1);
  const { answer } = await limited.openBusy();
  const others: Client[] = [];
  while (others.length < 16) others.push(await limited.open());
  await others[0]!.ask('/health');

  const last = await limited.open();
  await others[1]!.closed;

  assert.equal(await last.ask('/health'), 200);
  assert.equal(others.filter(({ isOpen }) => isOpen).length, 15);
  limited.answerHeld();
  assert.equal(await answer, 200);
});

test('a connection that ends leaves its place to the next', async () => {
  await using limited = await newLimited(1);
  for (let round = 0; round < 5; round += 1) {
    const client = await limited.open();
    assert.equal(await client.ask('/'), 200);
    client.socket.end();
    await client.closed;
    // The server sees the end of the connection no later than the answer to the next one.
  }

  assert.equal(limited.news.includes('refused'), false);
});

test('a connection of a server without a limit has a place', () => {
  assert.equal(
    hasPlace(
      connect(0)
        .on('error', () => undefined)
        .destroy(),
    ),
    true,
  );
});
