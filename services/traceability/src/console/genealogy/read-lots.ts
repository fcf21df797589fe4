// Reads lots for a drawing: what each is, and its direct neighbours.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { said } from '@lothub/design/desk-parts';
import { cutSlices } from '@lothub/kit/in-list';
import { html } from '@lothub/kit/html';
import { PROVENANCE_NAMES } from '../../ledger/record/fields.ts';
import { readNeighbourLots, type NeighbourLots } from '../../lots/genealogy/neighbours.ts';
import { eventLabels } from '../../lots/genealogy/queries.ts';
import type { SupplierLot } from '../../lots/genealogy/supplier-lots.ts';
import type { LotWays } from '../../lots/genealogy/ways.ts';
import { readStandings, type StandingRow } from '../../lots/record-queries.ts';
import { chooseName } from '../../lots/profiles/language.ts';
import { readProductProfiles, type ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { RECALLED } from '../../terms.ts';
import { product } from '../../web/fragments.ts';
import { eventWords } from '../../web/labels.ts';
import type { Reader } from '../../web/words/reader.ts';
import { holdChip, lotLink, lotStatusChip } from '../lots/lot-chips.ts';
import { day } from '../parts.ts';
import { lotPagePath } from '../paths.ts';
import type { LotNeighbours, LotNode } from './graph.ts';

/**
 * Neighbours of a lot that are read for a drawing: with no more than these, every line between lots is drawn.
 */
const NEIGHBOURS_SHOWN_MAX = 100;
/** Suppliers' lots of all lots of a drawing. */
const SUPPLIERS_MAX = 500;

/** The reader that lots are read for, and the brand they belong to. */
export interface Reading {
  readonly database: DatabaseReader;
  readonly ways: LotWays;
  readonly publicUrl: string;
  readonly tenantNo: number;
  readonly brand: string;
  readonly reader: Reader;
  readonly seed: Seed;
}

/**
 * The lot that a drawing begins with: an own lot, or a supplier's lot code with all lots that were received
 * under it.
 */
export type Seed =
  | { readonly kind: 'lot'; readonly lotNo: number }
  | {
      readonly kind: 'supplier';
      readonly code: string;
      readonly supplierLots: readonly SupplierLot[];
      /** The own lots that were received under it, the newest first. */
      readonly lotNos: readonly number[];
      /** There may be more. */
      readonly isCut: boolean;
    };

export function idOfSeed(seed: Seed): string {
  return seed.kind === 'lot' ? idOfLot(seed.lotNo) : `s:${seed.code}`;
}

export function idOfLot(lotNo: number): string {
  return `l${lotNo}`;
}

/** If a drawing begins with a supplier's lot code, all lots with this code are one node. */
export function idOfSupplierLot(lot: SupplierLot, { seed }: Pick<Reading, 'seed'>): string {
  const isSeed = seed.kind === 'supplier' && lot.supplier_lot_code === seed.code;
  return isSeed ? idOfSeed(seed) : `s${JSON.stringify(PROVENANCE_NAMES.map((name) => lot[name]))}`;
}

/** The lots of these numbers, in their order, and then suppliers' lots beside them. */
export async function readLots(
  reading: Reading,
  lotNos: readonly number[],
): Promise<readonly LotNode[]> {
  const { database, brand, publicUrl } = reading;
  const [standings, up, down] = await Promise.all([
    readStandings(database, lotNos),
    readNeighbourLots(reading, { lotNos, direction: 'upstream' }),
    readNeighbourLots(reading, { lotNos, direction: 'downstream' }),
  ]);
  const rows = lotNos.map((lotNo) => standings.get(lotNo)).filter((row) => row !== undefined);
  const heights = [...new Set(rows.map(({ firstHeight }) => firstHeight))];
  const suppliers = [...new Set(up.deliveries.map(({ supplierLot }) => supplierLot))];
  const skus = [...rows, ...suppliers].map(({ productSku }) => productSku);
  const [events, products] = await Promise.all([
    askForEach(database, cutSlices(heights), eventLabels),
    readProductProfiles(database, { tenantId: brand, publicUrl, skus }),
  ]);
  const firsts = new Map(events.flat().map((event) => [event.height, event]));
  return [
    ...rows.map((row) =>
      lotNode(row, { reading, products, first: firsts.get(row.firstHeight), up, down }),
    ),
    ...readSuppliers(withoutSeed(suppliers, reading).slice(0, SUPPLIERS_MAX), {
      reading,
      products,
    }),
  ];
}

/** Leaves out the node of the seed: it was read first, and has more than the node of a neighbour. */
export function withoutSeed(
  suppliers: readonly SupplierLot[],
  { seed }: Pick<Reading, 'seed'>,
): readonly SupplierLot[] {
  if (seed.kind === 'lot') return suppliers;
  return suppliers.filter((lot) => lot.supplier_lot_code !== seed.code);
}

/** The lot that a drawing begins with. */
export async function readSeed(reading: Reading): Promise<readonly LotNode[]> {
  const { seed, database, brand, publicUrl } = reading;
  if (seed.kind === 'lot') return await readLots(reading, [seed.lotNo]);
  const { supplierLots, lotNos, isCut } = seed;
  const skus = supplierLots.map(({ productSku }) => productSku);
  const products = await readProductProfiles(database, { tenantId: brand, publicUrl, skus });
  const [first, ...others] = readSuppliers(supplierLots, { reading, products });
  if (first === undefined) return [];
  const details = [...new Set([first, ...others].map(({ detail }) => detail))];
  const down = {
    ids: lotNos.slice(0, NEIGHBOURS_SHOWN_MAX).map(idOfLot),
    count: lotNos.length,
    isCut,
  };
  return [{ ...first, detail: details.join(', '), beside: { up: NOTHING, down } }];
}

/** Makes nodes of suppliers' lots. Their only known neighbours are the lots that they were received as. */
export function readSuppliers(
  suppliers: readonly SupplierLot[],
  { reading, products }: { readonly reading: Reading; readonly products: ProductProfiles },
): readonly LotNode[] {
  const { genealogy: words } = reading.reader.words.console;
  return suppliers.map((lot): LotNode => {
    const { supplier_lot_code: code, supplier_name: name, origin_facility: place } = lot;
    const from = name ?? place ?? words.unnamedSupplier;
    const label = code ?? words.noCode;
    const named = productName(lot.productSku, products, reading.reader);
    return {
      id: idOfSupplierLot(lot, reading),
      kind: 'supplier',
      code: code ?? '',
      label,
      detail: from,
      spoken: `${words.supplierLot} ${label}, ${from}, ${named}`,
      isHeld: false,
      isRecalled: false,
      path: code === null ? null : lotPagePath(reading.brand, code),
      cells: {
        lot: html`${said(label)} <small>${said(from)}</small>`.text,
        product: product(lot.productSku, products.get(lot.productSku)?.names, reading.reader).text,
        state: html`<span class="chip">${words.supplierLot}</span>`.text,
        first: '',
      },
      order: 0,
      beside: { up: NOTHING, down: NOTHING },
    };
  });
}

const NOTHING: LotNeighbours = { ids: [], count: 0, isCut: false };

interface Around {
  readonly reading: Reading;
  readonly products: ProductProfiles;
  readonly first: { readonly eventType: string; readonly occurredAt: string } | undefined;
  readonly up: NeighbourLots;
  readonly down: NeighbourLots;
}

function lotNode(row: StandingRow, { reading, products, first, up, down }: Around): LotNode {
  const { reader, brand } = reading;
  const { lots: words } = reader.words.console;
  const isHeld = row.onHold === 1;
  const isRecalled = row.status === RECALLED;
  const holdStatus = isHeld ? 'on_hold' : 'released';
  const named = productName(row.productSku, products, reader);
  return {
    id: idOfLot(row.lotNo),
    kind: 'lot',
    code: row.lotCode,
    label: row.lotCode,
    detail: named,
    spoken: [
      row.lotCode,
      named,
      words.statuses[row.status],
      ...(isHeld ? [words.holdStatuses.on_hold] : []),
    ].join(', '),
    isHeld,
    isRecalled,
    path: lotPagePath(brand, row.lotCode),
    cells: {
      lot: lotLink(brand, row.lotCode).text,
      product: product(row.productSku, products.get(row.productSku)?.names, reader).text,
      state: html`${lotStatusChip(row.status, reader)} ${holdChip(holdStatus, reader)}`.text,
      first:
        first === undefined
          ? ''
          : html`${day(first.occurredAt, reader)}
              <small>${eventWords(first.eventType, reader)}</small>`.text,
    },
    order: row.lotNo,
    beside: {
      up: gatherNeighbours(row.lotNo, up, reading),
      down: gatherNeighbours(row.lotNo, down, reading),
    },
  };
}

function gatherNeighbours(
  lotNo: number,
  { lotNos, deliveries, unfinished }: NeighbourLots,
  reading: Pick<Reading, 'seed'>,
): LotNeighbours {
  const lots = [...(lotNos.get(lotNo) ?? [])].sort((a, b) => b - a);
  const suppliers = new Set(
    deliveries.flatMap((one) =>
      one.lotNo === lotNo ? [idOfSupplierLot(one.supplierLot, reading)] : [],
    ),
  );
  return {
    ids: [...lots.map(idOfLot), ...suppliers].slice(0, NEIGHBOURS_SHOWN_MAX),
    count: lots.length + suppliers.size,
    isCut: unfinished.has(lotNo),
  };
}

export function productName(sku: string, products: ProductProfiles, { languages }: Reader): string {
  const names = products.get(sku)?.names;
  return names === undefined ? sku : chooseName(names, languages).name;
}
