// Builds the service without listening: opens the store, then registers the routes by hand in the order
// a reader should meet them.
import { systemClock } from '@lothub/kit/clock';
import { LaterApp } from '@lothub/kit/http/later-app';
import type { TokenBucket, TokenBucketRate } from '@lothub/kit/http/token-bucket';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import { watchWriter } from '@lothub/kit/metrics/writer-figures';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import type { DestinationStream } from 'pino';
import { newLog } from '@lothub/kit/serving/service-log';
import { personGate } from './access/gate.ts';
import { SeenNotes } from '@lothub/people/access/seen';
import { adapterRoutes } from './adapters/adapter-routes.ts';
import { newServingApp } from './app.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { AddressRules } from '@lothub/delivery/sending/address-rules';
import { deliveryRoutes } from './delivery/delivery-routes.ts';
import { DeliveryWorker } from './delivery/delivery-worker.ts';
import { SendingThread } from '@lothub/delivery/thread/sending-thread';
import { choosePushContact } from '@lothub/delivery/push/settings';
import { webhookRoutes } from './delivery/webhooks/routes.ts';
import { deviceRoutes } from './devices/device-routes.ts';
import { PushWorker } from './devices/push-worker.ts';
import { ensureVapidKeys } from './devices/vapid.ts';
import { WEBHOOK_TEST_RATE } from './delivery/webhooks/test.ts';
import { dutyRoutes } from './duties/routes.ts';
import { escalationRoutes } from './escalation/routes.ts';
import { EscalationWorker } from './escalation/worker.ts';
import {
  SERVICE_LABEL,
  deliveryCounter,
  escalationCounter,
  registerFigures,
  mailCounter,
  pushCounter,
} from './figures.ts';
import { FeedFollower } from './feed/follower.ts';
import type { SignalKind } from './feed/signals.ts';
import { groupRoutes } from './groups/group-routes.ts';
import { memberRoutes } from './groups/member-routes.ts';
import { healthRoutes } from './health/health-routes.ts';
import { PAGES_PREFIX, type App } from './http.ts';
import { inboxRoutes } from './inbox/inbox-routes.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { ingestRoutes } from './ingest/ingest-routes.ts';
import { Ingest } from './ingest/ingest.ts';
import { KeyLookup } from './keys/key-lookup.ts';
import { postingByKey, type PostingByKey } from './keys/posting-by-key.ts';
import { describeApi, describeSecurity } from './openapi.ts';
import type { EntranceDeps } from './people/deps.ts';
import { ensureFirstOwner } from './people/first-owner.ts';
import { openGroupPlaces } from './people/places/open-group-places.ts';
import { acceptanceRoutes, invitationRoutes } from './people/invitations/routes.ts';
import { meRoutes } from './people/me-routes.ts';
import { sessionRoutes } from './people/session-routes.ts';
import { setUpRoutes } from './people/set-up-routes.ts';
import { setupLinkOfStart, type SetupLink } from '@lothub/people/accounts/set-up';
import type { Passwords } from '@lothub/people/passwords/passwords';
import type { People } from '@lothub/people/people';
import { openServedPeople } from '@lothub/people/served-people';
import { assertPeopleThere } from './people/assert-people-there.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { openMail } from './mail/open-mail.ts';
import { openRetention } from './retention/retention.ts';
import type { Settings } from './settings.ts';
import { openStore } from './store/open-store.ts';
import type { NotificationStore } from './store/store.ts';
import { StreamHub } from './stream/hub.ts';
import { streamRoutes } from './stream/stream-routes.ts';
import { apiPageRoutes } from './web/api-page-routes.ts';
import type { OpenedPages } from './web/web-routes.ts';

const SECONDS_PER_MINUTE = 60;
/** A group may be sent twice what one of its keys may send (docs/interface/notifications.md#rates). */
const GROUP_RATE_FACTOR = 2;
/** After which what is known of keys and of what they post into may be wrong. */
const KEY_SIGNALS: ReadonlySet<SignalKind> = new Set(['key', 'group']);

