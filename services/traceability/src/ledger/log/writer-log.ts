// The log between the writer's thread, which signs, and the thread that serves requests.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { LogKeeper, LogNews } from './log-keeper.ts';
import type { LogSettings } from './log-identity.ts';
import type {
  LogIdentity,
  LogState,
  SignedCheckpoint,
  SignedLog,
  TreeProgress,
} from './signed-log.ts';

/** The data that the writer's thread is started with. */
export interface LogWriterData {
  readonly settings: LogSettings;
  readonly port: MessagePort;
}

/** Messages from the writer's thread. */
type WriterMessage =
  /** The first message; sent again when other keys sign. */
  | { readonly kind: 'identity'; readonly identity: LogIdentity }
  | ({ readonly kind: 'news' } & LogNews)
  /** The look with this number has ended. */
  | { readonly kind: 'looked'; readonly id: number };

/** Sent to the writer's thread: look again, and report the end under this number. */
interface Asked {
  readonly id: number;
  /** True: the stored tree contains everything that was signed. */
  readonly isConfirmed: boolean;
}

/** A hub whose operator has turned the log off (`LOG=off`). */
export const NO_LOG: SignedLog = {
  state: 'off',
  identity: undefined,
  building: undefined,
  last: undefined,
  unconfirmed: undefined,
  confirm: () => undefined,
  newest: () => Promise.resolve(undefined),
};

/** The end of the thread that serves requests. */
export class WriterLog implements SignedLog, Disposable {
  /** The data with which the writer's thread opens the log; its port is moved there. */
  readonly writerData: LogWriterData;
  readonly #port: MessagePort;
  readonly #looks = new Map<number, () => void>();
  readonly #begin = Promise.withResolvers<void>();
  #nextId = 1;
  #identity: LogIdentity | undefined;
  #news: LogNews = {
    state: 'building',
    building: undefined,
    checkpoint: undefined,
    unconfirmed: undefined,
  };

  constructor(settings: LogSettings) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.writerData = { settings, port: port2 };
    port1.on('message', (message: WriterMessage) => this.#receive(message));
    port1.on('close', () => {
      this.#begin.resolve();
      this.#endLooks();
    });
    port1.unref();
  }

  /** Fulfilled when the identity has arrived, or the writer's thread has ended. */
  get began(): Promise<void> {
    return this.#begin.promise;
  }

  get identity(): LogIdentity | undefined {
    return this.#identity;
  }

  get state(): LogState {
    return this.#news.state;
  }

  get building(): TreeProgress | undefined {
    return this.#news.building;
  }

  get last(): SignedCheckpoint | undefined {
    return this.#news.checkpoint;
  }

  get unconfirmed(): SignedCheckpoint | undefined {
    return this.#news.unconfirmed;
  }

  confirm(): void {
    const asked: Asked = { id: this.#nextId++, isConfirmed: true };
    this.#port.postMessage(asked);
  }

  async newest({ size = 0 }: { readonly size?: number } = {}): Promise<
    SignedCheckpoint | undefined
  > {
    if ((this.#signed()?.size ?? 0) < size) await this.#look();
    return this.#signed();
  }

  /** Called with the checkpoint of an answer, which may overtake messages that were sent before it. */
  answered(checkpoint: SignedCheckpoint | undefined): void {
    this.#keep({ ...this.#news, checkpoint }, 1);
  }

  [Symbol.dispose](): void {
    this.#port.close();
  }

  #signed(): SignedCheckpoint | undefined {
    return this.#news.state === 'signing' ? this.#news.checkpoint : undefined;
  }

  #receive(message: WriterMessage): void {
    switch (message.kind) {
      case 'identity':
        this.#identity = message.identity;
        this.#begin.resolve();
        break;
      case 'news':
        // News arrive in order: for the same tree, the last one has the current keys.
        this.#keep(message, 0);
        break;
      case 'looked':
        this.#looks.get(message.id)?.();
        this.#looks.delete(message.id);
    }
  }

  /**
   * Keeps the state of the news, and the larger one of the checkpoints, in whichever order they
   * arrive. All are of one origin: a process ends with the log that it was opened for.
   * @param blocks by which a checkpoint must be larger than the current one
   */
  #keep({ checkpoint, ...news }: LogNews, blocks: 0 | 1): void {
    const known = this.#news.checkpoint;
    const isNewer = checkpoint !== undefined && checkpoint.size >= (known?.size ?? 0) + blocks;
    this.#news = { ...news, checkpoint: isNewer ? checkpoint : known };
  }

  #look(): Promise<void> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#looks.set(id, resolve);
    const asked: Asked = { id, isConfirmed: false };
    this.#port.postMessage(asked);
    return promise;
  }

  #endLooks(): void {
    for (const resolve of this.#looks.values()) resolve();
    this.#looks.clear();
  }
}

/** The end of the writer's thread: sends the keeper's news, and makes it look again on request. */
export class LogNewsSender implements Disposable {
  readonly #port: MessagePort;
  #sent: LogNews | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  send(news: LogNews): void {
    const isSame =
      this.#sent?.state === news.state &&
      this.#sent.building?.tiled === news.building?.tiled &&
      this.#sent.building?.blocks === news.building?.blocks &&
      this.#sent.checkpoint?.note === news.checkpoint?.note &&
      this.#sent.unconfirmed?.note === news.unconfirmed?.note;
    if (isSame) return;
    this.#sent = news;
    this.#send({ kind: 'news', ...news });
  }

  identify(identity: LogIdentity): void {
    this.#send({ kind: 'identity', identity });
  }

  listen(keeper: LogKeeper): void {
    this.#port.on('message', ({ id, isConfirmed }: Asked) => {
      if (isConfirmed) keeper.confirm();
      void keeper.lookSafely().then(() => this.#send({ kind: 'looked', id }));
    });
  }

  [Symbol.dispose](): void {
    this.#port.close();
  }

  #send(message: WriterMessage): void {
    this.#port.postMessage(message);
  }
}
