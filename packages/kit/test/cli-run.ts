// Runs a command line for a test: in this process with its output captured, or as a process of its
// own where signals, the environment or the end of the process are the subject.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import type { Terminal } from '../src/cli/terminal.ts';

type Settings = Readonly<Record<string, string>>;
/** An answer: a test compares what it finds, and what is not there equals nothing. */
interface Json {
  readonly [key: string]: Json;
}

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output parsed; fails the test when it is not exactly one JSON text. */
  readonly json: Json;
}

/** Runs a program in this process, with nothing but these settings and this input. */
export async function captureRun(
  run: (terminal: Terminal) => Promise<number>,
  environment: Settings = {},
  stdin = Readable.from([]),
): Promise<CliRun> {
  const stdout = new Captured();
  const stderr = new Captured();
  const code = await run({ stdin, stdout, stderr, environment });
  return {
    code,
    stdout: stdout.text,
    stderr: stderr.text,
    get json() {
      return JSON.parse(stdout.text) as Json;
    },
  };
}

class Captured extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** The last line before the log: of the readable banner, or with `--json` the only one. */
const BANNER_END = /Its log follows\.$|^\{"ok":/;

export interface ServedCli extends AsyncDisposable {
  /** Where it listens. */
  readonly base: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything written to standard output so far. */
  readonly stdout: () => string;
  /** The exit code, or the name of the signal that ended it, once it has ended. */
  readonly ended: Promise<number | string>;
}

/**
 * Of the environment a program is given nothing but what lets Node start fast in a run of tests: where
 * compiled modules are kept, and where those are that modules import (scripts/test-run/known-resolutions.js).
 */
const STARTED_FAST: Settings = Object.fromEntries(
  ['NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'LOTHUB_TEST_RESOLUTIONS'].map((name) => [
    name,
    process.env[name] ?? '',
  ]),
);

export interface ProcessLimits {
  /** Files and connections that the process may open at a time (`ulimit -n`). */
  readonly descriptorsMax?: number;
}

/** A program that a test starts as a process of its own. */
export class TestProgram {
  readonly #file: string;

  /** @param file the TypeScript file to run */
  constructor(file: string) {
    this.#file = file;
  }

  start(
    args: readonly string[],
    settings: Settings,
    { descriptorsMax }: ProcessLimits = {},
  ): ChildProcessWithoutNullStreams {
    const command = [process.execPath, this.#file, ...args];
    const [program = '', ...given] =
      descriptorsMax === undefined
        ? command
        : ['sh', '-c', `ulimit -n ${descriptorsMax}; exec "$0" "$@"`, ...command];
    return spawn(program, given, { env: { ...STARTED_FAST, ...settings } });
  }

  /** Starts a command that serves on a free port; resolves once it listens. */
  async serve(
    settings: Settings,
    args: readonly string[] = [],
    { command = 'serve', ...limits }: ProcessLimits & { readonly command?: string } = {},
  ): Promise<ServedCli> {
    const child = this.start([command, ...args], { PORT: '0', ...settings }, limits);
    const lines: string[] = [];
    const ended = awaitEnd(child);
    const banner = await new Promise<string>((resolve, reject) => {
      let errorText = '';
      child.stderr.on('data', (chunk) => (errorText += String(chunk)));
      createInterface(child.stdout).on('line', (line) => {
        lines.push(line);
        if (BANNER_END.test(line)) resolve(lines.join('\n'));
      });
      void ended.then((end) => reject(new Error(`${command} ended with ${end}: ${errorText}`)));
    });
    const base = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0] ?? '';
    return {
      base,
      child,
      stdout: () => lines.join('\n'),
      ended,
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }
}

export async function awaitEnd(child: ChildProcessWithoutNullStreams): Promise<number | string> {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return code ?? signal ?? 'nothing';
}

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
  file(name: string): string;
}

/** A folder of its own, removed with what is in it. */
export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'lothub-test-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
