// Deletes in batches what deleted groups held. The row that says how far a group is goes last, so a crash anywhere
// leaves the rest to the next pass.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { BATCH_ROWS, mayGoOn, type RetentionPass } from '@lothub/kit/retention/retention-loop';
import { groupPlace, placeText } from '@lothub/people/places/place';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { NotificationStore } from '../store/store.ts';

/** Writes to the database of people, to delete what it keeps about a group. */
export interface PeopleWriter {
  write(statements: readonly Sql[]): Promise<unknown>;
}

/** Tables whose rows of a group are found along a number, the lowest first. */
const BY_NUMBER = [
  { table: sql`notifications`, number: sql`seq`, rows: sql`1 = 1` },
  { table: sql`acknowledgements`, number: sql`seq`, rows: sql`1 = 1` },
  { table: sql`unacknowledged`, number: sql`seq`, rows: sql`1 = 1` },
  { table: sql`occurrences`, number: sql`first_seq`, rows: sql`1 = 1` },
  { table: sql`escalated`, number: sql`seq`, rows: sql`1 = 1` },
  // What one person has read is found by the person, and goes within a day.
  { table: sql`signals`, number: sql`position`, rows: sql`kind <> 'read'` },
] as const;

/** Tables whose rows of a group are found along a text. */
const BY_TEXT = [
  { table: sql`idempotency_keys`, text: sql`idempotency_key` },
  { table: sql`group_keys`, text: sql`id` },
] as const;

/**
 * All of every deleted group.
 * @throws DatabaseError as the store's `write`
 */
export async function clearDeletedGroups(
  pass: RetentionPass,
  {
    store,
    people,
  }: { readonly store: NotificationStore; readonly people?: PeopleWriter | undefined },
): Promise<void> {
  for (const groupId of await deletedGroups(store.reader)) {
    for (;;) {
      if (!(await mayGoOn(pass))) return;
      const statement = await nextBatch(store.reader, groupId);
      if (statement === undefined) break;
      await store.write([statement]);
    }
    await people?.write([
      sql`
        delete from invitations
        where place = ${placeText(groupPlace(groupId))}`,
    ]);
    await store.change(endChange(store, groupId));
  }
}

/** In which something is left; the others have no head any more. */
async function deletedGroups(reader: DatabaseReader): Promise<readonly string[]> {
  const rows = await reader.all<{ readonly id: string }>(sql`
    select g.id as "id"
    from groups g
    join group_heads h on h.group_id = g.id
    where g.deleted_at is not null
    order by g.id
    limit ${BATCH_ROWS}`);
  return rows.map(({ id }) => id);
}

/** What deletes some rows, at least one. @returns undefined when there is nothing left */
async function nextBatch(reader: DatabaseReader, groupId: string): Promise<Sql | undefined> {
  for (const one of BY_NUMBER) {
    const statement = await batchByNumber(reader, groupId, one);
    if (statement !== undefined) return statement;
  }
  for (const one of BY_TEXT) {
    const statement = await batchByText(reader, groupId, one);
    if (statement !== undefined) return statement;
  }
  return await batchOfPerson(reader, groupId);
}

async function batchByNumber(
  reader: DatabaseReader,
  groupId: string,
  { table, number, rows }: (typeof BY_NUMBER)[number],
): Promise<Sql | undefined> {
  const found = await reader.first<{ readonly through: number | null }>(sql`
    select max(doomed.number) as through
    from (
      select ${number} as number
      from ${table}
      where group_id = ${groupId} and ${rows}
      order by ${number}
      limit ${BATCH_ROWS}
    ) doomed`);
  const through = found?.through ?? undefined;
  if (through === undefined) return undefined;
  return sql`
    delete from ${table}
    where group_id = ${groupId} and ${rows} and ${number} <= ${through}`;
}

async function batchByText(
  reader: DatabaseReader,
  groupId: string,
  { table, text }: (typeof BY_TEXT)[number],
): Promise<Sql | undefined> {
  const found = await reader.all<{ readonly key: string }>(sql`
    select ${text} as key
    from ${table}
    where group_id = ${groupId}
    limit ${BATCH_ROWS}`);
  if (found.length === 0) return undefined;
  return sql`
    delete from ${table}
    where group_id = ${groupId} and ${text} in (${inList(found.map(({ key }) => key))})`;
}

/** What somebody has read one by one, and at last that the person was there. */
async function batchOfPerson(reader: DatabaseReader, groupId: string): Promise<Sql | undefined> {
  const person = await reader.first<{ readonly accountId: string }>(sql`
    select account_id as "accountId"
    from former_members
    where group_id = ${groupId}
    limit 1`);
  if (person === undefined) return undefined;
  const { accountId } = person;
  const found = await reader.first<{ readonly through: number | null }>(sql`
    select max(doomed.seq) as through
    from (
      select seq
      from read_exceptions
      where account_id = ${accountId} and group_id = ${groupId}
      order by seq
      limit ${BATCH_ROWS}
    ) doomed`);
  const through = found?.through ?? undefined;
  return through === undefined
    ? sql`
      delete from former_members
      where group_id = ${groupId} and account_id = ${accountId}`
    : sql`
      delete from read_exceptions
      where account_id = ${accountId} and group_id = ${groupId} and seq <= ${through}`;
}

/** A post that was being written when the group was deleted may follow the last batch: the next pass deletes it. */
function endChange({ erasedBytes }: Pick<NotificationStore, 'erasedBytes'>, groupId: string) {
  return {
    guard: sql`
      select 1 as held
      from groups g
      where g.id = ${groupId}
        and g.deleted_at is not null
        and not exists (select 1 from notifications n where n.group_id = g.id)`,
    statements: [
      ...(erasedBytes?.note ?? []),
      sql`
        delete from group_heads
        where group_id = ${groupId}`,
    ],
  };
}
