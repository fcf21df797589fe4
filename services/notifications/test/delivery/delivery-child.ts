// A process that does nothing but deliver, for tests that kill it. Its clock is ahead of the others' by
// what the environment says.
import { DeliveryWorker } from '../../src/delivery/delivery-worker.ts';
import { newSender } from '@lothub/delivery/sending/send';
import { readSettings } from '../../src/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { AHEAD_VARIABLE, LOCAL_RULES } from './outbox.ts';

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
new DeliveryWorker({
  store,
  clock,
  send: newSender({ rules: LOCAL_RULES }),
  publicUrl: 'https://inbox.example.com',
  log: { warn: (...line: readonly unknown[]) => console.error(...line) },
}).start();
