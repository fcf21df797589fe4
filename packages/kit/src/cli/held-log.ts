// The log of a service that is starting: held back until what the operator must see first is out.
import type { DestinationStream } from 'pino';

/** Holds the log back until the banner is written, so that the keys in the banner are easy to find. */
export class HeldLog implements DestinationStream {
  readonly #stream: NodeJS.WritableStream;
  #held: string[] | undefined = [];

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    // When the reader of the log is gone, the log ends and the service continues.
    stream.on('error', () => {
      this.write = (): void => undefined;
    });
  }

  write(line: string): void {
    if (this.#held === undefined) this.#stream.write(line);
    else this.#held.push(line);
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of held) this.write(line);
  }
}
