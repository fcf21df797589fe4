// The repository as the tidy tests see it: paths from its root and the text of each file. A rule is
// a function from such files to findings, so that its own test can hand it a bad file as a string.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file: its path from the root, with "/" on every system, and its text. */
export type Source = { readonly path: string; readonly text: string };

export const ROOT = dirname(import.meta.dirname);

/** What is not ours or not kept: installed, generated, or stored by a running service. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'data', 'bench/results']);

/** A NUL within so many characters marks a file as binary; git looks as far. */
const BINARY_PROBE_LENGTH = 8000;

const FILES = list('');

/** Paths of all files, sorted. */
export function listFiles(): readonly string[] {
  return FILES;
}

/** All text files whose path is wanted. */
export function readSources(isWanted: (path: string) => boolean): readonly Source[] {
  return FILES.filter(isWanted)
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ text }) => !text.slice(0, BINARY_PROBE_LENGTH).includes('\0'));
}

/** The text of one file; throws when it is missing, naming it. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function isTypeScript(path: string): boolean {
  return path.endsWith('.ts');
}

/** Tests, and what only tests use. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.split('/').includes('test') || path.startsWith('tidy/');
}

/** The number of the line, counted from 1, that holds the character at this index. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Findings read as compilers print them, so that editors can jump to the place. */
export function finding({ path, text }: Source, index: number, message: string): string {
  return `${path}:${lineAt(text, index)}: ${message}`;
}

/** Fails with one line for each finding. */
export function assertNone(findings: readonly string[]): void {
  assert.equal(findings.length, 0, `\n${findings.join('\n')}\n`);
}

function list(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
    .filter(({ entry, path }) => !LEFT_OUT.has(path) && entry.name !== 'node_modules')
    .flatMap(({ entry, path }) => {
      if (entry.isDirectory()) return list(path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}
