// Witnesses on loopback for a benchmark of the hub that asks them: they cosign whatever they are sent, so
// that their own checks are no part of the figures. One of them may hang.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { cosignatureBody, cosignatureLine, parseCheckpoint, utf8 } from '@lothub/chain/log';
import { testKey, witnessVkey } from '@lothub/chain/test/log/test-keys';

const MS_PER_SECOND = 1_000;
const SEED_STEP = 40;

export interface Cosigners extends AsyncDisposable {
  readonly policyFile: string;
  /** When the first request with a tree of this size came, as `performance.now()`. */
  askedAt(size: number): number | undefined;
}

export async function startCosigners(options: {
  readonly policyFile: string;
  readonly count: number;
  /** How many of them never answer. */
  readonly hanging: number;
}): Promise<Cosigners> {
  const asked = new Map<number, number>();
  const servers: Server[] = [];
  const lines: string[] = [];
  const names: string[] = [];
  for (let place = 0; place < options.count; place += 1) {
    const name = `w${place}.example.org/1`;
    const key = testKey(SEED_STEP * (place + 1));
    const hangs = place < options.hanging;
    const server = createServer((request, response) => {
      void serve(request, response, (note) => {
        const head = parseCheckpoint(note);
        if (!asked.has(head.size)) asked.set(head.size, performance.now());
        if (hangs) return undefined;
        const time = Math.floor(Date.now() / MS_PER_SECOND);
        const signature = key.sign(utf8(cosignatureBody(time, head.body)));
        return cosignatureLine({ name, publicKey: key.publicKey, time, signature });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port of a witness');
    servers.push(server);
    names.push(`w${place}`);
    lines.push(`witness w${place} ${witnessVkey({ name, key })} http://127.0.0.1:${address.port}`);
  }
  const needed = options.count - options.hanging;
  await writeFile(
    options.policyFile,
    `${[...lines, `group all ${needed} ${names.join(' ')}`, 'quorum all'].join('\n')}\n`,
  );
  return {
    policyFile: options.policyFile,
    askedAt: (size) => asked.get(size),
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise<void>((resolve) => server.close(() => resolve()));
      }
    },
  };
}

/** @param cosign answers the line; undefined: nothing is answered */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  cosign: (note: string) => string | undefined,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const body = Buffer.concat(chunks).toString('utf8');
  const line = cosign(body.slice(body.indexOf('\n\n') + 2));
  if (line !== undefined) response.writeHead(200).end(line);
}
