// Builds the service without listening: opens the ledger, then registers the routes by hand in the
// order a reader should meet them.
import { hostname } from 'node:os';
import { join } from 'node:path';
import cors from '@fastify/cors';
import etag from '@fastify/etag';
import { cacheBriefly } from '@lothub/kit/http/brief-cache';
import { instantText, systemClock } from '@lothub/kit/clock';
import { LaterApp } from '@lothub/kit/http/later-app';
import type { RateLimit } from '@lothub/kit/http/rate-limit';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import { watchWriter } from '@lothub/kit/metrics/writer-figures';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import { SendingThread } from '@lothub/delivery/thread/sending-thread';
import type { DestinationStream, Logger } from 'pino';
import { newLog } from '@lothub/kit/serving/service-log';
import { setupLinkOfStart, type SetupLink } from '@lothub/people/accounts/set-up';
import type { Passwords } from '@lothub/people/passwords/passwords';
import type { People } from '@lothub/people/people';
import { openServedPeople } from '@lothub/people/served-people';
import type { Witness } from '@lothub/witness';
import { adminRoutes } from './admin/routes.ts';
import { newServingApp } from './app.ts';
import { productPictureRoutes, publicPictureRoutes } from './brand/picture-routes.ts';
import { placeRoutes } from './brand/place-routes.ts';
import { productRoutes } from './brand/product-routes.ts';
import { brandRoutes } from './brand/routes.ts';
import { findBrand } from './console/queries.ts';
import type { OpenedConsole } from './console/routes.ts';
import { correctionRoutes } from './corrections/routes.ts';
import { csvImportRoutes } from './csv-import/routes.ts';
import { IMPORT_LIMITS, Turns } from './csv-import/turns.ts';
import { EventCounts } from './dashboard/event-counts.ts';
import { KeptChecks } from './dashboard/kept-checks.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import type { LedgerChecks } from './dashboard/summary.ts';
import { eventRoutes } from './events/routes.ts';
import { evidenceRoutes } from './evidence/routes.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { SERVICE_LABEL, deliveryCounter, registerFigures } from './figures.ts';
import { healthRoutes } from './health/routes.ts';
import { CONSOLE } from './console/paths.ts';
import type { App } from './http.ts';
import { keyGate, publicGate } from './keys/authentication.ts';
import { beginAuditChain } from './keys/adopt-keys.ts';
import { ensureFirstKeys } from './keys/first-keys.ts';
import { KeyRing } from './keys/key-ring.ts';
import type { IssuedKey, KeyRole } from './keys/key-store.ts';
import { describeKeyNeeds } from './keys/key-limits.ts';
import { noteWriters } from './keys/key-tenants.ts';
import { KeyUses } from './keys/key-uses.ts';
import { RefusedKeys } from './keys/refused-keys.ts';
import { AuditChainer, SEAL_AFTER_MS } from './ledger/audit-chain/chainer.ts';
import { ChainState } from './ledger/verify/chain-state.ts';
import { ClockWatch } from './ledger/clock-watch.ts';
import { openStore } from './ledger/open-store.ts';
import type { LogIdentity } from './ledger/log/signed-log.ts';
import { LedgerReader } from './ledger/read.ts';
import { VerifierThread } from './ledger/verify/background/thread.ts';
import { LogAnswers } from './log/answers.ts';
import { BuildingWatch } from './log/building-watch.ts';
import { proofPath } from './log/proof-path.ts';
import { PublicLog } from './log/public-log.ts';
import { logRoutes } from './log/routes.ts';
import { labelRoutes } from './labels/routes.ts';
import { lotChainRoutes } from './lots/chain/routes.ts';
import { genealogyRoutes } from './lots/genealogy/routes.ts';
import { LotWays } from './lots/genealogy/ways.ts';
import { noticeRoutes } from './lots/notices/routes.ts';
import { Notices } from './lots/notices/notices.ts';
import { ShownRecalls } from './lots/notices/shown.ts';
import { holdsRoutes } from './holds/routes.ts';
import { lotRoutes } from './lots/routes.ts';
import { describeApi } from './openapi.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { caseRoutes } from './recall/case-answers/routes.ts';
import { caseEditRoutes } from './recall/edit/routes.ts';
import { caseCsvRoutes } from './recall/csv/routes.ts';
import { CaseFollower } from './recall/follow/follow.ts';
import { inboundRoutes } from './recall/inbound/routes.ts';
import { OneAfterAnother } from './recall/outbox/one-after-another.ts';
import { notificationRoutes } from './recall/outbox/routes.ts';
import { reportRoutes } from './recall/report/report-routes.ts';
import { drillRoutes } from './recall/drill/routes.ts';
import { simulationRoutes } from './recall/simulation/routes.ts';
import type { Settings } from './settings.ts';
import { clockGate, refuseEncodedBody, refuseUnknownParameters } from './v1-hooks.ts';
import { supplierRoutes } from './suppliers/routes.ts';
import { timeStampRoutes } from './timestamps/routes.ts';
import { TimeStamper } from './timestamps/time-stamper.ts';
import { verificationRoutes } from './verification/routes.ts';
import { Surroundings } from './verification/surroundings.ts';
import { openHubWitness } from './witness-server/hub-witness.ts';
import { digitalLinkRoutes } from './web/product/routes.ts';
import { feedRoutes } from './web/recalls/feed-routes.ts';
import { webRoutes } from './web/routes.ts';
import { styleguideRoute } from './web/site/styleguide-route.ts';
import { FirstSignature } from './witnessing/first-signature.ts';
import { readHubPolicy, type HubPolicy } from './witnessing/hub-policy.ts';
import { policyWarnings } from './witnessing/policy-warnings.ts';
import { WitnessRounds } from './witnessing/rounds.ts';
import { WitnessWatch } from './witnessing/standing.ts';
import { witnessCounts } from './witnessing/witness-figures.ts';
import { AddressRules } from '@lothub/delivery/sending/address-rules';
import type { Inbox } from './webhooks/inbox.ts';
import { CHANGES_PER_MINUTE } from './watching/limits.ts';
import { canNotifyDevices, chooseContact, openWatching } from './watching/open-watching.ts';
import { ensureWatchKeys } from './watching/watch-keys.ts';
import { watchRoutes } from './web/watching/routes.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';

