// `lothub notifications accounts`: lists the accounts, and sets a new password for a person who has lost it.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, tableText, type Output } from '@lothub/kit/cli/terminal';
import { instantText } from '@lothub/kit/clock';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { printNewPassword } from '@lothub/people/cli/printed';
import type { Command } from 'commander';
import { withStore, type Operated } from './operated-store.ts';
import { addPageOptions, noteNext, parseId, type PageOptions } from '@lothub/kit/cli/pages';

const RESET_ABOUT =
  'Gives somebody a new random password and prints it once. All sessions and read tokens of that person\n' +
  'end at once. The person logs in with it and sets another one under "Me".';

export function addAccounts(parent: Command, { output, finish }: Invocation): void {
  const accounts = parent.command('accounts').description('list accounts, reset a password');

  addPageOptions(
    defineCommand(accounts, {
      name: 'list',
      summary: 'list who has an account',
      examples: ['lothub notifications accounts list'],
    }),
    parseId,
  ).action(async (page: PageOptions<string>) => {
    finish(await withStore(output, (operated) => list(output, operated, page)));
  });

  defineCommand(accounts, {
    name: 'reset-password <EMAIL>',
    summary: 'give somebody a new password, and print it once',
    description: RESET_ABOUT,
    examples: ['lothub notifications accounts reset-password ada@example.com'],
  }).action(async (email: string) => {
    finish(await withStore(output, (operated) => reset(output, operated, email)));
  });
}

async function list(
  output: Output,
  { store }: Operated,
  { limit, after }: PageOptions<string>,
): Promise<ExitCode> {
  const { allAccounts } = await import('../people/account-queries.ts');
  const found = await allAccounts(store.reader, { after, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  const next = last?.id ?? null;
  const accounts = rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    groups: row.groups,
    created_at: instantText(row.createdAt),
    last_seen_at: row.lastSeenAt === null ? null : instantText(row.lastSeenAt),
  }));
  await answer(output, {
    json: { ok: true, accounts, next },
    text: tableText(
      ['account id', 'e-mail', 'name', 'groups', 'created', 'last seen'],
      accounts.map((account) => [
        account.id,
        account.email,
        account.name,
        String(account.groups),
        account.created_at,
        account.last_seen_at ?? 'never',
      ]),
    ),
  });
  noteNext(output, next);
  return EXIT.ok;
}

async function reset(
  output: Output,
  { people, store, clock }: Operated,
  email: string,
): Promise<ExitCode> {
  const [{ OPERATOR }, { resetPassword }, { revokeTokens }] = await Promise.all([
    import('../groups/ownership.ts'),
    import('@lothub/people/accounts/account'),
    import('../access/access-ends.ts'),
  ]);
  return await printNewPassword(output, {
    email,
    reset: async (password) => {
      const accountId = await resetPassword(people, OPERATOR, { email, password });
      // A crash here leaves the read tokens good: the password was not printed, and the command is given again.
      await store.write([...revokeTokens(accountId, clock.nowMs())]);
    },
  });
}
