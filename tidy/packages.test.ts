// What is installed is pinned, needs no install script, and is the same in package.json, in the
// scripts that look for it and in the image.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, listFiles, readText } from './repository.ts';

/** The fields of a package.json that pin versions; absent ones are empty. */
type Pins = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** `npm:NAME@VERSION` installs a package under another name. */
const EXACT = /^(?:npm:[\w@/.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

function findLoosePins(path: string, text: string): readonly string[] {
  const { dependencies, devDependencies, optionalDependencies } = readPins(text);
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${path}: ${name} is not pinned: ${version}`);
}

/** Names of locked packages that would run a script when they are installed. */
function findInstallScripts(lockFile: string): readonly string[] {
  const packages = toMembers(toMembers(JSON.parse(lockFile)).packages);
  return Object.entries(packages)
    .filter(([, entry]) => toMembers(entry).hasInstallScript === true)
    .map(([path]) => `${path} needs an install script`);
}

/** Package files that `npm ci` reads but an image's early layer lacks. */
function findUncopied(dockerfile: string, packageFiles: readonly string[]): readonly string[] {
  const copied = [...dockerfile.matchAll(/^COPY (.+)$/gm)].flatMap(([, args]) =>
    args!.split(/\s+/),
  );
  return packageFiles
    .filter((path) => !copied.includes(path))
    .map((path) => `Dockerfile: ${path} is not copied before npm ci`);
}

/** npm scripts of ours that would run under a shell, which swallows the signals meant for them. */
function findShelled(text: string): readonly string[] {
  return Object.entries(toMembers(toMembers(JSON.parse(text)).scripts))
    .filter(([, command]) => /^(?!exec )[^&|;]*\bscripts\//.test(String(command)))
    .map(([name]) => `package.json: the script ${name} does not start with "exec"`);
}

function readPins(text: string): Pins {
  const fields = toMembers(JSON.parse(text));
  return {
    dependencies: toVersions(fields.dependencies),
    devDependencies: toVersions(fields.devDependencies),
    optionalDependencies: toVersions(fields.optionalDependencies),
  };
}

function toVersions(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(toMembers(value)).map(([name, version]) => [name, String(version)]),
  );
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

const packageFiles = listFiles().filter((path) =>
  /^((packages|services)\/[^/]+\/|host\/)?package\.json$/.test(path),
);

test('every dependency is pinned to one exact version', () => {
  const findings = packageFiles.flatMap((path) => findLoosePins(path, readText(path)));

  assertNone(findings);
});

test('no dependency needs an install script', () => {
  const findings = findInstallScripts(readText('package-lock.json'));

  assertNone(findings);
});

test('the pinned Node is one version for all platforms, and the scripts look for each of them', () => {
  const pins = readPins(readText('package.json')).optionalDependencies;
  const script = readText('scripts/pinned-node.js');
  const names = [...script.matchAll(/'(node-[a-z0-9-]+)'/g)].map(([, name]) => name!);
  const majorMin = /NODE_MAJOR_MIN = (\d+)/.exec(script)?.[1];

  const versions = new Set(Object.values(pins));

  assert.equal(versions.size, 1);
  assert.deepEqual(names.sort(), Object.keys(pins).sort());
  assert.equal([...versions][0]?.split('.')[0], majorMin);
});

test('the image installs from the same package files as a clone', () => {
  const findings = findUncopied(readText('Dockerfile'), packageFiles);

  assertNone(findings);
});

test('no shell is between npm and our scripts', () => {
  const findings = findShelled(readText('package.json'));

  assertNone(findings);
});

test('a version range and a tag are found', () => {
  const text =
    '{"dependencies":{"a":"1.2.3","b":"^1.2.3"},"devDependencies":{"c":"latest","d":"npm:e@1.2.3","f":"npm:e@^1.2.3"}}';

  assert.deepEqual(findLoosePins('package.json', text), [
    'package.json: b is not pinned: ^1.2.3',
    'package.json: c is not pinned: latest',
    'package.json: f is not pinned: npm:e@^1.2.3',
  ]);
});

test('a locked package with an install script is found', () => {
  const text = '{"packages":{"node_modules/a":{"hasInstallScript":true},"node_modules/b":{}}}';

  assert.deepEqual(findInstallScripts(text), ['node_modules/a needs an install script']);
});

test('a package file that the image forgets is found', () => {
  const dockerfile = 'FROM a\nCOPY package.json package-lock.json ./\nRUN npm ci\n';

  assert.deepEqual(findUncopied(dockerfile, ['package.json', 'packages/kit/package.json']), [
    'Dockerfile: packages/kit/package.json is not copied before npm ci',
  ]);
});

test('an npm script that keeps its shell is found', () => {
  const text = '{"scripts":{"a":"node scripts/a.js","b":"exec node scripts/b.js","c":"oxlint"}}';

  assert.deepEqual(findShelled(text), ['package.json: the script a does not start with "exec"']);
});
