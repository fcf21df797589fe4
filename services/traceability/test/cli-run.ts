// Runs the command line for a test: in this process with its output captured, or as a process of its
// own where signals, the environment or the end of the process are the subject.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runLothub } from '../src/cli/program.ts';
import type { Json } from './boot.ts';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output parsed; fails the test when it is not exactly one JSON text. */
  readonly json: Json;
}

/** A field of an answer as text; a field that is missing is `undefined`, which no test expects. */
export function textOf(value: unknown): string {
  return String(value);
}

/** Runs `lothub` with these arguments and nothing but these settings. */
export async function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const stdout = new Captured();
  const stderr = new Captured();
  const code = await runLothub(args, { stdout, stderr, environment });
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

const PROGRAM = fileURLToPath(new URL('../bin/lothub.ts', import.meta.url));

export interface ServedCli extends AsyncDisposable {
  /** Where it listens. */
  readonly base: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything written to standard output so far. */
  readonly stdout: () => string;
  /** The exit code, or the name of the signal that ended it, once it has ended. */
  readonly ended: Promise<number | string>;
}

/** Starts `lothub serve` on a free port as a process of its own; resolves once it listens. */
export async function serveCli(
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServedCli> {
  const child = startCli(['serve', ...args], { PORT: '0', ...settings });
  const lines: string[] = [];
  const ended = endOf(child);
  const banner = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (BANNER_END.test(line)) resolve(lines.join('\n'));
    });
    void ended.then((end) => reject(new Error(`lothub serve ended with ${end}`)));
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

export function startCli(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, ...args], { env: { ...settings } });
}

export async function endOf(child: ChildProcessWithoutNullStreams): Promise<number | string> {
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
