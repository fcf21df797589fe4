// A thread that derives keys of passwords, one after the other, below the priority of all else: a machine that
// is busy answers requests first.
import { lowerThreadPriority } from '@lothub/kit/serving/lower-priority';
import { argon2Sync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { DerivedKey, Derivation } from './deriving.ts';

lowerThreadPriority();

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
