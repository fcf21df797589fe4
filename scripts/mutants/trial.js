// Tries mutants: first whether the tests that noticed them the last time pass without one, then each mutant on
// its engines, by that test and, when it does not notice it, by all of its subject; several copies of the
// repository take the next trial as they come free.

import { testFilesOn } from '../test-files.js';
import { repositoryRoot } from '../install.js';
import { listEngines } from './mutant.js';
import { Slot } from './slot.js';
import { SUBJECTS } from './subjects.js';
import { isProof } from './subject-run.js';
import { witnessKey } from './witnesses.js';

/** As in `npm test`: without a mutant, a test file that takes longer hangs. */
const UNCHANGED_TIMEOUT_MS = 240_000;
/**
 * With a mutant, a test that takes so many times as long as all of its subject took without one hangs:
 * it waits for what the mutant has taken away.
 */
const HANGS_AFTER_TIMES = 3;
const HANGS_AFTER_MS_MIN = 20_000;

/**
 * @typedef {object} Verdict
 * @property {'noticed' | 'unnoticed' | 'could_not_run'} outcome
 * @property {string} name of the mutant
 * @property {string} file
 * @property {string} subject
 * @property {import('./mutant.js').Engine} engine
 * @property {number} seconds
 * @property {{ file: string, test: string } | null} by the first test that failed as it should
 * @property {string} detail why it could not run, else empty
 */

/**
 * The files of a subject that run on an engine.
 *
 * @param {string} subject
 * @param {import('./mutant.js').Engine} engine
 * @returns {readonly string[]}
 */
export function listFiles(subject, engine) {
  filesOn[engine] ??= new Set(testFilesOn(engine, repositoryRoot));
  return (SUBJECTS[subject] ?? []).filter((file) => filesOn[engine].has(file));
}

/** Read once: each takes a look into hundreds of files. */
const filesOn = { sqlite: undefined, postgres: undefined };

/**
 * @param {readonly import('./mutant.js').Mutant[]} mutants
 * @param {object} options
 * @param {number} options.atOnce
 * @param {import('./mutant.js').Engine | undefined} options.engine leaves the other one out
 * @param {AbortSignal} options.signal
 * @param {ReadonlyMap<string, import('./witnesses.js').Witness>} options.witnesses by `witnessKey`
 * @param {(progress: { n: number, total: number, text: string }) => void} options.onProgress
 * @returns {Promise<readonly Verdict[]>} in the order of the mutants
 */
export async function tryMutants(mutants, options) {
  const { atOnce, engine: only, signal, witnesses, onProgress } = options;
  const trials = mutants.flatMap((mutant) =>
    listEngines(mutant, only).map((engine) => {
      const { name, subject } = mutant;
      const witness = witnesses.get(witnessKey({ name, engine }));
      const isOfSubject =
        witness !== undefined && listFiles(subject, engine).includes(witness.file);
      return { mutant, engine, subject, witness: isOfSubject ? witness : undefined };
    }),
  );
  const bySubject = Map.groupBy(trials, buildKey);
  await using slots = new AsyncDisposableStack();
  const length = Math.min(atOnce, trials.length);
  const free = Array.from({ length }, () => slots.use(new Slot(signal)));
  const total = bySubject.size + trials.length;
  let n = 0;
  const report = (words) => onProgress({ n, total, text: line(words) });

  const alone = new Map();
  await forEach([...bySubject], free, async (slot, [key, ofSubject]) => {
    const startedMs = performance.now();
    const found = await tryWitnesses(slot, ofSubject);
    alone.set(key, found);
    n += 1;
    const { subject, engine } = ofSubject[0];
    const failing = found.failing.size;
    const word = failing === 0 ? 'passes' : 'FAILS ALONE';
    report([word, performance.now() - startedMs, engine, `${subject}, ${found.tests} tests`]);
  });

  const unchanged = new Map();
  /** Once for each subject, and only if one of its mutants needs all of its tests. */
  const tryUnchanged = (slot, { subject, engine }) => {
    const key = buildKey({ subject, engine });
    if (!unchanged.has(key)) unchanged.set(key, runUnchanged(slot, subject, engine));
    return unchanged.get(key);
  };

  const verdicts = new Map();
  await forEach(trials, free, async (slot, trial) => {
    const startedMs = performance.now();
    const { mutant, engine } = trial;
    const found =
      (await tryWitness(slot, trial, alone.get(buildKey(trial)))) ??
      (await tryAll(slot, mutant, { engine, unchanged: await tryUnchanged(slot, trial) }));
    const tookMs = performance.now() - startedMs;
    const { name, file, subject } = mutant;
    const seconds = Math.round(tookMs / 100) / 10;
    verdicts.set(trial, { name, file, subject, engine, seconds, ...found });
    const by = found.by === null ? found.detail : `by "${found.by.test}" (${found.by.file})`;
    n += 1;
    report([WORD_OF_OUTCOME[found.outcome], tookMs, engine, `${name} ${by}`]);
  });
  return trials.map((trial) => verdicts.get(trial));
}

