// `lothub people setup-link`, `reset-password`, `export` and `remove`: the accounts themselves.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import { answer } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { COMMAND_LINE } from '../brands/roles-of-place.ts';
import type { Account } from '../accounts/queries.ts';
import { getAccount, type GivenCommand } from './given.ts';
import { withPeople, type OperatedPeople } from './operated-people.ts';
import { printNewPassword, printSetupLink } from './printed.ts';

const SETUP_ABOUT =
  'Makes another link that makes the first account, once and within 24 hours: whoever uses it operates\n' +
  'the hub. As soon as somebody has an account there is no such link any more.';
const RESET_ABOUT =
  'Gives somebody a new random password and prints it once. All sessions and read tokens of that person\n' +
  'end at once. The person logs in with it and sets another one.';
const EXPORT_ABOUT =
  'Prints what is kept of somebody as JSON: account, roles and groups, sessions, invitations, audit.';
const REMOVE_ABOUT =
  'Erases an account: the person is out of all brands and groups and logged out at once; e-mail and\n' +
  'password are deleted. The name stays where it says who did what. Run `people export` before.\n' +
  'The last owner of a group, manager of a brand or operator of the hub is refused.';

export function addAccountCommands(parent: Command, given: GivenCommand): void {
  const { output, finish, read } = given;

  defineCommand(parent, {
    name: 'setup-link',
    summary: 'make another link for the first account',
    description: SETUP_ABOUT,
    examples: ['lothub people setup-link'],
  }).action(async () => {
    const code = await withPeople({ output, read }, async ({ people, settings }) =>
      printSetupLink(output, { ...people, prefix: settings.prefix }, COMMAND_LINE),
    );
    finish(code);
  });

  ofAccount(given, parent, {
    name: 'reset-password <EMAIL>',
    summary: 'give somebody a new password, and print it once',
    description: RESET_ABOUT,
    examples: ['lothub people reset-password ada@example.com'],
    run: reset,
  });
  ofAccount(given, parent, {
    name: 'export <EMAIL>',
    summary: 'print what is kept of somebody',
    description: EXPORT_ABOUT,
    examples: ['lothub people export ada@example.com > ada.json'],
    run: exportOne,
  });
  ofAccount(given, parent, {
    name: 'remove <EMAIL>',
    summary: 'erase an account',
    description: REMOVE_ABOUT,
    examples: ['lothub people remove ada@example.com'],
    run: remove,
  });
}

type Output = GivenCommand['output'];
type Run = (
  output: Output,
  target: { readonly people: OperatedPeople['people']; readonly account: Account },
) => Promise<ExitCode>;

/** A command on one account, with all places that the person may be in. */
function ofAccount(
  { output, finish, read }: GivenCommand,
  parent: Command,
  outline: Parameters<typeof defineCommand>[1] & { readonly run: Run },
): void {
  defineCommand(parent, outline).action(async (email: string) => {
    const code = await withPeople({ output, read }, async ({ people, settings }) => {
      await using _places = await settings.openPlaces(people);
      const account = await getAccount(people, email);
      return await outline.run(output, { people, account });
    });
    finish(code);
  });
}

const reset: Run = async (output, { people, account }) => {
  const { resetPassword } = await import('../accounts/account.ts');
  const { id, email } = account;
  return await printNewPassword(output, {
    email,
    reset: async (password) => {
      await resetPassword(people, COMMAND_LINE, { email, password });
      // A crash here leaves read tokens good: the password was not printed, and the command is given again.
      for (const kind of people.places.all()) await kind.endAccess?.(id, people.clock.nowMs());
    },
  });
};

const exportOne: Run = async (output, { people, account }) => {
  const { exportAccount } = await import('../departure/export.ts');
  const exported = await exportAccount(people, COMMAND_LINE, account.id);
  await answer(output, {
    json: { ok: true, ...exported },
    text: JSON.stringify(exported, undefined, 2),
  });
  return EXIT.ok;
};

const remove: Run = async (output, { people, account }) => {
  const { eraseAccount } = await import('../departure/erase.ts');
  const { id, email, name } = account;
  await eraseAccount(people, COMMAND_LINE, id);
  await answer(output, {
    json: { ok: true, id, email, name },
    text: `The account of ${email} is erased; the name ${name} stays where it says who did what.`,
  });
  return EXIT.ok;
};
