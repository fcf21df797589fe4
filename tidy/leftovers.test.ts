// What work leaves behind and nobody should find: paths of one machine, hosts of a package registry,
// tests that are switched off, holes in the type checker, notes about how the work was done.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';

import { assertNone, finding, isTypeScript, readSources, readText } from './repository.ts';
import type { Source } from './repository.ts';
import { walkNodes } from './syntax.ts';

/** This file has to name what it looks for. */
const THIS_FILE = 'tidy/leftovers.test.ts';

type Leftover = { readonly what: string; readonly pattern: RegExp };

const LEFTOVERS: readonly Leftover[] = [
  {
    what: 'a path of one machine',
    pattern: /(?<![\w.~:/-])(?:\/(?:root|home|Users)\/[\w.-]|[A-Z]:\\Users\\)/,
  },
  {
    what: 'a host of a package registry',
    pattern: /\bregistry\.[\w-]+\.(?:org|com)\b/i,
  },
];

const TYPE_LEFTOVERS: readonly Leftover[] = [
  { what: 'a line hidden from the type checker', pattern: /@ts-(?:ignore|nocheck|expect-error)/ },
  { what: 'a line hidden from the linter', pattern: /(?:eslint|oxlint)-disable/ },
];

const SWITCHES = new Set(['only', 'skip', 'todo']);

function findLeftovers(
  sources: readonly Source[],
  leftovers: readonly Leftover[],
): readonly string[] {
  return sources
    .filter(({ path }) => path !== THIS_FILE)
    .flatMap((source) =>
      leftovers.flatMap(({ what, pattern }) => {
        const match = pattern.exec(source.text);
        return match === null ? [] : [finding(source, match.index, `${what}: ${match[0]}`)];
      }),
    );
}

/** `test.only(…)`, `t.skip()` and the options `{ skip: … }`: each hides tests or hides behind one. */
function findSwitchedTests(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) =>
    [...walkNodes(source)].flatMap((node) => {
      const name = findSwitch(node);
      if (name === undefined || !SWITCHES.has(name)) return [];
      return [finding(source, node.getStart(), `a test under "${name}"`)];
    }),
  );
}

function findSwitch(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return node.expression.name.text;
  }
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
    return node.name.getText();
  }
  return undefined;
}

function findAny(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) =>
    [...walkNodes(source)]
      .filter(({ kind }) => kind === ts.SyntaxKind.AnyKeyword)
      .map((node) => finding(source, node.getStart(), 'the type "any"')),
  );
}

/** Addresses in a lock file tie an install to the registry of the machine that wrote it. */
function findResolvedAddresses(lockFile: string): readonly string[] {
  return [...lockFile.matchAll(/"resolved": "(\w+:\/\/[^"]*)"/g)].map(
    ([, address]) => `package-lock.json: resolved from ${address}`,
  );
}

test('no file holds a path of one machine or a registry host', () => {
  const sources = readSources(() => true);

  const findings = findLeftovers(sources, LEFTOVERS);

  assertNone(findings);
});

test('nothing is hidden from the type checker or the linter', () => {
  const sources = readSources(isTypeScript);

  const findings = [...findLeftovers(sources, TYPE_LEFTOVERS), ...findAny(sources)];

  assertNone(findings);
});

test('every test runs', () => {
  const sources = readSources((path) => /\.test\.[jt]s$/.test(path));

  const findings = findSwitchedTests(sources);

  assertNone(findings);
});

test('the lock file names no address to install from', () => {
  const findings = findResolvedAddresses(readText('package-lock.json'));

  assertNone(findings);
});

for (const text of [
  'see /root/lothub/a.ts',
  'cd "/home/somebody/lothub"',
  'at file (C:\\Users\\Somebody\\a.ts)',
  'https://registry.example.org/fastify',
]) {
  test(`a leftover is found: ${text}`, () => {
    assert.equal(findLeftovers([{ path: 'a.md', text }], LEFTOVERS).length, 1);
  });
}

test('words that only look like a leftover are left alone', () => {
  const text = 'docs/work/order.md, ./home/a, https://example.org/home/a, /var/lib/lothub, WO/work';

  assert.deepEqual(findLeftovers([{ path: 'a.md', text }], LEFTOVERS), []);
});

for (const text of ['// @ts-ignore\n', '// oxlint-disable-next-line\n']) {
  test(`a line hidden from a check is found: ${text.trim()}`, () => {
    assert.equal(findLeftovers([{ path: 'a.ts', text }], TYPE_LEFTOVERS).length, 1);
  });
}

for (const text of [
  'const a = b as any;',
  'function f(a: any[]) {}',
  'type T = Map<string, any>;',
]) {
  test(`the type any is found: ${text}`, () => {
    assert.equal(findAny([{ path: 'a.ts', text }]).length, 1);
  });
}

test('the word any in a comment or a string is no type', () => {
  const text = "// note: any lot as any other\nconst a = ': any';";

  assert.deepEqual(findAny([{ path: 'a.ts', text }]), []);
});

for (const text of [
  "test.only('a', () => {});",
  "describe.skip('a', () => {});",
  "test('a', (t) => t.todo());",
  "test('a', { skip: !hasPostgres }, () => {});",
]) {
  test(`a switched test is found: ${text}`, () => {
    assert.equal(findSwitchedTests([{ path: 'a.test.ts', text }]).length, 1);
  });
}

test('an address in a lock file is found, a workspace is not', () => {
  const text = '"resolved": "https://example.org/a.tgz", "resolved": "packages/kit"';

  assert.deepEqual(findResolvedAddresses(text), [
    'package-lock.json: resolved from https://example.org/a.tgz',
  ]);
});
