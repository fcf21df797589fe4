// The first account by settings, for containers and tests.
import type { SetUpDeps } from './set-up.ts';
import { newAccount } from './new-account.ts';
import {
  accountOfEmail,
  endSetupLinks,
  grantFirstOperator,
  hasAccounts,
  whileNobody,
} from './queries.ts';
import type { Account } from './queries.ts';
import { foldEmail } from '../access/email.ts';

/**
 * Makes the account if there is none. If several processes start at once, one does it.
 * @returns the account of this e-mail; undefined when there are accounts, but none with this e-mail
 */
export async function ensureFirstAccount(
  { store, clock, passwords }: SetUpDeps,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Account | undefined> {
  if (!(await hasAccounts(store.reader))) {
    const [name = email] = email.split('@');
    const at = clock.nowMs();
    const passwordHash = await passwords.hash(password);
    const made = newAccount({ name, email, passwordHash }, at);
    await store.change({
      guard: whileNobody(),
      statements: [
        ...made.statements,
        ...grantFirstOperator(made.account.id, at),
        endSetupLinks(at),
      ],
    });
  }
  return await accountOfEmail(store.reader, foldEmail(email));
}
