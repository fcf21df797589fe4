// What runs in the hub for watches: the worker that sends their messages, and the deletion of expired ones.
import type { Clock } from '@lothub/kit/clock';
import { RetentionLoop, sweep, type Pace } from '@lothub/kit/retention/retention-loop';
import type { AddressRules } from '@lothub/delivery/sending/address-rules';
import { webhookUrl } from '@lothub/delivery/sending/webhook-url';
import type { Mailer } from '@lothub/delivery/mail/mailer';
import type { PushSend } from '@lothub/delivery/push/push-sender';
import type { MailSettings } from '@lothub/delivery/mail/settings';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import type { FastifyBaseLogger } from 'fastify';
import type { LedgerStore } from '../ledger/store.ts';
import type { ShownRecalls } from '../lots/notices/shown.ts';
import type { WatchOffer } from '../web/watching/section.ts';
import { watchFigures } from './figures.ts';
import { WatchLinks } from './links.ts';
import { mailWay } from './sending/mail-way.ts';
import { pushWay } from './sending/push-way.ts';
import { EXPIRED, askForRenewal } from './sweeps.ts';
import type { WatchKeys } from './watch-keys.ts';
import { WatchWorker } from './sending/worker.ts';

export interface WatchingOptions {
  readonly store: LedgerStore;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly shown: ShownRecalls;
  /** The address of the hub, without a slash at the end. */
  readonly publicUrl: string;
  /** Undefined: nobody is notified by mail. */
  readonly mailer: Mailer | undefined;
  readonly keys: WatchKeys;
  /** Sends to devices, with these keys. Undefined: none is notified. */
  readonly push: PushSend | undefined;
  readonly addresses: AddressRules;
  readonly metrics: Metrics | undefined;
  readonly lookEveryMs?: number | undefined;
  readonly pace?: Pace | undefined;
}

export interface Watching extends AsyncDisposable {
  readonly links: WatchLinks;
  /** What public pages offer; undefined: nothing. */
  readonly offer: WatchOffer | undefined;
  /** Whether an endpoint of a browser may be asked; as it is asked. */
  readonly readEndpoint: (text: string) => URL | undefined;
}

/** Host names of this machine itself. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Browsers take push from pages whose address is https, or of their own machine, and known to be the one. */
export function canNotifyDevices(settings: {
  readonly publicUrl: string;
  readonly isPublicUrlSet: boolean;
}): boolean {
  const { protocol, hostname } = new URL(settings.publicUrl);
  return settings.isPublicUrlSet && (protocol === 'https:' || LOOPBACK.test(hostname));
}

/** Runs until it is disposed of. */
export async function openWatching(options: WatchingOptions): Promise<Watching> {
  const { store, clock, log, publicUrl, shown, addresses, metrics, mailer, keys, push } = options;
  const links = new WatchLinks(keys.links);
  await using opening = new AsyncDisposableStack();
  const figures = metrics && watchFigures(metrics, store.reader);
  opening.use(
    WatchWorker.start({
      ...{ store, clock, log },
      compose: { database: store.reader, shown, links, clock, publicUrl },
      ways: {
        mail: mailer && mailWay(mailer, clock),
        push: push && pushWay(push, clock),
      },
      onTried: figures?.countTry,
      lookEveryMs: options.lookEveryMs,
    }),
  );
  opening.use(
    new RetentionLoop({
      clock,
      turn: store.turn('watch-retention'),
      sweeps: [EXPIRED],
      retain: async (pass) => {
        await sweep(pass, { store, clock });
        while (!pass.signal.aborted && (await pass.turn.take())) {
          if ((await askForRenewal({ store, clock })) === 0) break;
        }
      },
      onError: (error) => log.warn({ err: error }, 'ending watches whose time is over failed'),
      pace: options.pace,
    }),
  );
  const opened = opening.move();
  const hasPush = push !== undefined;
  const isOffered = mailer !== undefined || hasPush;
  return {
    links,
    offer: isOffered
      ? { hasMail: mailer !== undefined, vapidKey: hasPush ? keys.vapid.publicKey : undefined }
      : undefined,
    readEndpoint: (text) => webhookUrl(text, addresses),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Push services take an https address or a mail address (RFC 8292, section 2.1). */
export function chooseContact({
  publicUrl,
  mail,
}: {
  readonly publicUrl: string;
  readonly mail: MailSettings | undefined;
}): string {
  if (publicUrl.startsWith('https:') || mail === undefined) return publicUrl;
  return `mailto:${mail.from.address}`;
}
