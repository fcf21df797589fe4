// What the hub answers before it is open: how far an upgrade is, the documents, and those reads of blocks
// that need no derived row. Everything else is refused until then.
import cors from '@fastify/cors';
import type { StartingApp } from '@lothub/kit/serving/served-service';
import { systemClock } from '@lothub/kit/clock';
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import { frontedApp } from '@lothub/kit/serving/front';
import { memoryRateLimit } from '@lothub/kit/http/rate-limit';
import { RequestsUnderWay } from '@lothub/kit/serving/requests-under-way';
import { toPercent, type UpgradeProgress } from '@lothub/kit/upgrade';
import type { FastifyReply } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import { newLog } from '@lothub/kit/serving/service-log';
import { newApp } from './app.ts';
import { Refusal } from './errors.ts';
import { pageOfBlocks } from './explorer/block-pages.ts';
import { BlocksQuery, readBlocksQuery } from './explorer/list-query.ts';
import { BlockPageSchema } from './explorer/schema.ts';
import { sendNotReady } from './health/routes.ts';
import { HealthOfStart, READY_SCHEMA } from './health/schema.ts';
import { HEALTH_PATH, NOT_FOUND, PUBLIC_ERRORS, READY_PATH, type App } from './http.ts';
import { installErrorAnswers } from './http-errors.ts';
import { publicGate } from './keys/authentication.ts';
import { loadReader } from './ledger/open-store.ts';
import { LedgerReader } from './ledger/read.ts';
import { ChainState } from './ledger/verify/chain-state.ts';
import type { Settings } from './settings.ts';
import { TEXT_TYPE } from './log/log-http.ts';
import { HeightParams } from './web/explorer/routes.ts';
import { fixedRoutes } from './web/routes.ts';

/** When a refused caller should retry. */
const RETRY_AFTER_SECONDS = 5;

/** Never listens: a front hands it requests. */
export async function openStartingApp(options: {
  readonly settings: Settings;
  readonly logStream: DestinationStream;
}): Promise<StartingApp> {
  const { settings } = options;
  const log = newLog(options);
  const app = newApp(settings, log);
  const underWay = RequestsUnderWay.of(app);
  installErrorAnswers(app, settings);
  let upgrade: UpgradeProgress | undefined;
  let ledger: ReadableLedger | undefined;
  const refuse = (reply: FastifyReply): never => {
    void reply.header('Retry-After', RETRY_AFTER_SECONDS);
    throw new Refusal('not_ready', `${formatProgress(upgrade)}; nothing was stored, try again`);
  };
  // Whether there is anything at other paths is not known before the service is open.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(reply);
    done();
  });
  operationRoutes(app, () => upgrade);
  fixedRoutes(app, settings);
  await app.register(async (open: App) => {
    await open.register(cors, { origin: '*', methods: ['GET', 'HEAD'] });
    open.addHook('onRequest', publicGate(memoryRateLimit(settings.rateLimitPublic)));
    blockRoutes(open, (reply) => ledger?.reader ?? refuse(reply));
  });
  await app.ready();
  const openReader = await loadReader(settings);
  return {
    app: frontedApp(app),
    log,
    onUpgrade: (progress) => {
      upgrade = progress;
      // From here on the tables are those of this version, and blocks are never changed.
      if (progress.step !== 'schema') ledger ??= readLedger(openReader(), log);
    },
    close: async () => {
      await underWay.ended();
      await ledger?.database.close();
      await app.close();
    },
  };
}

function operationRoutes(app: App, upgradeNow: () => UpgradeProgress | undefined): void {
  app.get(
    HEALTH_PATH,
    { schema: { response: { 200: HealthOfStart, 503: HealthOfStart } } },
    (_request, reply) => {
      const upgrade = upgradeNow();
      const detail = formatProgress(upgrade);
      if (upgrade !== undefined) {
        return reply.send({ status: 'upgrading', percent: toPercent(upgrade), detail });
      }
      return reply
        .code(503)
        .header('Retry-After', RETRY_AFTER_SECONDS)
        .send({ status: 'starting', percent: null, detail });
    },
  );
  app.get(READY_PATH, { schema: READY_SCHEMA }, (_request, reply) =>
    sendNotReady(reply, formatProgress(upgradeNow())),
  );
}

/** Those that read blocks alone; `getReader` refuses while nothing can be read. */
function blockRoutes(app: App, getReader: (reply: FastifyReply) => LedgerReader): void {
  app.get(
    '/public/explorer/blocks',
    { schema: { querystring: BlocksQuery, response: { 200: BlockPageSchema, ...PUBLIC_ERRORS } } },
    ({ query }, reply) => {
      const reader = getReader(reply);
      const asked = readBlocksQuery(query);
      if (asked.filter.brand !== undefined || asked.filter.type !== undefined) {
        void reply.header('Retry-After', RETRY_AFTER_SECONDS);
        throw new Refusal(
          'not_ready',
          'The blocks of one brand or type can be read after the upgrade',
        );
      }
      return pageOfBlocks(reader, asked);
    },
  );
  app.get(
    '/explorer/block/:height/canonical.txt',
    { schema: { params: HeightParams, response: { ...NOT_FOUND, ...PUBLIC_ERRORS } } },
    async ({ params }, reply) => {
      const block = await getReader(reply).findBlock(params.height);
      if (block === undefined) throw new Refusal('not_found', 'There is no block of this height');
      return reply.type(TEXT_TYPE).send(block.canonical);
    },
  );
}

interface ReadableLedger {
  readonly database: DatabaseReader;
  readonly reader: LedgerReader;
}

function readLedger(database: DatabaseReader, log: Logger): ReadableLedger {
  const state = new ChainState({
    store: { reader: database, write: refuseToWrite },
    clock: systemClock,
    log,
  });
  return { database, reader: new LedgerReader({ database, state }) };
}

/** What is found now is found again by the verifier, which keeps it. */
function refuseToWrite(): Promise<never> {
  return Promise.reject(
    new DatabaseError('database_busy', 'nothing is written before the upgrade has ended'),
  );
}

function formatProgress(upgrade: UpgradeProgress | undefined): string {
  if (upgrade === undefined) return 'The hub is starting';
  const percent = toPercent(upgrade);
  const place = percent === null ? 'by another process' : `${percent} %`;
  return `The hub is being upgraded (${place}) and does not answer this yet`;
}
