// Runs tasks side by side: checks, each a process, and test files, which share long-lived processes.
// Loading the modules of a service takes more time than most of its test files, so a worker runs one
// file after another; see worker.js for what keeps them apart.
// Many tests wait: for a time limit, a server, a process that they have killed. While that leaves a
// processor without work, one more task runs.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { SIGNAL_EXIT_BASE } from '../run.js';
import { watchProcessors } from './idle-processors.js';
import { FILE_ENDS } from './protocol.js';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

/**
 * A test that takes longer hangs. The slowest takes seconds on an idle machine, and a machine with
 * twenty processes for each of its cores takes twenty times as long.
 */
const TEST_TIMEOUT_MS = 600_000;
/** A worker that reports no progress for so long does not even notice that a test hangs. */
const SILENCE_MAX_MS = TEST_TIMEOUT_MS + 60_000;
/** What a file closes after its last test takes seconds on an idle machine, and twenty times that on a busy one. */
const LEFT_OPEN_MAX_MS = 60_000;
/** Modules and compiled code are never given back: over this a worker ends after its file. */
const WORKER_RSS_BYTES_MAX = 1_000_000_000;
/**
 * Most of what a test makes it soon forgets. With four times the usual room for that, collecting it takes
 * a seventh of the processors' time of a run less.
 */
const YOUNG_GENERATION = '--max-semi-space-size=64';
/** How long processors are watched before one more task begins. */
const WATCH_MS = 250;
/** Of one processor: below this a task more would only slow the others down. */
const IDLE_MIN = 0.3;

/**
 * @typedef {object} FileTask
 * @property {'file'} kind
 * @property {string} file path from the root
 * @property {'sqlite' | 'postgres'} engine
 * @property {boolean} isAlone whether it gets a process of its own
 * @property {boolean} [isOnlyAdded] whether of its tests only those run that the long run adds
 *
 * @typedef {object} CommandTask
 * @property {'command'} kind
 * @property {string} name
 * @property {readonly string[]} args of Node
 *
 * @typedef {FileTask | CommandTask} Task
 *
 * @typedef {object} Result
 * @property {Task} task
 * @property {boolean} isPassed
 * @property {number} tests
 * @property {string} output
 * @property {number} elapsedMs
 * @property {number | undefined} processorMs undefined where it is not known
 */

export class Pool {
  #buildEnvironment;
  #nodeOptions;
  #leftOpenMaxMs;
  #running = new Set();
  /** Workers without a file; they wait without using a processor. */
  #free = [];
  hasStopped = false;

  /**
   * @param {{
   *   buildEnvironment: (engine: 'sqlite' | 'postgres' | undefined) => NodeJS.ProcessEnv,
   *   nodeOptions?: readonly string[],
   *   leftOpenMaxMs?: number,
   * }} options `nodeOptions` go to the Node of each worker; a file that leaves something open when its
   *   tests have ended fails after `leftOpenMaxMs`
   */
  constructor({ buildEnvironment, nodeOptions = [], leftOpenMaxMs = LEFT_OPEN_MAX_MS }) {
    this.#buildEnvironment = buildEnvironment;
    this.#leftOpenMaxMs = leftOpenMaxMs;
    this.#nodeOptions = nodeOptions;
  }

