// A client of streams for tests: parses Server-Sent Events, remembers how far it came, resumes.
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { Json } from '../boot.ts';

export interface StreamEvent {
  readonly event: string;
  /** undefined: the event leaves the position as it is. */
  readonly id: number | undefined;
  readonly data: Json;
}

export interface StreamOptions {
  /** `/api/v1/stream` unless given; with a query, if any. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId?: number | string | undefined;
}

export class EventStream implements Disposable {
  readonly status: number;
  readonly response: IncomingMessage;
  readonly events: StreamEvent[] = [];
  comments = 0;
  /** Events that only say that the connection is open; they are not among `events`. */
  beats = 0;
  retryMs: number | undefined;
  /** Of the last event that had one. */
  position: number | undefined;
  isEnded = false;
  /** Resolves when the stream has ended, however long that takes. */
  readonly closed: Promise<void>;
  #rest = '';
  #waiting: (() => void)[] = [];

  /** @throws when no answer comes */
  static async open(base: string, options: StreamOptions): Promise<EventStream> {
    const { path = '/api/v1/stream', headers, lastEventId } = options;
    const cursor = lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) };
    const request = get(base + path, {
      headers: { Accept: 'text/event-stream', ...headers, ...cursor },
      agent: false,
    });
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new EventStream(response);
  }

  constructor(response: IncomingMessage) {
    this.response = response;
    this.status = response.statusCode ?? 0;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('error', () => undefined);
    const closed = Promise.withResolvers<void>();
    this.closed = closed.promise;
    response.on('close', () => {
      this.isEnded = true;
      this.#wake();
      closed.resolve();
    });
  }

  /** Once `isThere` holds. @throws when the stream ends before, or it takes too long */
  async until(isThere: (events: readonly StreamEvent[]) => boolean): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!isThere(this.events)) {
      if (this.isEnded) throw new Error('the stream has ended');
      await this.#change(signal);
    }
  }

  /** The first event of this kind behind those that were there at `from`. */
  async next(event: string, from = 0): Promise<StreamEvent> {
    const find = (): StreamEvent | undefined =>
      this.events.slice(from).find((one) => one.event === event);
    await this.until(() => find() !== undefined);
    const found = find();
    if (found === undefined) throw new Error('it was there a moment ago');
    return found;
  }

  /** Once the stream has ended. @throws when it takes too long */
  async ended(): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!this.isEnded) await this.#change(signal);
  }

  seqs(): readonly number[] {
    return this.events
      .filter(({ event }) => event === 'notification')
      .map(({ data }) => Number(data['seq']));
  }

  [Symbol.dispose](): void {
    this.response.destroy();
  }

  async #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => reject(new Error(`nothing came within ${PATIENCE_MS} ms`));
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(resolve);
    await promise;
    signal.removeEventListener('abort', onAbort);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#takeBlock(block);
    this.#wake();
  }

  #takeBlock(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [name = '', value = ''] = line.split(/: ?(.*)/s);
      fields.set(name, value);
    }
    if (fields.has('')) this.comments += 1;
    const retry = fields.get('retry');
    if (retry !== undefined) this.retryMs = Number(retry);
    const data = fields.get('data');
    if (data === undefined) return;
    if (fields.get('event') === 'beat') {
      this.beats += 1;
      return;
    }
    const idText = fields.get('id');
    const id = idText === undefined ? undefined : Number(idText);
    if (id !== undefined) this.position = id;
    this.events.push({
      event: fields.get('event') ?? 'message',
      id,
      data: JSON.parse(data) as Json,
    });
  }
}
