// A process that does nothing but send mail, by the thread that services send it by, for tests that kill it.
import { newVapidKeys } from '@lothub/delivery/push/vapid-keys';
import { SendingThread } from '@lothub/delivery/thread/sending-thread';
import { openMail } from '../../src/mail/open-mail.ts';
import { clock, log, settings, store } from '../child-store.ts';

const { mail, publicUrl } = settings;
const keys = newVapidKeys();
const { mailer } = new SendingThread({ allowed: [], keys, contact: publicUrl, mail });
(await openMail({ mailer, store, clock, publicUrl, log })).start();
