// TypeScript on its way to browsers: without types, under hashed addresses that hang together.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readBrowserModules } from './browser-modules.ts';

const folder = mkdtempSync(join(tmpdir(), 'lothub-modules-'));

after(() => rmSync(folder, { recursive: true }));

function read(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readBrowserModules({
    prefix: '/assets',
    entries: { 'entry.ts': new URL('entry.ts', pathToFileURL(`${folder}/`)) },
    packages: { '@example/shared': pathToFileURL(join(folder, 'shared.ts')).href },
  });
}

test('types are taken off, and imports lead to the hashed addresses', () => {
  const modules = read({
    'entry.ts':
      "import type { A } from './types.ts';\nimport {\n  one,\n} from './one.ts';\nexport const a: A = one;",
    'one.ts': 'export const one: number = 1;',
  });

  const entry = modules.get('entry.ts');
  const [one] = [...modules.values()].filter(({ path }) => path.includes('/one.'));
  assert.match(one?.text ?? '', /export const one\s+= 1;/);
  assert.ok(entry?.text.includes(`from '${one?.path}'`));
  assert.equal(entry?.text.includes('types.ts'), false);
});

test('a change below changes the address of everything above it', () => {
  const entry = "export { one } from './one.ts';";

  const before = read({ 'entry.ts': entry, 'one.ts': 'export const one = 1;' });
  const changed = read({ 'entry.ts': entry, 'one.ts': 'export const one = 2;' });

  assert.notEqual(before.get('entry.ts')?.path, changed.get('entry.ts')?.path);
});

test('a module of a package is served when the caller says where it is', () => {
  const modules = read({
    'entry.ts': "export { two } from '@example/shared';",
    'shared.ts': 'export const two: number = 2;',
  });

  const [shared] = [...modules.values()].filter(({ path }) => path.includes('/shared.'));
  assert.ok(modules.get('entry.ts')?.text.includes(`from '${shared?.path}'`));
});

test('what browsers cannot have is refused by name, and a ring too', () => {
  const withNode = { 'entry.ts': "import { readFileSync } from 'node:fs';\nreadFileSync('a');" };
  const ring = {
    'entry.ts': "import { b } from './b.ts';\nexport const a = b;",
    'b.ts': "import { a } from './entry.ts';\nexport const b = a;",
  };

  assert.throws(() => read(withNode), /imports node:fs, which browsers cannot load/);
  assert.throws(() => read(ring), /imports itself through other modules/);
});
