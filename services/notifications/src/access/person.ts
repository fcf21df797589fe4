// Who is asking, once a session cookie or a read token has been checked; and the roles of groups.
import type { Person as SessionPerson, SessionAccess } from '@lothub/people/access/person';

export { toActor } from '@lothub/people/access/person';
export type { Person as SessionPerson } from '@lothub/people/access/person';

export interface Person extends Omit<SessionPerson, 'via'> {
  readonly via: SessionAccess | TokenAccess;
}

/** A read token may read and nothing else. */
export interface TokenAccess {
  readonly kind: 'token';
  readonly tokenId: string;
  /** Null: it does not end by itself. */
  readonly validUntil: number | null;
}

export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];
