// Recounts lots from their lines in PostgreSQL, all lots of a group together: the lines are read in
// pages, whatever the number of lots.
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import type { PostgresTransaction } from '@lothub/kit/postgres/connection';
import { rowsUpdate } from '@lothub/kit/postgres/row-statements';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { quantityRow } from '../append/account-columns.ts';
import type { LotToRecount, RecountedLot } from '../append/group-rows.ts';
import { LotRecount } from '../append/lot-recount.ts';
import { HANDOVER_REFERENCE, IS_HANDOVER } from '../record/delivery.ts';
import type { Direction, EventType } from '../record/event-types.ts';
import { LOTS } from '../tables/lots.ts';
import { insertAccounts, updateStandings, updateTexts } from './lot-tables.ts';

const updateSkus = rowsUpdate(LOTS, { set: ['product_sku'] });

/** Lines of one read. */
const LINES_PER_READ = 5_000;

interface LabelRow {
  readonly lot_no: number;
  readonly tenant_no: number;
  readonly lot_code: string;
  readonly product_sku: string;
  readonly first_sku: string;
  readonly text: string;
}

/**
 * Reads what the transaction has written so far.
 * @returns what is to be written next
 */
export async function recountLots(
  transaction: PostgresTransaction,
  lots: readonly LotToRecount[],
): Promise<readonly Sql[]> {
  const due = await lotsDue(transaction, lots);
  if (due.length === 0) return [];
  const lotNos = bigintArray(due);
  const [labels, terms, recounts] = await Promise.all([
    readLabels(transaction, lotNos),
    readTerms(transaction, lotNos),
    addUp(transaction, lotNos),
  ]);
  const recounted = labels.map((label) => ({
    label,
    lot: (recounts.get(label.lot_no) ?? new LotRecount()).result({
      lotCode: label.lot_code,
      firstSku: label.first_sku,
      terms: terms.get(label.lot_no) ?? [],
    }),
  }));
  return buildStatements(lotNos, recounted);
}

/**
 * Returns the lots to recount: those without a condition, and those with a delivery and a sale
 * under one of their references.
 */
async function lotsDue(
  { all }: PostgresTransaction,
  lots: readonly LotToRecount[],
): Promise<readonly number[]> {
  const sure = lots.filter(({ ifMatched }) => ifMatched === undefined).map(({ lotNo }) => lotNo);
  const asked = lots.flatMap(({ lotNo, ifMatched }) =>
    [...(ifMatched ?? [])].map((reference) => ({ lotNo, reference })),
  );
  if (asked.length === 0) return sure;
  const rows = await all<{ readonly lot_no: number }>(sql`
    select w.lot_no
    from unnest(
      ${bigintArray(asked.map(({ lotNo }) => lotNo))}::bigint[],
      ${textArray(asked.map(({ reference }) => reference))}::text[]
    ) as w (lot_no, reference)
    join events e on e.reference = w.reference and e.voided = 0
    join lines l on l.height = e.height and l.lot_no = w.lot_no
    where ${IS_HANDOVER}
    group by w.lot_no, w.reference
    having max(l.is_delivery) = 1 and min(l.is_delivery) = 0`);
  return [...new Set([...sure, ...rows.map((row) => row.lot_no)])];
}

function buildStatements(
  lotNos: Buffer,
  recounted: readonly { readonly label: LabelRow; readonly lot: RecountedLot }[],
): readonly Sql[] {
  const accounts = recounted.flatMap(({ label, lot }) =>
    lot.accounts.map((account) => quantityRow(label.lot_no, account)),
  );
  const renamed = recounted.filter(({ label, lot }) => lot.productSku !== label.product_sku);
  const reworded = recounted.filter(({ label, lot }) => lot.text !== label.text);
  return [
    sql`delete from lot_quantities where lot_no = any(${lotNos}::bigint[])`,
    ...updateStandings(recounted.map(({ label, lot }) => ({ ...label, ...lot.standing }))),
    ...insertAccounts(accounts),
    ...updateSkus(renamed.map(({ label, lot }) => ({ ...label, product_sku: lot.productSku }))),
    ...updateTexts(reworded.map(({ label, lot }) => ({ ...label, text: lot.text }))),
  ];
}

function readLabels({ all }: PostgresTransaction, lotNos: Buffer): Promise<readonly LabelRow[]> {
  return all<LabelRow>(sql`
    select l.lot_no, l.tenant_no, l.lot_code, l.product_sku, l.first_sku, x.text
    from lots l
    join lot_texts x on x.tenant_no = l.tenant_no and x.lot_no = l.lot_no
    where l.lot_no = any(${lotNos}::bigint[])`);
}

/** Suppliers and their lot codes, by lot. */
async function readTerms(
  { all }: PostgresTransaction,
  lotNos: Buffer,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await all<{
    readonly lot_no: number;
    readonly supplier_name: string | null;
    readonly supplier_lot_code: string | null;
  }>(sql`
    select distinct lot_no, supplier_name, supplier_lot_code
    from provenances
    where lot_no = any(${lotNos}::bigint[])`);
  const terms = new Map<number, string[]>();
  for (const { lot_no, supplier_name, supplier_lot_code } of rows) {
    const known = terms.get(lot_no) ?? [];
    terms.set(lot_no, known);
    for (const term of [supplier_name, supplier_lot_code]) if (term !== null) known.push(term);
  }
  return terms;
}

async function addUp(
  { all }: PostgresTransaction,
  lotNos: Buffer,
): Promise<ReadonlyMap<number, LotRecount>> {
  const recounts = new Map<number, LotRecount>();
  let after = { lotNo: -1, height: -1, lineNo: -1 };
  for (;;) {
    const rows = await all<{
      readonly lot_no: number;
      readonly height: number;
      readonly line_no: number;
      readonly event_type: EventType;
      readonly occurred_at: string;
      readonly product_sku: string;
      readonly direction: Direction;
      readonly quantity: string;
      readonly unit: string;
      readonly is_delivery: 0 | 1;
      readonly handover_reference: string | null;
    }>(sql`
      select
        l.lot_no, l.height, l.line_no, e.event_type, e.occurred_at, l.product_sku, l.direction,
        l.quantity, l.unit, l.is_delivery, ${HANDOVER_REFERENCE} as handover_reference
      from lines l
      join events e on e.height = l.height
      where l.lot_no = any(${lotNos}::bigint[])
        and e.voided = 0
        and (l.lot_no, l.height, l.line_no) > (${after.lotNo}, ${after.height}, ${after.lineNo})
      order by l.lot_no, l.height, l.line_no
      limit ${LINES_PER_READ}`);
    for (const row of rows) {
      const recount = recounts.get(row.lot_no) ?? new LotRecount();
      recounts.set(row.lot_no, recount);
      recount.add({
        eventType: row.event_type,
        direction: row.direction,
        productSku: row.product_sku,
        unit: row.unit,
        quantity: row.quantity,
        occurredAt: row.occurred_at,
        height: row.height,
        isDelivery: row.is_delivery === 1,
        handoverReference: row.handover_reference,
      });
      after = { lotNo: row.lot_no, height: row.height, lineNo: row.line_no };
    }
    if (rows.length < LINES_PER_READ) return recounts;
  }
}
