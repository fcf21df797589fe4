// The commands of `lothub` that serve nothing: those of each service, of people, and the witness.
import type { Invocation } from '@lothub/kit/cli/define-command';
import { addNotificationCommands } from '@lothub/notifications/cli/commands';
import { addPeopleCommands } from '@lothub/people/cli/commands';
import { addHubCommands } from '@lothub/traceability/cli/program';
import { addWitness } from '@lothub/witness/cli/command';
import type { Command } from 'commander';
import { readPeople } from './people.ts';
import { VERSION } from './version.ts';

export function addOtherCommands(program: Command, invocation: Invocation): void {
  addHubCommands(program, invocation);
  addNotificationCommands(program, invocation);
  addPeopleCommands(program, invocation, readPeople);
  addWitness(program, invocation, { version: VERSION });
}
