// Watches the system calls of running processes, and makes some of them fail, with strace.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import { PATIENCE_MS } from '../patience.ts';

/** Bytes of what is read and written that are shown: a page of a database with its head. */
const SHOWN_BYTES = 8_192;

export interface Tracing {
  readonly pids: readonly number[];
  /** Names of system calls. */
  readonly calls: readonly string[];
  /** Makes these calls fail with an error such as EROFS, on these files alone. */
  readonly fail?: { readonly error: string; readonly files: readonly string[] } | undefined;
}

export interface Trace extends AsyncDisposable {
  /** Lets the processes go. @returns what they did, in the order in which it ended */
  stop(): Promise<readonly SystemCall[]>;
}

export interface SystemCall {
  /** Of the thread. */
  readonly pid: string;
  /** As strace writes it, with the paths of files. */
  readonly text: string;
}

/** Resolves once each thread of each process is watched. */
export async function startTrace({ pids, calls, fail }: Tracing): Promise<Trace> {
  const folder = await mkdtemp(join(tmpdir(), 'lothub-strace-'));
  const output = join(folder, 'trace');
  const list = calls.join(',');
  const failing =
    fail === undefined
      ? []
      : [...fail.files.flatMap((file) => ['-P', file]), '-e', `inject=${list}:error=${fail.error}`];
  const args = ['-f', '-y', '-s', String(SHOWN_BYTES), '-e', `trace=${list}`, ...failing];
  const tracer = spawn(
    findProgram({ name: 'strace', purpose: 'watch system calls with' }),
    [...args, '-o', output, ...pids.flatMap((pid) => ['-p', String(pid)])],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(tracer, 'exit');
  const attached = Promise.withResolvers<void>();
  let said = '';
  tracer.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.split(' attached').length > pids.length) attached.resolve();
  });
  void ended.then(() => attached.reject(new Error(`strace ended: ${said}`)));
  const timer = setTimeout(() => {
    attached.reject(new Error(`strace did not attach within ${PATIENCE_MS} ms: ${said}`));
  }, PATIENCE_MS);
  try {
    await attached.promise;
  } catch (error) {
    tracer.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const letGo = async (): Promise<void> => {
    tracer.kill('SIGINT');
    await ended;
  };
  const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return {
    stop: async () => {
      await letGo();
      const lines = (await readFile(output, 'utf8')).split('\n');
      await clear();
      return wholeCalls(lines);
    },
    [Symbol.asyncDispose]: async () => {
      await letGo();
      await clear();
    },
  };
}

/** A call that others interrupted is on two lines: it counts where it ended. */
function wholeCalls(lines: readonly string[]): readonly SystemCall[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, pid = '', text = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (text.endsWith('<unfinished ...>')) {
      begun.set(pid, text.replace('<unfinished ...>', ''));
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
    return [{ pid, text: resumed === undefined ? text : `${begun.get(pid) ?? ''}${resumed}` }];
  });
}
