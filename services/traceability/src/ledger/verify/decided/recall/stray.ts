// Finds rows of recalls that belong to no case, and cases without a block: the comparison block by
// block does not reach them.
import sql, { raw, type Sql } from 'sql-template-tag';
import { IS_OF_CASE } from '../../../decisions/recall.ts';
import type { LedgerMismatch } from '../../mismatch.ts';
import type { SnapshotReader } from '../../snapshot-reader.ts';

/** Tables whose index begins with the case. */
const TABLES_OF_CASES = [
  'recall_moves',
  'recall_edits',
  'recall_lots',
  'recall_lots_by_hand',
  'recall_lots_named',
  'recall_parts',
  'recall_notifications',
] as const;

/** @param tip the newest block; such a row is reported there */
export async function findStrayCaseRows(
  reader: SnapshotReader,
  tip: number,
): Promise<readonly LedgerMismatch[]> {
  const found: LedgerMismatch[] = [];
  const add = (rows: readonly unknown[], message: string): void => {
    if (rows.length > 0) found.push({ height: tip, code: 'case_row_extra', message });
  };
  add(
    await reader.all(sql`
      select c.case_id
      from recall_cases c
      where c.step_no is not null and not exists (
        select 1
        from tenants t
        join decisions d on d.tenant_id = t.tenant_id and d.type = 'recall'
          and d.subject = c.case_no
        where t.tenant_no = c.tenant_no
      )
      limit 1`),
    'recall_cases holds a case that is in no block',
  );
  for (const table of TABLES_OF_CASES) {
    add(
      await reader.all(sql`
        ${selectDistinct('case_id', raw(table), sql`true`)}
        select found
        from distinct_values
        where found is not null and found not in (select case_id from recall_cases)
        limit 1`),
      `${table} holds rows of a case that is not there`,
    );
  }
  add(
    await reader.all(sql`
      ${selectDistinct('source', raw('lot_holds'), IS_OF_CASE)}
      select found
      from distinct_values
      where found is not null and found not in (select case_no from recall_cases)
      limit 1`),
    'lot_holds holds rows of a case that is not there',
  );
  add(
    await reader.all(sql`
      select p.notification_id
      from private_recipients p
      where not exists (
        select 1 from recall_notifications n where n.notification_id = p.notification_id
      )
      limit 1`),
    'private_recipients holds rows of a notification that is not there',
  );
  return found;
}

/** Selects each value of an indexed column once, with one look-up for each value. */
function selectDistinct(column: string, table: Sql, condition: Sql): Sql {
  const name = raw(column);
  return sql`
    with recursive distinct_values(found) as (
      select min(${name}) from ${table} where ${condition}
      union all
      select (
        select min(r.${name}) from ${table} r where r.${name} > found and ${condition}
      )
      from distinct_values
      where found is not null
    )`;
}
