// Below the priority of all else: for a thread whose work nobody's request waits for.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** `<process>/task/<thread>`. Only Linux has it, and only there a single thread has a priority. */
const THREAD_SELF = '/proc/thread-self';

/** Of the thread that calls it, and as far as the system lets it. */
export function lowerThreadPriority(): void {
  try {
    setPriority(
      Number(basename(readlinkSync(THREAD_SELF))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // Another system, or one that forbids it: the work is done at the priority of the process.
  }
}
