// npm run test:watch: at each change of a file, runs the test files that reach it by their imports.

import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';

import { SIGNAL_EXIT_BASE } from '../run.js';
import { fileTask, filesReaching, isUsualFile, testFilesOn } from '../test-files.js';
import { Pool } from './pool.js';
import { Report } from './report.js';
import { stopOnSignal } from './signals.js';

/** An editor writes a file in several steps, and a branch changes many at once: one run for all. */
const SETTLE_MS = 200;

const WATCHED = ['bench', 'host', 'packages', 'scripts', 'services', 'tidy'];

/**
 * @param {{ root: string, engine: 'sqlite' | 'postgres', atOnce: number,
 *   workplace: import('./workplace.js').Workplace }} options `root` is the working directory
 * @returns {Promise<number>} the exit code, once a signal has ended it
 */
export async function watchTests({ root, engine, workplace, atOnce }) {
  const changes = new Changes(changedSinceCommit());
  let pool;
  using stop = stopOnSignal(() => {
    changes.end();
    pool?.stop();
  });
  using _watching = changes.watch(() => pool?.stop());
  console.log('Watching. Ctrl-C ends.');
  // What failed or was not run yet runs again with the next change.
  let due = [];
  for await (const changed of changes) {
    const known = testFilesOn(engine, root).filter((file) => isUsualFile(file, engine));
    due = [...new Set([...due, ...filesReaching(changed, known, root)])];
    if (due.length === 0) continue;

    console.log(`\n${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ', …' : ''}:`);
    pool = new Pool({ buildEnvironment: workplace.buildEnvironment });
    const report = new Report({
      write: (text) => void process.stdout.write(text),
      isVerbose: false,
      nowMs: () => performance.now(),
    });
    await pool.run({
      tasks: due.map((file) => fileTask(file, engine)),
      atOnce,
      onResult: (result) => report.add(result),
    });
    const passed = new Set(
      report.results.filter((each) => each.isPassed).map((each) => each.task.file),
    );
    due = due.filter((file) => !passed.has(file));
    if (!pool.hasStopped) report.end();
    pool = undefined;
  }
  return SIGNAL_EXIT_BASE + stop.signal;
}

/** Changed files, gathered until somebody asks; the iteration ends with `end`. */
class Changes {
  #files;
  #hasEnded = false;
  #wake = () => undefined;

  constructor(files) {
    this.#files = new Set(files);
  }

  watch(onChange) {
    const watchers = WATCHED.map((folder) =>
      watch(folder, { recursive: true }, (_event, path) => {
        if (path === null || path.includes('node_modules')) return;
        this.#files.add(`${folder}/${path.split('\\').join('/')}`);
        onChange();
        this.#wake();
      }),
    );
    return {
      [Symbol.dispose]: () => {
        for (const watcher of watchers) watcher.close();
      },
    };
  }

  end() {
    this.#hasEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    while (!this.#hasEnded) {
      if (this.#files.size === 0) await new Promise((resolve) => (this.#wake = resolve));
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const files = [...this.#files];
      this.#files.clear();
      if (files.length > 0 && !this.#hasEnded) yield files;
    }
  }
}

/** What differs from the last commit; nothing where there is no Git. */
function changedSinceCommit() {
  const listed = [
    ['diff', '--name-only', 'HEAD'],
    ['ls-files', '--others', '--exclude-standard'],
  ].map((args) => spawnSync('git', args, { encoding: 'utf8' }).stdout ?? '');
  return listed.flatMap((text) => text.split('\n')).filter((file) => file !== '');
}
