// The stylesheets of all services: colours and lengths come from the tokens, and nothing depends on the
// direction of writing.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readStylesheet } from './stylesheet.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FILES = globSync(['packages/design/src/css/*.css', 'services/*/src/web/**/*.css'], {
  cwd: ROOT,
}).map((file) => ({ file: relative('.', file), css: readFileSync(`${ROOT}/${file}`, 'utf8') }));

const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab|lab|lch)a?\(/gi;
/** Sides by the screen, not by the line of writing. */
const SIDED =
  /\b(?:margin|padding|border)-(?:left|right)\b|^\s*(?:left|right):|text-align: (?:left|right)|float: (?:left|right)/gim;

test('the stylesheets of the package and of both services are found', () => {
  const names = FILES.map(({ file }) => file);

  assert.ok(names.includes('packages/design/src/css/tokens.css'), names.join());
  assert.ok(names.some((name) => name.startsWith('services/traceability/')));
  assert.ok(names.some((name) => name.startsWith('services/notifications/')));
});

for (const { file, css } of FILES) {
  const rules = css.replace(/\/\*[^]*?\*\//g, '');

  if (basename(file) !== 'tokens.css') {
    test(`no colour is written in ${file}`, () => {
      assert.deepEqual(rules.match(COLOUR), null);
    });
  }

  test(`${file} holds for both directions of writing`, () => {
    assert.deepEqual(rules.match(SIDED), null);
  });
}

test('every token that a rule uses is given a value', () => {
  const all = FILES.map(({ css }) => css).join('\n');
  const used = new Set([...all.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const given = new Set([...all.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name));

  assert.deepEqual([...used.difference(given)], []);
});

test('a stylesheet has the shared parts first, then those of the service, then those for paper', () => {
  const own = new URL('css/controls.css', import.meta.url);

  const { text, path, mediaType } = readStylesheet('/assets', [own]);

  assert.match(path, /^\/assets\/stylesheet\.[0-9a-f]{16}\.css$/);
  assert.equal(mediaType, 'text/css; charset=utf-8');
  const places = [':root {', '.milestones', '.field-error'].map((part) => text.lastIndexOf(part));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
  assert.ok(text.lastIndexOf('@media print') > text.lastIndexOf('.field-error'));
  assert.doesNotMatch(text, /\/\*/);
});
