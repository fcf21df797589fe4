// The console: pages where the people of a brand and the operators of the hub work. All of it is one scope
// behind one gate; its errors are pages, and its forms are understood here alone.
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import { ASSET_CACHE } from '@lothub/kit/http/hashed-asset';
import { present } from '@lothub/kit/present';
import { PeopleProblem } from '@lothub/people/errors';
import { signOnRoutes } from '@lothub/people/sign-on/routes';
import type { RouteOptions } from 'fastify';
import { Refusal } from '../errors.ts';
import type { App } from '../http.ts';
import type { ConsoleRight } from './access.ts';
import { CONSOLE_MODULES_PREFIX, STYLESHEET, findConsoleModule } from './assets.ts';
import { brandRoutes } from './brand/routes.ts';
import { choiceRoutes } from './entrance/choice-routes.ts';
import type { ConsoleDeps } from './deps.ts';
import { entranceRoutes } from './entrance/routes.ts';
import { sendErrorPage } from './error-page.ts';
import { installGate } from './gate.ts';
import { hubRoutes } from './hub/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me/routes.ts';
import { CONSOLE, SIGN_ON } from './paths.ts';
import { auditPageRoutes } from './audit/routes.ts';
import { casePageRoutes } from './cases/routes.ts';
import { drillPageRoutes } from './drills/routes.ts';
import { eventPageRoutes } from './events/routes.ts';
import { genealogyPageRoutes } from './genealogy/routes.ts';
import { helpPageRoutes } from './help/routes.ts';
import { importPageRoutes } from './imports/routes.ts';
import { lotPageRoutes } from './lots/routes.ts';
import { privacyPageRoutes } from './privacy/routes.ts';
import { profilePageRoutes } from './profile/routes.ts';
import { recordPageRoutes } from './record/routes.ts';
import { simulationPageRoutes } from './simulation/routes.ts';
import { todayRoutes } from './today/routes.ts';
import { webhookPageRoutes } from './webhooks/routes.ts';

/**
 * No form of the console is larger: the longest is a recall case with its texts in five languages, 27,500 characters
 * that take up to 9 bytes each as forms are sent.
 */
const FORM_BYTES_MAX = 262_144;

export interface RouteWithRight {
  readonly method: string;
  /** With its parameters as `:name`. */
  readonly url: string;
  readonly right: ConsoleRight;
}

/** @returns its routes with what each asks for */
export async function consoleRoutes(
  app: App,
  deps: ConsoleDeps,
): Promise<readonly RouteWithRight[]> {
  const routes: RouteWithRight[] = [];
  app.get(STYLESHEET.path, { schema: { hide: true } }, (_request, reply) =>
    reply.header('Cache-Control', ASSET_CACHE).type(STYLESHEET.mediaType).send(STYLESHEET.text),
  );
  app.get(`${CONSOLE_MODULES_PREFIX}/:file`, { schema: { hide: true } }, (request, reply) => {
    const found = findConsoleModule(request.url);
    if (found === undefined) throw new Refusal('not_found', 'There is no such module');
    return reply
      .header('Cache-Control', ASSET_CACHE)
      .header('Service-Worker-Allowed', `${CONSOLE}/`)
      .type(found.mediaType)
      .send(found.text);
  });
  await app.register(async (pages: App) => {
    pages.removeAllContentTypeParsers();
    await pages.register(formbody, { bodyLimit: FORM_BYTES_MAX });
    await pages.register(cookie);
    pages.setErrorHandler((error, request, reply) =>
      sendErrorPage(deps, { request, reply }, error),
    );
    pages.addHook('onRoute', openSignOn);
    installGate(pages, deps);
    pages.addHook('onRoute', ({ method, url, config }) => {
      const right = present(config?.right, 'the right of a route');
      // HEAD is what Fastify adds to GET.
      for (const one of [method].flat())
        if (one !== 'HEAD') routes.push({ method: one, url, right });
    });
    signOnRoutes(pages, { people: deps.people, prefix: CONSOLE });
    entranceRoutes(pages, deps);
    choiceRoutes(pages, deps);
    brandRoutes(pages, deps);
    todayRoutes(pages, deps);
    lotPageRoutes(pages, deps);
    genealogyPageRoutes(pages, deps);
    eventPageRoutes(pages, deps);
    simulationPageRoutes(pages, deps);
    drillPageRoutes(pages, deps);
    casePageRoutes(pages, deps);
    importPageRoutes(pages, deps);
    recordPageRoutes(pages, deps);
    profilePageRoutes(pages, deps);
    privacyPageRoutes(pages, deps);
    auditPageRoutes(pages, deps);
    webhookPageRoutes(pages, deps);
    helpPageRoutes(pages, deps);
    keyRoutes(pages, deps);
    hubRoutes(pages, deps);
    meRoutes(pages, deps);
    pages.get(`${CONSOLE}/*`, { schema: { hide: true }, config: { right: 'own' } }, () => {
      throw new PeopleProblem('not_found', 'There is no such page');
    });
  });
  return routes;
}

/** Routes of single sign-on come from the package of people, which names no rights of the console. */
function openSignOn(route: RouteOptions): void {
  const isOfSignOn = route.url === SIGN_ON || route.url.startsWith(`${SIGN_ON}/`);
  if (isOfSignOn) route.config = { ...route.config, right: 'open' };
}
