// Finds the imports of our modules without looking for files. A hub starts two threads, of a hundred and fifty
// modules each: to find their files again took half the time of a start. What an import names by its path
// needs no search, and where a package leads all processes and threads of a run remember.
// Each Node of a run preloads this module; the next ones start with what the earlier ones have found.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** Names the folder; without it nothing is remembered. It must not outlive a change of our files. */
export const RESOLUTIONS_VARIABLE = 'LOTHUB_TEST_RESOLUTIONS';

/** Nothing else stays as it is for the time of a run. */
const ROOT = new URL('../../', import.meta.url).href;
/** To write a file takes as long as to find so many. */
const WORTH_WRITING = 2;
/** How Node loads our files; each `package.json` of ours says that they are modules. */
const FORMATS = { '.ts': 'module-typescript', '.js': 'module' };
const BY_PATH = /^\.\.?\/.*(\.ts|\.js)$/;

const folder = process.env[RESOLUTIONS_VARIABLE];
/** By place of the importing module. A thread of the hub needs a tenth of all. */
const known = new Map();

// A Node of before 22.15, which npm may run on, has none.
if (folder && nodeModule.registerHooks !== undefined) {
  nodeModule.registerHooks({ resolve });
  process.on('exit', writeResolutions);
}

/** Lets later processes and threads have what this one has found. */
export function writeResolutions() {
  for (const place of known.values()) {
    if (place.found < WORTH_WRITING) continue;
    place.targets = { ...readTargets(place.file), ...place.targets };
    place.found = 0;
    const own = `${place.file}-${process.pid}-${threadId}`;
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(own, JSON.stringify(place.targets));
      renameSync(own, place.file);
    } catch {
      // The run is over and its folder gone, or the disk is full: found again the next time.
    }
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
  const isOurs = !parent.includes('node_modules/');
  const [, ending] = isOurs ? (BY_PATH.exec(specifier) ?? []) : [];
  if (ending !== undefined) {
    const { href } = new URL(specifier, parentURL);
    return { url: href, format: FORMATS[ending], shortCircuit: true };
  }
  const place = isOurs ? getPlace(toPackage(parent)) : getPlace('node_modules');
  const name = isOurs ? specifier : `${parent} ${specifier}`;
  const target = place.targets[name];
  if (target !== undefined) {
    return { url: `${ROOT}${target[0]}`, format: target[1], shortCircuit: true };
  }
  const { url, format } = next(specifier, context);
  if (url.startsWith(ROOT)) {
    place.targets[name] = [url.slice(ROOT.length), format];
    place.found += 1;
  }
  return { url, format, shortCircuit: true };
}

/** The package of a module, or a folder of it: all modules there have the same packages beside them. */
function toPackage(path) {
  return path.split('/').slice(0, -1).slice(0, 2).join('+');
}

function getPlace(name) {
  const place = known.get(name);
  if (place !== undefined) return place;
  const file = join(folder, `in-${name}.json`);
  const read = { file, targets: readTargets(file), found: 0 };
  known.set(name, read);
  return read;
}

function readTargets(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // None yet.
  }
}
