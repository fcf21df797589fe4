// `lothub watch`: erases what is stored about a person who watches recalls, also while services run.
import { CommandError, EXIT } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, countText } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { readSettings } from '../settings.ts';
import { readEmail } from '../watching/asking.ts';
import { eraseAddress } from '../watching/watches.ts';
import { openHub } from './operated-hub.ts';

export function addWatch(program: Command, { output, finish }: Invocation): void {
  const watch = program
    .command('watch')
    .description('erase addresses that get notifications of recalls');

  defineCommand(watch, {
    name: 'erase',
    summary: 'erase all that is kept of an address',
    description:
      'Erases all that is kept of an address which gets notifications of recalls: the address, its ' +
      'language, what it watches and what is still to be sent to it. To get them again, a person asks ' +
      'again on a public page.',
    examples: ['lothub watch erase --email anna@example.com'],
  })
    .requiredOption('--email <EMAIL>', 'the address')
    .action(async ({ email }: { readonly email: string }) => {
      const address = readEmail(email);
      if (address === undefined) {
        throw new CommandError(
          'usage_wrong',
          'erasing an address: --email is none; give it as anna@example.com',
        );
      }
      await using hub = await openHub(readSettings(output.terminal.environment));
      const erased = await eraseAddress(hub, address);
      await answer(output, {
        json: { ok: true, erased },
        text:
          erased === 0
            ? 'Nothing is kept of this address.'
            : `Erased: ${countText(erased, 'watch', 'watches')}.`,
      });
      finish(EXIT.ok);
    });
}
