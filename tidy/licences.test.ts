// Under which licences we may use and hand on what we depend on: a closed list. What is not on it is looked
// at by a person before it is added.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROOT, assertNone, readText } from './repository.ts';

/** Of what an image or an installation holds: licences that ask for no more than their text. */
const OF_THE_PRODUCT: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  // MIT without the duty to name its author: nodemailer.
  'MIT-0',
  // Of argparse alone, which markdown-it brings for its command line.
  'PSF-2.0',
]);

/**
 * Packages of the product with a licence that asks for more, each looked at: of web-push only changes of its own
 * files would have to be published, and we change none.
 */
const LOOKED_AT: ReadonlyMap<string, string> = new Map([['node_modules/web-push', 'MPL-2.0']]);

/** Of tools for tests, which are handed on to nobody. */
const OF_TOOLS: ReadonlySet<string> = new Set([
  ...OF_THE_PRODUCT,
  // axe-core: only changes of its own files have to be published.
  'MPL-2.0',
  'Unlicense',
  'Python-2.0',
  '(MIT OR CC0-1.0)',
  '(MIT AND Zlib)',
]);

interface Locked {
  /** Where it is installed. */
  readonly path: string;
  readonly licence: string | undefined;
  readonly isTool: boolean;
}

function readLocked(lockFile: string): readonly Locked[] {
  const { packages } = toMembers(JSON.parse(lockFile));
  return Object.entries(toMembers(packages)).flatMap(([path, value]) => {
    const entry = toMembers(value);
    // Our own packages are linked.
    if (!path.includes('node_modules/') || entry['link'] === true) return [];
    const isTool = entry['dev'] === true || entry['devOptional'] === true;
    return [{ path, licence: licenceIn(entry), isTool }];
  });
}

/** Old packages name it in other ways than a text. */
function licenceIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { license } = fields;
  if (typeof license === 'string') return license;
  const { type } = toMembers(license);
  return typeof type === 'string' ? type : undefined;
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function findUnknownLicences(locked: readonly Locked[]): readonly string[] {
  return locked
    .filter(({ licence = 'none', isTool }) => !(isTool ? OF_TOOLS : OF_THE_PRODUCT).has(licence))
    .filter(({ path, licence = 'none' }) => LOOKED_AT.get(path) !== licence)
    .map(({ path, licence = 'none' }) => `${path}: the licence ${licence} is not on the list`);
}

/** Packages that say something else than the lock file does. */
function findOtherLicences(
  locked: readonly Locked[],
  readInstalled: (path: string) => string | undefined,
): readonly string[] {
  return locked.flatMap(({ path, licence }) => {
    const text = readInstalled(path);
    // Those for other platforms are not installed.
    if (text === undefined) return [];
    const installed = licenceIn(toMembers(JSON.parse(text)));
    if (installed === licence) return [];
    return [`${path}: ${String(installed)} is installed, and ${String(licence)} is locked`];
  });
}

test('every dependency has a licence of the list', () => {
  const locked = readLocked(readText('package-lock.json'));

  assert.ok(locked.length > 100);
  assertNone(findUnknownLicences(locked));
});

test('what is installed has the licence that is locked', () => {
  const locked = readLocked(readText('package-lock.json'));

  const findings = findOtherLicences(locked, (path) => {
    const file = join(ROOT, path, 'package.json');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  });

  assertNone(findings);
});

const LOCK_FILE = JSON.stringify({
  packages: {
    '': { license: 'GPL-3.0' },
    'node_modules/ours': { link: true },
    'node_modules/a': { license: 'MIT' },
    'node_modules/b': { license: 'GPL-3.0' },
    'node_modules/c': {},
    'node_modules/d': { license: 'MPL-2.0' },
    'node_modules/e': { license: 'MPL-2.0', dev: true },
    'node_modules/web-push': { license: 'MPL-2.0' },
  },
});

test('a licence that is not on the list is found, and one that is missing, and one for tools alone', () => {
  assert.deepEqual(findUnknownLicences(readLocked(LOCK_FILE)), [
    'node_modules/b: the licence GPL-3.0 is not on the list',
    'node_modules/c: the licence none is not on the list',
    'node_modules/d: the licence MPL-2.0 is not on the list',
  ]);
});

test('a package that says something else than the lock file is found', () => {
  const locked = [{ path: 'node_modules/a', licence: 'MIT', isTool: false }];

  assert.deepEqual(
    findOtherLicences(locked, () => '{"license":"GPL-3.0"}'),
    ['node_modules/a: GPL-3.0 is installed, and MIT is locked'],
  );
});
