// What the lot benchmark asks for, and what has to be answered: the model of the generated hub says
// it, so that a wrong answer cannot be fast.
import type { ServiceChild } from '../kit/child.ts';
import type { Answer } from '../kit/connection.ts';
import { expectEqual, expectSame, listAt, readJson, textAt, valueAt } from '../kit/json-answer.ts';
import { load, type LoadResult } from '../kit/load.ts';
import type { Random } from '../kit/random.ts';
import type { SupplyChain } from '../supply/chain.ts';
import { QUARTERS, type LotStatus, type Related, type SupplyModel } from '../supply/model.ts';
import { DEEPEST, FILM } from '../supply/names.ts';

/** Requests of one kind, each with its own check; they are sent in turn. */
export interface Read {
  readonly path: string;
  readonly check: (answer: Answer) => void;
}

/** Related lots and supplier lots of what counts as an ordinary lot, itself included. */
const ORDINARY_NODES = { least: 90, most: 115 } as const;
const ORDINARY_SAMPLE = 600;
const DEEPEST_SAMPLE = 300;
const DEPTH = 10;
/** Events asked for of a lot chain. */
const CHAIN_EVENTS = 100;
/** Tries for each lot of a sample. */
const TRIES = 100;

/** One request at a time, the reads in turn, every answer checked. */
export async function readInTurn(
  service: ServiceChild,
  reads: readonly Read[],
  seconds: number,
): Promise<LoadResult> {
  const at = (n: number): Read => {
    const one = reads[n % reads.length];
    if (one === undefined) throw new Error('nothing to read');
    return one;
  };
  return await load({
    url: service.address,
    connections: 1,
    seconds,
    method: 'GET',
    path: (n) => at(n).path,
    check: (n, answer) => {
      try {
        at(n).check(answer);
      } catch (error) {
        throw new Error(`the answer to ${at(n).path} is wrong`, { cause: error });
      }
    },
  });
}

const lotPath = (model: SupplyModel, lot: number): string =>
  `/v1/lots/${encodeURIComponent(model.getCode(lot))}`;

export interface OrdinaryLot {
  readonly lot: number;
  readonly related: Related;
}

/** Different lots of any level with about a hundred nodes. */
export function ordinaryLots(model: SupplyModel, random: Random): readonly OrdinaryLot[] {
  const found = new Map<number, OrdinaryLot>();
  for (let tries = 0; tries < ORDINARY_SAMPLE * TRIES; tries += 1) {
    const lot = random.integer(0, model.lotCount - 1);
    const related = model.related(lot);
    const { least, most } = ORDINARY_NODES;
    if (related.nodeCount >= least && related.nodeCount <= most) found.set(lot, { lot, related });
    if (found.size >= ORDINARY_SAMPLE) break;
  }
  return [...found.values()];
}

export function genealogyRead(model: SupplyModel, { lot, related }: OrdinaryLot): Read {
  const lots = [lot, ...related.upstream, ...related.downstream];
  const codes = new Set(lots.map((one) => model.getCode(one)));
  return {
    path: `${lotPath(model, lot)}/genealogy?depth=${DEPTH}`,
    check: (answer) => {
      const json = readJson(answer);
      const nodes = listAt(json, 'nodes');
      const name = `genealogy of ${model.getCode(lot)}`;
      const shown = nodes.filter((node) => textAt(node, 'type') === 'lot');
      expectSame(`${name}, lots`, new Set(shown.map((node) => textAt(node, 'lot_code'))), codes);
      expectEqual(`${name}, nodes`, nodes.length, related.nodeCount);
      expectEqual(`${name}, edges`, listAt(json, 'edges').length, related.edgeCount);
      const up = related.upstream.size + related.supplierLots.size;
      expectEqual(`${name}, upstream`, listAt(json, 'upstream').length, up);
      expectEqual(
        `${name}, downstream`,
        listAt(json, 'downstream').length,
        related.downstream.size,
      );
      expectEqual(`${name}, truncated`, valueAt(json, 'truncated'), false);
      expectEqual(`${name}, cycles`, valueAt(json, 'cycles'), 0);
    },
  };
}

