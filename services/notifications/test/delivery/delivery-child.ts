// A process that does nothing but deliver, for tests that kill it.
import { newSender } from '@lothub/delivery/sending/send';
import { DeliveryWorker } from '../../src/delivery/delivery-worker.ts';
import { clock, log, store } from '../child-store.ts';
import { LOCAL_RULES } from './outbox.ts';

const send = newSender({ rules: LOCAL_RULES });
new DeliveryWorker({ store, clock, send, publicUrl: 'https://inbox.example.com', log }).start();
