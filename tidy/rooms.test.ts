// docs/rooms.md has a line for each folder of source, and the documents for those who change the code name
// only files that are there.

import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';

import { assertNone, finding, listFiles, readSources, readText } from './repository.ts';
import type { Source } from './repository.ts';

const ROOMS = 'docs/rooms.md';

/** Folders whose folders are rooms; `*` stands for one name. */
const PARENTS = [
  'packages',
  'packages/*/src',
  'services',
  'services/*/src',
  'services/traceability/src/ledger',
  'services/traceability/src/lots',
  'services/traceability/src/recall',
];

/** Folders at the top that hold nothing that is read or run as source. */
const NO_ROOMS = ['packages', 'services'];

const CODE_DOCUMENTS = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ROOMS,
  'docs/write-path.md',
  'docs/how-to.md',
];

/** Long enough for a sentence, too short for a list of files. */
const PURPOSE_LENGTH_MAX = 120;

/** A file as documents name it: from the root, or from the `src` of its package or service. */
const FILE = /`((?:[\w*.{}-]+\/)*[\w.-]+\.(?:ts|js|sql|py))`/g;

/** In the name of a file that stands for any. */
const PLACEHOLDER = /\b(?:NAME|LANGUAGE)\b/;

function listRooms(paths: readonly string[]): readonly string[] {
  const folders = new Set(paths.flatMap(listFolders));
  const top = [...folders].filter((folder) => !folder.includes('/') && !folder.startsWith('.'));
  const inside = [...folders].filter((folder) =>
    PARENTS.some((parent) => {
      const pattern = parent.replaceAll('*', '[^/]+');
      return new RegExp(`^${pattern}/[^/]+$`).test(folder);
    }),
  );
  return [...top.filter((folder) => !NO_ROOMS.includes(folder)), ...inside].toSorted();
}

function listFolders(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [folder, ...listFolders(folder)];
}

/** Rows of the page: the folder and what it is for. */
function readRows(page: string): readonly { readonly folder: string; readonly purpose: string }[] {
  return [...page.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)].map(([, folder, purpose]) => ({
    folder: folder!,
    purpose: purpose!,
  }));
}

/** Files that a document names and that are nowhere. */
function findUnknownFiles(
  documents: readonly Source[],
  paths: readonly string[],
): readonly string[] {
  return documents.flatMap((document) =>
    [...document.text.matchAll(FILE)].flatMap((match) => {
      const name = match[1]!.replace(/^kit\//, 'packages/kit/src/');
      if (PLACEHOLDER.test(name)) return [];
      const isThere = paths.some((path) => path === name || path.endsWith(`/${name}`));
      return isThere ? [] : [finding(document, match.index, `no such file: ${match[1]}`)];
    }),
  );
}

test('each folder of source has a line in docs/rooms.md, and each line a folder', () => {
  const rows = readRows(readText(ROOMS));

  const rooms = listRooms(listFiles());

  assert.ok(rooms.length > 100, `${rooms.length} rooms`);
  assert.deepEqual(rows.map(({ folder }) => folder).toSorted(), rooms);
  const long = rows.filter(({ purpose }) => purpose.length > PURPOSE_LENGTH_MAX || purpose === '');
  assert.deepEqual(long, []);
});

test('documents for those who change the code name files that are there', () => {
  const documents = readSources((path) => CODE_DOCUMENTS.includes(path));

  const findings = findUnknownFiles(documents, listFiles());

  assert.equal(documents.length, CODE_DOCUMENTS.length);
  assertNone(findings);
});

test('a folder without a line, and a file that is nowhere, are found', () => {
  const paths = ['packages/a/src/b/c.ts', 'services/d/src/e/f.ts', 'packages/kit/src/g.ts'];

  const findings = findUnknownFiles(
    [{ path: 'x.md', text: '`e/f.ts` `kit/g.ts`\n`e/c.ts` `kit/b/c.ts`' }],
    paths,
  );

  assert.deepEqual(listRooms(paths), [
    'packages/a',
    'packages/a/src/b',
    'packages/kit',
    'services/d',
    'services/d/src/e',
  ]);
  assert.deepEqual(findings, ['x.md:2: no such file: e/c.ts', 'x.md:2: no such file: kit/b/c.ts']);
});
