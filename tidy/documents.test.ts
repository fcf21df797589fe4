// Documents stay in step: links between them lead somewhere, every setting is described and every
// described setting exists, and the version that is published has its entry in the changelog.

import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

import { assertNone, finding, listFiles, readSources, readText } from './repository.ts';
import type { Source } from './repository.ts';
import { walkNodes } from './syntax.ts';

/** Where each document's settings are read; the host's are with the hub's. */
/** Of all services alike. */
const SHARED_SETTINGS = 'packages/kit/src/shared-settings.ts';
/** Of whoever lets people in; they are described with the inbox. */
const PEOPLE_SETTINGS = 'packages/people/src/settings.ts';
const MAIL_SETTINGS = 'packages/delivery/src/mail/settings.ts';

const SETTINGS = [
  {
    document: 'docs/operating.md',
    code: [
      SHARED_SETTINGS,
      'packages/witness/src/settings.ts',
      'packages/delivery/src/mail/settings.ts',
      'services/traceability/src/settings.ts',
      'host/src/settings.ts',
    ],
  },
  {
    document: 'docs/notifications/operating.md',
    code: [
      SHARED_SETTINGS,
      PEOPLE_SETTINGS,
      MAIL_SETTINGS,
      'packages/delivery/src/push/settings.ts',
      'services/notifications/src/settings.ts',
    ],
  },
  {
    document: 'docs/people.md',
    code: ['packages/people/src/sign-on/settings.ts'],
  },
] as const;

/** Closed lists of the notification service's errors, and the document that lists the same. */
const ERROR_CODES = [
  'services/notifications/src/errors.ts',
  'packages/kit/src/http/field-problems.ts',
];
const ERROR_TYPES = ['ProblemCode', 'FieldCode'];
const ERROR_DOCUMENT = 'docs/notifications/errors.md';

/** Names of environment variables, as in `DATA_DIR`. */
const SETTING_NAME = /^[A-Z][A-Z0-9_]{3,}$/;

/** Codes of errors, as in `too_long`. */
const ERROR_CODE = /^[a-z]+(?:_[a-z0-9]+)*$/;

