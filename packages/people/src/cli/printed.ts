// What commands on accounts make and print once: the link for the first account, and a new password. Commands of the
// people and of a service that has them, too, differ in who is named and in what else ends.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { answer, type Output } from '@lothub/kit/cli/terminal';
import { instantText } from '@lothub/kit/clock';
import { randomBase62 } from '@lothub/kit/secrets/base62';
import type { makeSetupLink } from '../accounts/set-up.ts';

/** 119 bits: it cannot be guessed, and it can still be read aloud. */
const PASSWORD_LENGTH = 20;

/** @throws what `makeSetupLink` throws */
export async function printSetupLink(
  output: Output,
  deps: Parameters<typeof makeSetupLink>[0],
  actor: Parameters<typeof makeSetupLink>[1],
): Promise<ExitCode> {
  const { makeSetupLink: make } = await import('../accounts/set-up.ts');
  const { url, expiresAt } = await make(deps, actor);
  const until = instantText(expiresAt);
  await answer(output, {
    json: { ok: true, url, expires_at: until },
    text: `${url}\n\nIt makes the first account, once and until ${until}.`,
  });
  return EXIT.ok;
}

/** @param account `reset`: sets the password and ends what it opened, before it is printed */
export async function printNewPassword(
  output: Output,
  account: {
    readonly email: string;
    readonly reset: (password: string) => Promise<void>;
  },
): Promise<ExitCode> {
  const password = randomBase62(PASSWORD_LENGTH);
  await account.reset(password);
  await answer(output, {
    json: { ok: true, email: account.email, password },
    text: [
      password,
      '',
      'It is shown this once, and opens the account until the person sets another one.',
      'All sessions and read tokens of the account have ended.',
    ].join('\n'),
  });
  return EXIT.ok;
}
