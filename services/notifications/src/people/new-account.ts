// The rows of a new account.
import type { Sql } from 'sql-template-tag';
import { foldEmail } from '../access/email.ts';
import type { Actor } from '../store/audit.ts';
import { insertAuditEntry } from '../store/audit.ts';
import { newId } from '../store/ids.ts';
import { insertAccount } from './people-queries.ts';
import type { Account } from './people-queries.ts';
import type { NewPerson } from './people-schema.ts';

export interface NewAccount {
  readonly account: Account;
  readonly actor: Actor;
  readonly statements: readonly Sql[];
}

/** @param person checked, with the hash in place of the password */
export function newAccount(
  person: Omit<NewPerson, 'password'> & { readonly passwordHash: string },
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
        groupId: null,
        subject: account.id,
        details: {},
      }),
    ],
  };
}
