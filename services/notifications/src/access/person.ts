// Who is asking, once a session cookie or a read token has been checked.
import type { Actor } from '../store/audit.ts';

export interface Person {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  /** A read token may read and nothing else. */
  readonly via:
    | {
        readonly kind: 'session';
        readonly tokenHash: string;
        /** When it ends unless it is used before; milliseconds since the Unix epoch. */
        readonly validUntil: number;
      }
    | { readonly kind: 'token'; readonly tokenId: string; readonly validUntil: number | null };
}

/** How the audit names a person that acts. */
export function actorOf(person: Pick<Person, 'accountId' | 'name'>): Actor {
  return { accountId: person.accountId, name: person.name };
}

export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];
