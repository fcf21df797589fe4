// One run of a command of people.
import type { Invocation } from '@lothub/kit/cli/define-command';
import { foldEmail } from '../access/email.ts';
import { accountOfEmail, type Account } from '../accounts/queries.ts';
import { PeopleProblem } from '../errors.ts';
import type { People } from '../people.ts';
import type { ReadOperatedSettings } from './people-program.ts';

export interface GivenCommand extends Invocation {
  readonly read: ReadOperatedSettings;
}

/** @throws PeopleProblem `not_found` */
export async function getAccount({ store }: People, email: string): Promise<Account> {
  const account = await accountOfEmail(store.reader, foldEmail(email));
  if (account !== undefined) return account;
  throw new PeopleProblem('not_found', `Nobody has an account with the e-mail ${email}`);
}
