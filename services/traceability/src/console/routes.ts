// The console: pages where the people of a brand and the operators of the hub work. It is one scope behind
// one gate. Its errors are pages, and only here forms are parsed.
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import { ASSET_CACHE } from '@lothub/kit/http/hashed-asset';
import { idPassedOn } from '@lothub/kit/http/later-app';
import { Type } from '@lothub/kit/json-schema';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import { present } from '@lothub/kit/present';
import { PeopleProblem } from '@lothub/people/errors';
import { signOnRoutes } from '@lothub/people/sign-on/routes';
import type { RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { newServingApp } from '../app.ts';
import { Refusal } from '../errors.ts';
import type { App } from '../http.ts';
import { KeptReach } from '../recall/outbox/kept-reach.ts';
import type { Settings } from '../settings.ts';
import { getVisitor, type ConsoleRight } from './access.ts';
import { CONSOLE_MODULES_PREFIX, STYLESHEET, findConsoleModule } from './assets.ts';
import { choiceRoutes } from './entrance/choice-routes.ts';
import type { ConsoleDeps } from './deps.ts';
import { entranceRoutes } from './entrance/routes.ts';
import { sendErrorPage } from './error-page.ts';
import { installGate } from './gate.ts';
import { hubRoutes } from './hub/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me/routes.ts';
import { brandPath, CONSOLE, HUB_HELP, SIGN_ON } from './paths.ts';
import { auditPageRoutes } from './audit/routes.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand, readName } from './brand/brand.ts';
import { timelineRoutes } from './cases/timeline-routes.ts';
import { scopeRoutes } from './cases/scope-routes.ts';
import { notificationListRoutes } from './cases/notifications/list-routes.ts';
import { notificationPageRoutes } from './cases/notifications/routes.ts';
import { listRoutes } from './cases/list-routes.ts';
import { editRoutes } from './cases/edit-routes.ts';
import { caseOverviewRoutes } from './cases/case-routes.ts';
import { drillPageRoutes } from './drills/routes.ts';
import { eventPageRoutes } from './events/routes.ts';
import { genealogyPageRoutes } from './genealogy/routes.ts';
import { helpPage } from './help/help-page.ts';
import { importPageRoutes } from './imports/routes.ts';
import { lotPageRoutes } from './lots/routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { privacyPageRoutes } from './privacy/routes.ts';
import { supplierRoutes } from './profile/suppliers/supplier-routes.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { productRoutes } from './profile/products/product-routes.ts';
import { placeRoutes } from './profile/places/place-routes.ts';
import { recordPageRoutes } from './record/routes.ts';
import { prepareConsoleReader, sendFramed } from './send.ts';
import { simulationPageRoutes } from './simulation/routes.ts';
import { readSteps } from './today/read-day.ts';
import { todayRoutes } from './today/routes.ts';
import { webhookPageRoutes } from './webhooks/routes.ts';

/**
 * Size of the largest form, with room to spare: a recall case with texts in five languages has 27,500
 * characters, each of up to 9 bytes in a form.
 */
const FORM_BYTES_MAX = 262_144;

export interface RouteWithRight {
  readonly method: string;
  /** With its parameters as `:name`. */
  readonly url: string;
  readonly right: ConsoleRight;
}

export interface OpenedConsole {
  readonly app: App;
  /** Its routes with the right that each needs. */
  readonly routes: readonly RouteWithRight[];
}

/** Opens an app of its own. The app of the hub passes requests below {@link CONSOLE} on to it. */
export async function openConsole(
  deps: ConsoleDeps,
  options: {
    readonly settings: Settings;
    readonly logger: Logger;
    readonly metrics: Metrics | undefined;
  },
): Promise<OpenedConsole> {
  const { settings, logger, metrics } = options;
  const { app } = newServingApp(settings, logger, { metrics, genReqId: idPassedOn });
  const routes = await consoleRoutes(app, deps);
  await app.ready();
  return { app, routes };
}

/** @returns its routes with the right that each needs */
async function consoleRoutes(app: App, deps: ConsoleDeps): Promise<readonly RouteWithRight[]> {
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
      // Fastify adds HEAD to each GET.
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

/**
 * Sets the right of the routes of single sign-on: they come from the package of people, which does not know
 * rights of the console.
 */
function openSignOn(route: RouteOptions): void {
  const isOfSignOn = route.url === SIGN_ON || route.url.startsWith(`${SIGN_ON}/`);
  if (isOfSignOn) route.config = { ...route.config, right: 'open' };
}

/** Routes of the people of a brand. */
function brandRoutes(app: App, deps: ConsoleDeps): void {
  peopleRoutes(app, deps, {
    kind: 'brand',
    route: `${BRAND_ROUTE}/people`,
    params: BRAND_PARAM,
    right: 'people',
    toPlace: (to) => ({ kind: 'brand', id: getBrand(to) }),
    buildPath: ({ id }) => brandPath(id, 'people'),
    readName: ({ id }) => readName(deps, id),
    chooseWords: ({ people }) => people,
    removed: 'person-removed',
  });
}

/** Recall cases of a brand: the list, and the pages of one case. */
function casePageRoutes(app: App, deps: ConsoleDeps): void {
  const kept = new KeptReach(deps);
  listRoutes(app, deps);
  caseOverviewRoutes(app, deps, kept);
  scopeRoutes(app, deps);
  editRoutes(app, deps);
  notificationListRoutes(app, deps, kept);
  notificationPageRoutes(app, deps, kept);
  timelineRoutes(app, deps);
}

/** Help: terms, first steps, what roles may do; of a brand, and for those who operate the hub. */
function helpPageRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    `${BRAND_ROUTE}/help`,
    { schema: { hide: true, params: Type.Object(BRAND_PARAM) }, config: { right: 'read' } },
    async (request, reply) => {
      const { brand } = request.params;
      const { rights } = getVisitor(request);
      const reader = prepareConsoleReader(request, reply);
      const role = present(rights.brands.get(brand), 'the role behind a right');
      const steps = await readSteps(deps, { request, brand, role });
      const name = await readName(deps, brand);
      const { title } = reader.words.console.help;
      const body = helpPage({ brand: { name, steps } }, reader);
      return await sendFramed(deps, { request, reply }, { title, brand, body });
    },
  );

  app.get(
    HUB_HELP,
    { schema: { hide: true }, config: { right: 'overview' } },
    async (request, reply) => {
      const reader = prepareConsoleReader(request, reply);
      const { title } = reader.words.console.help;
      const body = helpPage({ brand: undefined }, reader);
      return await sendFramed(deps, { request, reply }, { title, body });
    },
  );
}

/** What consumers read of the brand: profile, products, places; suppliers. */
function profilePageRoutes(app: App, deps: ConsoleDeps): void {
  profileRoutes(app, deps);
  productRoutes(app, deps);
  placeRoutes(app, deps);
  supplierRoutes(app, deps);
}
