// The rows of a new account.
import type { Sql } from 'sql-template-tag';
import { foldEmail } from '../access/email.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import { newId } from '@lothub/kit/secrets/ids';
import { insertAccount, type Account } from './queries.ts';
import type { NewPerson } from './schema.ts';

export interface NewAccount {
  readonly account: Account;
  readonly actor: Actor;
  readonly statements: readonly Sql[];
}

/** @param person checked, with the hash in place of the password */
export function newAccount(
  person: Omit<NewPerson, 'password'> & { readonly passwordHash: string | null },
  at: number,
): NewAccount {
  const account: Account = {
    id: newId('usr'),
    email: foldEmail(person.email),
    name: person.name,
    passwordHash: person.passwordHash,
    createdAt: at,
  };
  const actor: Actor = { accountId: account.id, name: account.name };
  return {
    account,
    actor,
    statements: [
      insertAccount(account),
      insertAuditEntry({
        at,
        actor,
        action: 'account_created',
        place: null,
        subject: account.id,
        details: {},
      }),
    ],
  };
}
