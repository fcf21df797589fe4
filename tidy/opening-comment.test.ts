// Every file says at its top what it is for, so that a reader need not work it out from the code.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, isTypeScript, readSources, type Source } from './repository.ts';

const FOLDERS = ['packages/', 'services/', 'host/', 'bench/', 'tidy/', 'scripts/'];

/** Fewer words than this say a name again, not a purpose. */
const WORDS_MIN = 4;

const OPENING = /^(?:#![^\n]*\n)?\s*(?:\/\*([\s\S]*?)\*\/|((?:\/\/[^\n]*\n\s*)+))/;

function findUnexplained(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ text }) => {
      const match = OPENING.exec(text);
      const words = (match?.[1] ?? match?.[2] ?? '').match(/\p{L}{2,}/gu) ?? [];
      return words.length < WORDS_MIN;
    })
    .map(({ path }) => `${path}:1: does not start with a comment that says what the file is for`);
}

test('every source file opens with a comment that says what it is for', () => {
  const sources = readSources(
    (path) =>
      FOLDERS.some((folder) => path.startsWith(folder)) &&
      (isTypeScript(path) || path.endsWith('.js')),
  );

  const findings = findUnexplained(sources);

  assertNone(findings);
});

test('a file that opens with code, with a bare label or with nothing is found', () => {
  const findings = findUnexplained([
    { path: 'code.ts', text: 'export const a = 1; // what this file is really for\n' },
    { path: 'label.ts', text: '// server.ts\nexport {};\n' },
    { path: 'empty.ts', text: '' },
    { path: 'block.ts', text: '/** Seals drafts into blocks of the chain. */\nexport {};\n' },
    { path: 'lines.ts', text: '// Seals drafts into\n// blocks of the chain.\nexport {};\n' },
    { path: 'bin.ts', text: '#!/usr/bin/env node\n// Starts the command line of the hub.\n' },
  ]);

  assert.deepEqual(
    findings.map((text) => text.split(':')[0]),
    ['code.ts', 'label.ts', 'empty.ts'],
  );
});
