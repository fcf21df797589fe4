// A thread that derives keys of passwords, one after the other, in the time that all else leaves: a machine that
// is busy answers requests first.
import { SpareTime } from '@lothub/kit/serving/spare-time';
import { parentPort } from 'node:worker_threads';
import { chooseDerivation } from './derive-key.ts';
import type { Derivation } from './deriving.ts';

const spareTime = new SpareTime();

const deriveKey = await chooseDerivation();

parentPort?.on('message', (derivation: Derivation) => {
  const startedMs = performance.now();
  parentPort?.postMessage(deriveKey(derivation));
  spareTime.waited(performance.now() - startedMs);
});
