// A thread with spare time gives way to all others, and takes part with them for a while when there is none.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SpareTime } from './spare-time.ts';

/** As <linux/sched.h> numbers them. */
const SCHED_OTHER = 0;
const SCHED_IDLE = 5;

function recordPolicies() {
  const policies: string[] = [];
  let nowMs = 1;
  const spareTime = new SpareTime({
    clock: { elapsedMs: () => nowMs },
    setPolicy: (policy) => policies.push(policy),
  });
  return {
    policies,
    waitedAt: (atMs: number, ms: number) => {
      nowMs = atMs;
      spareTime.waited(ms);
    },
  };
}

test('it has what the others leave as long as its work waits for a fifth of a second at most', () => {
  const { policies, waitedAt } = recordPolicies();

  for (const ms of [0, 9, 200]) waitedAt(ms, ms);

  assert.deepEqual(policies, ['idle']);
});

test('when its work waits longer it takes part for ten seconds, and gives way again', () => {
  const { policies, waitedAt } = recordPolicies();

  waitedAt(1_000, 201);
  waitedAt(10_999, 20);
  assert.deepEqual(policies, ['idle', 'other']);
  waitedAt(11_000, 20);

  assert.deepEqual(policies, ['idle', 'other', 'idle']);
});

test('it takes part as long as its work keeps waiting', () => {
  const { policies, waitedAt } = recordPolicies();

  for (const atMs of [1_000, 9_000, 17_000]) waitedAt(atMs, 900);
  waitedAt(26_999, 1);

  assert.deepEqual(policies, ['idle', 'other']);
});

// Only Linux has a policy and a priority for each thread.
if (process.platform === 'linux') {
  test('Linux lets every other thread go first', async () => {
    const hasProgram = spawnSync('chrt', ['--help']).error === undefined;

    const found = await scheduleOfThread();

    assert.deepEqual(found, {
      before: [constants.priority.PRIORITY_NORMAL, SCHED_OTHER],
      idle: [constants.priority.PRIORITY_BELOW_NORMAL, hasProgram ? SCHED_IDLE : SCHED_OTHER],
      starved: [constants.priority.PRIORITY_BELOW_NORMAL, SCHED_OTHER],
    });
  });
}

/** Of a new thread: niceness and policy before, with spare time, and once its work has waited. */
async function scheduleOfThread(): Promise<unknown> {
  const script = `
    const { readFileSync } = require('node:fs');
    const { parentPort } = require('node:worker_threads');
    // Behind the name, which is in brackets, they are the 17th and the 39th field.
    const schedule = () => {
      const stat = readFileSync('/proc/thread-self/stat', 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [Number(fields[16]), Number(fields[38])];
    };
    const before = schedule();
    import(${JSON.stringify(new URL('./spare-time.ts', import.meta.url).href)}).then(({ SpareTime }) => {
      const spareTime = new SpareTime();
      const idle = schedule();
      spareTime.waited(1_000);
      parentPort.postMessage({ before, idle, starved: schedule() });
    });`;
  const worker = new Worker(script, { eval: true });
  const [found] = (await once(worker, 'message')) as [unknown];
  await worker.terminate();
  return found;
}
