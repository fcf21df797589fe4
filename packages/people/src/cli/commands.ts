// `lothub people`: what the operator does with accounts and roles, also while services run, which take
// changes up with the next request.
import type { Invocation } from '@lothub/kit/cli/define-command';
import type { Command } from 'commander';
import { addAccountCommands } from './accounts.ts';
import { addInvitationCommands } from './invitations.ts';
import { addList } from './list.ts';
import type { ReadOperatedSettings } from './people-program.ts';
import { addRoleCommands } from './roles.ts';

/** @param read the settings of the program that has the commands */
export function addPeopleCommands(
  program: Command,
  invocation: Invocation,
  read: ReadOperatedSettings,
): void {
  const people = program
    .command('people')
    .description('accounts and roles: list, invite, grant, revoke, remove, export');
  const given = { ...invocation, read };
  addList(people, given);
  addInvitationCommands(people, given);
  addRoleCommands(people, given);
  addAccountCommands(people, given);
}
