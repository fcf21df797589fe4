// `lothub notifications`: what the operator does with the notification service, also while it runs.
import type { Command } from 'commander';
import { addAccounts } from './accounts.ts';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import { addGroups } from './groups.ts';
import { addKeys } from './keys.ts';
import { addNotify } from './notify/command.ts';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { printSetupLink } from '@lothub/people/cli/printed';
import { PAGES_PREFIX } from '../http.ts';
import { withStore } from './operated-store.ts';

export function addNotificationCommands(program: Command, invocation: Invocation): void {
  const notifications = program
    .command('notifications')
    .description('operate the notification service: accounts, groups, keys, audit, backup');
  addSetupLink(notifications, invocation);
  addAccounts(notifications, invocation);
  addGroups(notifications, invocation);
  addKeys(notifications, invocation);
  addAudit(notifications, invocation);
  addBackup(notifications, invocation);
  addNotify(program, invocation);
}

const ABOUT =
  'Makes another link that makes the first account, once and within 24 hours. As soon as somebody has\n' +
  'an account there is no such link any more: people come by invitations of an owner, and who has lost\n' +
  'a password is helped with `accounts reset-password`.';

function addSetupLink(parent: Command, { output, finish }: Invocation): void {
  defineCommand(parent, {
    name: 'setup-link',
    summary: 'make another link for the first account',
    description: ABOUT,
    examples: ['lothub notifications setup-link'],
  }).action(async () => {
    const code = await withStore(output, async ({ people }) => {
      const { OPERATOR } = await import('../groups/ownership.ts');
      return await printSetupLink(output, { ...people, prefix: PAGES_PREFIX }, OPERATOR);
    });
    finish(code);
  });
}