/** The whole answer is checked once; the same answer again only has to be the same. */
export function checkedOnce(read: Read): Read {
  let right: string | undefined;
  return {
    path: read.path,
    check: (answer) => {
      if (answer.bytes === right) return;
      read.check(answer);
      right = answer.bytes;
    },
  };
}

export function chainRead(model: SupplyModel, { lot, related }: OrdinaryLot): Read {
  const events = model.listEvents([lot, ...related.upstream, ...related.downstream]).size;
  return {
    path: `${lotPath(model, lot)}/chain?limit=${CHAIN_EVENTS}`,
    check: (answer) => {
      const shown = listAt(readJson(answer), 'events');
      const name = `chain of ${model.getCode(lot)}`;
      expectEqual(`${name}, events`, shown.length, Math.min(CHAIN_EVENTS, events));
      const times = shown.map((event) => textAt(event, 'effective', 'occurred_at'));
      const isAscending = times.every((time, n) => n === 0 || (times[n - 1] ?? '') <= time);
      expectEqual(`${name}, ascending`, isAscending, true);
    },
  };
}

/** @param changed quarters that corrections have added since, by what takes them */
export function recordRead(
  model: SupplyModel,
  lot: number,
  changed: { readonly shipped: number; readonly sold: number } = { shipped: 0, sold: 0 },
): Read {
  return {
    path: lotPath(model, lot),
    check: (answer) => {
      const json = readJson(answer);
      const name = `record of ${model.getCode(lot)}`;
      const [balance, ...others] = listAt(json, 'quantities');
      const shipped = model.getTaken(lot, 'shipped') + changed.shipped;
      const sold = model.getTaken(lot, 'sold') + changed.sold;
      const kept =
        model.getMade(lot) - model.getTaken(lot, 'used') - model.getTaken(lot, 'disposed');
      expectEqual(`${name}, code`, valueAt(json, 'lot_code'), model.getCode(lot));
      expectEqual(`${name}, status`, valueAt(json, 'status'), model.getStatus(lot));
      expectEqual(`${name}, further balances`, others.length, 0);
      expectEqual(`${name}, shipped`, valueAt(balance, 'shipped'), shipped / QUARTERS);
      expectEqual(`${name}, sold`, valueAt(balance, 'sold'), sold / QUARTERS);
      const remaining = (kept - Math.max(shipped, sold)) / QUARTERS;
      expectEqual(`${name}, remaining`, valueAt(balance, 'remaining'), remaining);
    },
  };
}

/** Public verification of lots of the deepest level. */
export function verifyReads(model: SupplyModel, random: Random): readonly Read[] {
  const film = new Set(model.lotsOfSeries(FILM));
  return random.pickSome(model.lotsOfSeries(DEEPEST), DEEPEST_SAMPLE).map((lot) => {
    const { upstream } = model.related(lot);
    const codes = new Set([lot, ...upstream].map((one) => model.getCode(one)));
    // A roll of film has more events than are given for one ancestor.
    const isWhole = film.isDisjointFrom(upstream);
    const proofs = model.listEvents([lot]).size;
    return {
      path: `/public/verify/${encodeURIComponent(model.getCode(lot))}`,
      check: (answer) => {
        const json = readJson(answer);
        const name = `verification of ${model.getCode(lot)}`;
        expectEqual(`${name}, verified`, valueAt(json, 'verified'), true);
        expectEqual(`${name}, proofs`, listAt(json, 'proof').length, proofs);
        const shown = listAt(json, 'steps').map((step) => textAt(step, 'lot_code'));
        expectSame(`${name}, lots`, new Set(shown), codes);
        if (isWhole) expectEqual(`${name}, truncated`, valueAt(json, 'truncated'), false);
      },
    };
  });
}

/** One kind of text that people search lots by. */
export interface SearchKind {
  readonly name: string;
  readonly queries: readonly string[];
}

const QUERIES_OF_KIND = 12;
const STATUSES: readonly LotStatus[] = ['active', 'disposed', 'depleted'];
const SEARCH_LIMIT = 50;

