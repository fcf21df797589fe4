// `lothub notifications setup-link`: another link that makes the first account.
import { EXIT } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import type { Invocation } from '@lothub/kit/cli/define-command';
import { answer } from '@lothub/kit/cli/terminal';
import { instantText } from '@lothub/kit/clock';
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
      const { makeSetupLink } = await import('@lothub/people/accounts/set-up');
      const { OPERATOR } = await import('../groups/ownership.ts');
      const { url, expiresAt } = await makeSetupLink({ ...people, prefix: PAGES_PREFIX }, OPERATOR);
      const until = instantText(expiresAt);
      await answer(output, {
        json: { ok: true, url, expires_at: until },
        text: `${url}\n\nIt makes the first account, once and until ${until}.`,
      });
      return EXIT.ok;
    });
    finish(code);
  });
}
