// Who is asking, once a session cookie or a read token has been checked.

export interface Person {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  /** A read token may read and nothing else. */
  readonly via:
    | { readonly kind: 'session'; readonly tokenHash: string }
    | { readonly kind: 'token'; readonly tokenId: string };
}

export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];
