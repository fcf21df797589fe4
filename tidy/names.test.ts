// Names that say nothing are refused: a reader should learn from a name what the thing does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';

import { assertNone, finding, isTest, isTypeScript, listFiles, readSources } from './repository.ts';
import type { Source } from './repository.ts';
import { listDeclarations, walkNodes } from './syntax.ts';

/** Words that may be no part of a file's or folder's name. */
const EMPTY_IN_PATHS = new Set([
  ...['util', 'utils', 'utility', 'utilities', 'helper', 'helpers'],
  ...['manager', 'managers', 'misc', 'common', 'handler', 'handlers'],
]);

/** Words that may be part of a name, but not all of it. */
const EMPTY_ALONE = new Set(['data', 'info', 'process', 'handle', 'stuff', 'shared']);

/** Words that may be no part of a declared name. (`manager` may: it is a role of people.) */
const EMPTY_IN_NAMES = new Set(['util', 'utils', 'helper', 'helpers', 'misc']);

/** Verbs that a function may not start with: they name no action. */
const EMPTY_VERBS = new Set(['handle', 'process']);

/**
 * Exported functions that are named as nouns, `pathOf`, in each package: a function is named by a verb, `findPath`.
 * A number is never raised. It is lowered when fewer are left.
 */
const NOUN_FUNCTIONS: Readonly<Record<string, number>> = {
  'packages/verify': 2,
};

/** A name such as `pathOf`. */
const NOUN_NAME = /^[a-z]\w*Of$/;

/** Other files need not be parsed. */
const MAY_NAME_PARAMETERS = /@param|[({,]\s*of\b/;
const MAY_EXPORT_NOUNS = /^\s*export .*\b[a-z]\w*Of\b/m;

function findEmptyPaths(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) =>
      path.split('/').some((part) => {
        const [stem = '', ...endings] = part.toLowerCase().split('.').filter(Boolean);
        const words = [stem, ...endings].flatMap((text) => text.split(/[-_]/));
        return EMPTY_ALONE.has(stem) || words.some((word) => EMPTY_IN_PATHS.has(word));
      }),
    )
    .map((path) => `${path}: a name that says nothing`);
}

function findEmptyNames(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) =>
    listDeclarations(source)
      .filter(({ name, isFunction }) => {
        const words = splitWords(name);
        return (
          words.some((word) => EMPTY_IN_NAMES.has(word)) ||
          (isFunction && EMPTY_VERBS.has(words[0] ?? ''))
        );
      })
      .map(({ name, index }) => finding(source, index, `${name}: a name that says nothing`)),
  );
}

/** Words of a camelCase, PascalCase or UPPER_CASE name, in lower case. */
function splitWords(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
    .filter(Boolean);
}

/** What `@param` names without that the function under it has it, and parameters that are called `of`. */
function findWrongParameters(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ text }) => MAY_NAME_PARAMETERS.test(text))
    .flatMap((source) =>
      [...walkNodes(source)].flatMap((node) => {
        if (ts.isParameter(node) && namesBoundBy(node.name).includes('of'))
          return [finding(source, node.getStart(), 'a parameter called of')];
        const known = new Set(parametersUnder(node)?.flatMap(namesOfParameter));
        return ts
          .getJSDocTags(node)
          .filter(ts.isJSDocParameterTag)
          .filter((tag) => tag.parent.parent === node)
          .map((tag) => ({ tag, name: tag.name.getText() }))
          .filter(({ name }) => !known.has(name.split('.')[0] ?? ''))
          .map(({ tag, name }) => finding(source, tag.pos, `no parameter is called ${name}`));
      }),
    );
}

/** Parameters of the function that is documented at the node: its own, or its value's, or its type's. */
function parametersUnder(node: ts.Node): readonly ts.ParameterDeclaration[] | undefined {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap((one) => parametersUnder(one) ?? []);
  }
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
    return [node.initializer, node.type].flatMap((one) => (one && parametersUnder(one)) ?? []);
  }
  if (ts.isPropertySignature(node) || ts.isTypeAliasDeclaration(node)) {
    return node.type && parametersUnder(node.type);
  }
  if (ts.isPropertyAssignment(node)) return parametersUnder(node.initializer);
  if (ts.isParenthesizedTypeNode(node)) return parametersUnder(node.type);
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((one) => parametersUnder(one) ?? []);
  if (ts.isFunctionLike(node)) return node.parameters.filter((one) => ts.isParameter(one));
  return undefined;
}

/** The name of a parameter; of one that is taken apart, the names of its members. */
function namesOfParameter({ name, type }: ts.ParameterDeclaration): readonly string[] {
  return [...namesTakenBy(name), ...(type === undefined ? [] : namesOfMembers(type))];
}

/** Members that the pattern takes out of its value, under the names that they have there. */
function namesTakenBy(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : [(element.propertyName ?? element.name).getText()],
  );
}

function namesBoundBy(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : namesBoundBy(element.name),
  );
}

