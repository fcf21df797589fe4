// The names of the statements before which the writer of a child process stops, and how a test notices that it did.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './patience.ts';

/** While this file exists, the statement waits. */
export const HELD_FILE_VARIABLE = 'TEST_HELD_FILE';
/** How the statement begins. */
export const HELD_STATEMENT_VARIABLE = 'TEST_HELD_STATEMENT';

const LOOK_EVERY_MS = 10;

/** Made by the writer when it has come to the statement. */
export function reachedFile(file: string): string {
  return `${file}.reached`;
}

export interface HeldStatement {
  /** Settings of the process that is held. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves once the writer waits. */
  reached(): Promise<void>;
  release(): Promise<void>;
}

/** @param file a name that nothing else uses */
export async function holdStatement(file: string, beginning: string): Promise<HeldStatement> {
  await writeFile(file, '');
  return {
    env: {
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('held-statement.ts', import.meta.url))}`,
      [HELD_FILE_VARIABLE]: file,
      [HELD_STATEMENT_VARIABLE]: beginning,
    },
    reached: async () => {
      const deadline = performance.now() + PATIENCE_MS;
      while (!existsSync(reachedFile(file))) {
        if (performance.now() > deadline) throw new Error(`nothing like ${beginning} was run`);
        await sleep(LOOK_EVERY_MS);
      }
    },
    release: () => rm(file),
  };
}