/** Texts of every kind, drawn from the hub itself. */
export function searchKinds(chain: SupplyChain, random: Random): readonly SearchKind[] {
  const { model } = chain;
  const some = (query: (lot: number) => string | undefined): readonly string[] => {
    const queries = new Set<string>();
    for (let tries = 0; tries < QUERIES_OF_KIND * TRIES; tries += 1) {
      const text = query(random.integer(0, model.lotCount - 1));
      if (text !== undefined) queries.add(text);
      if (queries.size >= QUERIES_OF_KIND) break;
    }
    return [...queries];
  };
  return [
    { name: 'whole lot code', queries: some((lot) => model.getCode(lot)) },
    { name: 'end of a lot code', queries: some((lot) => model.getCode(lot).slice(-9)) },
    {
      name: 'product and month of a lot code',
      queries: some((lot) => model.getCode(lot).slice(0, 8)),
    },
    { name: 'kind of lot', queries: some((lot) => model.getCode(lot).slice(0, 3)) },
    { name: 'two letters', queries: some((lot) => model.getCode(lot).slice(1, 3).toLowerCase()) },
    { name: 'supplier name', queries: some((lot) => model.findSupplierLot(lot)?.supplier_name) },
    {
      name: 'supplier lot code',
      queries: some((lot) => model.findSupplierLot(lot)?.supplier_lot_code),
    },
    { name: 'SKU', queries: some((lot) => model.getSku(lot)) },
    { name: 'part of a SKU', queries: some((lot) => model.getSku(lot).split('-')[0]) },
    {
      name: 'nothing found',
      queries: some((lot) => `${model.getCode(lot).slice(-7)}X${lot % 10}`),
    },
    { name: 'nothing found, two letters', queries: ['qq', 'xj', '#7', '!z'] },
  ];
}

/** All lots by what they are found by. */
export class LotTexts {
  readonly model: SupplyModel;
  readonly #texts: readonly string[];
  readonly #lotOfCode: ReadonlyMap<string, number>;

  constructor(model: SupplyModel) {
    const lots = Array.from({ length: model.lotCount }, (_, lot) => lot);
    this.model = model;
    this.#texts = lots.map((lot) => model.buildText(lot));
    this.#lotOfCode = new Map(lots.map((lot) => [model.getCode(lot), lot]));
  }

  /** How many lots a search finds. */
  count(search: Search): number {
    let count = 0;
    for (let lot = 0; lot < this.#texts.length; lot += 1) count += Number(this.#finds(search, lot));
    return count;
  }

  finds(search: Search, lotCode: string): boolean {
    const lot = this.#lotOfCode.get(lotCode);
    return lot !== undefined && this.#finds(search, lot);
  }

  #finds({ query, status }: Search, lot: number): boolean {
    if (this.#texts[lot]?.includes(query.toLowerCase()) !== true) return false;
    return status === undefined || this.model.getStatus(lot) === status;
  }
}

interface Search {
  readonly query: string;
  readonly status: LotStatus | undefined;
}

/** Each text of a kind without a status and with one. */
export function searchReads(texts: LotTexts, kind: SearchKind): readonly Read[] {
  return kind.queries.flatMap((query, n) => {
    const filter = STATUSES[n % STATUSES.length];
    return [undefined, filter].map((status) => searchRead(texts, { query, status }));
  });
}

function searchRead(texts: LotTexts, search: Search): Read {
  const found = texts.count(search);
  const filter = search.status === undefined ? '' : `&status=${search.status}`;
  return {
    path: `/v1/lots?q=${encodeURIComponent(search.query)}${filter}&limit=${SEARCH_LIMIT}`,
    check: (answer) => {
      const json = readJson(answer);
      const shown = listAt(json, 'lots').map((lot) => textAt(lot, 'lot_code'));
      const name = `search for ${search.query}, ${search.status ?? 'any'}`;
      const total = Number(valueAt(json, 'total'));
      // An answer that stopped counting says so; an exact one has to be right.
      if (valueAt(json, 'total_is_exact') === undefined)
        expectEqual(`${name}, total`, total, found);
      else expectEqual(`${name}, more than ${total}`, total < found, true);
      expectEqual(`${name}, lots`, new Set(shown).size, Math.min(SEARCH_LIMIT, found));
      for (const code of shown) expectEqual(`${name}, ${code}`, texts.finds(search, code), true);
    },
  };
}
