// Finds blocks, transactions and lots by height, hash prefix, lot code or reference
// (docs/interface/traceability.md#search). Every look-up has a limit; the best hits come first.
import type { LedgerReader } from '../ledger/read.ts';
import type { HashSearch } from '../ledger/store.ts';
import { readWholeSteps } from '../lots/decided/whole-steps.ts';
import { endsOfLots, findTenant, lotsReceivedAs, lotsWithPrefix } from '../lots/queries.ts';
import type { LotRow } from '../lots/queries.ts';
import { readLotsOfChanges } from './changed-lots.ts';
import { heightsOfDecisions } from './decision-queries.ts';
import { readBoundedBlocks, toBlockItems, type FoundBlocks } from './pages.ts';
import { textAbovePrefix } from './prefix.ts';
import {
  heightsOfReference,
  heightsWithHashPrefix,
  heightsWithReferencePrefix,
  isBlockOfTenant,
} from './queries.ts';
import { listTransactions, type BlockItem, type Transaction } from './views.ts';

/** Hits of each kind. */
export const HITS_MAX = 20;
const HEIGHT = /^\d{1,15}$/;
/** Fewer digits would name half the chain. */
const HASH_PREFIX = /^[0-9a-f]{4,64}$/i;

export interface SearchAnswer extends Pick<FoundInChain, 'transactions' | 'lots'> {
  readonly blocks: BlockItem[];
}

export interface FoundInChain extends Pick<FoundBlocks, 'blocks' | 'steps'> {
  readonly transactions: Transaction[];
  readonly lots: { lot_code: string; brand: string; product_sku: string }[];
}

interface SearchQuery {
  readonly q: string;
  readonly brand: string | undefined;
}

export interface SearchDeps {
  readonly reader: LedgerReader;
  readonly hashSearch: HashSearch;
}

export async function searchChain(deps: SearchDeps, query: SearchQuery): Promise<SearchAnswer> {
  const found = await findInChain(deps, query);
  return { blocks: toBlockItems(found), transactions: found.transactions, lots: found.lots };
}

export async function findInChain(deps: SearchDeps, query: SearchQuery): Promise<FoundInChain> {
  const { reader } = deps;
  const { database } = reader;
  const tenant = query.brand === undefined ? undefined : await findTenant(database, query.brand);
  if (query.brand !== undefined && tenant === undefined) {
    return { blocks: [], steps: new Map(), transactions: [], lots: [] };
  }
  const tenantNo = tenant?.tenantNo;
  const above = textAbovePrefix(query.q);
  const named = await lotsWithPrefix(database, {
    prefix: query.q,
    above,
    tenantNo,
    limit: HITS_MAX,
  });
  const known = new Set(named.map(({ lotNo }) => lotNo));
  const received = await lotsReceivedAs(database, {
    supplierLotCode: query.q,
    tenantNo,
    limit: HITS_MAX,
  });
  const lots = [...named, ...received.filter(({ lotNo }) => !known.has(lotNo))].slice(0, HITS_MAX);
  const hits = new Hits();
  for (const height of await heightsNamed(deps, { q: query.q, tenantNo })) hits.addBlock(height);
  await addLots(
    reader,
    hits,
    lots.filter((lot) => lot.lotCode === query.q),
  );
  const exact = { reference: query.q, tenantNo, limit: HITS_MAX };
  for (const height of await heightsOfReference(database, exact)) hits.addBlock(height);
  const decided = { subject: query.q, type: query.q.toLowerCase(), tenantNo, limit: HITS_MAX };
  for (const height of await heightsOfDecisions(database, decided)) hits.addBlock(height);
  if (!hits.isFull) await addLots(reader, hits, lots);
  if (!hits.isFull) {
    const search = { prefix: query.q, above, tenantNo, limit: HITS_MAX };
    for (const height of await heightsWithReferencePrefix(database, search)) hits.addBlock(height);
  }
  const { blocks } = await readBoundedBlocks(reader, hits.heights);
  const changed = await readLotsOfChanges(database, blocks);
  const steps = await readWholeSteps(database, blocks);
  return {
    blocks,
    steps,
    transactions: blocks
      .flatMap((block) => listTransactions(block, changed).filter((one) => hits.wants(one)))
      .slice(0, HITS_MAX),
    lots: lots.map((lot) => ({
      lot_code: lot.lotCode,
      brand: lot.tenantId,
      product_sku: lot.productSku,
    })),
  };
}

/** The block of that height, and the blocks whose hash starts like that. */
async function heightsNamed(
  { reader, hashSearch }: SearchDeps,
  query: { readonly q: string; readonly tenantNo: number | undefined },
): Promise<readonly number[]> {
  const { database } = reader;
  const { tenantNo } = query;
  const heights: number[] = [];
  if (HEIGHT.test(query.q)) {
    const height = Number(query.q);
    const isKnown =
      tenantNo === undefined
        ? height <= (await reader.head()).height
        : await isBlockOfTenant(database, { height, tenantNo });
    if (isKnown) heights.push(height);
  }
  if (HASH_PREFIX.test(query.q)) {
    const prefix = query.q.toLowerCase();
    const deps = { database, hashSearch };
    const search = { prefix, above: textAbovePrefix(prefix), tenantNo, limit: HITS_MAX };
    heights.push(...(await heightsWithHashPrefix(deps, search)));
  }
  return heights;
}

/** Adds the newest blocks that concern lots. */
async function addLots(reader: LedgerReader, hits: Hits, lots: readonly LotRow[]): Promise<void> {
  if (lots.length === 0) return;
  const places = await endsOfLots(reader.database, {
    lotNos: lots.map((lot) => lot.lotNo),
    blocks: 'concerning',
    end: 'newest',
    above: 0,
    below: Number.MAX_SAFE_INTEGER,
    limit: HITS_MAX,
  });
  const lotOf = new Map(lots.map((lot) => [lot.lotNo, lot]));
  for (const { lotNo, height } of places.toSorted((a, b) => b.height - a.height)) {
    const lot = lotOf.get(lotNo);
    if (lot !== undefined) hits.addLot(height, lot);
  }
}

/** Heights found, in the order in which they were found, and which lots in each were meant. */
class Hits {
  readonly #lots = new Map<number, 'all' | Set<string>>();

  get isFull(): boolean {
    return this.#lots.size >= HITS_MAX;
  }

  get heights(): readonly number[] {
    return [...this.#lots.keys()];
  }

  /** The block with all its transactions. */
  addBlock(height: number): void {
    if (this.isFull && !this.#lots.has(height)) return;
    this.#lots.set(height, 'all');
  }

  /** The transactions of one lot in a block. */
  addLot(height: number, lot: LotRow): void {
    const lots = this.#lots.get(height);
    if (lots === 'all' || (lots === undefined && this.isFull)) return;
    this.#lots.set(height, (lots ?? new Set()).add(lotKey(lot.tenantId, lot.lotCode)));
  }

  wants(transaction: Transaction): boolean {
    const lots = this.#lots.get(transaction.height);
    if (lots === undefined || lots === 'all') return lots === 'all';
    return listLotCodes(transaction).some((code) => lots.has(lotKey(transaction.brand, code)));
  }
}

/** A change of lot codes also has the former code, which found the block. */
function listLotCodes({ lot_code, field, from, to }: Transaction): readonly string[] {
  const codes = field?.endsWith('.lot_code') === true ? [lot_code, from, to] : [lot_code];
  return codes.filter((code) => typeof code === 'string');
}

function lotKey(brand: string, lotCode: string): string {
  return `${brand} ${lotCode}`;
}
