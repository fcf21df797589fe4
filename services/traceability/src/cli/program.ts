// The command `lothub` as a whole: its commands, what every one of them has in common, and how a
// failure is told and which exit code it ends with.
import { DatabaseError } from '@lothub/kit/database';
import { ListenError, StopRequested } from '@lothub/kit/lifecycle';
import { SettingsError } from '@lothub/kit/settings';
import { Command, CommanderError } from 'commander';
import { KeyNotFoundError } from '../keys/key-store.ts';
import { RebuildRefused } from '../ledger/rebuild.ts';
import { VERSION } from '../version.ts';
import { addBackup } from './backup.ts';
import { CommandError, EXIT, EXIT_OF } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Invocation } from './define-command.ts';
import { addDemo } from './demo.ts';
import { addExport } from './export.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addMigrate } from './migrate.ts';
import { addRebuild } from './rebuild.ts';
import { addServe } from './serve.ts';
import { answer, note } from './terminal.ts';
import type { Output, Terminal } from './terminal.ts';
import { addVerify } from './verify.ts';

/**
 * Runs one command line.
 *
 * @param args what stands after `lothub`
 * @returns the code to end the process with
 */
export async function runLothub(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  // Looked up here and not by the parser, which may be what fails.
  const output: Output = { terminal, format: args.includes('--json') ? 'json' : 'text' };
  let exitCode: ExitCode = EXIT.ok;
  const finish = (code: ExitCode): void => {
    exitCode = code;
  };
  try {
    await newProgram({ output, finish }).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return await tellFailure(error, output);
  }
}

function newProgram(invocation: Invocation): Command {
  const { stdout, stderr } = invocation.output.terminal;
  const program = new Command('lothub')
    .description('Lot traceability and recall transparency on one public SHA-256 hash chain.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .showHelpAfterError('Run the command with --help to see how it is used.')
    .addHelpText(
      'after',
      '\nSettings come from the environment; docs/operating.md describes each.' +
        '\nExit codes: 0 done; 1 something is wrong or failed; 2 wrong usage or settings.',
    );
  addServe(program, invocation);
  addDemo(program, invocation);
  addImport(program, invocation);
  addVerify(program, invocation);
  addExport(program, invocation);
  addBackup(program, invocation);
  addKeys(program, invocation);
  addRebuild(program, invocation);
  addMigrate(program, invocation);
  return program;
}

interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  /** One line for each thing that is wrong. */
  readonly lines: readonly string[];
}

async function tellFailure(error: unknown, output: Output): Promise<ExitCode> {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok; // --help, --version
  const failure = failureOf(error);
  // The parser has written its own sentence already.
  if (!(error instanceof CommanderError)) {
    for (const line of failure.lines) note(output, `lothub: ${line}`);
  }
  if (output.format === 'json') {
    const json = { ok: false, error: { code: failure.code, message: failure.lines.join('\n') } };
    await answer(output, { json, text: '' });
  }
  return failure.exitCode;
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { exitCode: EXIT.usage, code: 'usage_wrong', lines: [error.message] };
  }
  if (error instanceof SettingsError) {
    return { exitCode: EXIT.usage, code: error.code, lines: error.problems };
  }
  if (error instanceof CommandError) {
    return { exitCode: EXIT_OF[error.code], code: error.code, lines: [error.message] };
  }
  if (isExpected(error)) return { exitCode: EXIT.failed, code: error.code, lines: [error.message] };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exitCode: EXIT.failed,
    code: 'unexpected',
    lines: [`this is a defect of lothub; please report it with what follows\n${text}`],
  };
}

type ExpectedError =
  DatabaseError | KeyNotFoundError | ListenError | RebuildRefused | StopRequested;

function isExpected(error: unknown): error is ExpectedError {
  return [DatabaseError, KeyNotFoundError, ListenError, RebuildRefused, StopRequested].some(
    (kind) => error instanceof kind,
  );
}
