// How many processors of the machine have no work, whoever gives it to them.

import { cpus } from 'node:os';

/** @returns {() => number} processors that idled, on the average, since it was last called */
export function watchProcessors(readTimes = timesOfProcessors) {
  let before = readTimes();
  return () => {
    const now = readTimes();
    const [idleMs, allMs] = [now.idleMs - before.idleMs, now.allMs - before.allMs];
    before = now;
    return allMs > 0 ? (idleMs / allMs) * now.processors : 0;
  };
}

function timesOfProcessors() {
  const all = cpus().map(({ times }) => times);
  return {
    processors: all.length,
    idleMs: sum(all.map(({ idle }) => idle)),
    allMs: sum(all.flatMap((times) => Object.values(times))),
  };
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
