// The pages of the chain: the explorer, one block, the chain of a lot, and search.
import { buildWeakTag } from '@lothub/kit/http/brief-cache';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Refusal } from '../../errors.ts';
import { readDetail } from '../../explorer/block-detail.ts';
import { windowOfBlocks } from '../../explorer/block-pages.ts';
import { BLOCK_TYPES, DAY_PATTERN, readBlockFilter } from '../../explorer/filter.ts';
import { BELOW_ALL } from '../../explorer/list-query.ts';
import { windowOfLot } from '../../explorer/lot-window.ts';
import { findInChain } from '../../explorer/search.ts';
import { readStats, withoutProgress } from '../../explorer/stats.ts';
import { BrandQuery, LotCodeParams, TENANT_ID_PATTERN, type App } from '../../http.ts';
import type { Block, LedgerReader } from '../../ledger/read.ts';
import type { HashSearch } from '../../ledger/store.ts';
import type { ChainState } from '../../ledger/verify/chain-state.ts';
import { TEXT_TYPE } from '../../log/log-http.ts';
import type { PublicLog } from '../../log/public-log.ts';
import { readStanding, type LogStanding } from '../../log/standing.ts';
import { namesOfBrands, readWholeSteps } from '../../lots/decided/whole-steps.ts';
import { findLot, lotsOfCode } from '../../lots/queries.ts';
import { noSuchLot } from '../../lots/similar-codes.ts';
import { readPlaceProfiles, readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { layOut, sendPage } from '../layout.ts';
import { prepareReader } from '../words/reader.ts';
import { findBlockBrand } from '../../explorer/views.ts';
import { blockPage, type ShownBlock } from './block-page.ts';
import { CORRECTED_BY_SHOWN_MAX } from './corrections.ts';
import { chooseLotPage, lotChainPage } from './lot-chain-page.ts';
import { overviewPage } from './overview-page.ts';
import { lotChainPath } from './pieces.ts';
import { SEARCH_MAX } from './search-form.ts';
import { searchPage } from './search-page.ts';

/** Blocks on a page of a list. */
const BLOCKS_PER_PAGE = 20;
/** Brands of one lot code that a reader chooses from. */
const BRANDS_MAX = 20;

export interface ExplorerDeps {
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly hashSearch: HashSearch;
  readonly log: PublicLog;
  /** Counts the requests of a client, on pages that read the database. */
  readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

const Height = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const HeightParams = Type.Object({ height: Height });

/** A request has at most one of these; if it has both, `after` counts. */
const PlaceQuery = {
  before: Type.Optional(Height),
  after: Type.Optional(Type.Integer({ minimum: BELOW_ALL, maximum: Number.MAX_SAFE_INTEGER })),
};

/** A form also sends its empty fields. */
const FilterQuery = Type.Object({
  brand: Type.Optional(Type.String({ pattern: `^$|${TENANT_ID_PATTERN}` })),
  event_type: Type.Optional(Type.Enum(['', ...BLOCK_TYPES])),
  recorded_from: Type.Optional(Type.String({ pattern: `^$|${DAY_PATTERN}` })),
  recorded_to: Type.Optional(Type.String({ pattern: `^$|${DAY_PATTERN}` })),
  ...PlaceQuery,
});

export function explorerRoutes(app: App, deps: ExplorerDeps): void {
  overviewRoute(app, deps);
  blockRoutes(app, deps);
  lotChainRoutes(app, deps);
  searchRoute(app, deps);
}

function overviewRoute(app: App, deps: ExplorerDeps): void {
  const { reader: chain } = deps;
  app.get(
    '/explorer',
    { onRequest: deps.gate, schema: { hide: true, querystring: FilterQuery } },
    async (request, reply) => {
      const { before, after } = request.query;
      const filter = readBlockFilter(pickFilled(request.query));
      const found = await windowOfBlocks(chain, { filter, before, after, limit: BLOCKS_PER_PAGE });
      const stats = await readStats(deps, undefined);
      const answer = {
        found: { ...found, brandNames: await readNames(chain, found.blocks) },
        filter,
        standing: await readStanding(deps, stats.height),
      };
      const reader = prepareReader(request, reply);
      const frame = { ...deps, reader };
      const same = overviewPage({ ...answer, stats: withoutProgress(stats) }, reader);
      void reply.header('ETag', buildWeakTag(layOut(same, frame).text));
      return sendPage(reply, overviewPage({ ...answer, stats }, reader), frame);
    },
  );
}

function pickFilled(query: Static<typeof FilterQuery>) {
  return {
    brand: query.brand === '' ? undefined : query.brand,
    event_type: query.event_type === '' ? undefined : query.event_type,
    recorded_from: query.recorded_from === '' ? undefined : query.recorded_from,
    recorded_to: query.recorded_to === '' ? undefined : query.recorded_to,
  };
}

function blockRoutes(app: App, deps: ExplorerDeps): void {
  const { reader: chain } = deps;
  app.get(
    '/explorer/block/:height',
    { onRequest: deps.gate, schema: { hide: true, params: HeightParams } },
    async (request, reply) => {
      const shown = await readShownBlock(deps, await getBlock(chain, request.params.height));
      const reader = prepareReader(request, reply);
      return sendPage(reply, blockPage(shown, reader), { ...deps, reader });
    },
  );

  app.get(
    '/explorer/block/:height/canonical.txt',
    { onRequest: deps.gate, schema: { hide: true, params: HeightParams } },
    async ({ params }, reply) =>
      reply.type(TEXT_TYPE).send((await getBlock(chain, params.height)).canonical),
  );
}

async function readShownBlock(deps: ExplorerDeps, block: Block): Promise<ShownBlock> {
  const { reader: chain, publicUrl } = deps;
  const { database } = chain;
  const steps = await readWholeSteps(database, [block]);
  const detail = await readDetail(chain, block, steps);
  const correcting = detail.corrected_by.slice(0, CORRECTED_BY_SHOWN_MAX);
  const blocks = await chain.blocks(correcting.map(({ height }) => height));
  const corrections = [];
  for (const one of blocks) corrections.push(await readDetail(chain, one, new Map()));
  const brand = findBlockBrand(block.payload);
  const names = await readNames(chain, [block]);
  const ofBrand = { tenantId: brand ?? '', publicUrl };
  const event = block.payload.type === 'event' ? block.payload.event : undefined;
  return {
    block,
    steps,
    detail,
    corrections,
    brandName: brand === null ? undefined : names.get(brand),
    products: await readProductProfiles(database, {
      ...ofBrand,
      skus: event?.lines.map((line) => line.product_sku) ?? [],
    }),
    places: await readPlaceProfiles(database, {
      ...ofBrand,
      locations: event === undefined ? [] : [event.location],
    }),
    standing: await readStanding(deps, block.height),
    headHeight: (await chain.head()).height,
    publicUrl,
  };
}

function lotChainRoutes(app: App, deps: ExplorerDeps): void {
  const { reader: chain } = deps;
  const LotQuery = Type.Object({ brand: BrandQuery, ...PlaceQuery });
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Static<typeof LotQuery> & { readonly lot_code: string },
  ) => {
    const { lot_code: lotCode, brand, before, after } = asked;
    const reader = prepareReader(request, reply);
    const frame = { ...deps, reader };
    const { database } = chain;
    if (brand === undefined) {
      const lots = await lotsOfCode(database, lotCode, BRANDS_MAX);
      if (lots.length > 1) return sendPage(reply, chooseLotPage(lots, lotCode, reader), frame);
    }
    const lot = await findLot(database, { lotCode, tenantId: brand });
    if (lot === undefined) throw await noSuchLot(database, { lotCode, brand });
    const { lotNo } = lot;
    const found = await windowOfLot(chain, { lotNo, before, after, limit: BLOCKS_PER_PAGE });
    const page = lotChainPage(
      {
        lot,
        found,
        brandNames: await readNames(chain, found.blocks),
        standing: await newestSigned(deps, found.blocks),
      },
      reader,
    );
    return sendPage(reply, page, frame);
  };

  app.get(
    '/explorer/lot/:lot_code',
    {
      onRequest: deps.gate,
      schema: { hide: true, params: LotCodeParams, querystring: LotQuery },
    },
    (request, reply) => send(request, reply, { ...request.query, ...request.params }),
  );

  // Serves the codes that browsers take for steps in a path.
  app.get(
    '/explorer/lot',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        querystring: Type.Object({ ...LotQuery.properties, ...LotCodeParams.properties }),
      },
    },
    (request, reply) => {
      const { query } = request;
      const path = lotChainPath(query.lot_code, query.brand);
      if (!path.startsWith('/explorer/lot?')) return reply.redirect(path, 303);
      return send(request, reply, query);
    },
  );
}

