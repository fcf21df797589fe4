// What a run prints: a line for each task as it ends, all output of those that failed, and at the end
// how long the run took and what took longest.

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
    const facts = [`${secondsOf(result.elapsedMs)} s`];
    // Of a busy machine this says what the file costs, and the other how long it had to wait.
    if (result.processorMs !== undefined) {
      facts.push(`${secondsOf(result.processorMs)} s of processors`);
    }
    if (result.task.kind === 'file') facts.push(countOf(result.tests, 'test'));
    this.#write(`${isPassed ? '✔' : '✖'} ${nameOf(result.task)} (${facts.join(', ')})\n`);
    if (!isPassed || this.#isVerbose) this.#write(indented(output));
  }

  /** @returns {number} the exit code */
  end() {
    const failed = this.results.filter(({ isPassed }) => !isPassed);
    const slowest = [...this.results]
      .sort((one, other) => other.elapsedMs - one.elapsedMs)
      .slice(0, SLOWEST_COUNT);
    if (this.results.length > 1) {
      this.#write('\nSlowest:\n');
      for (const result of slowest)
        this.#write(`  ${secondsOf(result.elapsedMs)} s ${nameOf(result.task)}\n`);
    }
    const files = this.results.filter(({ task }) => task.kind === 'file').length;
    const tests = this.results.reduce((sum, result) => sum + result.tests, 0);
    const elapsed = secondsOf(this.#nowMs() - this.#startedMs);
    const ran = `${countOf(tests, 'test')} in ${countOf(files, 'file')}, ${elapsed} s`;
    if (this.results.length === 0) {
      this.#write('\nNothing ran.\n');
      return 1;
    }
    if (failed.length === 0) {
      this.#write(`\nAll passed: ${ran}.\n`);
      return 0;
    }
    this.#write(`\nFailed (${ran}):\n`);
    for (const { task } of failed) this.#write(`  ${nameOf(task)}\n`);
    return 1;
  }
}

/** @param {import('./pool.js').Task} task */
export function nameOf(task) {
  if (task.kind === 'command') return task.name;
  return task.engine === 'postgres' ? `${task.file} on PostgreSQL` : task.file;
}

function secondsOf(ms) {
  return (ms / 1000).toFixed(1);
}

function countOf(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function indented(text) {
  return text.replace(/^(?=.)/gm, '  ');
}
