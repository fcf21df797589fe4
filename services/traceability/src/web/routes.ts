// The pages for people: start page, guide, lots and explorer, all rendered here and without
// scripts. Register them in a scope of their own, whose errors are pages too.
import type { ReadDescription } from '@lothub/kit/http/description/routes-description';
import { ASSET_CACHE } from '@lothub/kit/http/hashed-asset';
import { verifierPage, type VerifierPage } from '@lothub/verify/pack/verifier-page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import { Refusal } from '../errors.ts';
import { BrandQuery, LotCodeParams, type App } from '../http.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { HashSearch } from '../ledger/store.ts';
import { TEXT_TYPE } from '../log/log-http.ts';
import type { PublicLog } from '../log/public-log.ts';
import { readStanding } from '../log/standing.ts';
import type { Notices } from '../lots/notices/notices.ts';
import type { ShownRecalls } from '../lots/notices/shown.ts';
import { findSharedCode } from '../verification/sharers.ts';
import type { Surroundings } from '../verification/surroundings.ts';
import { getNewestBlock, verifyLot } from '../verification/verify-lot.ts';
import { apiPageRoutes } from './site/api-page-routes.ts';
import { siteFileRoutes, sitemapRoutes } from './site/site-routes.ts';
import { ASSETS, MODULES_PREFIX, findModule } from './assets.ts';
import { PROGRAMS, openDocuments, readPublished } from './documents.ts';
import { answerWithErrorPage, isForPerson, toPageStatus, findSimilar } from './error-page.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { lotPath } from './fragments.ts';
import { sendPage } from './layout.ts';
import { lotPage } from './lot/lot-page.ts';
import { sharedCodePage } from './shared-code-page.ts';
import { recallRoutes } from './recalls/routes.ts';
import { startPage } from './start-page.ts';
import type { WatchOffer } from './watching/section.ts';
import { prepareReader } from './words/reader.ts';

const VERIFIER_PAGE_PATH = '/verifier.html';

export interface WebDeps {
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly notices: Notices;
  readonly shown: ShownRecalls;
  readonly surroundings: Surroundings;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly hashSearch: HashSearch;
  readonly log: PublicLog;
  /** The ways of notifying people of recalls; undefined: none. */
  readonly watchOffer: WatchOffer | undefined;
  /** Reads the description of the interface. */
  readonly readDescription: ReadDescription;
  /** Counts the requests of a client, on pages that read the database. */
  readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export function webRoutes(app: App, deps: WebDeps): void {
  app.setErrorHandler((error, request, reply) => {
    // The handler of the whole service has the answer for programs.
    if (!isForPerson(request, reply, 'page')) throw error;
    const status = toPageStatus(error);
    if (status >= 500) request.log.error({ err: error }, 'showing a page failed');
    const failure = { status, similar: findSimilar(error), frame: deps };
    return reply.send(answerWithErrorPage(request, reply, failure));
  });
  fixedRoutes(app, deps);
  apiPageRoutes(app, deps, deps.readDescription);
  sitemapRoutes(app, deps);
  lotRoutes(app, deps);
  recallRoutes(app, deps);
  explorerRoutes(app, deps);
}

/** Pages that never change while the service runs, and read nothing of the ledger. */
export function fixedRoutes(app: App, deps: Pick<WebDeps, 'hubName' | 'publicUrl'>): void {
  // A page is no endpoint of the API description.
  const options = { schema: { hide: true } };

  for (const asset of ASSETS) {
    app.get(asset.path, options, (_request, reply) =>
      reply.header('Cache-Control', ASSET_CACHE).type(asset.mediaType).send(asset.text),
    );
  }
  app.get(`${MODULES_PREFIX}/:file`, options, (request, reply) => {
    const found = findModule(request.url);
    if (found === undefined) throw new Refusal('not_found', 'There is no such module');
    return reply.header('Cache-Control', ASSET_CACHE).type(found.mediaType).send(found.text);
  });
  app.get('/', options, (request, reply) => {
    const reader = prepareReader(request, reply);
    return sendPage(reply, startPage(deps, reader), { ...deps, reader });
  });
  for (const { path, page } of openDocuments(deps.publicUrl)) {
    app.get(path, options, async (request, reply) => {
      const reader = prepareReader(request, reply);
      return sendPage(reply, await page(), { ...deps, reader });
    });
  }
  siteFileRoutes(app, deps);
  verifierRoute(app);
  for (const { file, path } of PROGRAMS) {
    const program = readPublished(file);
    app.get(path, options, (_request, reply) => reply.type(TEXT_TYPE).send(program));
  }
}

function lotRoutes(app: App, deps: WebDeps): void {
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { lotCode: string; brand?: string },
  ) => {
    const { lotCode, brand } = asked;
    const reader = prepareReader(request, reply);
    const frame = { ...deps, reader };
    const shared = brand === undefined ? await findSharedCode(deps, lotCode) : undefined;
    if (shared !== undefined) return sendPage(reply, sharedCodePage(shared, reader), frame);
    const verified = await verifyLot(deps, { lotCode, brand });
    const standing = await readStanding(deps, getNewestBlock(verified));
    const { watchOffer } = deps;
    return sendPage(reply, lotPage(verified, { standing, watchOffer }, reader), frame);
  };

  app.get(
    '/lot/:lot_code',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        params: LotCodeParams,
        querystring: Type.Object({ brand: BrandQuery }),
      },
    },
    (request, reply) =>
      send(request, reply, { lotCode: request.params.lot_code, ...request.query }),
  );

  // The target of the form: a form cannot put its text into a path.
  app.get(
    '/lot',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        querystring: Type.Object({ ...LotCodeParams.properties, brand: BrandQuery }),
      },
    },
    (request, reply) => {
      const { query } = request;
      const path = lotPath(query.lot_code, query.brand);
      if (!path.startsWith('/lot?')) return reply.redirect(path, 303);
      return send(request, reply, { lotCode: query.lot_code, ...query });
    },
  );
}

/**
 * Serves the verifier as one page that needs no hub. Its policy allows only its own script; it is made from the
 * sources for the first request.
 */
function verifierRoute(app: App): void {
  let page: VerifierPage | undefined;
  app.get(VERIFIER_PAGE_PATH, { schema: { hide: true } }, (_request, reply) => {
    page ??= verifierPage();
    return reply
      .header('Content-Security-Policy', page.policy)
      .header('Cache-Control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.html);
  });
}