/**
 * Reads the state of the newest of these blocks that the log has signed; if it has signed none,
 * that of the newest.
 */
async function newestSigned(deps: ExplorerDeps, blocks: readonly Block[]): Promise<LogStanding> {
  const newest = await readStanding(deps, blocks[0]?.height ?? 0);
  if (newest.kind !== 'unsigned') return newest;
  for (const { height } of blocks.slice(1)) {
    const standing = await readStanding(deps, height);
    if (standing.kind === 'signed') return standing;
  }
  return newest;
}

function searchRoute(app: App, deps: ExplorerDeps): void {
  const { reader: chain } = deps;
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
    async (request, reply) => {
      const { q } = request.query;
      const found = await findInChain(deps, { q, brand: undefined });
      const brandNames = await readNames(chain, found.blocks);
      const reader = prepareReader(request, reply);
      return sendPage(reply, searchPage(q, { ...found, brandNames }, reader), { ...deps, reader });
    },
  );
}

async function readNames(
  { database }: LedgerReader,
  blocks: readonly Block[],
): Promise<ReadonlyMap<string, string>> {
  const brands = new Set(blocks.flatMap(({ payload }) => findBlockBrand(payload) ?? []));
  return brands.size === 0 ? new Map() : await namesOfBrands(database, [...brands]);
}

/** @throws Refusal `not_found` */
async function getBlock(reader: LedgerReader, height: number): Promise<Block> {
  const block = await reader.findBlock(height);
  if (block === undefined) throw new Refusal('not_found', 'There is no block of this height');
  return block;
}
