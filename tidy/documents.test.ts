// Documents stay in step: links between them lead somewhere, every setting is described and every
// described setting exists, and the version that is published has its entry in the changelog.

import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

import { assertNone, finding, listFiles, readSources, readText } from './repository.ts';
import type { Source } from './repository.ts';
import { nodesOf } from './syntax.ts';

const SETTINGS_CODE = 'services/traceability/src/settings.ts';
const SETTINGS_DOCUMENT = 'docs/operating.md';

/** Names of environment variables, as in `DATA_DIR`. */
const SETTING_NAME = /^[A-Z][A-Z0-9_]{3,}$/;

const MARKDOWN_LINK = /\[[^\]]*\]\(\s*<?([^\s)>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm;

/** Links that lead out of the repository, or to a path of the running service. */
const NOT_RELATIVE = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

function findDeadLinks(documents: readonly Source[], paths: readonly string[]): readonly string[] {
  const known = new Set(paths.flatMap((path) => [path, ...foldersOf(path)]));
  const anchors = new Map(documents.map((source) => [source.path, anchorsOf(source.text)]));

  return documents.flatMap((document) => {
    const text = withoutCode(document.text);
    return [...text.matchAll(MARKDOWN_LINK)].flatMap((match) => {
      const link = match[1] ?? match[2] ?? '';
      if (NOT_RELATIVE.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const target = targetOf(document.path, decodeURIComponent(file));
      if (!known.has(target)) return [finding(document, match.index, `no such file: ${link}`)];
      const isDead = anchor !== undefined && anchors.get(target)?.has(anchor) === false;
      return isDead ? [finding(document, match.index, `no such heading: ${link}`)] : [];
    });
  });
}

/** Settings that the code reads: the names stand in it as texts or as members of the environment. */
function settingsRead(source: Source): readonly string[] {
  const names = [...nodesOf(source)].flatMap((node) => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    return ts.isPropertyAccessExpression(node) ? [node.name.text] : [];
  });
  return sortedUnique(names.filter((name) => SETTING_NAME.test(name)));
}

/** Settings that the document describes: names in the first cell of a table's row. */
function settingsDescribed(text: string): readonly string[] {
  const cells = [...text.matchAll(/^\|([^|\n]*)\|/gm)].map(([, cell]) => cell ?? '');
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  return sortedUnique(names.filter((name) => SETTING_NAME.test(name)));
}

function hasChangelogEntry(changelog: string, version: string): boolean {
  return changelog
    .split('\n')
    .some((line) => /^## /.test(line) && line.split(/[\s[\]()v]+/).includes(version));
}

/** Code in a document shows links, it does not make them; positions stay as they were. */
function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, ' '));
}

function targetOf(from: string, file: string): string {
  if (file === '') return from;
  return posix.join(posix.dirname(from), file).replace(/\/$/, '');
}

function foldersOf(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

/** Anchors that headings get where the documents are read: lower case, words joined by hyphens. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}

function sortedUnique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

test('every relative link in a document leads to a file, and to a heading if it names one', () => {
  const documents = readSources((path) => path.endsWith('.md'));

  const findings = findDeadLinks(documents, listFiles());

  assertNone(findings);
});

test('docs/operating.md describes exactly the settings that the service reads', () => {
  const read = settingsRead({ path: SETTINGS_CODE, text: readText(SETTINGS_CODE) });
  const described = settingsDescribed(readText(SETTINGS_DOCUMENT));

  assert.notDeepEqual(read, []);
  assert.deepEqual(described, read);
});

test('the changelog has an entry for the version in package.json', () => {
  const version = /"version": "([^"]+)"/.exec(readText('package.json'))?.[1] ?? '';

  assert.ok(hasChangelogEntry(readText('CHANGELOG.md'), version), `no entry for ${version}`);
});

test('links to a missing file and to a missing heading are found', () => {
  const text = [
    '# One heading, here',
    '[a](b.md) [b](docs/) [c](docs/c.md#two-words) [d](#one-heading-here)',
    '[e](https://example.org/x.md) [f](/docs) `[g](gone.md)`',
    '[h](gone.md)',
    '[i](docs/c.md#three)',
  ].join('\n');
  const documents = [
    { path: 'a.md', text },
    { path: 'b.md', text: '' },
    { path: 'docs/c.md', text: '## Two words\n' },
  ];

  const findings = findDeadLinks(
    documents,
    documents.map(({ path }) => path),
  );

  assert.deepEqual(findings, [
    'a.md:4: no such file: gone.md',
    'a.md:5: no such heading: docs/c.md#three',
  ]);
});

test('settings are found in code as texts and as members, and in a table by their first cell', () => {
  const code = "const PORT_MAX = 1; read('DATA_DIR'); env.HOST; // 'NO_SUCH'";
  const document = '| setting | default |\n|---|---|\n| `HOST`, `PORT` | `ANY_TEXT` |\n\n`OTHER`\n';

  assert.deepEqual(settingsRead({ path: 'settings.ts', text: code }), ['DATA_DIR', 'HOST']);
  assert.deepEqual(settingsDescribed(document), ['HOST', 'PORT']);
});

test('a changelog entry counts only under a heading with exactly that version', () => {
  assert.ok(hasChangelogEntry('# Changelog\n\n## [0.2.0] - 2026-01-02\n', '0.2.0'));
  assert.ok(hasChangelogEntry('## 0.2.0 (2026-01-02)\n', '0.2.0'));
  assert.ok(!hasChangelogEntry('## 10.2.0\n\nSince 0.2.0 nothing changed.\n', '0.2.0'));
});
