// The run of `npm run test:mutants`, on the pinned Node: reads the options, refuses a list that is out
// of date, tries the mutants and says which ones nobody noticed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../install.js';
import { SIGNAL_EXIT_BASE, exitWith } from '../run.js';
import { MUTANTS } from './list.js';
import { findStaleness, listEngines } from './mutant.js';
import { EXIT, HELP, UsageError, readOptions } from './options.js';
import { tryMutants } from './trial.js';
import { indexWitnesses, mergeWitnesses, readWitnesses, writeWitnesses } from './witnesses.js';

const STOP_SIGNALS = { SIGINT: 2, SIGTERM: 15 };

await exitWith(async () => {
  const stop = new AbortController();
  for (const [name, number] of Object.entries(STOP_SIGNALS)) {
    process.once(name, () => stop.abort(SIGNAL_EXIT_BASE + number));
  }
  try {
    return await run(readOptions(process.argv.slice(2)), stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return stop.signal.reason;
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${error.message} See: npm run test:mutants -- --help` : error.stack);
    return isUsage ? EXIT.usageWrong : EXIT.couldNotRun;
  }
});

async function run({ names, engine, atOnce, list, record, json, help }, signal) {
  if (help) {
    process.stdout.write(HELP);
    return EXIT.allNoticed;
  }
  const mutants = MUTANTS.filter(
    (mutant) => isNamed(mutant, names) && listEngines(mutant, engine).length > 0,
  );
  if (mutants.length === 0) throw new UsageError('No mutant has such a name on such an engine.');
  if (list) {
    for (const { name, engine, subject } of mutants) console.log(`${subject}: ${name} (${engine})`);
    return EXIT.allNoticed;
  }
  const stale = mutants.flatMap((mutant) => findStaleness(mutant, findText(mutant.file)) ?? []);
  if (stale.length > 0) {
    console.error(`The list in scripts/mutants/list is out of date:\n${stale.join('\n')}`);
    return EXIT.listOutOfDate;
  }
  const startedMs = performance.now();
  const witnesses = readWitnesses();
  const verdicts = await tryMutants(mutants, {
    atOnce,
    engine,
    signal,
    witnesses: indexWitnesses(witnesses),
    onProgress: ({ n, total, text }) =>
      console.error(`[${String(n).padStart(3)}/${total}] ${text}`),
  });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  if (record) {
    const all = new Set(MUTANTS.map(({ name }) => name));
    writeWitnesses(mergeWitnesses(witnesses, verdicts, all));
  }
  return json ? printJson(verdicts, seconds) : printText(verdicts, seconds);
}

/** By part of its name, upper and lower case alike; without names every mutant is. */
function isNamed({ name }, names) {
  const known = name.toLowerCase();
  return names.length === 0 || names.some((text) => known.includes(text.toLowerCase()));
}

function findText(file) {
  try {
    return readFileSync(join(repositoryRoot, file), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function chooseExitCode(verdicts) {
  const has = (outcome) => verdicts.some((verdict) => verdict.outcome === outcome);
  if (has('unnoticed')) return EXIT.unnoticed;
  return has('could_not_run') ? EXIT.couldNotRun : EXIT.allNoticed;
}

function printJson(verdicts, seconds) {
  const code = chooseExitCode(verdicts);
  console.log(
    JSON.stringify({ ok: code === EXIT.allNoticed, seconds, mutants: verdicts }, null, 2),
  );
  return code;
}

function printText(verdicts, seconds) {
  const withOutcome = (outcome) => verdicts.filter((verdict) => verdict.outcome === outcome);
  printVerdicts('Nobody noticed:', withOutcome('unnoticed'));
  printVerdicts('Could not be tried:', withOutcome('could_not_run'));
  const noticed = withOutcome('noticed').length;
  console.log(`${noticed} of ${verdicts.length} mutants were noticed, in ${seconds} s.`);
  return chooseExitCode(verdicts);
}

function printVerdicts(title, verdicts) {
  if (verdicts.length === 0) return;
  console.log(title);
  for (const { name, file, subject, engine, detail } of verdicts) {
    console.log(`  ${name}\n    ${file}, subject ${subject} on ${engine} ${detail}`.trimEnd());
  }
}