function namesOfMembers(type: ts.TypeNode): readonly string[] {
  if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) {
    return type.types.flatMap(namesOfMembers);
  }
  if (!ts.isTypeLiteralNode(type)) return [];
  return type.members.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]));
}

/** How many exported functions each package has whose names are nouns. */
function countNounFunctions(sources: readonly Source[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const source of sources) {
    const [home = '', name = ''] = source.path.split('/');
    const place = home === 'host' ? home : `${home}/${name}`;
    if (!MAY_EXPORT_NOUNS.test(source.text)) continue;
    const count = [...walkNodes(source)].filter(isExportedNounFunction).length;
    if (count > 0) counts.set(place, (counts.get(place) ?? 0) + count);
  }
  return Object.fromEntries([...counts].sort());
}

function isExportedNounFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node)) return isExported(node) && isNoun(node.name);
  if (!ts.isVariableStatement(node) || !isExported(node)) return false;
  return node.declarationList.declarations.some(
    ({ name, initializer }) =>
      isNoun(name) && initializer !== undefined && ts.isFunctionLike(initializer),
  );
}

function isExported({ modifiers }: ts.FunctionDeclaration | ts.VariableStatement): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function isNoun(name: ts.Node | undefined): boolean {
  return name !== undefined && NOUN_NAME.test(name.getText());
}

test('no file or folder has a name that says nothing', () => {
  const findings = findEmptyPaths(listFiles());

  assertNone(findings);
});

test('nothing declared has a name that says nothing', () => {
  const findings = findEmptyNames(readSources(isTypeScript));

  assertNone(findings);
});

test('file and folder names that say nothing are found', () => {
  const bad = ['src/utils/a.ts', 'src/date-helpers.ts', 'src/common.ts', 'src/data.ts'];

  const findings = findEmptyPaths([...bad, 'src/child-process.ts', 'src/chain-info.ts']);

  assert.deepEqual(
    findings.map((text) => text.split(':')[0]),
    bad,
  );
});

test('declared names that say nothing are found, whatever declares them', () => {
  const bad = [
    'function handleRequest() {}',
    'const processRow = () => {};',
    'class Reader { handle() {} }',
    'const dateUtils = {};',
    'type MiscOptions = {};',
    'interface TestHelper {}',
  ];

  const findings = bad.map((text) => findEmptyNames([{ path: 'a.ts', text }]).length);

  assert.deepEqual(
    findings,
    bad.map(() => 1),
  );
});

test('names that contain such a word by chance are left alone', () => {
  const text = 'const processingMs = 1; function commonAncestors() {} const handle = open();';

  const findings = findEmptyNames([{ path: 'a.ts', text }]);

  assert.deepEqual(findings, []);
});

test('every @param names a parameter, and no parameter is called of', () => {
  const findings = findWrongParameters(readSources(isTypeScript));

  assertNone(findings);
});

test('no package gets more exported functions that are named as nouns', () => {
  const counts = countNounFunctions(
    readSources((path) => isTypeScript(path) && path.includes('/src/') && !isTest(path)),
  );

  assert.deepEqual(
    counts,
    NOUN_FUNCTIONS,
    'name functions by verbs; lower a number, never raise it',
  );
});

test('a @param without its parameter is found, whatever it documents', () => {
  const bad = [
    '/** @param b here */ function f(a: string) {}',
    '/** @param of here */ export function f({ a }: { readonly a: string }) {}',
    '/** @param options.a here */ const f = ({ a }: Options) => a;',
    'class Reader {\n/** @param b here */ read(a: string) {} }',
    'interface Reader {\n/** @param b here */ read(a: string): void }',
    'interface Reader {\n/** @param b here */ readonly read: (a: string) => void }',
    '/** @param a here */ const f = 1;',
    'function f(of: string) {}',
    'const f = ({ of }: Options) => of;',
  ];

  const findings = bad.map((text) => findWrongParameters([{ path: 'a.ts', text }]).length);

  assert.deepEqual(
    findings,
    bad.map(() => 1),
  );
});

test('a @param of a parameter, or of a member of one, is left alone', () => {
  const text = `
    /** @param a here @param b.c there */ function f(a: string, b: Options) {}
    /** @param a here @param d there */ function g({ a: b, ...rest }: { a: string; d: string }) {}
    interface Reader {
      /** @param a here */
      readonly read: ((a: string) => void) | undefined;
    }
    const h = ({ of: total }: Check) => total;`;

  const findings = findWrongParameters([{ path: 'a.ts', text }]);

  assert.deepEqual(findings, []);
});

test('exported functions that are named as nouns are counted, others are not', () => {
  const text = `
    export function pathOf(a: string) {}
    export const nameOf = (a: string) => a;
    function hiddenOf() {}
    export const listOf = [];
    export function findPath() {}`;

  const counts = countNounFunctions([
    { path: 'packages/kit/src/a.ts', text },
    { path: 'packages/chain/src/a.ts', text: 'export function find() {}' },
    { path: 'host/src/a.ts', text },
  ]);

  assert.deepEqual(counts, { host: 2, 'packages/kit': 2 });
});
