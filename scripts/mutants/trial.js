// Tries mutants: first whether their subjects pass without one, then each mutant on its engines; several
// copies of the repository take the next trial as they come free.

import { testFilesOn } from '../test-files.js';
import { repositoryRoot } from '../install.js';
import { listEngines } from './mutant.js';
import { Slot } from './slot.js';
import { SUBJECTS } from './subjects.js';
import { isProof } from './subject-run.js';

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
 * @param {(progress: { n: number, of: number, text: string }) => void} options.onProgress
 * @returns {Promise<readonly Verdict[]>} in the order of the mutants
 */
export async function tryMutants(mutants, { atOnce, engine: only, signal, onProgress }) {
  const trials = mutants.flatMap((mutant) =>
    listEngines(mutant, only).map((engine) => ({ mutant, engine, subject: mutant.subject })),
  );
  const subjects = new Map(trials.map((trial) => [buildKey(trial), trial]));
  await using slots = new AsyncDisposableStack();
  const length = Math.min(atOnce, trials.length);
  const free = Array.from({ length }, () => slots.use(new Slot(signal)));
  const total = subjects.size + trials.length;
  let n = 0;
  const counted = async (work) => {
    const startedMs = performance.now();
    const result = await work();
    n += 1;
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    return { ...result, seconds, report: (text) => onProgress({ n, total, text }) };
  };

  const unchanged = new Map();
  await forEach([...subjects.values()], free, async (slot, { subject, engine }) => {
    const { detail, seconds, report } = await counted(() => runUnchanged(slot, subject, engine));
    unchanged.set(buildKey({ subject, engine }), { detail, tookMs: seconds * 1000 });
    report(line([detail === '' ? 'passes' : 'FAILS', seconds, engine, `${subject} ${detail}`]));
  });

  const verdicts = new Map();
  await forEach(trials, free, async (slot, trial) => {
    const { mutant, engine } = trial;
    const { detail, tookMs } = unchanged.get(buildKey(trial));
    const timeoutMs = Math.max(HANGS_AFTER_MS_MIN, HANGS_AFTER_TIMES * tookMs);
    const { seconds, report, ...found } = await counted(async () =>
      detail === ''
        ? await tryOne(slot, mutant, { engine, timeoutMs })
        : { outcome: 'could_not_run', by: null, detail: `without a mutant too: ${detail}` },
    );
    const { name, file, subject } = mutant;
    verdicts.set(trial, { name, file, subject, engine, seconds, ...found });
    const by = found.by === null ? found.detail : `by "${found.by.test}" (${found.by.file})`;
    report(line([WORD_OF_OUTCOME[found.outcome], seconds, engine, `${name} ${by}`]));
  });
  return trials.map((trial) => verdicts.get(trial));
}

const WORD_OF_OUTCOME = {
  noticed: 'noticed',
  unnoticed: 'NOT NOTICED',
  could_not_run: 'COULD NOT RUN',
};

function buildKey({ subject, engine }) {
  return `${subject} ${engine}`;
}

function line([word, seconds, engine, text]) {
  return `${word.padEnd(13)} ${seconds.toFixed(1).padStart(6)} s  ${engine.padEnd(8)}  ${text.trim()}`;
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
  const files = listFiles(subject, engine);
  const { failures, passed, said } = await slot.run({
    files,
    engine,
    timeoutMs: UNCHANGED_TIMEOUT_MS,
    isEnough: () => true,
  });
  const [first] = failures;
  if (first !== undefined) return { detail: `"${first.test}" fails: ${first.message} ${said}` };
  return { detail: passed === 0 ? `no test ran: ${said}` : '' };
}

async function tryOne(slot, mutant, { engine, timeoutMs }) {
  const files = listFiles(mutant.subject, engine);
  const isEnough = (failure) => isProof(failure, mutant);
  const run = { files, engine, timeoutMs, isEnough };
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
