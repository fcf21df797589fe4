// Time of processors: what a process and its ended children took is seen from outside.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { childrenMs, processTreeMs } from './processor-time.js';

const SPUN_MS = 100;
/** Linux counts a process outside in ticks, and drops what is left of the last one. */
const TICKS_MS = 20;
const SPIN = `
  const taken = () => process.cpuUsage().user + process.cpuUsage().system;
  while (taken() < ${(SPUN_MS + TICKS_MS) * 1_000});
`;

test('what a child took counts once it has ended, for itself and in the whole tree', () => {
  const [before, treeBefore] = [childrenMs(), processTreeMs(process.pid)];

  spawnSync(process.execPath, ['-e', SPIN]);

  const isLinux = process.platform === 'linux';
  assert.ok(childrenMs() - before >= (isLinux ? SPUN_MS : 0));
  assert.ok(processTreeMs(process.pid) - treeBefore >= (isLinux ? SPUN_MS : 0));
});
