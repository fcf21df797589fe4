// All pages for people, in scopes of their own: their errors are pages, and their forms are understood
// here alone.
import type { ReadDescription } from '@lothub/kit/http/description/routes-description';
import formbody from '@fastify/formbody';
import { ASSET_CACHE } from '@lothub/kit/http/hashed-asset';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, Problem } from '../errors.ts';
import { toProblem } from '../http-errors.ts';
import { PAGES_PREFIX, type App } from '../http.ts';
import { apiPageRoutes } from './api-page-routes.ts';
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
import type { WebDeps } from './web-deps.ts';
import { mutePageRoutes } from './group/mute-page-routes.ts';
import { webhookPageRoutes } from './group/webhook-page-routes.ts';

/** No form of ours is larger: the longest is an account with its password. */
const FORM_BYTES_MAX = 16_384;

export interface WebOptions extends WebDeps {
  /** Reads the description of the interface. */
  readonly readDescription: ReadDescription;
  /** Sets `request.person`, or refuses. */
  readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export async function webRoutes(app: App, deps: WebOptions): Promise<void> {
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
  apiPageRoutes(app, deps.readDescription);
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
