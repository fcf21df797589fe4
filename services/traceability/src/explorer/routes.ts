// /public/explorer/*: the chain, block by block, for anybody (docs/interface/traceability.md#explorer).
import { buildWeakTag } from '@lothub/kit/http/brief-cache';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import { Refusal } from '../errors.ts';
import { BrandQuery, LotCodeParams, NOT_FOUND, PAGE_DEFAULT, PUBLIC_ERRORS } from '../http.ts';
import type { App } from '../http.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { HashSearch } from '../ledger/store.ts';
import { blockDetail } from './block-detail.ts';
import { readDays } from './filter.ts';
import { ABOVE_ALL, BlocksQuery, readBlocksQuery, type ListQuery } from './list-query.ts';
import { LotBlocks } from './lot-blocks.ts';
import { pageOfBlocks } from './block-pages.ts';
import { pageOfTransactions, readPlace } from './pages.ts';
import {
  BlockDetailSchema,
  BlockPageSchema,
  LotBlocksQuery,
  LotBlocksSchema,
  OverviewSchema,
  SearchSchema,
  TransactionPageSchema,
  TransactionsQuery,
} from './schema.ts';
import { searchChain } from './search.ts';
import { readStats, withoutProgress } from './stats.ts';

/** Blocks and transactions on the overview. */
const LATEST = 10;
/** Longest text that is searched for; a hash has 64 characters, a code at most 200. */
const SEARCH_MAX = 200;

const TAGS = ['Explorer'];

export interface ExplorerDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly hashSearch: HashSearch;
}

export function explorerRoutes(app: App, deps: ExplorerDeps): void {
  const { reader } = deps;
  const lotBlocks = new LotBlocks(deps);

  app.get(
    '/public/explorer',
    {
      schema: {
        tags: TAGS,
        operationId: 'getExplorerOverview',
        summary: 'Chain statistics, latest blocks and latest transactions',
        description: 'Ten of each. With `brand`, counts and lists are that brand’s own.',
        querystring: Type.Object({ brand: BrandQuery }),
        response: { 200: OverviewSchema, ...PUBLIC_ERRORS },
      },
    },
    async (request, reply) => {
      const { brand } = request.query;
      const { blocks } = await pageOfBlocks(reader, buildNewestQuery(brand));
      const { transactions } = await pageOfTransactions(reader, {
        filter: { brand },
        before: undefined,
        limit: LATEST,
        offset: 0,
      });
      const stats = await readStats(deps, brand);
      const latest = { latest_blocks: blocks, latest_transactions: transactions };
      const content = JSON.stringify({ stats: withoutProgress(stats), ...latest });
      return await reply.header('ETag', buildWeakTag(content)).send({ stats, ...latest });
    },
  );

  app.get(
    '/public/explorer/blocks',
    {
      schema: {
        tags: TAGS,
        operationId: 'listBlocks',
        summary: 'All blocks, newest first',
        description:
          'With `after`, oldest first. Each with its `canonical` text, so that any client can hash it. ' +
          'Filters compare with the text of the block, and all of them apply. A page of very large ' +
          'blocks holds fewer than `limit`: follow `next`.',
        querystring: BlocksQuery,
        response: { 200: BlockPageSchema, ...PUBLIC_ERRORS },
      },
    },
    ({ query }) => pageOfBlocks(reader, readBlocksQuery(query)),
  );

  app.get(
    '/public/explorer/transactions',
    {
      schema: {
        tags: TAGS,
        operationId: 'listTransactions',
        summary: 'All transactions, newest first',
        description:
          'A transaction is one line of an event: one movement of one lot. Of a correction it is one ' +
          'change. Lines are given as recorded; `corrected_by` of their block says ' +
          'whether they still count so.',
        querystring: TransactionsQuery,
        response: { 200: TransactionPageSchema, ...PUBLIC_ERRORS },
      },
    },
    ({ query }) =>
      pageOfTransactions(reader, {
        filter: { ...readDays(query), brand: query.brand, type: query.event_type },
        limit: query.limit ?? PAGE_DEFAULT,
        offset: query.offset ?? 0,
        before: query.before === undefined ? undefined : readPlace(query.before),
      }),
  );

  app.get(
    '/public/explorer/block/:height',
    {
      schema: {
        tags: TAGS,
        operationId: 'getBlock',
        summary: 'One block with its canonical text and its transactions',
        description:
          'With `brand`, a block of another brand is answered as one that does not exist.',
        params: Type.Object({
          height: Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The genesis block has height 0, the first event 1',
            examples: [4711],
          }),
        }),
        querystring: Type.Object({ brand: BrandQuery }),
        response: { 200: BlockDetailSchema, ...NOT_FOUND, ...PUBLIC_ERRORS },
      },
    },
    async (request) => {
      const { height } = request.params;
      const { brand } = request.query;
      const block = await reader.findBlock(height);
      const found = block === undefined ? undefined : await blockDetail(reader, block);
      if (found === undefined || (brand !== undefined && found.brand !== brand)) {
        throw new Refusal('not_found', 'There is no block of this height');
      }
      return found;
    },
  );

  app.get(
    '/public/explorer/search',
    {
      schema: {
        tags: TAGS,
        operationId: 'searchChain',
        summary: 'Search blocks, transactions and lots',
        description:
          'A number is a height, four or more hex digits the start of a block hash, a type of decisions ' +
          'such as `HOLD` the newest of them, the number of a case what was decided on it, and any text ' +
          'the start of a lot code or a reference, upper and lower case distinguished. Up to 20 of ' +
          'each kind, exact hits first.',
        querystring: Type.Object({
          q: Type.String({
            minLength: 1,
            maxLength: SEARCH_MAX,
            pattern: TEXT_PATTERN,
            examples: ['BREAD-03'],
          }),
          brand: BrandQuery,
        }),
        response: { 200: SearchSchema, ...PUBLIC_ERRORS },
      },
    },
    (request) => searchChain(deps, { q: request.query.q, brand: request.query.brand }),
  );

  app.get(
    '/public/explorer/lot/:lot_code',
    {
      schema: {
        tags: TAGS,
        operationId: 'listBlocksAroundLot',
        summary: 'The chain filtered to one lot and everything related to it',
        description:
          'Ancestors and descendants, not siblings; and what was decided about the lot itself. When several brands use the code and `brand` ' +
          'does not choose, the one that recorded it first is answered for.',
        params: LotCodeParams,
        querystring: LotBlocksQuery,
        response: { 200: LotBlocksSchema, ...NOT_FOUND, ...PUBLIC_ERRORS },
      },
    },
    ({ params, query }) =>
      lotBlocks.page({
        lotCode: params.lot_code,
        brand: query.brand,
        before: query.before,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );
}

function buildNewestQuery(brand: string | undefined): ListQuery {
  return { filter: { brand }, end: 'newest', behind: ABOVE_ALL, limit: LATEST, offset: 0 };
}
