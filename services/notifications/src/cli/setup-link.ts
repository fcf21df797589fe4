// `lothub notifications setup-link`: another link that makes the first account.
import { defineCommand } from '@lothub/kit/cli/define-command';
import type { Invocation } from '@lothub/kit/cli/define-command';
import { printSetupLink } from '@lothub/people/cli/printed';
import type { Command } from 'commander';
import { PAGES_PREFIX } from '../http.ts';
import { withStore } from './operated-store.ts';

const ABOUT =
  'Makes another link that makes the first account, once and within 24 hours. As soon as somebody has\n' +
  'an account there is no such link any more: people come by invitations of an owner, and who has lost\n' +
  'a password is helped with `accounts reset-password`.';

export function addSetupLink(parent: Command, { output, finish }: Invocation): void {
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
