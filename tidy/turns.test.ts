// Long work gives turns of the event loop in one way: through the room of kit that is for it. A promise of
// the next turn made elsewhere is a second way. Callbacks in the next turn are something else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';

import { assertNone, finding, isTest, isTypeScript, readSources } from './repository.ts';
import type { Source } from './repository.ts';
import { walkNodes } from './syntax.ts';

const ROOM = 'packages/kit/src/in-turns.ts';
const TIMERS = /^(node:)?timers\/promises$/;
/** What is for waiting and gives no turns; others in that module do. */
const WAITING = new Set(['setTimeout', 'setInterval']);

function findTurns(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ path }) => path !== ROOM)
    .flatMap((source) =>
      [...walkNodes(source)]
        .filter(givesTurns)
        .map((node) => finding(source, node.getStart(), `only ${ROOM} gives turns`)),
    );
}

/** An import that brings more than waiting: by name, as a whole, or while the program runs. */
function givesTurns(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) && isTimers(node.moduleSpecifier)) {
    const clause = node.importClause;
    const bindings = clause?.namedBindings;
    if (clause?.name !== undefined || bindings === undefined) return true;
    if (ts.isNamespaceImport(bindings)) return true;
    return bindings.elements.some(
      ({ propertyName, name }) => !WAITING.has((propertyName ?? name).text),
    );
  }
  if (ts.isExportDeclaration(node)) return isTimers(node.moduleSpecifier);
  return (
    ts.isCallExpression(node) &&
    node.expression.kind === ts.SyntaxKind.ImportKeyword &&
    isTimers(node.arguments[0])
  );
}

function isTimers(specifier: ts.Node | undefined): boolean {
  return (
    specifier !== undefined && ts.isStringLiteralLike(specifier) && TIMERS.test(specifier.text)
  );
}

test('long work gives turns through the room that is for it', () => {
  const sources = readSources(
    (path) => isTypeScript(path) && !isTest(path) && /^(packages|services|host)\//.test(path),
  );

  const findings = findTurns(sources);

  assertNone(findings);
});

for (const text of [
  "import { setImmediate } from 'node:timers/promises';",
  "import { setImmediate as turn } from 'timers/promises';",
  "import { setTimeout as sleep, setImmediate } from 'node:timers/promises';",
  "import { scheduler } from 'node:timers/promises';",
  "import * as timers from 'node:timers/promises';",
  "import timers from 'node:timers/promises';",
  "export { setImmediate } from 'node:timers/promises';",
  "const { setImmediate } = await import('node:timers/promises');",
]) {
  test(`turns that are given elsewhere are found: ${text}`, () => {
    assert.equal(findTurns([{ path: 'services/a/src/a.ts', text }]).length, 1);
    assert.deepEqual(findTurns([{ path: ROOM, text }]), []);
  });
}

test('waiting, and a callback in the next turn, are left alone', () => {
  const text = [
    "import { setTimeout as sleep } from 'node:timers/promises';",
    "import type { TimerOptions } from 'node:timers';",
    'setImmediate(() => flush());',
  ].join('\n');

  assert.deepEqual(findTurns([{ path: 'services/a/src/a.ts', text }]), []);
});
