// A process that does nothing but send mail, for tests that kill it.
import { openMail } from '../../src/mail/open-mail.ts';
import { clock, log, settings, store } from '../child-store.ts';

const { mail, publicUrl } = settings;
(await openMail({ settings: mail, store, clock, publicUrl, log })).start();
