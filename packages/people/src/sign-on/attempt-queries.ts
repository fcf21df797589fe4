// Reads and writes of log-ins that are under way.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export interface AttemptRow {
  readonly browserHash: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
}

export function insertAttempt(
  attempt: AttemptRow & { readonly stateHash: string; readonly expiresAt: number },
): Sql {
  return sql`
    insert into sign_on_attempts (state_hash, browser_hash, nonce, verifier, next, expires_at)
    values (
      ${attempt.stateHash},
      ${attempt.browserHash},
      ${attempt.nonce},
      ${attempt.verifier},
      ${attempt.next},
      ${attempt.expiresAt}
    )`;
}

export function findAttempt(
  reader: DatabaseReader,
  by: { readonly stateHash: string; readonly nowMs: number },
): Promise<AttemptRow | undefined> {
  return reader.first<AttemptRow>(sql`
    select
      browser_hash as "browserHash",
      nonce as "nonce",
      verifier as "verifier",
      next as "next"
    from sign_on_attempts
    where state_hash = ${by.stateHash}
      and expires_at > ${by.nowMs}`);
}

/** For a guard that always holds. */
export const WHILE_ANYTHING: Sql = sql`
  select 1 as held
  from head
  where id = 1`;

/** A guard: the attempt was not used. */
export function whileAttemptIsKept(stateHash: string): Sql {
  return sql`
    select 1 as held
    from sign_on_attempts
    where state_hash = ${stateHash}`;
}

export function deleteAttempt(stateHash: string): Sql {
  return sql`
    delete from sign_on_attempts
    where state_hash = ${stateHash}`;
}

export function deleteExpiredAttempts(nowMs: number): Sql {
  return sql`
    delete from sign_on_attempts
    where expires_at <= ${nowMs}`;
}

/** All have the same life, so those that end first are the oldest. */
export function deleteExcessAttempts({ keptMax }: { readonly keptMax: number }): Sql {
  return sql`
    delete from sign_on_attempts
    where expires_at <= (
      select expires_at
      from sign_on_attempts
      order by expires_at desc
      limit 1 offset ${keptMax}
    )`;
}
