// `lothub log rotate-key`: another key under the same name, also while services run.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, type Output } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { nextKeyFile } from '../../ledger/log/epochs/own-keys.ts';
import { beginRotation, finishRotation } from '../../ledger/operate/rotate-key.ts';
import { readSettings } from '../../settings.ts';
import { openHub } from '../operated-hub.ts';
import { getLogSettings } from './log-settings.ts';

const ABOUT =
  'Makes a new key beside the one of LOG_KEY_FILE (with .next at its end), and lets both sign: each\n' +
  'checkpoint has two lines, and readers who know either key believe it. Give the new key to witnesses and\n' +
  'readers meanwhile. Then --finish takes the old key out of use and puts the new one in its place.\n' +
  'Services that run take it up within a second; no restart. With several machines, copy the .next file\n' +
  'beside the key file of each before --finish: one that lacks it goes on with the old key until then, does\n' +
  'not start, and signs nothing behind --finish. A key that was stolen is not replaced in this way: begin\n' +
  'another log by `lothub log new-epoch --reason key_stolen`.';

export function addRotateKey(log: Command, { output, finish }: Invocation): void {
  defineCommand(log, {
    name: 'rotate-key',
    summary: 'replace the key of the log under the same name',
    description: ABOUT,
    examples: ['lothub log rotate-key', 'lothub log rotate-key --finish'],
  })
    .option('--finish', 'the new key signs alone from now on')
    .action(async (options: { readonly finish?: true }) =>
      finish(await rotate(output, options.finish === true ? 'finish' : 'begin')),
    );
}

async function rotate(output: Output, step: 'begin' | 'finish'): Promise<ExitCode> {
  const settings = readSettings(output.terminal.environment);
  const log = getLogSettings(settings);
  await using database = await openHub(settings);
  const rotation = await (step === 'begin' ? beginRotation : finishRotation)({ database, log });
  const { origin, vkeys } = rotation;
  const [vkey] = vkeys;
  await answer(output, {
    json: { ok: true, ...rotation, key_file: log.key === undefined ? log.keyFile : null },
    text:
      step === 'begin'
        ? [
            `Two keys sign as ${origin} now. The new one, for witnesses and readers:`,
            String(vkey),
            `Its private key is in ${nextKeyFile(log.keyFile)}: copy it to every machine of the hub, and to`,
            'your backup of secrets. When all who need it have the new key: lothub log rotate-key --finish',
          ].join('\n')
        : [
            `One key signs as ${origin} now: ${String(vkey)}`,
            'Replace the key file on other machines by its .next file, and in your backup of secrets.',
          ].join('\n'),
  });
  return EXIT.ok;
}
