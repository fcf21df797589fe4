// A process that does nothing but escalate, for tests that kill it. It takes itself for the only one, and its clock
// is ahead of the others' by what the environment says.
import { ALONE_TURN } from '@lothub/kit/turn';
import { EscalationWorker } from '../../src/escalation/worker.ts';
import { readSettings } from '../../src/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { AHEAD_VARIABLE } from '../delivery/outbox.ts';
import { PUBLIC_URL } from './ground.ts';
import { storeWith } from '../store-with.ts';

const { dataDir, databaseUrl } = readSettings();
const aheadMs = Number(process.env[AHEAD_VARIABLE]);
const clock = { nowMs: () => Date.now() + aheadMs };
const store = await openStore({
  dataDir,
  databaseUrl,
  clock,
  onFatal: (error) => {
    throw error;
  },
});
new EscalationWorker({
  store: storeWith(store, { turn: () => ALONE_TURN }),
  clock,
  publicUrl: PUBLIC_URL,
  log: { warn: (...line: readonly unknown[]) => console.error(...line) },
  lookEveryMs: 5,
}).start();
// The worker alone keeps no process up.
setInterval(() => undefined, 1_000);
