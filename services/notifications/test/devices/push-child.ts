// A process that does nothing but push, for tests that kill it.
import { systemClock } from '@lothub/kit/clock';
import { newPushSender } from '@lothub/delivery/push/push-sender';
import { newSender } from '@lothub/delivery/sending/send';
import { PushWorker } from '../../src/devices/push-worker.ts';
import { ensureVapidKeys } from '../../src/devices/vapid.ts';
import { clock, log, store } from '../child-store.ts';
import { LOCAL_RULES } from '../delivery/outbox.ts';
import { CONTACT } from './pushing.ts';

const keys = await ensureVapidKeys({ store, clock });
const send = newSender({ rules: LOCAL_RULES });
const push = newPushSender({ send, keys, contact: CONTACT, clock: systemClock });
new PushWorker({ store, clock, push, log }).start();
