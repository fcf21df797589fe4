// A stream without a client: its socket takes whatever it is given at once and keeps which notifications it was.
import { Socket } from 'node:net';
import type { Person } from '../../src/access/person.ts';
import type { StreamHub } from '../../src/stream/hub.ts';

/** Opens a stream of all groups of a person that resumes behind a position. */
export async function openFreeStream(
  hub: StreamHub,
  { person, cursor }: { readonly person: Person; readonly cursor: number },
): Promise<FreeSocket> {
  const socket = new FreeSocket();
  const receivedMs = performance.now();
  hub.begin(await hub.open({ socket, person, receivedMs, only: undefined, cursor }));
  return socket;
}

/** As the socket of a client that reads fast enough. */
export class FreeSocket extends Socket {
  /** seqs of the notifications that were written, in their order. */
  readonly seqs: number[] = [];
  #rest = '';

  override _write(bytes: Buffer, _encoding: unknown, onWritten: () => void): void {
    this.#take(bytes);
    onWritten();
  }

  override _writev(
    pieces: readonly { readonly chunk: unknown }[],
    onWritten: (error?: Error | null) => void,
  ): void {
    for (const { chunk } of pieces) this.#take(chunk as Buffer);
    onWritten();
  }

  #take(bytes: Buffer): void {
    const frames = (this.#rest + bytes.toString('utf8')).split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      const seq = /"seq":(\d+)/.exec(frame)?.[1];
      if (seq !== undefined) this.seqs.push(Number(seq));
    }
  }
}
