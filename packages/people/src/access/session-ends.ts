// Ends sessions, and reports ended sessions to the owners of open connections. Requests need
// not ask: the gate looks each time.
import { inList } from '@lothub/kit/in-list';
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { SESSIONS_MAX, type SessionKey } from './sessions.ts';

/** Sessions looked up in one query. */
const LOOKED_UP_MAX = 500;

export function endSession({ accountId, tokenHash }: SessionKey): readonly Sql[] {
  return [
    sql`
      delete from sessions
      where token_hash = ${tokenHash}
        and account_id = ${accountId}`,
    COUNT_END,
  ];
}

/** @param which `staying` is the token hash of the session that does not end; null: all end */
export function endSessions(which: {
  readonly accountId: string;
  readonly staying: string | null;
}): readonly Sql[] {
  return [
    sql`
      delete from sessions
      where account_id = ${which.accountId}
        and token_hash <> ${which.staying ?? ''}`,
    COUNT_END,
  ];
}

/** Ends those of a person that are more than `SESSIONS_MAX`. */
export function endOldestSessions(accountId: string): readonly Sql[] {
  return [
    sql`
      update head
      set session_ends = session_ends + 1
      where id = 1
        and (select count(*) from sessions where account_id = ${accountId}) > ${SESSIONS_MAX}`,
    sql`
      delete from sessions
      where token_hash in (
        select token_hash
        from sessions
        where account_id = ${accountId}
        order by created_at desc, token_hash
        limit ${SESSIONS_MAX}
        offset ${SESSIONS_MAX}
      )`,
  ];
}

const COUNT_END = sql`update head set session_ends = session_ends + 1 where id = 1`;

/** How often sessions were ended so far, before their time was over. */
export async function sessionEnds(reader: DatabaseReader): Promise<number> {
  const row = await reader.first<{ readonly ends: number }>(
    sql`select session_ends as "ends" from head where id = 1`,
  );
  if (row === undefined) throw new Error('the head of the people tables has no row');
  return row.ends;
}

/** Those of some sessions that have not ended. */
export async function findValidSessions(
  reader: DatabaseReader,
  tokenHashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const valid = new Set<string>();
  for (let from = 0; from < tokenHashes.length; from += LOOKED_UP_MAX) {
    const some = tokenHashes.slice(from, from + LOOKED_UP_MAX);
    const rows = await reader.all<{ readonly tokenHash: string }>(sql`
      select token_hash as "tokenHash"
      from sessions
      where token_hash in (${inList(some)})`);
    for (const { tokenHash } of rows) valid.add(tokenHash);
  }
  return valid;
}
