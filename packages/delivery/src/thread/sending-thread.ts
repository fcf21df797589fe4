// Sends requests, push messages and mails in a thread of its own, so that posts do not wait for encryption and
// connections. The outbox stays with the thread that serves: it claims before it sends and writes what became of it,
// so a thread that dies loses nothing: what it had is due again when the claim ends.
import { monotonicClock } from '@lothub/kit/clock';
import { Worker } from 'node:worker_threads';
import type { Mailer } from '../mail/mailer.ts';
import type { MailResult } from '../mail/smtp-answer.ts';
import type { PushSend } from '../push/push-sender.ts';
import type { TryResult } from '../sending/answer.ts';
import type { Send } from '../sending/send.ts';
import type { FromThread, Order, SendingSettings, ToThread } from './messages.ts';

export interface SendingThreadOptions {
  /** What the thread runs; for a test of one that ends. */
  readonly script?: URL;
}

interface Started {
  readonly worker: Worker;
  /** By id of the order; the callers limit how many there are. */
  readonly tries: Waiting<TryResult>;
  readonly mails: Waiting<MailResult>;
}

type Waiting<Result> = Map<number, PromiseWithResolvers<Result>>;

const STOPPED = { kind: 'stopped' } as const;

type Among<Result> = (started: Started) => Waiting<Result>;

const TRIES: Among<TryResult> = ({ tries }) => tries;
const MAILS: Among<MailResult> = ({ mails }) => mails;

/** It starts with the first order: most processes send nothing for a while, and many tests nothing at all. */
export class SendingThread implements AsyncDisposable {
  /** undefined: no mail server is set. */
  readonly mailer: Mailer | undefined;
  readonly #settings: SendingSettings;
  readonly #script: URL;
  #started: Started | undefined;
  #lastId = 0;

  constructor(
    settings: SendingSettings,
    { script = new URL('./sending-worker.ts', import.meta.url) }: SendingThreadOptions = {},
  ) {
    this.#settings = settings;
    this.#script = script;
    this.mailer = settings.mail && {
      send: ({ signal, ...mail }) => this.#ask({ kind: 'mail', mail }, { signal, among: MAILS }),
    };
  }

  readonly send: Send = ({ url, signal, ...request }) =>
    this.#ask({ kind: 'request', url: url.href, request }, { signal, among: TRIES });

  readonly push: PushSend = ({ endpoint, p256dh, auth }, payload, { signal, ...options }) =>
    this.#ask(
      { kind: 'push', subscription: { endpoint, p256dh, auth }, payload, options },
      { signal, among: TRIES },
    );

  /** Whoever still waits is refused. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started?.worker.terminate();
  }

  /** @throws Error when the thread ended; it is started anew by the next order */
  async #ask<Result>(
    order: Order,
    { signal, among }: { readonly signal: AbortSignal; readonly among: Among<Result> },
  ): Promise<Result | typeof STOPPED> {
    if (signal.aborted) return STOPPED;
    this.#started ??= this.#start();
    const { worker } = this.#started;
    const waiting = among(this.#started);
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<Result>();
    const stop = (): void => post(worker, { kind: 'stop', id });
    signal.addEventListener('abort', stop, { once: true });
    waiting.set(id, answer);
    try {
      post(worker, { kind: 'order', id, order, orderedMs: monotonicClock.elapsedMs() });
      return await answer.promise;
    } finally {
      waiting.delete(id);
      signal.removeEventListener('abort', stop);
    }
  }

  #start(): Started {
    const worker = new Worker(this.#script, { name: 'sending', workerData: this.#settings });
    // The service decides how long the process lives.
    worker.unref();
    const started: Started = { worker, tries: new Map(), mails: new Map() };
    const { tries, mails } = started;
    const end = (error: Error): void => {
      if (this.#started === started) this.#started = undefined;
      for (const { reject } of [...tries.values(), ...mails.values()]) reject(error);
    };
    worker.on('message', (message: FromThread) => {
      const { id } = message;
      if ('result' in message) tries.get(id)?.resolve(message.result);
      else if ('mailed' in message) mails.get(id)?.resolve(message.mailed);
      else (tries.get(id) ?? mails.get(id))?.reject(message.error);
    });
    worker.once('error', end);
    worker.once('exit', (code) => end(new Error(`sending: the thread ended with code ${code}`)));
    return started;
  }
}

function post(worker: Worker, message: ToThread): void {
  worker.postMessage(message);
}
