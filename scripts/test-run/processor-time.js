// Time of processors that processes took: on a machine that others use too it says what a test costs,
// which the time on the clock does not.

import { readFileSync } from 'node:fs';

/** The unit of times in /proc, the same on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** What the processes took that this one started and that have ended; Node does not report it. */
export function childrenMs() {
  return readTimes('self').childrenMs;
}

/**
 * What a process took, and those that it started and that have ended; 0 where nobody can say.
 *
 * @param {number} pid
 */
export function processTreeMs(pid) {
  const { ownMs, childrenMs: ofChildren } = readTimes(pid);
  return ownMs + ofChildren;
}

/** From proc_pid_stat(5), which is there on Linux: its fields 14 to 17. */
function readTimes(pid) {
  if (process.platform !== 'linux') return { ownMs: 0, childrenMs: 0 };
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the program's name, is in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  return {
    ownMs: (user + system) * MS_PER_TICK,
    childrenMs: (childUser + childSystem) * MS_PER_TICK,
  };
}
