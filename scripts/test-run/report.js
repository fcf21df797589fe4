// What a run prints: a line for each task as it ends, all output of those that failed, and at the end
// how long the run took, what took longest, and where the time of processors went.

/** So many of the slowest tasks are named. */
const SLOWEST_COUNT = 10;

export class Report {
  #write;
  #isVerbose;
  /** What has ended so far. */
  results = [];
  #nowMs;
  #startedMs;

  /**
   * @param {{ write: (text: string) => void, isVerbose: boolean, nowMs: () => number }} options
   *   `isVerbose` prints the output of what passed too
   */
  constructor({ write, isVerbose, nowMs }) {
    this.#write = write;
    this.#isVerbose = isVerbose;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  /** @param {import('./pool.js').Result} result */
  add(result) {
    this.results.push(result);
    const { isPassed, output } = result;
    const facts = [`${formatSeconds(result.elapsedMs)} s`];
    // Of a busy machine this says what the file costs, and the other how long it had to wait.
    if (result.processorMs !== undefined) {
      facts.push(`${formatSeconds(result.processorMs)} s of processors`);
    }
    if (result.task.kind === 'file') facts.push(formatCount(result.tests, 'test'));
    this.#write(`${isPassed ? '✔' : '✖'} ${formatName(result.task)} (${facts.join(', ')})\n`);
    if (!isPassed || this.#isVerbose) this.#write(indented(output));
  }

  /**
   * @param {{ serverMs: number, childrenMs: number }} [processors] what the PostgreSQL of the run took, and
   *   everything else that the run started; not reported without it
   * @returns {number} the exit code
   */
  end(processors) {
    const failed = this.results.filter(({ isPassed }) => !isPassed);
    const slowest = [...this.results]
      .sort((one, other) => other.elapsedMs - one.elapsedMs)
      .slice(0, SLOWEST_COUNT);
    if (this.results.length > 1) {
      this.#write('\nSlowest:\n');
      for (const result of slowest)
        this.#write(`  ${formatSeconds(result.elapsedMs)} s ${formatName(result.task)}\n`);
    }
    if (this.results.length > 1 && processors !== undefined) {
      this.#write('\nProcessors:\n');
      for (const [what, ms] of processorTimes(this.results, processors))
        this.#write(`  ${formatSeconds(ms)} s ${what}\n`);
    }
    const files = this.results.filter(({ task }) => task.kind === 'file').length;
    const tests = this.results.reduce((sum, result) => sum + result.tests, 0);
    const elapsed = formatSeconds(this.#nowMs() - this.#startedMs);
    const ran = `${formatCount(tests, 'test')} in ${formatCount(files, 'file')}, ${elapsed} s`;
    if (this.results.length === 0) {
      this.#write('\nNothing ran.\n');
      return 1;
    }
    if (failed.length === 0) {
      this.#write(`\nAll passed: ${ran}.\n`);
      return 0;
    }
    this.#write(`\nFailed (${ran}):\n`);
    for (const { task } of failed) this.#write(`  ${formatName(task)}\n`);
    return 1;
  }
}

/**
 * Where the time of processors went.
 *
 * @param {readonly import('./pool.js').Result[]} results
 * @param {{ serverMs: number, childrenMs: number }} processors
 * @returns {readonly (readonly [string, number])[]}
 */
function processorTimes(results, { serverMs, childrenMs }) {
  const sumOn = (engine) =>
    results
      .filter(({ task }) => task.kind === 'file' && task.engine === engine)
      .reduce((sum, { processorMs = 0 }) => sum + processorMs, 0);
  const [sqliteMs, postgresMs] = [sumOn('sqlite'), sumOn('postgres')];
  return [
    ['files on SQLite', sqliteMs],
    ['files on PostgreSQL', postgresMs],
    ['the server of PostgreSQL', serverMs],
    ['checks, and starts of workers', Math.max(0, childrenMs - sqliteMs - postgresMs)],
  ];
}

/**
 * What a run took, task by task, for programs.
 *
 * @param {readonly import('./pool.js').Result[]} results
 */
export function timesAsJson(results) {
  const tasks = results.map(({ task, isPassed, tests, elapsedMs, processorMs }) => ({
    name: formatName(task),
    passed: isPassed,
    tests,
    elapsed_ms: Math.round(elapsedMs),
    processor_ms: processorMs === undefined ? null : Math.round(processorMs),
  }));
  return `${JSON.stringify({ tasks }, undefined, 2)}\n`;
}

/** @param {import('./pool.js').Task} task */
export function formatName(task) {
  if (task.kind === 'command') return task.name;
  return task.engine === 'postgres' ? `${task.file} on PostgreSQL` : task.file;
}

function formatSeconds(ms) {
  return (ms / 1000).toFixed(1);
}

function formatCount(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function indented(text) {
  return text.replace(/^(?=.)/gm, '  ');
}
