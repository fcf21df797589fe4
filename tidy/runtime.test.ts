// What touches the process is in one known place: settings.ts reads the environment, and only
// bin/ decides with which code the process ends.

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

import { assertNone, finding, isTest, isTypeScript, readSources } from './repository.ts';
import type { Source } from './repository.ts';
import { walkNodes } from './syntax.ts';

const ENVIRONMENT = 'env';
const ENDINGS = new Set(['exit', 'exitCode', 'abort', 'reallyExit']);

function findEnvironmentReads(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ path }) => basename(path) !== 'settings.ts')
    .flatMap((source) =>
      usesOfProcess(source)
        .filter(({ member }) => member === ENVIRONMENT)
        .map(({ index }) => finding(source, index, 'only settings.ts reads the environment')),
    );
}

function findEndings(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ path }) => !path.split('/').includes('bin'))
    .flatMap((source) =>
      usesOfProcess(source)
        .filter(({ member }) => ENDINGS.has(member))
        .map(({ index, member }) =>
          finding(source, index, `process.${member}: only bin/ ends the process`),
        ),
    );
}

/** Members of the global `process` that are named: by a dot, in brackets, or in an import. */
function usesOfProcess(source: Source): readonly { member: string; index: number }[] {
  return [...walkNodes(source)].flatMap((node) =>
    membersNamed(node).map((member) => ({ member, index: node.getStart() })),
  );
}

function membersNamed(node: ts.Node): readonly string[] {
  if (ts.isPropertyAccessExpression(node) && isProcess(node.expression)) return [node.name.text];
  if (ts.isElementAccessExpression(node) && isProcess(node.expression)) {
    return ts.isStringLiteralLike(node.argumentExpression) ? [node.argumentExpression.text] : [];
  }
  if (ts.isVariableDeclaration(node) && node.initializer && isProcess(node.initializer)) {
    return namesBound(node.name);
  }
  if (
    ts.isImportDeclaration(node) &&
    /^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText())
  ) {
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
  }
  return [];
}

function namesBound(name: ts.BindingName): readonly string[] {
  if (!ts.isObjectBindingPattern(name)) return [];
  return name.elements.map((element) => (element.propertyName ?? element.name).getText());
}

function isProcess(node: ts.Node): boolean {
  return node.getText() === 'process' || node.getText() === 'globalThis.process';
}

const sources = readSources(
  (path) => isTypeScript(path) && !isTest(path) && /^(packages|services|host)\//.test(path),
);

test('only settings.ts reads the environment', () => {
  const findings = findEnvironmentReads(sources);

  assertNone(findings);
});

test('only bin/ ends the process', () => {
  const findings = findEndings(sources);

  assertNone(findings);
});

for (const text of [
  'const port = process.env.PORT;',
  "const port = process['env'];",
  'const { env } = process;',
  "import { env } from 'node:process';",
]) {
  test(`a read of the environment outside settings.ts is found: ${text}`, () => {
    assert.equal(findEnvironmentReads([{ path: 'services/a/src/a.ts', text }]).length, 1);
    assert.deepEqual(findEnvironmentReads([{ path: 'services/a/src/settings.ts', text }]), []);
  });
}

for (const text of [
  'process.exit(1);',
  'process.exitCode = 1;',
  "import { exit } from 'node:process';",
]) {
  test(`an end of the process outside bin/ is found: ${text}`, () => {
    assert.equal(findEndings([{ path: 'services/a/src/a.ts', text }]).length, 1);
    assert.deepEqual(findEndings([{ path: 'services/a/bin/a.ts', text }]), []);
  });
}

test('a comment that speaks of process.env and process.exit is no use of them', () => {
  const source = { path: 'services/a/src/a.ts', text: '// process.env.PORT, process.exit(1)\n' };

  assert.deepEqual([...findEnvironmentReads([source]), ...findEndings([source])], []);
});