const MARKDOWN_LINK = /\[[^\]]*\]\(\s*<?([^\s)>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm;

/** Where a source or a message names a document: `docs/errors.md#fields`, or `docs/errors.md, "Fields"`. */
const CITATION = /\bdocs\/[\w/-]+\.md(?:#([\w-]+)|,\s(?:\/\/ |\* )?"([^"\n]+)")?/g;

/** Documents that are not in the repository, by the words that sources cited them with. */
const NOT_IN_REPOSITORY =
  /\b(?:interface document\b|service page\b|(?<!\/)(?:notifications|traceability|proofs)\.md\b)/g;

/** Links that lead out of the repository, or to a path of the running service. */
const NOT_RELATIVE = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

function findDeadLinks(documents: readonly Source[], paths: readonly string[]): readonly string[] {
  const known = new Set(paths.flatMap((path) => [path, ...listFolders(path)]));
  const anchors = new Map(documents.map((source) => [source.path, listAnchors(source.text)]));

  return documents.flatMap((document) => {
    const text = withoutCode(document.text);
    return [...text.matchAll(MARKDOWN_LINK)].flatMap((match) => {
      const link = match[1] ?? match[2] ?? '';
      if (NOT_RELATIVE.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const target = resolveTarget(document.path, decodeURIComponent(file));
      if (!known.has(target)) return [finding(document, match.index, `no such file: ${link}`)];
      const isDead = anchor !== undefined && anchors.get(target)?.has(anchor) === false;
      return isDead ? [finding(document, match.index, `no such heading: ${link}`)] : [];
    });
  });
}

/** Documents and headings that sources cite and that do not exist. */
function findDeadCitations(
  sources: readonly Source[],
  documents: readonly Source[],
): readonly string[] {
  const anchors = new Map(documents.map(({ path, text }) => [path, listAnchors(text)]));

  return sources.flatMap((source) => [
    ...[...source.text.matchAll(CITATION)].flatMap((match) => {
      const [path] = match[0].split(/[#,]/);
      const anchor = match[1] ?? (match[2] === undefined ? undefined : toAnchor(match[2]));
      const known = anchors.get(path!);
      if (known !== undefined && (anchor === undefined || known.has(anchor))) return [];
      return [finding(source, match.index, `no such document or heading: ${match[0]}`)];
    }),
    ...[...source.text.matchAll(NOT_IN_REPOSITORY)].map((match) =>
      finding(source, match.index, `cites what is not in the repository: ${match[0]}`),
    ),
  ]);
}

/** Settings that the code reads: the names are in it as texts or as members of the environment. */
function settingsRead(source: Source): readonly string[] {
  const names = [...walkNodes(source)].flatMap((node) => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    return ts.isPropertyAccessExpression(node) ? [node.name.text] : [];
  });
  return sortedUnique(names.filter((name) => SETTING_NAME.test(name)));
}

/** Settings that the document describes: names in the first cell of a table's row. */
function settingsDescribed(text: string): readonly string[] {
  return namesInFirstCells(text, SETTING_NAME);
}

/** Every code in unions of texts with these names. */
function codesDeclared(source: Source, types: readonly string[]): readonly string[] {
  const unions = [...walkNodes(source)]
    .filter(ts.isTypeAliasDeclaration)
    .filter(({ name }) => types.includes(name.text));
  const codes = unions.flatMap(({ type }) =>
    ts.isUnionTypeNode(type)
      ? type.types
          .filter(ts.isLiteralTypeNode)
          .map(({ literal }) => (ts.isStringLiteral(literal) ? literal.text : ''))
      : [],
  );
  return sortedUnique(codes);
}

function namesInFirstCells(text: string, form: RegExp): readonly string[] {
  const cells = [...text.matchAll(/^\|([^|\n]*)\|/gm)].map(([, cell]) => cell ?? '');
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  return sortedUnique(names.filter((name) => form.test(name)));
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

function resolveTarget(from: string, file: string): string {
  if (file === '') return from;
  return posix.join(posix.dirname(from), file).replace(/\/$/, '');
}

function listFolders(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? ['.'] : [folder, ...listFolders(folder)];
}

/** Anchors that headings get where the documents are read: lower case, words joined by hyphens. */
function listAnchors(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading]) => heading!);
  return new Set(headings.map(toAnchor));
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function sortedUnique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

test('every relative link in a document leads to a file, and to a heading if it names one', () => {
  const documents = readSources((path) => path.endsWith('.md'));

  const findings = findDeadLinks(documents, listFiles());

  assertNone(findings);
});

test('every document and heading that a source cites is in the repository', () => {
  const sources = readSources(
    (path) => /\.(?:ts|js|py|sql|css|yaml|yml)$/.test(path) && !path.startsWith('tidy/'),
  );
  const documents = readSources((path) => path.endsWith('.md'));

  const findings = findDeadCitations(sources, documents);

  assertNone(findings);
});

for (const { document, code } of SETTINGS) {
  test(`${document} describes exactly the settings that are read`, () => {
    const read = sortedUnique(code.flatMap((path) => settingsRead({ path, text: readText(path) })));
    const described = settingsDescribed(readText(document));

    assert.notDeepEqual(read, []);
    assert.deepEqual(described, read);
  });
}

test(`${ERROR_DOCUMENT} lists exactly the codes that the notification service answers`, () => {
  const sources = ERROR_CODES.map((path) => ({ path, text: readText(path) }));

  const declared = sources.flatMap((source) => codesDeclared(source, ERROR_TYPES)).toSorted();
  const described = namesInFirstCells(readText(ERROR_DOCUMENT), ERROR_CODE);

  assert.notDeepEqual(declared, []);
  assert.deepEqual(described, declared);
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

test('citations of a missing document or heading are found', () => {
  const text = [
    '// docs/a.md#two-words, docs/a.md, "Two words", docs/a.md',
    '// docs/a.md#three',
    '// docs/b.md',
    '// (docs/a.md, "Three")',
    '// (service page, section 5)',
    '// notifications.md, section 1; docs/interface/notifications.md is another',
  ].join('\n');
  const documents = [
    { path: 'docs/a.md', text: '## Two words\n' },
    { path: 'docs/interface/notifications.md', text: '' },
  ];

  const findings = findDeadCitations([{ path: 'a.ts', text }], documents);

  assert.deepEqual(findings, [
    'a.ts:2: no such document or heading: docs/a.md#three',
    'a.ts:3: no such document or heading: docs/b.md',
    'a.ts:4: no such document or heading: docs/a.md, "Three"',
    'a.ts:5: cites what is not in the repository: service page',
    'a.ts:6: cites what is not in the repository: notifications.md',
  ]);
});

test('settings are found in code as texts and as members, and in a table by their first cell', () => {
  const code = "const PORT_MAX = 1; read('DATA_DIR'); env.HOST; // 'NO_SUCH'";
  const document = '| setting | default |\n|---|---|\n| `HOST`, `PORT` | `ANY_TEXT` |\n\n`OTHER`\n';

  assert.deepEqual(settingsRead({ path: 'settings.ts', text: code }), ['DATA_DIR', 'HOST']);
  assert.deepEqual(settingsDescribed(document), ['HOST', 'PORT']);
});

test('codes of errors are found in a union and in the first cells of a table', () => {
  const code = "type A = 'too_long' | 'blank'; type B = 'other'; const x = 'no_code';";
  const document = '| code | when |\n|---|---|\n| `blank` | `not_this` |\n| `too_long` | |\n';

  assert.deepEqual(codesDeclared({ path: 'errors.ts', text: code }, ['A']), ['blank', 'too_long']);
  assert.deepEqual(namesInFirstCells(document, ERROR_CODE), ['blank', 'too_long']);
});

test('a changelog entry counts only under a heading with exactly that version', () => {
  assert.ok(hasChangelogEntry('# Changelog\n\n## [0.2.0] - 2026-01-02\n', '0.2.0'));
  assert.ok(hasChangelogEntry('## 0.2.0 (2026-01-02)\n', '0.2.0'));
  assert.ok(!hasChangelogEntry('## 10.2.0\n\nSince 0.2.0 nothing changed.\n', '0.2.0'));
});
