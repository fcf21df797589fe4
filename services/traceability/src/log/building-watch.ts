// Logs how far the tree is that is made for an older hub, for an operator who waits until it is signed.
import type { FastifyBaseLogger } from 'fastify';
import type { SignedLog } from '../ledger/log/signed-log.ts';

/** A million blocks take about a minute: some lines, not hundreds. */
const LOG_EVERY_MS = 10_000;

export class BuildingWatch implements Disposable {
  readonly #signed: Pick<SignedLog, 'building'>;
  readonly #log: Pick<FastifyBaseLogger, 'info'>;
  readonly #timer: NodeJS.Timeout;

  constructor(options: {
    readonly signed: Pick<SignedLog, 'building'>;
    readonly log: Pick<FastifyBaseLogger, 'info'>;
  }) {
    this.#signed = options.signed;
    this.#log = options.log;
    this.#timer = setInterval(() => this.#look(), LOG_EVERY_MS);
    this.#timer.unref();
    this.#look();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { building } = this.#signed;
    if (building === undefined) return;
    this.#log.info({ ...building }, 'the tree of the public log is being made; nothing is signed');
  }
}
