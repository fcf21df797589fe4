// Sessions of people: a random cookie of which the hash is stored, with an end that moves while it is
// used and one that does not.
import { randomBase62 } from '@lothub/kit/secrets/base62';
import type { DatabaseReader } from '@lothub/kit/database';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { hashesEqual } from '@lothub/kit/secrets/secrets';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

import type { Person } from './person.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A session ends when it is not used for this long. */
export const SESSION_IDLE_MS = 30 * DAY_MS;
/** A session ends by then however much it is used. */
export const SESSION_LIFE_MS = 90 * DAY_MS;
/** Maximum number of sessions of one person; a new one replaces the oldest. */
export const SESSIONS_MAX = 50;
/** Minimum time between two writes of `last_seen_at`. */
export const SEEN_EVERY_MS = 60_000;

/** 256 bits in base62. */
const SECRET_LENGTH = 43;
const SECRET_FORM = /^[0-9A-Za-z]{43}$/;
/** What a browser calls itself, cut for the list of sessions. */
const AGENT_LENGTH_MAX = 200;

/** What is needed of a session to end it. */
export interface SessionKey {
  readonly accountId: string;
  readonly tokenHash: string;
}

export interface NewSession {
  /** Value of the cookie: goes to the browser and is kept nowhere. */
  readonly secret: string;
  readonly tokenHash: string;
  readonly statements: readonly Sql[];
}

/** Makes a session for a person who has just proven their identity. It is valid once the statements are written. */
export function newSession(start: {
  readonly accountId: string;
  readonly agent: string;
  /** What it is begun with at a provider; undefined: a password or a link. */
  readonly signOnId?: string | undefined;
  readonly nowMs: number;
}): NewSession {
  const { accountId, nowMs, signOnId = null } = start;
  const secret = randomBase62(SECRET_LENGTH);
  const tokenHash = sha256Hex(secret);
  const agent = start.agent.replace(/[^\x20-\x7e]/g, '?').slice(0, AGENT_LENGTH_MAX);
  const statements = [
    sql`
      insert into sessions (
        token_hash, account_id, agent, created_at, last_seen_at, expires_at, sign_on_id
      )
      values (
        ${tokenHash},
        ${accountId},
        ${agent},
        ${nowMs},
        ${nowMs},
        ${nowMs + SESSION_IDLE_MS},
        ${signOnId}
      )`,
  ];
  return { secret, tokenHash, statements };
}

export interface FoundSession {
  readonly person: Person;
  readonly tokenHash: string;
  /** When `last_seen_at` was last written. */
  readonly seenAt: number;
}

/** Whose session a cookie is; nothing when it is unknown, ended or expired. */
export async function findSession(
  reader: DatabaseReader,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
): Promise<FoundSession | undefined> {
  if (!SECRET_FORM.test(secret)) return undefined;
  const tokenHash = sha256Hex(secret);
  const row = await reader.first<{
    readonly token_hash: string;
    readonly last_seen_at: number;
    readonly expires_at: number;
    readonly account_id: string;
    readonly email: string;
    readonly name: string;
  }>(sql`
    select sessions.token_hash, sessions.last_seen_at, sessions.expires_at,
      sessions.account_id, accounts.email, accounts.name
    from sessions
    join accounts on accounts.id = sessions.account_id
    where sessions.token_hash = ${tokenHash}
      and sessions.expires_at > ${nowMs}`);
  if (row === undefined || !hashesEqual(row.token_hash, tokenHash)) return undefined;
  return {
    person: {
      accountId: row.account_id,
      email: row.email,
      name: row.name,
      via: { kind: 'session', tokenHash, validUntil: row.expires_at },
    },
    tokenHash,
    seenAt: row.last_seen_at,
  };
}

/** Notes that a session was used, and moves its end; never beyond its life. */
export function touchSession(use: { readonly tokenHash: string; readonly nowMs: number }): Sql {
  const idleEnd = use.nowMs + SESSION_IDLE_MS;
  return sql`
    update sessions
    set last_seen_at = ${use.nowMs},
      expires_at = case
        when created_at + ${SESSION_LIFE_MS} < ${idleEnd} then created_at + ${SESSION_LIFE_MS}
        else ${idleEnd}
      end
    where token_hash = ${use.tokenHash}
      and last_seen_at <= ${use.nowMs - SEEN_EVERY_MS}`;
}