export interface Service extends AsyncDisposable {
  readonly app: App;
  readonly store: NotificationStore;
  readonly people: People;
  readonly follower: FeedFollower;
  /** The pages, which the first request for one opens otherwise. */
  openPages(): Promise<OpenedPages>;
  /** For another service of the same process. */
  readonly posting: PostingByKey;
  /** Set while there is no account. The program that starts the service prints it; it is never logged. */
  readonly setupLink: SetupLink | undefined;
  /**
   * Ends all streams, because a server that waits for open requests would wait for them forever,
   * and starts no more deliveries. Closing the app does it too.
   */
  readonly beginClose: () => void;
  close(): Promise<void>;
}

export interface ServiceOptions extends UpgradeOptions {
  readonly settings: Settings;
  /** Those of the process, which closes them after the service; undefined: the service opens its own. */
  readonly people?: People | undefined;
  /** Of the people that the service opens itself. */
  readonly passwords?: Passwords | undefined;
  /** Where the log goes; standard output when not given. */
  readonly logStream?: DestinationStream;
  /** Called when the service cannot continue, so that the process can end. */
  readonly onFatal: (error: Error) => void;
  /** The figures of the process; undefined when no token to read them is set. */
  readonly metrics?: Metrics | undefined;
  /** How often streams beat; 15 seconds when not given. */
  readonly beatMs?: number;
  /** More routes, such as the no-op that a benchmark compares with. */
  readonly moreRoutes?: (app: App) => void;
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, metrics } = options;
  const log = newLog(options);
  // Whatever was opened is closed in reverse: at the end of the service, or when opening fails.
  await using opening = new AsyncDisposableStack();
  // Before the store, which reads their names.
  const people =
    options.people ??
    opening.use(await openServedPeople({ ...options, databaseUrl: settings.databaseUrl, log }));
  const store = opening.use(
    await openStore({
      dataDir: settings.dataDir,
      databaseUrl: settings.databaseUrl,
      clock: systemClock,
      onFatal: options.onFatal,
      watch: metrics && watchWriter({ metrics, service: SERVICE_LABEL }),
      onUpgrade: options.onUpgrade,
      signal: options.signal,
    }),
  );
  await assertPeopleThere(store.reader);
  const clock = systemClock;
  const isShared = settings.databaseUrl !== undefined;
  opening.use(await openGroupPlaces({ people, store, clock, isShared, log }));
  const { publicUrl, rates } = settings;
  const addresses = new AddressRules(settings.webhookAllowed);
  const seen = opening.use(
    new SeenNotes({
      write: (statements) => store.write(statements),
      onError: (error) => {
        log.warn({ err: error }, 'noting when a read token was last used failed');
      },
    }),
  );
  if (settings.firstOwner !== undefined) {
    await ensureFirstOwner({ people, store }, settings.firstOwner);
  }
  const follower = opening.use(
    await FeedFollower.open({
      store,
      onError: (error) => log.error({ err: error }, 'following the feed failed'),
    }),
  );
  const setupLink = await setupLinkOfStart({ ...people, prefix: PAGES_PREFIX });
  const bucket = (name: string, rate: TokenBucketRate): TokenBucket | undefined =>
    store.tokenBucket({ name, rate, onError: logUncounted });
  const logUncounted = (error: unknown): void => {
    log.warn({ err: error }, 'requests are counted by this process alone for a while');
  };
  const entrance: EntranceDeps = { store, clock, people, seen };
  const vapid = await ensureVapidKeys({ store, clock });
  const contact = choosePushContact({ contact: settings.pushContact, publicUrl });
  const { send, push, mailer } = opening.use(
    new SendingThread({
      ...{ allowed: settings.webhookAllowed, keys: vapid, contact },
      mail: settings.mail,
    }),
  );

  const app = await newServingApp(settings, log, { metrics });
  opening.defer(() => app.close());
  const webhooks = { addresses, send, testRate: bucket('webhook-test', WEBHOOK_TEST_RATE) };
  const streamsEnd = new AbortController();
  const deliveries = opening.use(
    new DeliveryWorker({
      store,
      clock,
      send,
      publicUrl,
      log,
      onTried: metrics && deliveryCounter(metrics),
    }),
  );
  const mail = opening.use(
    await openMail({
      ...{ mailer, store, clock, publicUrl, log },
      onTried: metrics && mailCounter(metrics),
    }),
  );
  const escalation = opening.use(
    new EscalationWorker({
      ...{ store, clock, publicUrl, log },
      onEscalated: metrics && escalationCounter(metrics),
    }),
  );
  const pushes = opening.use(
    new PushWorker({ store, clock, push, log, onTried: metrics && pushCounter(metrics) }),
  );
  const beginClose = (): void => {
    streamsEnd.abort();
    void escalation.close();
    void deliveries.close();
    void mail.close();
    void pushes.close();
  };
  app.addHook('preClose', async () => beginClose());
  const readDescription = describeApi(app, {
    publicUrl,
    sessionCookie: people.cookies.sessionName,
  });
  healthRoutes(app, { store });
  const keys = new KeyLookup(store.reader);
  follower.subscribeToSignals((entries) => {
    if (entries.some(({ signal }) => KEY_SIGNALS.has(signal.kind))) keys.forget();
  });
  const keyRates = { burst: rates.keyBurst, perMinute: rates.keyPerSecond * SECONDS_PER_MINUTE };
  await app.register((posting: App, _options: object, done: () => void) => {
    const deps = {
      ingest: new Ingest(store),
      keys,
      clock,
      keyRate: bucket('key', keyRates),
      groupRate: bucket('group', {
        burst: GROUP_RATE_FACTOR * keyRates.burst,
        perMinute: GROUP_RATE_FACTOR * keyRates.perMinute,
      }),
      failedRate: bucket('failed-key', {
        burst: rates.failedKeyBurst,
        perMinute: rates.failedKeyPerMinute,
      }),
    };
    ingestRoutes(posting, deps);
    void posting.register((senders: App, _none: object, registered: () => void) => {
      adapterRoutes(senders, deps);
      registered();
    });
    done();
  });
  setUpRoutes(app, entrance);
  sessionRoutes(app, entrance);
  acceptanceRoutes(app, entrance);
  const gate = personGate({
    ...entrance,
    rate: bucket('person', {
      burst: rates.personBurst,
      perMinute: rates.personPerSecond * SECONDS_PER_MINUTE,
    }),
  });
  const streams = new StreamHub({
    reader: store.reader,
    people: people.store,
    follower,
    clock,
    streamsPerPerson: settings.streamsPerPerson,
    beatMs: options.beatMs,
    onError: (error) => log.error({ err: error }, 'sending readers what they missed failed'),
  });
  if (metrics !== undefined) {
    registerFigures({ metrics, reader: store.reader, clock, openStreams: () => streams.size });
  }
  streamsEnd.signal.addEventListener('abort', () => streams.close());
  await app.register((people: App, _options: object, done: () => void) => {
    people.addHook('onRequest', gate);
    describeSecurity(people);
    meRoutes(people, entrance);
    inboxRoutes(people, { store, clock });
    streamRoutes(people, { hub: streams });
    groupRoutes(people, { store, clock });
    memberRoutes(people, { store, clock });
    invitationRoutes(people, entrance);
    keyRoutes(people, { store, clock, publicUrl });
    webhookRoutes(people, { store, clock, publicUrl, ...webhooks });
    deliveryRoutes(people, { store, clock });
    dutyRoutes(people, { store, clock });
    escalationRoutes(people, { store, clock });
    deviceRoutes(people, { store, clock, addresses, push, publicKey: vapid.publicKey });
    auditRoutes(people, { store });
    mailRoutes(people, mail.deps);
    done();
  });
  // Only where the service is alone: beside another one these paths are the other's.
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect(PAGES_PREFIX));
  // All pages are for who is logged in.
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
  );
  apiPageRoutes(app, readDescription);
  const pages = new LaterApp(async () => {
    const { openPages } = await import('./web/web-routes.ts');
    const notifying = { push, pushKey: vapid.publicKey, mail: mail.deps };
    const deps = { ...entrance, ...webhooks, ...notifying, gate };
    return await openPages(deps, { settings, logger: log, metrics });
  });
  pages.serve(app, PAGES_PREFIX);
  options.moreRoutes?.(app);
  await app.ready();
  opening.use(openRetention({ store, clock, people: people.store, log }));
  deliveries.start();
  mail.start();
  escalation.start();
  pushes.start();

  const opened = opening.move();
  const close = (): Promise<void> => opened.disposeAsync();
  return {
    app,
    store,
    people,
    follower,
    openPages: () => pages.open(),
    posting: postingByKey({ store, clock }),
    setupLink,
    beginClose,
    close,
    [Symbol.asyncDispose]: close,
  };
}