  /**
   * Runs all tasks, the first ones first: `atOnce` at a time, and up to `atOnceMax` while processors
   * idle.
   *
   * @param {{ tasks: readonly Task[], atOnce: number, atOnceMax?: number,
   *   onResult: (result: Result) => void, idleProcessors?: () => number }} options
   *   `idleProcessors` is asked again and again how many had no work since it was last asked
   */
  async run({ tasks, atOnce, atOnceMax = atOnce, onResult, idleProcessors = watchProcessors() }) {
    const waiting = [...tasks];
    const hasMore = () => waiting.length > 0 && !this.hasStopped;
    const runNext = async () => {
      const task = waiting.shift();
      const startedMs = performance.now();
      const result =
        task.kind === 'command' ? await this.#runCommand(task) : await this.#runFile(task);
      if (!this.hasStopped) onResult({ task, elapsedMs: performance.now() - startedMs, ...result });
    };
    const runAll = async () => {
      while (hasMore()) await runNext();
    };
    const running = new Set();
    const start = (run) => {
      const ended = run().finally(() => running.delete(ended));
      running.add(ended);
    };
    for (let slot = 0; slot < atOnce; slot += 1) start(runAll);
    while (hasMore()) {
      await Promise.race([sleep(WATCH_MS), Promise.all(running)]);
      // One at a time: the next look sees what this one takes.
      const hasRoom = idleProcessors() >= IDLE_MIN && running.size < atOnceMax;
      if (hasRoom && hasMore()) start(runNext);
    }
    await Promise.all(running);
    await Promise.all(this.#free.splice(0).map(({ worker }) => worker.end()));
  }

  /** Kills whatever runs, with the processes that it started; `run` resolves soon after. */
  stop() {
    this.hasStopped = true;
    for (const child of this.#running) killGroup(child);
  }

  async #runFile({ engine, file, isAlone, isOnlyAdded = false }) {
    const worker = (isAlone ? undefined : this.#takeFree(engine)) ?? this.#startWorker(engine);
    const result = await worker.run({ file, isOnlyAdded, leftOpenMaxMs: this.#leftOpenMaxMs });
    const isFull = result.rssBytes > WORKER_RSS_BYTES_MAX;
    if (isAlone || isFull || result.isLeftOpen || worker.hasEnded) await worker.end();
    else this.#free.push({ engine, worker });
    return result;
  }

  /** The one that has just run a file: its modules are those that are in the processor's caches. */
  #takeFree(engine) {
    const place = this.#free.findLastIndex((free) => free.engine === engine);
    return place === -1 ? undefined : this.#free.splice(place, 1)[0].worker;
  }

  #startWorker(engine) {
    const args = [YOUNG_GENERATION, ...this.#nodeOptions, WORKER];
    return new TestWorker(this.#spawn(args, { engine, channel: ['ipc'] }));
  }

  async #runCommand({ args }) {
    const child = this.#spawn(args, { engine: undefined, channel: [] });
    const written = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => written.push(text));
    }
    const { promise, resolve } = Promise.withResolvers();
    child.once('close', resolve).once('error', resolve);
    const isPassed = (await promise) === 0;
    return { isPassed, tests: 0, output: written.join(''), processorMs: undefined };
  }

  #spawn(args, { engine, channel }) {
    const child = spawn(process.execPath, args, {
      env: this.#buildEnvironment(engine),
      stdio: ['ignore', 'pipe', 'pipe', ...channel],
      // A group of its own: whatever it starts can be killed with it.
      detached: true,
    });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return child;
  }
}

/** A process that runs one test file after another. */
class TestWorker {
  hasEnded = false;
  #child;
  #ended;
  #streams;

  constructor(child) {
    this.#child = child;
    this.#streams = [child.stdout, child.stderr].map((stream) => new StreamOfFiles(stream));
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => {
        resolve(`exit code ${code ?? SIGNAL_EXIT_BASE + constants.signals[signal]}`);
      });
    });
    void this.#ended.then(() => (this.hasEnded = true));
  }

  /**
   * @returns {Promise<{ isPassed: boolean, tests: number, output: string,
   *   processorMs: number | undefined, rssBytes: number, isLeftOpen: boolean }>} */
  async run({ file, isOnlyAdded, leftOpenMaxMs }) {
    let current = 'loading the file';
    const { promise, resolve } = Promise.withResolvers();
    const silence = setTimeout(() => {
      current += `, without progress for ${SILENCE_MAX_MS / 1000} s, so it was killed`;
      killGroup(this.#child);
    }, SILENCE_MAX_MS);
    const receive = (message) => {
      silence.refresh();
      if (message.kind === 'ended') resolve(message);
      else current = message.name ?? current;
    };
    this.#child.on('message', receive);
    // A worker that has just died says so by closing; the error of the channel adds nothing.
    const order = { file, isOnlyAdded, testTimeoutMs: TEST_TIMEOUT_MS, leftOpenMaxMs };
    this.#child.send(order, () => undefined);
    const result = await Promise.race([promise, this.#ended]);
    clearTimeout(silence);
    this.#child.off('message', receive);
    if (typeof result !== 'string') {
      await Promise.race([
        Promise.all(this.#streams.map((stream) => stream.fileEnds())),
        this.#ended,
      ]);
      const written = this.#streams.map((stream) => stream.take());
      return { ...result, output: result.output + written.join('') };
    }
    const written = this.#streams.map((stream) => stream.take()).join('');
    const output = `${written}\nThe process ended with ${result} in: ${current}\n`;
    return {
      isPassed: false,
      tests: 0,
      output,
      processorMs: undefined,
      rssBytes: 0,
      isLeftOpen: false,
    };
  }

  async end() {
    if (!this.hasEnded) killGroup(this.#child);
    await this.#ended;
  }
}

/** What a worker writes to one of its streams, file by file. */
class StreamOfFiles {
  #text = '';
  #changed = () => undefined;

  constructor(stream) {
    const change = (text = '') => {
      this.#text += text;
      this.#changed();
    };
    stream.setEncoding('utf8').on('data', change);
  }

  /** Resolves once all that the file wrote has arrived. */
  async fileEnds() {
    while (!this.#text.includes(FILE_ENDS)) {
      await new Promise((resolve) => (this.#changed = resolve));
    }
  }

  /** What arrived since it was last called. */
  take() {
    const text = this.#text.replace(FILE_ENDS, '');
    this.#text = '';
    return text;
  }
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // It has ended meanwhile, with all of its group.
    if (error.code !== 'ESRCH') throw error;
  }
}
