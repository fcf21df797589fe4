// Who is asking, once a session cookie has been checked.
import type { Actor } from '../store/audit.ts';

export interface Person {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly via: SessionAccess;
}

export interface SessionAccess {
  readonly kind: 'session';
  readonly tokenHash: string;
  /** When it ends unless it is used before; milliseconds since the Unix epoch. */
  readonly validUntil: number;
}

/** How the audit names a person that acts. */
export function toActor(person: Pick<Person, 'accountId' | 'name'>): Actor {
  return { accountId: person.accountId, name: person.name };
}
