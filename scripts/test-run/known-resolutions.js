// Remembers for all processes and threads of a run where the imports of our modules lead. A hub starts two
// threads, of a hundred and fifty modules each: to find their files again took half the time of a start.
// Each Node of a run preloads this module; the next ones start with what the earlier ones have found.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import process from 'node:process';
import { threadId } from 'node:worker_threads';

/** Names the file; without it nothing is remembered. It must not outlive a change of our files. */
export const RESOLUTIONS_VARIABLE = 'LOTHUB_TEST_RESOLUTIONS';

/** Nothing else stays as it is for the time of a run. */
const ROOT = new URL('../../', import.meta.url).href;
/** To write the file takes as long as to find so many. */
const WORTH_WRITING = 10;

const file = process.env[RESOLUTIONS_VARIABLE];
/** By importing module, then by what it names. */
let known = read();
let found = 0;

// A Node of before 22.15, which npm may run on, has none.
if (file !== undefined && nodeModule.registerHooks !== undefined) {
  nodeModule.registerHooks({ resolve });
  process.on('exit', writeResolutions);
}

/** Lets later processes and threads have what this one has found. */
export function writeResolutions() {
  if (file === undefined || found < WORTH_WRITING) return;
  const others = read();
  for (const [parent, targets] of Object.entries(known)) {
    others[parent] = { ...others[parent], ...targets };
  }
  known = others;
  found = 0;
  const own = `${file}-${process.pid}-${threadId}`;
  try {
    writeFileSync(own, JSON.stringify(known));
    renameSync(own, file);
  } catch {
    // The run is over and its folder gone, or the disk is full: found again the next time.
  }
}

function resolve(specifier, context, next) {
  const { parentURL, conditions, importAttributes } = context;
  const isKept =
    parentURL?.startsWith(ROOT) === true &&
    !specifier.startsWith('node:') &&
    conditions.includes('import') &&
    Object.keys(importAttributes).length === 0;
  if (!isKept) return next(specifier, context);
  const parent = parentURL.slice(ROOT.length);
  const target = known[parent]?.[specifier];
  if (target !== undefined) {
    return { url: `${ROOT}${target[0]}`, format: target[1], shortCircuit: true };
  }
  const { url, format } = next(specifier, context);
  if (url.startsWith(ROOT)) {
    (known[parent] ??= {})[specifier] = [url.slice(ROOT.length), format];
    found += 1;
  }
  return { url, format, shortCircuit: true };
}

function read() {
  try {
    return file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // None yet.
  }
}
