// How far a long command has come: a bar on a terminal, and a line every few seconds elsewhere, so
// that a log of a nightly run shows life without being filled.
import type { Clock } from '../clock.ts';
import { SingleBar } from 'cli-progress';
import type { Output } from './terminal.ts';

/** Between two lines where there is no terminal to draw on. */
const LINE_EVERY_MS = 10_000;

const BYTES_PER_MB = 1_000_000;

export interface Progress extends Disposable {
  update(done: number, total: number): void;
}

export interface ProgressOptions {
  /** What is being done, such as `verifying`. */
  readonly label: string;
  readonly unit: 'blocks' | 'pages' | 'rows' | 'bytes';
  readonly clock: Clock;
}

export function showProgress(output: Output, options: ProgressOptions): Progress {
  const { stderr } = output.terminal;
  return stderr.isTTY === true ? new Bar(stderr, options) : new Lines(stderr, options);
}

class Bar implements Progress {
  readonly #bar: SingleBar;
  readonly #options: ProgressOptions;
  #started = false;

  constructor(stream: NodeJS.WritableStream, options: ProgressOptions) {
    this.#options = options;
    this.#bar = new SingleBar({
      stream,
      format: `${options.label} [{bar}] {percentage}% | {done} | {eta_formatted} left`,
      clearOnComplete: true,
      barsize: 30,
      // Whoever runs the command decides about signals, and there is no cursor to give back.
      gracefulExit: false,
    });
  }

  update(done: number, total: number): void {
    const payload = { done: doneText(done, total, this.#options.unit) };
    if (!this.#started) this.#bar.start(total, done, payload);
    this.#started = true;
    this.#bar.setTotal(total);
    this.#bar.update(done, payload);
  }

  [Symbol.dispose](): void {
    if (this.#started) this.#bar.stop();
    this.#started = false;
  }
}

class Lines implements Progress {
  readonly #stream: NodeJS.WritableStream;
  readonly #options: ProgressOptions;
  #lastMs: number;

  constructor(stream: NodeJS.WritableStream, options: ProgressOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#lastMs = options.clock.nowMs();
  }

  update(done: number, total: number): void {
    const { label, unit, clock } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs - this.#lastMs < LINE_EVERY_MS) return;
    this.#lastMs = nowMs;
    this.#stream.write(`${label}: ${doneText(done, total, unit)}\n`);
  }

  [Symbol.dispose](): void {
    // Lines that were written stay.
  }
}

function doneText(done: number, total: number, unit: ProgressOptions['unit']): string {
  if (unit !== 'bytes')
    return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`;
  return `${megabytes(done)} of ${megabytes(total)} MB`;
}

function megabytes(bytes: number): string {
  return (bytes / BYTES_PER_MB).toFixed(1);
}
