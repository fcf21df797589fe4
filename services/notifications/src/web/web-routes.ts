// All pages for people, an app of its own. Those with forms are in scopes: their errors are pages, and forms are
// understood there alone.
import formbody from '@fastify/formbody';
import { ASSET_CACHE } from '@lothub/kit/http/hashed-asset';
import { idPassedOn } from '@lothub/kit/http/later-app';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { newServingApp } from '../app.ts';
import { PROBLEMS, Problem } from '../errors.ts';
import { toProblem } from '../http-errors.ts';
import { PAGES_PREFIX, type App } from '../http.ts';
import { appRoutes } from './app-routes.ts';
import { ASSETS } from './assets.ts';
import { auditPageRoutes } from './group/audit-page-routes.ts';
import { answerWithErrorPage, isForPerson } from './error-page.ts';
import { groupPageRoutes } from './group/routes.ts';
import { inboxPageRoutes } from './inbox/routes.ts';
import { loginPageRoutes } from './person/login-routes.ts';
import { devicePageRoutes } from './person/device-page-routes.ts';
import { mailPageRoutes, unsubscribeRoutes } from './person/mail-page-routes.ts';
import { mePageRoutes } from './person/me-page-routes.ts';
import { pageGate } from './page-gate.ts';
import type { Settings } from '../settings.ts';
import type { WebDeps } from './web-deps.ts';
import { mutePageRoutes } from './group/mute-page-routes.ts';
import { webhookPageRoutes } from './group/webhook-page-routes.ts';

/** No form of ours is larger: the longest is an account with its password. */
const FORM_BYTES_MAX = 16_384;

export interface WebOptions extends WebDeps {
  /** Sets `request.person`, or refuses. */
  readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export interface OpenedPages {
  readonly app: App;
}

/** Opens an app of its own. The app of the service passes requests below {@link PAGES_PREFIX} on to it. */
export async function openPages(
  deps: WebOptions,
  options: {
    readonly settings: Settings;
    readonly logger: Logger;
    readonly metrics: Metrics | undefined;
  },
): Promise<OpenedPages> {
  const { settings, logger, metrics } = options;
  const app = await newServingApp(settings, logger, { metrics, genReqId: idPassedOn });
  await webRoutes(app, deps);
  await app.ready();
  return { app };
}

async function webRoutes(app: App, deps: WebOptions): Promise<void> {
  for (const asset of ASSETS) {
    app.get(asset.path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .header('Cache-Control', ASSET_CACHE)
        .header('X-Content-Type-Options', 'nosniff')
        .type(asset.mediaType)
        .send(asset.text),
    );
  }
  appRoutes(app);
  await app.register(async (open: App) => {
    await preparePages(open);
    loginPageRoutes(open, deps);
  });
  await app.register(async (open: App) => {
    await preparePages(open);
    unsubscribeRoutes(open, deps);
  });
  await app.register(async (own: App) => {
    await preparePages(own);
    own.addHook('onRequest', pageGate(deps.gate));
    inboxPageRoutes(own, deps);
    groupPageRoutes(own, deps);
    mutePageRoutes(own, deps);
    webhookPageRoutes(own, deps);
    auditPageRoutes(own, deps);
    mePageRoutes(own, deps);
    devicePageRoutes(own, deps);
    mailPageRoutes(own, deps);
    own.get(`${PAGES_PREFIX}/*`, { schema: { hide: true } }, () => {
      throw new Problem('not_found', 'There is no such page');
    });
  });
}

async function preparePages(app: App): Promise<void> {
  await app.register(formbody, { bodyLimit: FORM_BYTES_MAX });
  app.setErrorHandler((error, request, reply) => {
    // The handler of the whole service has the answer for programs.
    if (!isForPerson(request, reply, 'page')) throw error;
    const problem = toProblem(error, request);
    const { status } = PROBLEMS[problem.code];
    if (status >= 500) request.log.error({ err: error }, 'showing a page failed');
    return reply.send(answerWithErrorPage(request, reply, problem));
  });
}
