// The command `lothub` as a whole: one command that serves, and the commands of each service.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { runProgram } from '@lothub/kit/cli/run-program';
import type { Terminal } from '@lothub/kit/cli/terminal';
import { EXPECTED_ERRORS as EXPECTED_OF_NOTIFICATIONS } from '@lothub/notifications/cli/expected-errors';
import { EXPECTED_ERRORS } from '@lothub/traceability/cli/expected-errors';
import { SERVE, addServe } from './serve.ts';
import { VERSION } from './version.ts';

/**
 * Runs one command line.
 *
 * @param args what comes after `lothub`
 * @returns the code to end the process with
 */
export async function runLothub(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await runProgram(
    {
      name: 'lothub',
      description:
        'Lot traceability and recall transparency on one public SHA-256 hash chain,\n' +
        'and notifications for groups of people.',
      version: VERSION,
      addCommands: async (program, invocation) => {
        addServe(program, invocation);
        // A service starts sooner without the modules of the commands that it does not run.
        if (args[0] === SERVE) return;
        const { addOtherCommands } = await import('./other-commands.ts');
        addOtherCommands(program, invocation);
      },
      expected: [...EXPECTED_ERRORS, ...EXPECTED_OF_NOTIFICATIONS],
    },
    { args, terminal },
  );
}
