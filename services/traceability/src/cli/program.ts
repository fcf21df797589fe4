// The commands of this service, and the command `lothub` of a hub that is served without any other
// service.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import type { Invocation } from '@lothub/kit/cli/define-command';
import { runProgram } from '@lothub/kit/cli/run-program';
import type { Terminal } from '@lothub/kit/cli/terminal';
import { addPeopleCommands } from '@lothub/people/cli/commands';
import { PeopleProblem } from '@lothub/people/errors';
import type { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addBackup } from './backup.ts';
import { addClock } from './clock.ts';
import { addDemo } from './demo/demo.ts';
import { EXPECTED_ERRORS } from './expected-errors.ts';
import { addExport } from './export.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addLabels } from './labels.ts';
import { addLog } from './log/log.ts';
import { addMigrate } from './migrate.ts';
import { addMonitor } from './monitor/monitor.ts';
import { readHubPeople } from './people/operated-people.ts';
import { addRebuild } from './rebuild.ts';
import { addServe } from './serve.ts';
import { addVerify } from './verify.ts';
import { addWatch } from './watch.ts';

/**
 * Runs one command line.
 *
 * @param args the words after `lothub`
 * @returns the exit code of the process
 */
export async function runLothub(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await runProgram(
    {
      name: 'lothub',
      description: 'Lot traceability and recall transparency on one public SHA-256 hash chain.',
      version: VERSION,
      addCommands: (program, invocation) => {
        addServe(program, invocation);
        addHubCommands(program, invocation);
        addPeopleCommands(program, invocation, readHubPeople);
      },
      expected: [...EXPECTED_ERRORS, PeopleProblem],
    },
    { args, terminal },
  );
}

/** Adds all commands except the one that serves. */
export function addHubCommands(program: Command, invocation: Invocation): void {
  addDemo(program, invocation);
  addImport(program, invocation);
  addLabels(program, invocation);
  addVerify(program, invocation);
  addMonitor(program, invocation);
  addExport(program, invocation);
  addBackup(program, invocation);
  addKeys(program, invocation);
  addClock(program, invocation);
  addLog(program, invocation);
  addRebuild(program, invocation);
  addMigrate(program, invocation);
  addWatch(program, invocation);
}
