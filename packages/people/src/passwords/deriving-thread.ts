// A thread that derives keys of passwords, one after the other, below the priority of all else: a machine that
// is busy answers requests first.
import { lowerThreadPriority } from '@lothub/kit/serving/lower-priority';
import { parentPort } from 'node:worker_threads';
import { chooseDerivation } from './derive-key.ts';
import type { Derivation } from './deriving.ts';

lowerThreadPriority();

const deriveKey = await chooseDerivation();

parentPort?.on('message', (derivation: Derivation) => {
  parentPort?.postMessage(deriveKey(derivation));
});
