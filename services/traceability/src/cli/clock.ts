// `lothub clock`: shows what keeps a hub from writing when the clock of a machine is not believed, and
// accepts it, also while services run, which take it up within a second.
import { systemClock } from '@lothub/kit/clock';
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, countText, tableText, type Output } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { acceptClockAlarms, readOpenClockAlarms, type ClockAlarm } from '../ledger/clock-alarms.ts';
import type { OperatedDatabase } from '../ledger/operated-database.ts';
import { withHub } from './operated-hub.ts';

const ABOUT =
  'A block never carries an earlier time than the block before, so one block from a clock that runs\n' +
  'ahead would hold the time of all later ones. A service writes nothing while the clock of its machine\n' +
  'is an hour off, or a day behind the last block. Put the clock right, and it goes on by itself.';

export function addClock(program: Command, { output, finish }: Invocation): void {
  const clock = defineCommand(program, {
    name: 'clock',
    summary: 'show clocks that are not believed',
    description: `${ABOUT}\nEnds with 1 while there is such a clock.`,
    examples: ['lothub clock'],
  }).action(async () => finish(await withHub(output, show)));

  defineCommand(clock, {
    name: 'accept',
    summary: 'believe the clocks as they are',
    description:
      `${ABOUT}\nThis lets all machines that have an alarm write with the clocks they have.\n` +
      'Only right when the clock is right: the time of recording cannot be set back.',
    examples: ['lothub clock accept'],
  }).action(async () => finish(await withHub(output, accept)));
}

async function show(output: Output, { reader }: OperatedDatabase): Promise<ExitCode> {
  const alarms = await readOpenClockAlarms(reader);
  const ok = alarms.length === 0;
  await answer(output, {
    json: { ok, alarms: alarms.map(describe) },
    text: ok ? 'All clocks are believed.' : openText(alarms),
  });
  return ok ? EXIT.ok : EXIT.failed;
}

async function accept(output: Output, database: OperatedDatabase): Promise<ExitCode> {
  const alarms = await readOpenClockAlarms(database.reader);
  const atMs = systemClock.nowMs();
  if (alarms.length > 0) {
    await database.write(acceptClockAlarms(alarms, { actor: 'lothub clock accept', atMs }));
  }
  await answer(output, {
    json: { ok: true, accepted: alarms.map(describe) },
    text:
      alarms.length === 0
        ? 'There is nothing to accept: all clocks are believed.'
        : `${countText(alarms.length, 'alarm')} accepted:\n\n${alarmTable(alarms)}`,
  });
  return EXIT.ok;
}

function describe({ machine, code, message, foundAt }: ClockAlarm) {
  return { machine, code, message, found_at: foundAt };
}

function openText(alarms: readonly ClockAlarm[]): string {
  return [
    'NOTHING IS WRITTEN on machines whose clocks are not believed:',
    '',
    alarmTable(alarms),
    '',
    'What to do: docs/operating.md, "When the clock is not believed".',
  ].join('\n');
}

function alarmTable(alarms: readonly ClockAlarm[]): string {
  const rows = alarms.map(({ machine, foundAt, code, message }) => [
    machine,
    foundAt,
    code,
    message,
  ]);
  return tableText(['machine', 'its clock showed', 'code', 'what is wrong'], rows);
}
