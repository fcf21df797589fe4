// The rows of recall cases as they are stored.
import type { StoredRow, TestDatabase } from '../engine.ts';

/** The key of each table. */
export const CASE_TABLES: Readonly<Record<string, readonly string[]>> = {
  recall_cases: ['case_id'],
  recall_moves: ['case_id', 'move_no'],
  recall_lots: ['case_id', 'lot_no'],
  recall_lots_by_hand: ['case_id', 'lot_no'],
  recall_lots_named: ['case_id', 'lot_no', 'step_no', 'part'],
  recall_parts: ['height', 'part'],
  recall_edits: ['case_id', 'step_no'],
  recall_notifications: ['notification_id'],
  private_recipients: ['notification_id'],
  lot_holds: ['hold_no'],
};

export async function readCaseRows(
  database: TestDatabase,
  table: string,
): Promise<readonly StoredRow[]> {
  const key = CASE_TABLES[table]?.join(', ') ?? '';
  // Holds by hand have blocks of their own.
  const which = table === 'lot_holds' ? "where source <> 'manual'" : '';
  return await database.rows(`select * from ${table} ${which} order by ${key}`);
}

/** All rows of recalls, but for the numbers that say only an order, and what lots say of them. */
export async function readAllCaseRows(database: TestDatabase): Promise<unknown> {
  const stored: Record<string, unknown> = {};
  for (const table of Object.keys(CASE_TABLES)) {
    const rows = await readCaseRows(database, table);
    stored[table] = rows
      .map(({ hold_no: _holdNo, revision: _revision, ...row }) => JSON.stringify(row))
      .sort();
  }
  const lots = 'select lot_code, on_hold, recalled from lots order by lot_no';
  stored['lots'] = await database.rows(lots);
  return JSON.parse(JSON.stringify(stored)) as unknown;
}
