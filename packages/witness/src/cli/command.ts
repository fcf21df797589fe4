// `lothub witness`: runs a witness alone, until it is asked to stop or cannot go on.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { serveUntilStopped } from '@lothub/kit/cli/serve-until-stopped';
import type { Output } from '@lothub/kit/cli/terminal';
import type { ServedOptions, ServedService } from '@lothub/kit/serving/served-service';
import type { Command } from 'commander';
import { readSettings, type Settings } from '../settings.ts';

export function addWitness(
  program: Command,
  { output, finish }: Invocation,
  { version }: { readonly version: string },
): void {
  defineCommand(program, {
    name: 'witness',
    summary: 'run a witness of logs',
    description:
      'Runs a witness that cosigns the checkpoints of the logs in WITNESS_LOGS, as long as each tree is\n' +
      'grown from the one before. Its key and its state lie in DATA_DIR and belong together; the first\n' +
      'start makes both and prints the key. Its log follows on standard output. Ctrl-C stops in order.',
    examples: [
      'WITNESS_LOGS=logs.txt PUBLIC_URL=https://witness.example.org DATA_DIR=/var/lib/witness lothub witness',
    ],
  })
    .option('--new', 'make a new key, because the old one or its state is lost')
    .action(async ({ new: mayRenew = false }: { readonly new?: boolean }) =>
      finish(await runWitness(output, { version, mayRenew })),
    );
}

async function runWitness(
  output: Output,
  { version, mayRenew }: { readonly version: string; readonly mayRenew: boolean },
): Promise<ExitCode> {
  const settings = readSettings(output.terminal.environment);
  const { host, port, connectionsMax, metricsToken } = settings;
  return await serveUntilStopped(output, {
    version,
    host,
    port,
    connectionsMax,
    metricsToken,
    start: (options) => startWitness(settings, { ...options, mayRenew }),
  });
}

async function startWitness(
  settings: Settings,
  options: ServedOptions & { readonly mayRenew: boolean },
): Promise<ServedService> {
  // Here and not at the top: other commands start faster without it.
  const { openWitness } = await import('../service.ts');
  return await openWitness(settings, options);
}
