// The end of read tokens: what is written, and how streams learn that theirs is over. For the end of a
// transaction, as all signals. (Of sessions they learn from people.)
import type { Sql } from 'sql-template-tag';
import sql from 'sql-template-tag';
import { insertSignal, type SignalDetails } from '../feed/signals.ts';
import type { Person } from './person.ts';

export function revokeToken(
  { accountId, tokenId }: { readonly accountId: string; readonly tokenId: string },
  at: number,
): readonly Sql[] {
  return [
    sql`
      update read_tokens
      set revoked_at = ${at}
      where id = ${tokenId}
        and account_id = ${accountId}
        and revoked_at is null`,
    ...accessSignal({ accountId, at, ended: 'token', id: tokenId }),
  ];
}

export function revokeTokens(accountId: string, at: number): readonly Sql[] {
  return [
    sql`
      update read_tokens
      set revoked_at = ${at}
      where account_id = ${accountId}
        and revoked_at is null`,
    ...accessSignal({ accountId, at, ended: 'tokens', id: null }),
  ];
}

/**
 * Whether a signal of the kind `access` ends what a person came with. Requests need not ask: the gate
 * looks each time. Whoever stays connected does, and looks at `via.validUntil` besides.
 */
export function isEndedBy(
  person: Pick<Person, 'accountId' | 'via'>,
  signal: { readonly accountId: string | null; readonly detail: SignalDetails['access'] },
): boolean {
  const { via } = person;
  const { ended, id } = signal.detail;
  if (signal.accountId !== person.accountId) return false;
  switch (ended) {
    case 'token':
      return via.kind === 'token' && via.tokenId === id;
    case 'tokens':
      return via.kind === 'token';
  }
}

function accessSignal({
  accountId,
  at,
  ended,
  id,
}: { readonly accountId: string; readonly at: number } & SignalDetails['access']): readonly Sql[] {
  return insertSignal({ kind: 'access', groupId: null, accountId, detail: { ended, id }, at });
}