const SERVING_MACHINE = 'the machine of the hub';
/** Uploaded files lie here, in the data directory, while they are imported. */
const IMPORT_FOLDER_NAME = 'imports';

/** What a page of another origin may read of a public answer, besides its body. */
const PUBLIC_HEADERS = [
  'ETag',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** A setting of one route that its types do not name. */
const WITHOUT_CORS: object = { cors: false };

/** Which key opens the paths below a prefix (docs/interface/traceability.md#keys). */
const GATES: readonly (readonly [string, KeyRole])[] = [
  ['/v1', 'tenant'],
  ['/v1/admin', 'admin'],
];

export interface Service extends AsyncDisposable {
  readonly app: App;
  /** Keys made at the first start: the program that starts the service shows them once. */
  readonly firstKeys: readonly IssuedKey[];
  readonly people: People;
  /** The console, which the first request for it opens otherwise. */
  openConsole(): Promise<OpenedConsole>;
  /**
   * While nobody has an account and no other service of the process makes one: to be printed by the program that
   * starts the
   * hub, and never logged.
   */
  readonly setupLink: SetupLink | undefined;
  readonly state: ChainState;
  readonly verifier: VerifierThread;
  /** Of other logs; undefined when the hub is none. */
  readonly witness: Witness | undefined;
  /** As the store's: what waits for the database ends at once. */
  abandon(): void;
  close(): Promise<void>;
}

export interface ServiceOptions extends UpgradeOptions {
  readonly settings: Settings;
  /** Those of the process, which closes them after the hub; undefined: the hub opens its own. */
  readonly people?: People | undefined;
  /** Of the people that the hub opens itself. */
  readonly passwords?: Passwords | undefined;
  /** Groups of the inbox that the same process serves; undefined: it serves none. */
  readonly inbox?: Inbox | undefined;
  /** How often the service looks for changes that webhooks report after their transaction. */
  readonly webhookLooksEveryMs?: number | undefined;
  /** Where the log goes; standard output when not given. */
  readonly logStream?: DestinationStream;
  /** Called when the service cannot continue, so that the process can end. */
  readonly onFatal: (error: Error) => void;
  /** Of the process; undefined when nobody may read them. */
  readonly metrics?: Metrics | undefined;
  /** How long witnesses are waited for before the first signature of a new machine; a minute without it. */
  readonly witnessPatienceMs?: number | undefined;
  /** How long changes are gathered before a block seals the audit; a minute without it. */
  readonly auditSealAfterMs?: number | undefined;
  /** More routes behind the tenant key, such as the no-op that a benchmark compares with. */
  readonly tenantRoutes?: (app: App) => void;
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, metrics } = options;
  const log = newLog(options);
  // Whatever was opened is closed in reverse: at the end of the service, or when opening fails.
  await using opening = new AsyncDisposableStack();
  const { databaseUrl, hubName, publicUrl } = settings;
  const people =
    options.people ?? opening.use(await openServedPeople({ ...options, databaseUrl, log }));
  const store = opening.use(
    await openStore({
      dataDir: settings.dataDir,
      hubName,
      onFatal: options.onFatal,
      watch: metrics && watchWriter({ metrics, service: SERVICE_LABEL }),
      databaseUrl,
      databaseReadUrl: settings.databaseReadUrl,
      log: settings.log,
      onUpgrade: options.onUpgrade,
      signal: options.signal,
    }),
  );
  opening.use(new BuildingWatch({ signed: store.log, log }));
  const clock = systemClock;
  const state = new ChainState({ store, clock, log });
  await state.refresh();
  // A file is served by one process at a time, on whatever machine.
  const machine =
    settings.databaseUrl === undefined ? SERVING_MACHINE : `${hostname()}:${settings.dataDir}`;
  const clockWatch = opening.use(await ClockWatch.open({ store, clock, machine, log }));
  const reader = new LedgerReader({ database: store.reader, state });
  const notices = new Notices({ database: store.reader, publicUrl });
  const shown = new ShownRecalls({ database: store.reader, notices, clock });
  const surroundings = new Surroundings({ reader, state });
  const policy = await openPolicy(settings, { identity: store.log.identity, log });
  const publicLog = new PublicLog({ signed: store.log, reader, state, policy });
  const hubWitness = await openHubWitness({
    ...{ settings, clock, log },
    database: store.reader,
    signed: store.log,
    onFatal: options.onFatal,
  });
  opening.use(hubWitness);
  const witnesses = new WitnessWatch({
    ...{ database: reader.database, signed: store.log, policy, clock },
    cosigners: publicLog.cosigners,
  });
  const logAnswers = new LogAnswers({
    log: publicLog,
    onError: (error) => {
      log.error({ err: error }, 'answering a write with its proof failed');
    },
  });
  await beginAuditChain(store, clock);
  const firstKeys = await ensureFirstKeys(store, {
    given: { tenant: settings.tenantApiKey, admin: settings.adminApiKey },
    nowMs: clock.nowMs(),
  });
  const setupLink =
    options.people === undefined
      ? await setupLinkOfStart({ ...people, prefix: CONSOLE })
      : undefined;
  const onError = (error: unknown): void => {
    log.error({ err: error }, 'reading the keys failed');
  };
  const keys = opening.use(await KeyRing.open({ database: store, clock, onError }));
  const refused = opening.use(
    new RefusedKeys({
      write: (statements) => store.write(statements),
      clock,
      onError: (error) => {
        log.error({ err: error }, 'keeping in the audit that keys were refused failed');
      },
    }),
  );

  const uses = opening.use(
    new KeyUses({
      write: (statements) => store.write(statements),
      clock,
      onError: (error) => {
        log.warn({ err: error }, 'when keys were used is not written for a while');
      },
    }),
  );

  const verifier = opening.use(
    VerifierThread.start({ source: store.verifierSource, state, log, begin: 'running' }),
  );
  opening.use(CaseFollower.start({ store, reader, state, clock, log }));
  const { auditSealAfterMs: sealAfterMs = SEAL_AFTER_MS } = options;
  opening.use(AuditChainer.start({ store, clock, log, sealAfterMs }));
  if (policy !== undefined) {
    const intervalMs = settings.witnessIntervalMs;
    const patienceMs = options.witnessPatienceMs;
    opening.use(FirstSignature.start({ store, reader, state, clock, log, policy, patienceMs }));
    const counts = metrics && witnessCounts(metrics);
    opening.use(WitnessRounds.start({ store, state, clock, log, policy, intervalMs, counts }));
  }

  const stamper =
    settings.tsaUrl === undefined
      ? undefined
      : opening.use(TimeStamper.start({ url: settings.tsaUrl, store, publicLog, clock, log }));

  const { inbox } = options;
  const addresses = new AddressRules(settings.webhookAllowed);
  const mail = settings.isWatchOn ? settings.mail : undefined;
  const watchKeys = await ensureWatchKeys(store, clock.nowMs());
  const { send, push, mailer } = opening.use(
    new SendingThread({
      allowed: settings.webhookAllowed,
      keys: watchKeys.vapid,
      contact: chooseContact({ publicUrl, mail }),
      mail,
    }),
  );
  opening.use(
    openWebhooks({
      ...{ store, reader, clock, log, inbox, publicUrl, send },
      looksEveryMs: options.webhookLooksEveryMs,
      onTried: metrics && deliveryCounter(metrics),
    }),
  );
  const watching = opening.use(
    await openWatching({
      ...{ store, clock, log, shown, addresses, metrics, publicUrl, mailer, keys: watchKeys },
      push: settings.isWatchOn && canNotifyDevices(settings) ? push : undefined,
      lookEveryMs: options.webhookLooksEveryMs,
    }),
  );

  const importDir = join(settings.dataDir, IMPORT_FOLDER_NAME);
  const notificationTurns = new OneAfterAnother();
  const importTurns = new Turns(IMPORT_LIMITS);
  const { app, answerNotFound } = newServingApp(settings, log, { metrics });
  opening.defer(() => app.close());
  if (metrics !== undefined) {
    registerFigures({
      ...{ metrics, reader, state, clockWatch, stamper, witnesses, clock },
      log: store.log,
    });
  }
  const readDescription = describeApi(app, publicUrl);
  const rateLimit = (name: string, perMinute: number): RateLimit | undefined =>
    store.rateLimit({ name, perMinute, onError: logUncounted });
  const logUncounted = (error: unknown): void => {
    log.warn({ err: error }, 'requests are counted by this process alone for a while');
  };
  const rateV1 = rateLimit('v1', settings.rateLimitV1);
  const gated = { keys, rateLimit: rateV1, refused, uses };
  const ratePublic = rateLimit('public', settings.rateLimitPublic);
  // Pages have a count of their own: who looks at one can still ask for what it is made of.
  const ratePages = rateLimit('pages', settings.rateLimitPages);
  const rateLog = rateLimit('log', settings.rateLimitLog);

  const kept = new KeptChecks<LedgerChecks>(clock);
  const eventCounts = new EventCounts();
  healthRoutes(app, { reader, state, keys, clockWatch, log: store.log, stamper, witnesses });
  await app.register(async (open: App) => {
    // The plugin answers preflights at every path; only those to /public/* may say yes.
    open.addHook('onRoute', (route) => {
      if (route.url === '*') route.config = { ...route.config, ...WITHOUT_CORS };
    });
    await open.register(cors, {
      origin: '*',
      methods: ['GET', 'HEAD'],
      exposedHeaders: PUBLIC_HEADERS,
      strictPreflight: false,
    });
    open.options('/public/*', { schema: { hide: true } }, (_request, reply) => reply.send());
    await open.register(etag, { weak: true });
    open.addHook('onSend', cacheBriefly);
    open.addHook('onRequest', publicGate(ratePublic));
    verificationRoutes(open, { reader, state, hubName, publicUrl, notices, surroundings });
    evidenceRoutes(open, { reader, surroundings, log: publicLog });
    noticeRoutes(open, {
      notices,
      buildProofUrl: (height) => {
        const { identity } = publicLog;
        return identity === undefined ? null : publicUrl + proofPath(identity.epoch, height);
      },
    });
    publicPictureRoutes(open, { database: store.reader });
    const chainId = () => reader.chainId();
    const startedAt = instantText(clock.nowMs());
    feedRoutes(open, { hubName, publicUrl, shown, chainId, startedAt });
    explorerRoutes(open, { reader, state, hashSearch: store.hashSearch });
  });
  await app.register((open: App, _options: object, done: () => void) => {
    logRoutes(open, { log: publicLog, reader, gate: publicGate(rateLog) });
    timeStampRoutes(open, { log: publicLog, reader });
    done();
  });
  if (hubWitness !== undefined) {
    await app.register((open, _options, done) => {
      hubWitness.serve(open, publicGate(rateLog));
      done();
    });
  }
  await app.register((tenant: App, _options: object, done: () => void) => {
    tenant.addHook('onRoute', refuseUnknownParameters);
    tenant.addHook('onRoute', describeKeyNeeds('tenant'));
    tenant.addHook('onRequest', keyGate({ ...gated, role: 'tenant' }));
    tenant.addHook('onRequest', refuseEncodedBody);
    tenant.addHook('onSend', noteWriters({ keys, database: store, clock }));
    tenant.addHook('preHandler', clockGate(clockWatch));
    eventRoutes(tenant, { store, reader, state, clock, logAnswers });
    correctionRoutes(tenant, { store, reader, state, logAnswers });
    csvImportRoutes(tenant, {
      store,
      state,
      clock,
      logAnswers,
      turns: importTurns,
      tempDir: importDir,
    });
    lotRoutes(tenant, { store, reader, clock });
    holdsRoutes(tenant, { store, clock });
    genealogyRoutes(tenant, { database: reader.database });
    lotChainRoutes(tenant, { reader });
    labelRoutes(tenant, { reader, publicUrl });
    simulationRoutes(tenant, { store, reader, clock });
    caseRoutes(tenant, { store, reader, clock });
    caseEditRoutes(tenant, { store, reader, clock });
    notificationRoutes(tenant, { store, reader, clock, turns: notificationTurns });
    caseCsvRoutes(tenant, { reader });
    reportRoutes(tenant, { reader, state, clock, hubName, publicUrl });
    drillRoutes(tenant, { store, reader, clock });
    supplierRoutes(tenant, { store, clock });
    inboundRoutes(tenant, { database: reader.database, notices });
    brandRoutes(tenant, { store, clock });
    productRoutes(tenant, { store, clock, publicUrl });
    productPictureRoutes(tenant, { store, clock, publicUrl });
    placeRoutes(tenant, { store, clock });
    privacyRoutes(tenant, { store, reader, clock });
    dashboardRoutes(tenant, { reader, state, clock, kept, eventCounts });
    options.tenantRoutes?.(tenant);
    done();
  });
  await app.register((admin: App, _options: object, done: () => void) => {
    admin.addHook('onRoute', refuseUnknownParameters);
    admin.addHook('onRoute', describeKeyNeeds('admin'));
    admin.addHook('onRequest', keyGate({ ...gated, role: 'admin' }));
    adminRoutes(admin, { reader, state, keys });
    done();
  });
  // Only callers with a key learn that a path does not exist: the key is checked first on every /v1 path.
  for (const [prefix, role] of GATES) {
    await app.register(
      (unknown: App, _options: object, done: () => void) => {
        unknown.addHook('onRequest', keyGate({ ...gated, role }));
        unknown.setNotFoundHandler(answerNotFound);
        done();
      },
      { prefix },
    );
  }
  await app.register(async (pages: App) => {
    await pages.register(etag, { weak: true });
    pages.addHook('onSend', cacheBriefly);
    const gate = publicGate(ratePages);
    webRoutes(pages, {
      ...{ hubName, publicUrl, notices, shown, surroundings, reader, state, gate },
      log: publicLog,
      hashSearch: store.hashSearch,
      watchOffer: watching.offer,
      readDescription,
    });
    if (settings.isDevelopment) styleguideRoute(pages, settings);
  });
  await app.register((links: App, _options: object, done: () => void) => {
    links.addHook('onSend', cacheBriefly);
    const gate = publicGate(ratePages);
    const watchOffer = watching.offer;
    digitalLinkRoutes(links, { hubName, publicUrl, reader, notices, gate, watchOffer });
    done();
  });
  const { offer, links, readEndpoint } = watching;
  if (offer !== undefined) {
    const perMinute = settings.rateLimitPublic === 0 ? 0 : CHANGES_PER_MINUTE;
    const changesGate = publicGate(rateLimit('watch', perMinute));
    await app.register(async (open: App) => {
      await watchRoutes(open, {
        ...{ hubName, publicUrl, store, clock, notices, links, readEndpoint, changesGate },
        hasMail: offer.hasMail,
        hasPush: offer.vapidKey !== undefined,
        gate: publicGate(ratePages),
      });
    });
  }
  people.brandNames.findBy((tenantId) => findBrand(store.reader, tenantId));
  const desk = new LaterApp(async () => {
    const { openConsole } = await import('./console/routes.ts');
    const count = publicGate(ratePages);
    const deps = {
      ...{ hubName, publicUrl, people, database: store.reader, count },
      ...{ reader, store, state, keys, clock, clockWatch, notificationTurns },
      ...{ notices, surroundings, log: publicLog, logAnswers, witnesses, stamper, kept },
      ways: new LotWays({ database: store.reader, state }),
      ...{ eventCounts, inbox, addresses, importDir, importTurns },
    };
    return await openConsole(deps, { settings, logger: log, metrics });
  });
  desk.serve(app, CONSOLE);
  await app.ready();

  const opened = opening.move();
  const close = (): Promise<void> => opened.disposeAsync();
  const abandon = (): void => {
    store.abandon?.();
    people.abandon();
    hubWitness?.witness.abandon();
    void verifier.close();
  };
  const { witness } = hubWitness ?? {};
  return {
    ...{ app, firstKeys, people, setupLink, state, verifier, witness },
    openConsole: () => desk.open(),
    ...{ abandon, close, [Symbol.asyncDispose]: close },
  };
}

/**
 * The policy of a hub that has a log; what is odd about it is said once.
 * @throws SettingsError as `readHubPolicy`
 */
async function openPolicy(
  settings: Settings,
  { identity, log }: { readonly identity: LogIdentity | undefined; readonly log: Logger },
): Promise<HubPolicy | undefined> {
  const { witnessPolicyFile } = settings;
  if (witnessPolicyFile === undefined) return undefined;
  if (identity === undefined) {
    log.warn('WITNESS_POLICY_FILE is not used: this hub keeps no log (LOG=off)');
    return undefined;
  }
  const { origin } = identity;
  const policy = await readHubPolicy(witnessPolicyFile, {
    origin,
    publicUrl: settings.log?.publicUrl,
  });
  for (const warning of policyWarnings(policy, identity)) log.warn(warning);
  return policy;
}
