// A process that does nothing but push, for tests that kill it. Its clock is ahead of the others' by what the
// environment says.
import { systemClock } from '@lothub/kit/clock';
import { newPushSender } from '@lothub/delivery/push/push-sender';
import { newSender } from '@lothub/delivery/sending/send';
import { PushWorker } from '../../src/devices/push-worker.ts';
import { ensureVapidKeys } from '../../src/devices/vapid.ts';
import { readSettings } from '../../src/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { AHEAD_VARIABLE, LOCAL_RULES } from '../delivery/outbox.ts';
import { CONTACT } from './pushing.ts';

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
const keys = await ensureVapidKeys({ store, clock });
const send = newSender({ rules: LOCAL_RULES });
new PushWorker({
  store,
  clock,
  push: newPushSender({ send, keys, contact: CONTACT, clock: systemClock }),
  log: { warn: (...line: readonly unknown[]) => console.error(...line) },
}).start();
