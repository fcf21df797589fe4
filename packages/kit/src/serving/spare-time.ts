// For a thread whose work nobody's request waits for: it has the processor time that all others leave. A low priority
// alone gives it more: since Linux 6.6 a thread that wakes up waits until the running one has had its turn, up to 4 ms,
// whatever the priorities of both. Only a thread of the policy SCHED_IDLE gives way at once.
import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { monotonicClock, type MonotonicClock } from '../clock.ts';

/** `<process>/task/<thread>`. Only Linux has it, and only there a single thread has a priority. */
const THREAD_SELF = '/proc/thread-self';
/** Of util-linux, and of BusyBox. */
const SET_POLICY = 'chrt';
/** On a machine without spare time, work that waits longer than this has its thread take part with the others, */
const STARVED_MS = 200;
/** at a low priority and for so long. */
const TAKES_PART_MS = 10_000;

/** SCHED_IDLE, or SCHED_OTHER as everything else has it. */
type Policy = 'idle' | 'other';

/** Short, as BusyBox has no others. */
const OPTION: Readonly<Record<Policy, string>> = { idle: '-i', other: '-o' };

export interface SpareTimeOptions {
  readonly clock?: MonotonicClock;
  /** Of the thread that calls. */
  readonly setPolicy?: (policy: Policy) => void;
}

export class SpareTime {
  readonly #clock: MonotonicClock;
  readonly #setPolicy: (policy: Policy) => void;
  /** Until then the thread takes part; undefined: it has what the others leave. */
  #takesPartUntilMs: number | undefined;

  /**
   * Of the thread that makes it, as far as the system lets it: another system than Linux, or one without `chrt`, has
   * no such policy, and the thread has the low priority alone, or none.
   */
  constructor({ clock = monotonicClock, setPolicy = setOwnPolicy() }: SpareTimeOptions = {}) {
    this.#clock = clock;
    this.#setPolicy = setPolicy;
    setPolicy('idle');
  }

  /** @param ms how long a piece of work that takes a few milliseconds has waited for the thread, or taken it */
  waited(ms: number): void {
    const nowMs = this.#clock.elapsedMs();
    if (ms > STARVED_MS) {
      if (this.#takesPartUntilMs === undefined) this.#setPolicy('other');
      this.#takesPartUntilMs = nowMs + TAKES_PART_MS;
    } else if (this.#takesPartUntilMs !== undefined && nowMs >= this.#takesPartUntilMs) {
      this.#takesPartUntilMs = undefined;
      this.#setPolicy('idle');
    }
  }
}

function setOwnPolicy(): (policy: Policy) => void {
  try {
    const threadId = basename(readlinkSync(THREAD_SELF));
    setPriority(Number(threadId), constants.priority.PRIORITY_BELOW_NORMAL);
    return (policy) => setPolicyOf(threadId, policy);
  } catch {
    // Another system, or one that forbids it: the work is done at the priority of the process.
    return () => undefined;
  }
}

function setPolicyOf(threadId: string, policy: Policy): void {
  try {
    execFileSync(SET_POLICY, [OPTION[policy], '-p', '0', threadId], { stdio: 'ignore' });
  } catch {
    // Without the program, or where it is forbidden, the low priority is left.
  }
}
