// What the service has of mail: the key of its links, and the worker of its outbox.
import type { Clock } from '@lothub/kit/clock';
import type { Mailer } from '@lothub/delivery/mail/mailer';
import type { MailResult } from '@lothub/delivery/mail/smtp-answer';
import type { DeliveryOutcome } from '@lothub/delivery/outbox/record-try';
import { OutboxWorker } from '@lothub/delivery/outbox/worker';
import type { FastifyBaseLogger } from 'fastify';
import { ensureServiceKey } from '../store/service-keys.ts';
import type { NotificationStore } from '../store/store.ts';
import { mailOutbox } from './mail-outbox.ts';
import type { MailDeps } from './mail-settings.ts';
import { hasReceivers } from './receiver-queries.ts';
import { mailResultText } from './test-mail.ts';
import { newLinkKey } from './unsubscribe-token.ts';

/** How often the log reports a server that does not answer, however many mails wait for it. */
const TROUBLE_LOGGED_EVERY_MS = 60_000;

/** The name of the key in the table of the service's own keys. */
const LINK_KEY = 'mail_links';

export interface MailOptions {
  /** undefined: no mail server is set. */
  readonly mailer: Mailer | undefined;
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly onTried?: ((outcome: DeliveryOutcome) => void) | undefined;
}

export interface OpenedMail extends AsyncDisposable {
  readonly deps: MailDeps;
  start(): void;
  /** Begins no more mails; what is under way may end. */
  close(): Promise<void>;
}

export async function openMail(options: MailOptions): Promise<OpenedMail> {
  const { mailer, store, clock, publicUrl, log, onTried } = options;
  const stopping = new AbortController();
  const deps: MailDeps = {
    store,
    clock,
    mailer,
    publicUrl,
    linkKey: await ensureServiceKey({ store, clock }, { name: LINK_KEY, make: newLinkKey }),
    stopping: stopping.signal,
  };
  // Without a server mail cannot be turned on, and most inboxes have none.
  const hasWork = mailer !== undefined || (await hasReceivers(store.reader)) !== undefined;
  const worker = hasWork
    ? new OutboxWorker(mailOutbox({ ...deps, onTrouble: troubleLog(log) }), {
        store,
        clock,
        log,
        onTried,
      })
    : undefined;
  const close = async (): Promise<void> => {
    stopping.abort();
    await worker?.close();
  };
  return {
    deps,
    start: () => worker?.start(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function troubleLog(log: MailOptions['log']): (result: MailResult) => void {
  let loggedMs = -Infinity;
  return (result) => {
    const nowMs = performance.now();
    if (nowMs - loggedMs < TROUBLE_LOGGED_EVERY_MS) return;
    loggedMs = nowMs;
    log.warn(`mail: sending failed, and is tried again: ${mailResultText(result)}`);
  };
}
