// Whether the disk had a notification before its sender heard of it, as system calls show.
import { readdirSync, readFileSync } from 'node:fs';
import { startTrace } from '@lothub/kit/test/programs/strace';

const CALLS = [
  'write',
  'writev',
  'sendto',
  'sendmsg',
  'recvfrom',
  'pwrite64',
  'fsync',
  'fdatasync',
];

export interface WatchedPosts {
  readonly pids: readonly number[];
  /** Makes them, and answers their titles; none is part of another. */
  readonly post: () => Promise<readonly string[]>;
  /** How a call begins that hands a notification on to where it is kept. */
  readonly handedOn: RegExp;
  /** What the path of the log holds that is flushed at a commit. */
  readonly log: RegExp;
  /** Whether each of `pids` may flush for another: PostgreSQL's writer of the log does, now and then. */
  readonly together?: boolean;
}

/**
 * @returns titles whose 201 was sent before the log had been flushed behind what was handed on, and those
 * that were handed on or answered by no call that was seen
 */
export async function answeredBeforeFlush({
  pids,
  post,
  handedOn,
  log,
  together = false,
}: WatchedPosts): Promise<readonly string[]> {
  const trace = await startTrace({ pids, calls: CALLS });
  const titles = await post();
  const calls = await trace.stop();
  return titles.filter((title) => {
    const answer = calls.findIndex(
      ({ text }) => text.includes('HTTP/1.1 201') && text.includes(title),
    );
    const given = calls
      .slice(0, Math.max(0, answer))
      .findLastIndex(({ text }) => handedOn.test(text) && text.includes(title));
    if (given === -1) return true;
    const flush = calls
      .slice(given, answer)
      .findIndex(
        ({ pid, text }) =>
          (together || pid === calls[given]?.pid) &&
          /^f(?:data)?sync\(.*= 0$/.test(text) &&
          log.test(text),
      );
    return flush === -1;
  });
}

/** A process and the children it has now. */
export function withChildren(pid: number): readonly number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // Behind the name of the program, which is in brackets: its state and its parent.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) === pid;
    } catch {
      // It has ended since.
      return false;
    }
  });
  return [pid, ...children.map(Number)];
}
