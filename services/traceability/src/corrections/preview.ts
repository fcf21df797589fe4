// Computes what a correction would change, before it is made: it is judged like the real one, and
// the quantities of each lot are added up as the writer does it.
import type { DatabaseReader } from '@lothub/kit/database';
import { inTurns } from '@lothub/kit/in-turns';
import { at } from '@lothub/kit/present';
import type { LedgerReader } from '../ledger/read.ts';
import type { EffectiveEvent } from '../ledger/record/effective.ts';
import { isDelivery, isHandover } from '../ledger/record/delivery.ts';
import { getFacts } from '../ledger/record/event-types.ts';
import { LotTally, accountKey } from '../ledger/record/quantities.ts';
import type { Movement } from '../ledger/record/quantities.ts';
import { computeRemaining } from '../ledger/record/quantities.ts';
import { findLot } from '../lots/queries.ts';
import { RECALLED, type LotStatus } from '../terms.ts';
import { readTarget } from './correct.ts';
import { planCorrection, targetAfter, type PlannedChange } from './plan.ts';
import { movementsOfLot } from './queries.ts';
import type { CorrectionInput } from './schema.ts';

/** Lots that are added up for one preview, and lines of all of them together: some 100 milliseconds. */
const LOTS_MAX = 30;
const LINES_MAX = 20_000;
const LINES_PER_PAGE = 1_000;

/** The remaining amount of one SKU and unit, as decimal texts. */
export interface QuantityEffect {
  readonly productSku: string;
  readonly unit: string;
  readonly before: string;
  readonly after: string;
}

export interface LotEffect {
  readonly lotCode: string;
  /** No event has named it so far. */
  readonly isNew: boolean;
  readonly quantities: readonly QuantityEffect[];
  readonly statusBefore: LotStatus;
  readonly statusAfter: LotStatus;
}

export interface CorrectionPreview {
  readonly changes: readonly PlannedChange[];
  /** Lots of which the event moves something else than before. */
  readonly lots: readonly LotEffect[];
  /** Number of further lots that it concerns and whose quantities were not added up. */
  readonly more: number;
  /** Numbers of all known lots that the event names, or would name. */
  readonly lotNos: readonly number[];
  /** Whether the event names other lots afterwards, so that links change. */
  readonly changesLinks: boolean;
}

/** @throws Refusal `rule_broken` as the correction itself would be refused */
export async function previewCorrection(
  reader: LedgerReader,
  asked: {
    readonly tenantId: string;
    readonly request: CorrectionInput;
    readonly newSalt: () => string;
  },
): Promise<CorrectionPreview> {
  const { tenantId, request, newSalt } = asked;
  const height = request.corrects_event_id;
  const target = await readTarget(reader, { tenantId, height });
  const plan = planCorrection(request, { target, newSalt });
  const before = target.effective;
  const after = targetAfter(target, plan.submission).effective;
  const codes = [...new Set([...listLotCodes(before), ...listLotCodes(after)])];
  const { database } = reader;
  const moved = codes.filter((code) => movementsText(before, code) !== movementsText(after, code));
  const lots: LotEffect[] = [];
  const lotNos: number[] = [];
  let linesLeft = LINES_MAX;
  for (const lotCode of codes) {
    const lot = await findLot(database, { tenantId, lotCode });
    if (lot !== undefined) lotNos.push(lot.lotNo);
    if (!moved.includes(lotCode) || lots.length === LOTS_MAX || linesLeft <= 0) continue;
    const sums = { before: new LotTally(), after: new LotTally() };
    if (lot !== undefined) {
      const { lotNo } = lot;
      linesLeft -= await addOthers(database, { lotNo, height, limit: linesLeft, sums });
      if (linesLeft <= 0) continue;
    }
    for (const movement of listMovements(before, { lotCode, height })) sums.before.add(movement);
    for (const movement of listMovements(after, { lotCode, height })) sums.after.add(movement);
    lots.push({
      lotCode,
      isNew: lot === undefined,
      quantities: listQuantities(sums),
      ...(lot?.status === RECALLED
        ? { statusBefore: RECALLED, statusAfter: RECALLED }
        : {
            statusBefore: sums.before.standing.status,
            statusAfter: sums.after.standing.status,
          }),
    });
  }
  return {
    changes: plan.changes,
    lots,
    more: moved.length - lots.length,
    lotNos,
    changesLinks: sidesText(before) !== sidesText(after),
  };
}

interface Sums {
  readonly before: LotTally;
  readonly after: LotTally;
}

/** Adds what all other events moved of a lot; answers how many lines that were. */
async function addOthers(
  database: DatabaseReader,
  lot: {
    readonly lotNo: number;
    /** The height of the event that is left out. */
    readonly height: number;
    readonly limit: number;
    readonly sums: Sums;
  },
): Promise<number> {
  let lines = 0;
  for await (const page of inTurns(readPages(database, lot.lotNo))) {
    for (const movement of page) {
      if (movement.height === lot.height) continue;
      lot.sums.before.add(movement);
      lot.sums.after.add(movement);
    }
    lines += page.length;
    if (lines >= lot.limit) break;
  }
  return lines;
}

async function* readPages(
  database: DatabaseReader,
  lotNo: number,
): AsyncGenerator<readonly Movement[]> {
  let after = { height: -1, lineNo: -1 };
  for (;;) {
    const rows = await movementsOfLot(database, { lotNo, after, limit: LINES_PER_PAGE });
    yield rows.map((row) => ({ ...row, isDelivery: row.isDelivery === 1 }));
    if (rows.length < LINES_PER_PAGE) return;
    after = at(rows, rows.length - 1);
  }
}

/** Lists the movements of a lot in an event. */
function listMovements(
  { event, voided }: EffectiveEvent,
  { lotCode, height }: { readonly lotCode: string; readonly height: number },
): readonly Movement[] {
  const { event_type: eventType } = event;
  if (voided || !getFacts(eventType).counts) return [];
  return event.lines
    .filter((line) => line.lot_code === lotCode)
    .map((line) => {
      const delivers = isDelivery(eventType, line);
      return {
        ...{ eventType, height, isDelivery: delivers },
        direction: line.direction,
        productSku: line.product_sku,
        unit: line.unit,
        quantity: line.quantity,
        occurredAt: event.occurred_at,
        handoverReference: isHandover({ eventType, isDelivery: delivers }) ? event.reference : null,
      };
    });
}

/** The same text: the event moves the same. */
function movementsText(effective: EffectiveEvent, lotCode: string): string {
  return JSON.stringify(listMovements(effective, { lotCode, height: 0 }));
}

function listLotCodes({ event }: EffectiveEvent): readonly string[] {
  return event.lines.map((line) => line.lot_code);
}

/** Makes a text of the sides of all lots and of the reference, which links depend on. */
function sidesText({ event, voided }: EffectiveEvent): string {
  const sides = event.lines.map((line) => [line.direction, line.lot_code]);
  return JSON.stringify(voided ? [] : [event.reference, sides]);
}

/** Lists the remaining amounts before and after, where they differ. */
function listQuantities(sums: Sums): readonly QuantityEffect[] {
  const accounts = new Map<
    string,
    { productSku: string; unit: string; before: string; after: string }
  >();
  for (const side of ['before', 'after'] as const) {
    for (const { productSku, unit, sums: parts } of sums[side].accounts) {
      const key = accountKey(productSku, unit);
      const known = accounts.get(key) ?? { productSku, unit, before: '0', after: '0' };
      accounts.set(key, { ...known, [side]: computeRemaining(parts).toFixed() });
    }
  }
  return [...accounts.values()].filter(({ before, after }) => before !== after);
}
