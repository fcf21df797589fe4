// How much processor time each kind of process takes while something is measured, from /proc: what is
// saturated, and what waits for it. Where there is no /proc, nothing is said.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Figure } from './report.ts';

/** Ticks a second in /proc, whatever the kernel's own are (proc(5): USER_HZ). */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/…/stat behind the name, which may hold spaces: 0 is the state. */
const PARENT_FIELD = 1;
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;
const CHILDREN_USER_FIELD = 13;
const CHILDREN_SYSTEM_FIELD = 14;
/** In the first line of /proc/stat, behind the word cpu: time of nobody. */
const IDLE_FIELD = 3;
const WAITING_FIELD = 4;
const MACHINE_FIELDS = 8;

/** Processes that are counted together; asked at both ends, because some come and go. */
export interface ProcessKind {
  readonly name: string;
  readonly pids: () => readonly number[];
}

export interface ProcessorUse {
  readonly name: string;
  /** Processors kept busy, on average: 1 is one of them all the time. */
  readonly cores: number;
  /** The same of the busiest thread; 1 is a thread that cannot do more. */
  readonly busiestThread: number;
}

interface Reading {
  readonly ticks: number;
  readonly ticksOfThread: ReadonlyMap<number, number>;
}

export class ProcessorWatch {
  readonly #kinds: readonly ProcessKind[];
  #startedAt = 0;
  #before: readonly Reading[] = [];
  #machineBefore = 0;

  constructor(kinds: readonly ProcessKind[]) {
    this.#kinds = kinds;
  }

  start(): void {
    this.#before = this.#read();
    this.#machineBefore = machineTicks();
    this.#startedAt = performance.now();
  }

  /** @returns what was used since `start`; nothing on a system without /proc */
  stop(): readonly ProcessorUse[] {
    if (!hasProc()) return [];
    const ticks = ((performance.now() - this.#startedAt) / 1_000) * TICKS_PER_SECOND;
    const kinds = this.#read().map(({ ticks: after, ticksOfThread }, n) => {
      const before = this.#before[n];
      const threads = [...ticksOfThread].map(
        ([thread, at]) => at - (before?.ticksOfThread.get(thread) ?? 0),
      );
      return {
        name: this.#kinds[n]?.name ?? '',
        cores: (after - (before?.ticks ?? 0)) / ticks,
        busiestThread: Math.max(0, ...threads) / ticks,
      };
    });
    const machine = (machineTicks() - this.#machineBefore) / ticks;
    return [...kinds, { name: WHOLE_MACHINE, cores: machine, busiestThread: 0 }];
  }

  #read(): readonly Reading[] {
    return this.#kinds.map(({ pids }) => (hasProc() ? readProcesses(pids()) : NOTHING));
  }
}

const WHOLE_MACHINE = `whole machine, of ${availableParallelism()}`;
const NOTHING: Reading = { ticks: 0, ticksOfThread: new Map() };

/** Means over several measurements of the same kinds. */
export function processorFigures(
  what: string,
  uses: readonly (readonly ProcessorUse[])[],
): Figure[] {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return (uses[0] ?? []).flatMap(({ name }): Figure[] => {
    const same = uses.flatMap((use) => use.filter((one) => one.name === name));
    const cores = mean(same.map((one) => one.cores));
    const busiest = mean(same.map((one) => one.busiestThread));
    const figure = { name: `processors, ${what}: ${name}`, value: cores, unit: 'cores' };
    if (name === WHOLE_MACHINE) return [figure];
    return [figure, { ...figure, name: `${figure.name}, busiest thread`, value: busiest }];
  });
}

/** A process and those that it started and that run. */
export function withChildren(parent: number): readonly number[] {
  if (!hasProc()) return [parent];
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statFields(`/proc/${pid}/stat`)[PARENT_FIELD] === String(parent));
  return [parent, ...children];
}

function hasProc(): boolean {
  return existsSync('/proc/self/stat');
}

function readProcesses(pids: readonly number[]): Reading {
  const ticksOfThread = new Map<number, number>();
  let ticks = 0;
  for (const pid of pids) {
    const fields = statFields(`/proc/${pid}/stat`);
    // What ended children took counts for the one that started them.
    ticks += sumFields(fields, [
      USER_FIELD,
      SYSTEM_FIELD,
      CHILDREN_USER_FIELD,
      CHILDREN_SYSTEM_FIELD,
    ]);
    for (const thread of listThreads(pid)) {
      const own = statFields(`/proc/${pid}/task/${thread}/stat`);
      ticksOfThread.set(thread, sumFields(own, [USER_FIELD, SYSTEM_FIELD]));
    }
  }
  return { ticks, ticksOfThread };
}

function listThreads(pid: number): readonly number[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map(Number) : [];
}

/** Of a process that has just ended: none. */
function statFields(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function machineTicks(): number {
  if (!hasProc()) return 0;
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const fields = first
    .replace(/^cpu +/, '')
    .split(' ')
    .slice(0, MACHINE_FIELDS);
  const busy = fields.map((_, n) => n).filter((n) => n !== IDLE_FIELD && n !== WAITING_FIELD);
  return sumFields(fields, busy);
}

function sumFields(fields: readonly string[], which: readonly number[]): number {
  return which.reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
}