/** Without a mutant: the tests of one subject that noticed its mutants the last time, and nothing else. */
async function tryWitnesses(slot, trials) {
  const witnesses = trials.flatMap(({ witness }) => witness ?? []);
  const tests = new Set(witnesses.map(({ test }) => test));
  if (tests.size === 0) return { tests: 0, failing: new Set(), tookMs: 0 };
  const startedMs = performance.now();
  const { failures } = await slot.run({
    files: [...new Set(witnesses.map(({ file }) => file))],
    testNames: [...tests],
    engine: trials[0].engine,
    timeoutMs: UNCHANGED_TIMEOUT_MS,
    isEnough: () => false,
  });
  const failing = new Set(failures.map(({ test }) => test));
  return { tests: tests.size, failing, tookMs: performance.now() - startedMs };
}

/** @returns undefined when the test that noticed it the last time does not, or not without all others */
async function tryWitness(slot, { mutant, engine, witness }, { failing, tookMs }) {
  if (witness === undefined || failing.has(witness.test)) return undefined;
  const { file, test } = witness;
  const isEnough = (failure) => failure.test === test && isProof(failure, mutant);
  const timeoutMs = chooseTimeout(tookMs);
  const run = { files: [file], testNames: [test], engine, timeoutMs, isEnough };
  const { failures } = await slot.runWith(mutant, run);
  return failures.some(isEnough) ? { outcome: 'noticed', by: witness, detail: '' } : undefined;
}

function chooseTimeout(unchangedMs) {
  return Math.max(HANGS_AFTER_MS_MIN, HANGS_AFTER_TIMES * unchangedMs);
}

const WORD_OF_OUTCOME = {
  noticed: 'noticed',
  unnoticed: 'NOT NOTICED',
  could_not_run: 'COULD NOT RUN',
};

function buildKey({ subject, engine }) {
  return `${subject} ${engine}`;
}

function line([word, tookMs, engine, text]) {
  return `${word.padEnd(13)} ${(tookMs / 1000).toFixed(1).padStart(6)} s  ${engine.padEnd(8)}  ${text.trim()}`;
}

/** Each slot takes the next item as soon as it is free. */
async function forEach(items, slots, work) {
  const queue = items.values();
  await Promise.all(
    slots.map(async (slot) => {
      for (const item of queue) await work(slot, item);
    }),
  );
}

async function runUnchanged(slot, subject, engine) {
  const startedMs = performance.now();
  const { failures, passed, said } = await slot.run({
    files: listFiles(subject, engine),
    engine,
    timeoutMs: UNCHANGED_TIMEOUT_MS,
    isEnough: () => true,
  });
  const tookMs = performance.now() - startedMs;
  const [first] = failures;
  if (first !== undefined)
    return { detail: `"${first.test}" fails: ${first.message} ${said}`, tookMs };
  return { detail: passed === 0 ? `no test ran: ${said}` : '', tookMs };
}

/** All tests of its subject, up to the first that notices it. */
async function tryAll(slot, mutant, { engine, unchanged: { detail, tookMs } }) {
  if (detail !== '') {
    return { outcome: 'could_not_run', by: null, detail: `without a mutant too: ${detail}` };
  }
  const files = listFiles(mutant.subject, engine);
  const isEnough = (failure) => isProof(failure, mutant);
  const run = { files, engine, timeoutMs: chooseTimeout(tookMs), isEnough };
  const { failures, passed, said } = await slot.runWith(mutant, run);
  const proof = failures.find(isEnough);
  if (proof !== undefined) {
    const { file, test } = proof;
    return { outcome: 'noticed', by: { file, test }, detail: '' };
  }
  const [first] = failures;
  if (first === undefined && passed > 0) return { outcome: 'unnoticed', by: null, detail: '' };
  const why = first === undefined ? 'no test ran' : `"${first.test}" fails: ${first.message}`;
  return { outcome: 'could_not_run', by: null, detail: `${why} ${said}`.trim() };
}
