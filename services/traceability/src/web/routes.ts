// The pages for people: start page, guide, lots and explorer, all rendered here and without scripts.
// To be registered in a scope of its own, whose errors are pages too.
import { weakTagOf } from '@lothub/kit/http/brief-cache';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { ASSET_CACHE } from '@lothub/kit/http/hashed-asset';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import { preferredLanguages } from '../lots/told/language.ts';
import { Refusal } from '../errors.ts';
import { blockDetail } from '../explorer/block-detail.ts';
import { pageOfBlocks } from '../explorer/pages.ts';
import { searchChain } from '../explorer/search.ts';
import { readStats, withoutProgress } from '../explorer/stats.ts';
import { BrandQuery, CaseNoParams, LotCodeParams, TENANT_ID_PATTERN } from '../http.ts';
import type { App } from '../http.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { PublicLog } from '../log/public-log.ts';
import { standingOf } from '../log/standing.ts';
import { CaseNoBefore, HISTORY_MAX } from '../lots/notices/schema.ts';
import type { Notices } from '../lots/notices/notices.ts';
import { findSharedCode } from '../verification/sharers.ts';
import type { Surroundings } from '../verification/surroundings.ts';
import { newestBlockOf, verifyLot } from '../verification/verify-lot.ts';
import { ASSETS, MODULES_PREFIX, findModule } from './assets.ts';
import { PROGRAMS, openDocuments, readPublished } from './documents.ts';
import { errorPage, pageStatusOf, similarOf } from './error-page.ts';
import { blockPage, explorerPage, searchPage } from './explorer-pages.ts';
import { lotPath } from './fragments.ts';
import type { Languages } from './fragments.ts';
import { layOut, sendPage } from './layout.ts';
import { lotPage } from './lot-page.ts';
import { sharedCodePage } from './shared-code-page.ts';
import { recallPage, recallsPage } from './recall-pages.ts';
import { startPage } from './start-page.ts';
import { verifierRoute } from './verifier-route.ts';

/** Blocks on a page of the explorer. */
const BLOCKS_PER_PAGE = 20;
const NOTICES_PER_PAGE = 20;
/** Lots on a page of one notice. */
const NOTICE_LOTS_PER_PAGE = 200;
/** As on the search endpoint. */
const SEARCH_MAX = 200;

export const TEXT_TYPE = 'text/plain; charset=utf-8';

export interface WebDeps {
  readonly hubName: string;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly notices: Notices;
  readonly surroundings: Surroundings;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly log: PublicLog;
  /** Counts the requests of a client, on pages that read the database. */
  readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

const Height = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const HeightParams = Type.Object({ height: Height });

export function webRoutes(app: App, deps: WebDeps): void {
  app.setErrorHandler((error, request, reply) => {
    const status = pageStatusOf(error);
    if (status >= 500) request.log.error({ err: error }, 'showing a page failed');
    return sendPage(reply, errorPage(status, similarOf(error)), { ...deps, status });
  });
  fixedRoutes(app, deps);
  lotRoutes(app, deps);
  recallRoutes(app, deps);
  explorerRoutes(app, deps);
}

/** Pages that are the same as long as the service runs, and read nothing of the ledger. */
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
  const start = startPage(deps);
  app.get('/', options, (_request, reply) => sendPage(reply, start, deps));
  for (const { path, page } of openDocuments(deps.publicUrl)) {
    app.get(path, options, async (_request, reply) => sendPage(reply, await page(), deps));
  }
  verifierRoute(app);
  for (const { file, path } of PROGRAMS) {
    const program = readPublished(file);
    app.get(path, options, (_request, reply) => reply.type(TEXT_TYPE).send(program));
  }
}

