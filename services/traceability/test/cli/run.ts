// Runs the command line of this service for a test, in this process or as a process of its own.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TestProgram, captureRun, type CliRun, type ServedCli } from '@lothub/kit/test/cli-run';
import { runLothub } from '../../src/cli/program.ts';

export { awaitEnd, testFolder } from '@lothub/kit/test/cli-run';
export type { CliRun, ServedCli, TestFolder } from '@lothub/kit/test/cli-run';

/** A field of an answer as text; a field that is missing is `undefined`, which no test expects. */
export function toText(value: unknown): string {
  return String(value);
}

/** Runs `lothub` with these arguments and nothing but these settings. */
export async function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  return await captureRun((terminal) => runLothub(args, terminal), environment);
}

const PROGRAM = new TestProgram(fileURLToPath(new URL('../../bin/lothub.ts', import.meta.url)));

/** Starts `lothub serve` on a free port as a process of its own; resolves once it listens. */
export async function serveCli(
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServedCli> {
  return await PROGRAM.serve(settings, args);
}

export function startCli(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  return PROGRAM.start(args, settings);
}
