// A thread that derives keys of passwords, one after the other, below the priority of all else: a machine that
// is busy answers requests first.
import { argon2Sync } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { DerivedKey, Derivation } from './deriving.ts';

/** `<process>/task/<thread>`. Only Linux has it, and only there a single thread has a priority. */
const THREAD_SELF = '/proc/thread-self';

try {
  setPriority(
    Number(basename(readlinkSync(THREAD_SELF))),
    constants.priority.PRIORITY_BELOW_NORMAL,
  );
} catch {
  // Another system, or one that forbids it: the work is done at the priority of the process.
}

parentPort?.on('message', ({ password, cost, salt, keyBytes }: Derivation) => {
  const key: DerivedKey = argon2Sync('argon2id', {
    message: Buffer.from(password, 'utf8'),
    nonce: salt,
    parallelism: cost.lanes,
    tagLength: keyBytes,
    memory: cost.memoryKib,
    passes: cost.passes,
  });
  parentPort?.postMessage(key);
});
