// Runs one command line of a program: its commands, what every one of them has in common, and how a
// failure is reported and which exit code it gives.
import { Command, CommanderError } from 'commander';
import { DatabaseError } from '../database.ts';
import { ListenError, StopRequested } from '../lifecycle.ts';
import { SettingsError } from '../settings.ts';
import { CommandError, EXIT, EXIT_OF, type ExitCode } from './command-error.ts';
import type { Invocation } from './define-command.ts';
import { answer, note, type Output, type Terminal } from './terminal.ts';

type ExpectedError = Error & { readonly code: string };
type ExpectedKind = abstract new (...given: never[]) => ExpectedError;

/** What may keep any command from its work, and says itself what happened. */
const EXPECTED: readonly ExpectedKind[] = [DatabaseError, ListenError, StopRequested];

export interface ProgramOutline {
  /** The name of the program; each line of a failure starts with it. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly addCommands: (program: Command, invocation: Invocation) => void | Promise<void>;
  /** Errors of its own that say what happened and end a command with code 1. */
  readonly expected: readonly ExpectedKind[];
}

/**
 * Runs one command line.
 *
 * @param args the words after the name of the program
 * @returns the code to end the process with
 */
export async function runProgram(
  outline: ProgramOutline,
  given: { readonly args: readonly string[]; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { args, terminal } = given;
  // Looked up here and not by the parser, which may be what fails.
  const output: Output = { terminal, format: args.includes('--json') ? 'json' : 'text' };
  let exitCode: ExitCode = EXIT.ok;
  const finish = (code: ExitCode): void => {
    exitCode = code;
  };
  try {
    const program = await newProgram(outline, { output, finish });
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return await reportFailure(error, { output, outline });
  }
}

async function newProgram(outline: ProgramOutline, invocation: Invocation): Promise<Command> {
  const { stdout, stderr } = invocation.output.terminal;
  const program = new Command(outline.name)
    .description(outline.description)
    .version(outline.version)
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
  await outline.addCommands(program, invocation);
  return program;
}

interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  /** One line for each thing that is wrong. */
  readonly lines: readonly string[];
}

async function reportFailure(
  error: unknown,
  { output, outline }: { readonly output: Output; readonly outline: ProgramOutline },
): Promise<ExitCode> {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok; // --help, --version
  const failure = toFailure(error, outline);
  // The parser has written its own sentence already.
  if (!(error instanceof CommanderError)) {
    for (const line of failure.lines) note(output, `${outline.name}: ${line}`);
  }
  if (output.format === 'json') {
    const json = { ok: false, error: { code: failure.code, message: failure.lines.join('\n') } };
    await answer(output, { json, text: '' });
  }
  return failure.exitCode;
}

function toFailure(error: unknown, { name, expected }: ProgramOutline): Failure {
  if (error instanceof CommanderError) {
    return { exitCode: EXIT.usage, code: 'usage_wrong', lines: [error.message] };
  }
  if (error instanceof SettingsError) {
    return { exitCode: EXIT.usage, code: error.code, lines: error.problems };
  }
  if (error instanceof CommandError) {
    return { exitCode: EXIT_OF[error.code], code: error.code, lines: [error.message] };
  }
  if (isAnyKind([...EXPECTED, ...expected], error)) {
    return { exitCode: EXIT.failed, code: error.code, lines: [error.message] };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exitCode: EXIT.failed,
    code: 'unexpected',
    lines: [`this is a defect of ${name}; please report it with what follows\n${text}`],
  };
}

function isAnyKind(kinds: readonly ExpectedKind[], error: unknown): error is ExpectedError {
  return kinds.some((kind) => error instanceof kind);
}
