// How long each task took in the last whole run, so that the next one starts the slowest first and no
// core waits at the end for a long file that began last.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { CACHE_FOLDER } from '../install.js';
import { formatName } from './report.js';
import { SLOW_FILES } from './slow-files.js';

const TIMES_FILE = join(CACHE_FOLDER, 'lothub-test-times.json');

/**
 * Checks first, then files by the time they took; those never seen come before all others, since one
 * of them may be slow.
 *
 * @param {readonly import('./pool.js').Task[]} tasks
 */
export function firstTheSlowest(tasks, times = readTimes()) {
  const estimateMs = (task) =>
    task.kind === 'command' ? Infinity : (times[formatName(task)] ?? Infinity);
  return tasks.toSorted((one, other) => {
    const [ofOne, ofOther] = [estimateMs(one), estimateMs(other)];
    if (ofOne !== ofOther) return ofOther > ofOne ? 1 : -1;
    return rankTask(one) - rankTask(other);
  });
}

/** Until times are known: the checks, what is known to be slow, and the rest. */
function rankTask(task) {
  if (task.kind === 'command') return -1;
  const place = SLOW_FILES.indexOf(formatName(task));
  return place === -1 ? SLOW_FILES.length : place;
}

/** @param {readonly import('./pool.js').Result[]} results of a whole run */
export function noteTimes(results) {
  const times = results.map(({ task, elapsedMs }) => [formatName(task), Math.round(elapsedMs)]);
  mkdirSync(dirname(TIMES_FILE), { recursive: true });
  writeFileSync(TIMES_FILE, JSON.stringify(Object.fromEntries(times)));
}

function readTimes() {
  try {
    return JSON.parse(readFileSync(TIMES_FILE, 'utf8'));
  } catch {
    return {}; // None yet, or cut short: the order alone depends on it.
  }
}