function lotRoutes(app: App, deps: WebDeps): void {
  const send = async (
    { headers }: FastifyRequest,
    reply: FastifyReply,
    asked: { lotCode: string; brand?: string },
  ) => {
    const { lotCode, brand } = asked;
    const languages = languagesOf(headers, reply);
    const shared = brand === undefined ? await findSharedCode(deps, lotCode) : undefined;
    if (shared !== undefined) return sendPage(reply, sharedCodePage(shared, languages), deps);
    const verified = await verifyLot(deps, { lotCode, brand });
    const standing = await standingOf(deps, newestBlockOf(verified));
    return sendPage(reply, lotPage(verified, standing, languages), deps);
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

  // Where the form leads to: a form cannot put what was typed into a path.
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

/** Of a page that is another one in another language, which caches are told. */
function languagesOf(headers: FastifyRequest['headers'], reply: FastifyReply): Languages {
  void reply.header('Vary', 'Accept-Language');
  return preferredLanguages(headers['accept-language']);
}

function recallRoutes(app: App, deps: WebDeps): void {
  app.get(
    '/recalls',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        // A form sends what was left empty, too.
        querystring: Type.Object({
          brand: Type.Optional(Type.String({ pattern: `^$|${TENANT_ID_PATTERN}` })),
          lot_code: Type.Optional(Type.String({ maxLength: SEARCH_MAX, pattern: TEXT_PATTERN })),
          before: Type.Optional(CaseNoBefore),
        }),
      },
    },
    async ({ query, headers }, reply) => {
      const asked = {
        brand: query.brand === '' ? undefined : query.brand,
        lotCode: query.lot_code === '' ? undefined : query.lot_code,
        before: query.before,
      };
      const page = await deps.notices.page({ ...asked, limit: NOTICES_PER_PAGE });
      return sendPage(reply, recallsPage(page, asked, languagesOf(headers, reply)), deps);
    },
  );

  app.get(
    '/recalls/:case_no',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        params: CaseNoParams,
        querystring: Type.Object({
          after: Type.Optional(LotCodeParams.properties.lot_code),
          steps_after: Type.Optional(Height),
        }),
      },
    },
    async ({ params, query, headers }, reply) => {
      const { case_no: caseNo } = params;
      const notice = await deps.notices.find({
        caseNo,
        after: query.after,
        limit: NOTICE_LOTS_PER_PAGE,
      });
      const history = await deps.notices.history({
        caseNo,
        after: query.steps_after ?? 0,
        limit: HISTORY_MAX,
        proofUrlOf: () => null,
      });
      if (notice === undefined || history === undefined) {
        throw new Refusal('not_found', 'There is no open notice of this case number');
      }
      const standing = await standingOf(deps, history.steps.at(-1)?.block_height ?? 0);
      const languages = languagesOf(headers, reply);
      return sendPage(reply, recallPage(notice, { history, standing }, languages), deps);
    },
  );
}

function explorerRoutes(app: App, deps: WebDeps): void {
  const { reader } = deps;

  app.get(
    '/explorer',
    {
      onRequest: deps.gate,
      schema: { hide: true, querystring: Type.Object({ before: Type.Optional(Height) }) },
    },
    async ({ query }, reply) => {
      const page = await pageOfBlocks(reader, {
        brand: undefined,
        before: query.before,
        limit: BLOCKS_PER_PAGE,
        offset: 0,
      });
      const stats = await readStats(deps, undefined);
      const standing = await standingOf(deps, stats.height);
      const same = layOut(explorerPage({ stats: withoutProgress(stats), page, standing }), deps);
      void reply.header('ETag', weakTagOf(same.text));
      return sendPage(reply, explorerPage({ stats, page, standing }), deps);
    },
  );

  app.get(
    '/explorer/block/:height',
    { onRequest: deps.gate, schema: { hide: true, params: HeightParams } },
    async ({ params }, reply) => {
      const block = await getBlock(reader, params.height);
      const detail = await blockDetail(reader, block);
      const standing = await standingOf(deps, block.height);
      return sendPage(reply, blockPage(detail, { publicUrl: deps.publicUrl, standing }), deps);
    },
  );

  app.get(
    '/explorer/block/:height/canonical.txt',
    { onRequest: deps.gate, schema: { hide: true, params: HeightParams } },
    async ({ params }, reply) =>
      reply.type(TEXT_TYPE).send((await getBlock(reader, params.height)).canonical),
  );

  app.get(
    '/explorer/search',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        querystring: Type.Object({
          q: Type.String({ minLength: 1, maxLength: SEARCH_MAX, pattern: TEXT_PATTERN }),
        }),
      },
    },
    async ({ query }, reply) => {
      const answer = await searchChain(reader, { q: query.q, brand: undefined });
      return sendPage(reply, searchPage(query.q, answer), deps);
    },
  );
}

/** @throws Refusal `not_found` */
async function getBlock(reader: LedgerReader, height: number) {
  const block = await reader.findBlock(height);
  if (block === undefined) throw new Refusal('not_found', 'There is no block of this height');
  return block;
}
