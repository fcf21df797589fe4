// Reads what is opened in a drawing: the neighbours of a lot, few one by one and many as groups of their products, the
// lots of a group page by page, the way to a lot.
import { cutSlices } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import { readNeighbours, type Neighbours } from '../../lots/genealogy/neighbours.ts';
import type { SupplierLot } from '../../lots/genealogy/supplier-lots.ts';
import type { WaysFrom } from '../../lots/genealogy/ways.ts';
import { findLot } from '../../lots/queries.ts';
import { standingsOfLots } from '../../lots/record-queries.ts';
import { readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { RECALLED, WALK_DIRECTIONS } from '../../terms.ts';
import { DRAWN_MAX, SINGLE_MAX, type Answer, type Group } from './graph.ts';
import {
  idOfLot,
  idOfSeed,
  idOfSupplierLot,
  productName,
  readLots,
  readSuppliers,
  withoutSeed,
} from './read-lots.ts';
import type { Reading } from './read-lots.ts';
import type { Step } from './steps.ts';

/** Products of one lot that are drawn as groups; those with fewest lots are one group. */
const GROUPS_MAX = 40;
/** Key of the group of all others. */
const OTHERS = 'others';

/** @returns undefined when the brand has no such lot, or there is no such way */
export async function readAnswer(reading: Reading, step: Step): Promise<Answer | undefined> {
  const { seed } = reading;
  if (seed.kind === 'supplier' && step.code === seed.code) {
    if (step.kind === 'way' || step.side === 'up') return undefined;
    const { lotNos, isCut } = seed;
    return await answerFrom(reading, step, { lotNos, supplierLots: [], isWhole: !isCut });
  }
  const { database, brand, tenantNo } = reading;
  const lot = await findLot(database, { tenantId: brand, lotCode: step.code });
  if (lot === undefined) return undefined;
  if (step.kind === 'way') {
    const way = await reading.ways.find(from(reading), lot.lotNo);
    if (way === undefined) return undefined;
    return {
      ...{ step, isCut: false, groups: [] },
      ids: [...(seed.kind === 'supplier' ? [idOfSeed(seed)] : []), ...way.map(idOfLot)],
      lots: await readLots(reading, way),
    };
  }
  const direction = step.side === 'up' ? 'upstream' : 'downstream';
  const neighbours = await readNeighbours({ database, tenantNo }, { lotNo: lot.lotNo, direction });
  return await answerFrom(reading, step, neighbours);
}

/** Returns where the ways of a drawing begin. A supplier's lot has no known ancestors. */
export function from({ tenantNo, seed }: Reading): WaysFrom {
  return seed.kind === 'lot'
    ? { tenantNo, lotNos: [seed.lotNo], directions: WALK_DIRECTIONS }
    : { tenantNo, lotNos: seed.lotNos, directions: ['downstream'] };
}

async function answerFrom(
  reading: Reading,
  step: Exclude<Step, { kind: 'way' }>,
  neighbours: Neighbours,
): Promise<Answer> {
  const isCut = !neighbours.isWhole;
  const { lotNos, supplierLots } = neighbours;
  if (step.kind === 'side' && lotNos.length + supplierLots.length <= SINGLE_MAX) {
    return await shown(reading, { step, isCut, groups: [], lotNos, supplierLots });
  }
  const parts = await readParts(reading, neighbours);
  if (step.kind === 'side') {
    return { step, isCut, groups: parts.map(({ group }) => group), ids: [], lots: [] };
  }
  const part = parts.find(({ group }) => group.key === step.group);
  const end = Math.min(step.shown, DRAWN_MAX);
  return await shown(reading, {
    ...{ step, isCut, groups: [] },
    lotNos: part?.lotNos.slice(0, end) ?? [],
    supplierLots: part?.supplierLots.slice(0, end) ?? [],
  });
}

async function shown(
  reading: Reading,
  answer: Pick<Answer, 'step' | 'isCut' | 'groups'> & Omit<Neighbours, 'isWhole'>,
): Promise<Answer> {
  const { lotNos, supplierLots, ...rest } = answer;
  const { database, brand, publicUrl } = reading;
  const skus = supplierLots.map(({ productSku }) => productSku);
  const [lots, products] = await Promise.all([
    readLots(reading, lotNos),
    readProductProfiles(database, { tenantId: brand, publicUrl, skus }),
  ]);
  const suppliers = readSuppliers(withoutSeed(supplierLots, reading), { reading, products });
  return {
    ...rest,
    ids: [
      ...lotNos.map(idOfLot),
      ...new Set(supplierLots.map((lot) => idOfSupplierLot(lot, reading))),
    ],
    lots: [...lots, ...suppliers],
  };
}

/** A group with its lots. */
interface Part {
  readonly group: Group;
  readonly lotNos: readonly number[];
  readonly supplierLots: readonly SupplierLot[];
}

/** The neighbours by product, those with most lots first. */
async function readParts(reading: Reading, neighbours: Neighbours): Promise<readonly Part[]> {
  const { database, brand, publicUrl } = reading;
  const parts = new Map<string, MadePart>();
  for (const slice of cutSlices(neighbours.lotNos)) {
    const rows = await standingsOfLots(database, slice);
    for (const { lotNo, productSku, onHold, status } of rows) {
      const part = madePart(parts, { kind: 'lot', sku: productSku });
      part.lotNos.push(lotNo);
      part.held += onHold;
      part.recalled += status === RECALLED ? 1 : 0;
    }
    await nextTurn();
  }
  for (const lot of neighbours.supplierLots) {
    madePart(parts, { kind: 'supplier', sku: lot.productSku }).supplierLots.push(lot);
  }
  const sorted = [...parts.values()].sort((a, b) => countLots(b) - countLots(a));
  const named = sorted.slice(0, GROUPS_MAX);
  const products = await readProductProfiles(database, {
    tenantId: brand,
    publicUrl,
    skus: named.map(({ sku }) => sku),
  });
  const found = named.map((part): Part => {
    const label = productName(part.sku, products, reading.reader);
    return partWith(part, { key: `${part.kind}:${part.sku}`, label });
  });
  const rest = sorted.slice(GROUPS_MAX);
  if (rest.length === 0) return found;
  const others = rest.reduce<MadePart>(joined, { ...newPart({ kind: 'lot', sku: '' }) });
  const { otherProducts } = reading.reader.words.console.genealogy;
  return [...found, partWith(others, { key: OTHERS, label: otherProducts })];
}

interface MadePart {
  readonly kind: Group['kind'];
  readonly sku: string;
  readonly lotNos: number[];
  readonly supplierLots: SupplierLot[];
  held: number;
  recalled: number;
}

type ProductOfPart = Pick<MadePart, 'kind' | 'sku'>;

function newPart({ kind, sku }: ProductOfPart): MadePart {
  return { kind, sku, lotNos: [], supplierLots: [], held: 0, recalled: 0 };
}

function madePart(parts: Map<string, MadePart>, product: ProductOfPart): MadePart {
  const key = `${product.kind}:${product.sku}`;
  const part = parts.get(key) ?? newPart(product);
  parts.set(key, part);
  return part;
}

function joined(all: MadePart, one: MadePart): MadePart {
  return {
    ...all,
    lotNos: [...all.lotNos, ...one.lotNos],
    supplierLots: [...all.supplierLots, ...one.supplierLots],
    held: all.held + one.held,
    recalled: all.recalled + one.recalled,
  };
}

function countLots({ lotNos, supplierLots }: MadePart): number {
  return lotNos.length + supplierLots.length;
}

function partWith(
  part: MadePart,
  { key, label }: { readonly key: string; readonly label: string },
): Part {
  const { kind, sku, held, recalled, supplierLots } = part;
  return {
    group: {
      key,
      kind,
      label,
      detail: sku === label ? '' : sku,
      count: countLots(part),
      held,
      recalled,
    },
    lotNos: part.lotNos.toSorted((a, b) => b - a),
    supplierLots,
  };
}
