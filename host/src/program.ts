// The command `lothub` as a whole: one command that serves, and the commands of each service.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { runProgram } from '@lothub/kit/cli/run-program';
import type { Terminal } from '@lothub/kit/cli/terminal';
import {
  EXPECTED_ERRORS as EXPECTED_OF_NOTIFICATIONS,
  addNotificationCommands,
} from '@lothub/notifications/cli/commands';
import {
  EXPECTED_ERRORS as EXPECTED_OF_PEOPLE,
  addPeopleCommands,
} from '@lothub/people/cli/commands';
import { EXPECTED_ERRORS, addHubCommands } from '@lothub/traceability/cli/program';
import { addWitness } from '@lothub/witness/cli/command';
import { readPeople } from './people.ts';
import { addServe } from './serve.ts';
import { VERSION } from './version.ts';

/**
 * Runs one command line.
 *
 * @param args what stands after `lothub`
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
      addCommands: (program, invocation) => {
        addServe(program, invocation);
        addHubCommands(program, invocation);
        addNotificationCommands(program, invocation);
        addPeopleCommands(program, invocation, readPeople);
        addWitness(program, invocation, { version: VERSION });
      },
      expected: [...EXPECTED_ERRORS, ...EXPECTED_OF_NOTIFICATIONS, ...EXPECTED_OF_PEOPLE],
    },
    { args, terminal },
  );
}
