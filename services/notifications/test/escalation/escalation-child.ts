// A process that does nothing but escalate, for tests that kill it. It takes itself for the only one.
import { ALONE_TURN } from '@lothub/kit/turn';
import { EscalationWorker } from '../../src/escalation/worker.ts';
import { clock, log, store } from '../child-store.ts';
import { storeWith } from '../store-with.ts';
import { PUBLIC_URL } from './ground.ts';

new EscalationWorker({
  store: storeWith(store, { turn: () => ALONE_TURN }),
  clock,
  publicUrl: PUBLIC_URL,
  log,
  lookEveryMs: 5,
}).start();
// The worker alone does not keep the process running.
setInterval(() => undefined, 1_000);
