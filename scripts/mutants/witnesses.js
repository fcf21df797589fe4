// Which test noticed a mutant the last time it was tried, so that this one is tried first: it takes a
// second or two, all tests of a subject take ten. `npm run test:mutants -- --record` writes the list.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../install.js';

const PATH = 'scripts/mutants/witnesses.json';

/** @typedef {{ readonly file: string, readonly test: string }} Witness */

/** By engine, file and test: the names of the mutants that it noticed. */
export function readWitnesses() {
  return JSON.parse(readFileSync(join(repositoryRoot, PATH), 'utf8'));
}

/**
 * @param {ReturnType<typeof readWitnesses>} recorded
 * @returns {Map<string, Witness>} by `witnessKey`
 */
export function indexWitnesses(recorded) {
  const index = new Map();
  for (const [engine, files] of Object.entries(recorded)) {
    for (const [file, tests] of Object.entries(files)) {
      for (const [test, names] of Object.entries(tests)) {
        for (const name of names) index.set(witnessKey({ name, engine }), { file, test });
      }
    }
  }
  return index;
}

export function witnessKey({ name, engine }) {
  return `${engine} ${name}`;
}

/**
 * Those of a run in place of what was recorded of the same mutants; the list forgets mutants that are gone.
 *
 * @param {ReturnType<typeof readWitnesses>} recorded
 * @param {readonly import('./trial.js').Verdict[]} verdicts
 * @param {ReadonlySet<string>} names of all mutants that there are
 */
export function mergeWitnesses(recorded, verdicts, names) {
  const index = indexWitnesses(recorded);
  for (const { name, engine, by } of verdicts) {
    if (by === null) index.delete(witnessKey({ name, engine }));
    else index.set(witnessKey({ name, engine }), by);
  }
  const merged = {};
  for (const [key, { file, test }] of [...index].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [engine] = key.split(' ', 1);
    const name = key.slice(engine.length + 1);
    if (!names.has(name)) continue;
    (((merged[engine] ??= {})[file] ??= {})[test] ??= []).push(name);
  }
  return merged;
}

export function writeWitnesses(witnesses) {
  writeFileSync(join(repositoryRoot, PATH), `${JSON.stringify(witnesses, null, 1)}\n`);
}
