// Finds lots that are known only from provenance: which supplier delivered which lot into which own
// lot. They are leaves in the genealogy (docs/interface/traceability.md#links).
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { buildRecord } from '@lothub/kit/build-record';
import { PROVENANCE_NAMES, type ProvenanceValues } from '../../ledger/record/fields.ts';
import { nextTurn } from '@lothub/kit/in-turns';
import { deliveriesOfLots, deliveriesOfSupplierLot } from './queries.ts';
import type { DeliveryPlace, DeliveryRow } from './queries.ts';
import type { PageSizes } from './link-reader.ts';

/** A lot of a supplier; values that were not recorded are null. */
export interface SupplierLot extends ProvenanceValues {
  /** The SKU under which it was received first. */
  readonly productSku: string;
}

/** The first delivery of a supplier's lot into an own lot; `height` is that of its event. */
export interface Delivery {
  readonly supplierLot: SupplierLot;
  readonly lotNo: number;
  readonly height: number;
}

export interface Deliveries {
  /** One for each pair of a supplier's lot and an own lot; the same supplier's lot is the same object. */
  readonly list: readonly Delivery[];
  /** Own lots whose deliveries were not all read because a bound was met. */
  readonly unfinished: readonly number[];
}

/** Deliveries of another state of the chain: which stored lines do not count, and others that do. */
export interface DeliveryOverlay {
  readonly counts: (height: number) => boolean;
  readonly intoLots: (lotNos: readonly number[]) => readonly DeliveryRow[];
  readonly ofCode: (supplierLotCode: string) => readonly DeliveryRow[];
}

/** Reads the stored deliveries, which count now. */
const NO_OVERLAY: DeliveryOverlay = { counts: () => true, intoLots: () => [], ofCode: () => [] };

/**
 * Reads the deliveries of suppliers into these lots from events of origin, in the order of the
 * lots.
 */
export async function deliveriesInto(options: {
  readonly database: DatabaseReader;
  readonly lotNos: readonly number[];
  /** Maximum number of lines that are read, give or take a page. */
  readonly linesMax: number;
  readonly pages: PageSizes;
  readonly overlay?: DeliveryOverlay;
}): Promise<Deliveries> {
  const { database, lotNos, linesMax, pages, overlay = NO_OVERLAY } = options;
  const found = new DeliveryTable();
  const unfinished: number[] = [];
  let lines = 0;
  for (const slice of cutSlices(lotNos, pages.lots)) {
    if (lines > linesMax) {
      unfinished.push(...slice);
      continue;
    }
    const open = [{ lotNos: [...slice].sort((a, b) => a - b), above: 0 }];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (lines > linesMax) {
        unfinished.push(...part.lotNos);
        continue;
      }
      const rows = await deliveriesOfLots(database, { ...part, limit: pages.rows });
      lines += rows.length;
      for (const row of rows) if (row.isLeaf === 1 && overlay.counts(row.height)) found.add(row);
      await nextTurn();
      const last = rows.at(-1);
      if (last === undefined || rows.length < pages.rows) continue;
      const rest = part.lotNos.filter((lotNo) => lotNo > last.lotNo);
      if (rest.length > 0) open.push({ lotNos: rest, above: 0 });
      // The event in whose lines the page ended is read once more: others of its lines are after
      // the end.
      open.push({ lotNos: [last.lotNo], above: last.height - 1 });
    }
  }
  for (const row of overlay.intoLots(lotNos)) if (row.isLeaf === 1) found.add(row);
  return { list: found.list, unfinished };
}

/** The lots received under a supplier's lot code, by own lot, from any type of event. */
export async function deliveriesOfCode(options: {
  readonly database: DatabaseReader;
  readonly tenantNo: number;
  readonly supplierLotCode: string;
  /** Own lots found before the reading stops. */
  readonly lotsMax: number;
  /** Maximum number of lines that are read, give or take a page. */
  readonly linesMax: number;
  readonly pages: PageSizes;
  readonly overlay?: DeliveryOverlay;
}): Promise<{ readonly list: readonly Delivery[]; readonly isCut: boolean }> {
  const { database, tenantNo, supplierLotCode, lotsMax, linesMax, pages } = options;
  const overlay = options.overlay ?? NO_OVERLAY;
  const found = new DeliveryTable();
  const lotNos = new Set<number>();
  for (const row of overlay.ofCode(supplierLotCode)) {
    lotNos.add(row.lotNo);
    found.add(row);
  }
  let after: DeliveryPlace = { lotNo: 0, height: 0, lineNo: 0 };
  for (let lines = 0; lines <= linesMax; lines += pages.rows) {
    const rows = await deliveriesOfSupplierLot(database, {
      tenantNo,
      supplierLotCode,
      after,
      limit: pages.rows,
    });
    for (const row of rows) {
      if (!overlay.counts(row.height)) continue;
      lotNos.add(row.lotNo);
      if (lotNos.size > lotsMax) return { list: found.list, isCut: true };
      found.add(row);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pages.rows) return { list: found.list, isCut: false };
    after = last;
    await nextTurn();
  }
  return { list: found.list, isCut: true };
}

class DeliveryTable {
  readonly list: Delivery[] = [];
  readonly #supplierLots = new Map<string, KnownSupplierLot>();

  add(row: DeliveryRow): void {
    const { lotNo, height, productSku } = row;
    const key = JSON.stringify(PROVENANCE_NAMES.map((name) => row[name]));
    let known = this.#supplierLots.get(key);
    if (known === undefined) {
      const lot = { ...buildRecord(PROVENANCE_NAMES, (name) => row[name]), productSku };
      known = { lot, first: row, into: new Set() };
      this.#supplierLots.set(key, known);
    }
    if (isBefore(row, known.first)) {
      known.first = row;
      known.lot.productSku = productSku;
    }
    // The rows of one lot come by height: the first of a pair is the one that is kept.
    if (known.into.has(lotNo)) return;
    known.into.add(lotNo);
    this.list.push({ supplierLot: known.lot, lotNo, height });
  }
}

interface KnownSupplierLot {
  readonly lot: SupplierLot & { productSku: string };
  /** The line that names it first; rows come lot by lot. */
  first: DeliveryPlace;
  readonly into: Set<number>;
}

function isBefore(a: DeliveryPlace, b: DeliveryPlace): boolean {
  return a.height < b.height || (a.height === b.height && a.lineNo < b.lineNo);
}
