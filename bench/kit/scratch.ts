// A temporary folder for one benchmark, taken away at its end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';

export interface Scratch extends AsyncDisposable {
  readonly dir: string;
}

export async function openScratch(): Promise<Scratch> {
  const dir = await mkdtemp(join(tmpdir(), 'lothub-bench-'));
  return {
    dir,
    [Symbol.asyncDispose]: async () => {
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const FLUSHES = 300;
const PAGE_BYTES = 4_096;

/** Flushes to disk a second, one after another: what a durable figure depends on. */
export function flushesPerSecond(dir: string): number {
  const descriptor = openSync(join(dir, 'flush-probe'), 'w');
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const startedAt = performance.now();
  for (let n = 0; n < FLUSHES; n += 1) {
    writeSync(descriptor, page, 0, PAGE_BYTES, n * PAGE_BYTES);
    fdatasyncSync(descriptor);
  }
  const elapsed = (performance.now() - startedAt) / 1_000;
  closeSync(descriptor);
  return FLUSHES / elapsed;
}
