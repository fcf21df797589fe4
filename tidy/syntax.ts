// Reads a TypeScript file with the compiler's parser, so that the rules look at code and never at
// words in a comment or a string.

import { posix } from 'node:path';
import ts from 'typescript';

import type { Source } from './repository.ts';

/** One import, of any form: the file that asks, what it names, and where that leads. */
export type Edge = {
  readonly from: string;
  /** A path from the root for our own files, else "npm:NAME" or "node:NAME". */
  readonly to: string;
  /** As written. */
  readonly specifier: string;
  /** What is named is started or read, not loaded: a worker, a stylesheet. */
  readonly isAddress: boolean;
  /** Index into the text of the asking file. */
  readonly index: number;
};

/** A name that a file gives to something. */
export type Declaration = {
  readonly name: string;
  readonly isFunction: boolean;
  readonly index: number;
};

/** Our packages are imported by name: folder and file of what `exports` in package.json offers. */
const OWN_SCOPE = '@lothub/';
const PACKAGES = new Set([
  ...['chain', 'design', 'kit', 'languages', 'note-key', 'people', 'verify'],
  ...['delivery', 'witness'],
]);
const HOST = 'host';

/** Every node of the file, parents before children. */
export function* walkNodes({ path, text }: Source): Generator<ts.Node> {
  const pending: ts.Node[] = [ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    pending.push(...children.reverse());
  }
}

/** What a scan for imports does not find, or takes for one: then all nodes are looked at. */
const MORE_THAN_IMPORTS = /\bnew URL\(|\bimport\(|\bdeclare module\b/;

/** Imports and re-exports, static, dynamic and as the address of a worker or a file. */
export function listEdges(source: Source): readonly Edge[] {
  return MORE_THAN_IMPORTS.test(source.text) ? edgesOfNodes(source) : edgesOfImports(source);
}

/** The compiler's scan for imports takes a fifth of the time of its parser. */
function edgesOfImports({ path, text }: Source): readonly Edge[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName: specifier, pos }) => ({
    from: path,
    to: resolve(path, specifier),
    specifier,
    isAddress: false,
    index: pos,
  }));
}

function edgesOfNodes(source: Source): readonly Edge[] {
  const edges: Edge[] = [];
  for (const node of walkNodes(source)) {
    const literal = findSpecifier(node);
    if (literal === undefined) continue;
    const specifier = literal.text;
    edges.push({
      from: source.path,
      to: resolve(source.path, specifier),
      specifier,
      isAddress: ts.isNewExpression(node),
      index: literal.getStart(),
    });
  }
  return edges;
}

/** Names of functions, methods, variables, classes and types that the file declares. */
export function listDeclarations(source: Source): readonly Declaration[] {
  const declarations: Declaration[] = [];
  for (const node of walkNodes(source)) {
    if (!isNamedDeclaration(node) || node.name === undefined || !ts.isIdentifier(node.name))
      continue;
    declarations.push({
      name: node.name.text,
      isFunction: isFunctionLike(node),
      index: node.name.getStart(),
    });
  }
  return declarations;
}

function findSpecifier(node: ts.Node): ts.StringLiteralLike | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return asText(node.moduleSpecifier);
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return asText(node.arguments[0]);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return asText(node.argument.literal);
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'URL') {
    const [target, base] = node.arguments ?? [];
    return base?.getText() === 'import.meta.url' ? asText(target) : undefined;
  }
  return undefined;
}

function asText(node: ts.Node | undefined): ts.StringLiteralLike | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node : undefined;
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  if (specifier.startsWith('node:')) return specifier;
  if (!specifier.startsWith(OWN_SCOPE)) return `npm:${specifier}`;

  const [name = '', ...rest] = specifier.slice(OWN_SCOPE.length).split('/');
  const file = `src/${rest.length === 0 ? 'index' : rest.join('/')}.ts`;
  if (name === HOST) return `${HOST}/${file}`;
  return `${PACKAGES.has(name) ? 'packages' : 'services'}/${name}/${file}`;
}

type NamedDeclaration =
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.VariableDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration;

function isNamedDeclaration(node: ts.Node): node is NamedDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function isFunctionLike(node: NamedDeclaration): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return true;
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return false;
  return ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer);
}
