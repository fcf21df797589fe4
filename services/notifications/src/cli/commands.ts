// `lothub notifications`: what the operator does with the notification service, also while it runs.
import type { Invocation } from '@lothub/kit/cli/define-command';
import type { Command } from 'commander';
import { PeopleProblem } from '@lothub/people/errors';
import { Problem } from '../errors.ts';
import { addAccounts } from './accounts.ts';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import { addGroups } from './groups.ts';
import { addKeys } from './keys.ts';
import { addNotify } from './notify/command.ts';
import { addSetupLink } from './setup-link.ts';

/** Errors of the service that say what happened and end a command with code 1. */
export const EXPECTED_ERRORS = [Problem, PeopleProblem] as const;

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
