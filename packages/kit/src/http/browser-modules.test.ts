// TypeScript on its way to browsers: without types, under hashed addresses that hang together.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readBrowserModules, readFlatModule } from './browser-modules.ts';

const folder = mkdtempSync(join(tmpdir(), 'lothub-modules-'));

after(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function read(files: Readonly<Record<string, string>>) {
  write(files);
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
  assert.match(one?.text ?? '', /export const one=1;/);
  assert.ok(entry?.text.includes(`from'${one?.path}'`));
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
  assert.ok(modules.get('entry.ts')?.text.includes(`from'${shared?.path}'`));
});

test('a file that only hands on others is not loaded, nor what nobody asks it for', () => {
  const files = {
    'entry.ts':
      "import { b as two, type C } from '@example/shared';\nexport { a } from './shared.ts';\nexport const c: C = two;",
    'shared.ts': "export { a } from './one.ts';\nexport { two as b, type C } from './two.ts';",
    'one.ts': 'export const a = 1;',
    'two.ts': 'export type C = number;\nexport const two = 2;',
    'three.ts': 'export const three = 3;',
  };

  const modules = read(files);

  const stems = [...modules.values()].map(({ path }) => /\/assets\/(\w+)\./.exec(path)?.[1]);
  assert.deepEqual([...new Set(stems)].sort(), ['entry', 'one', 'two']);
  const { text } = modules.get('entry.ts')!;
  assert.match(
    text,
    /^import\{two as two\}from'\/assets\/two\.|^import\{two\}from'\/assets\/two\./,
  );
  assert.match(text, /export\{a\}from'\/assets\/one\./);
  const without = { ...files, 'entry.ts': "import { x } from './shared.ts';" };
  assert.throws(() => read(without), /shared\.ts exports no x/);
});

test('one file has an entry with all that it imports, each once and none that nobody imports', async () => {
  write({
    'entry.ts':
      "import { b as two } from '@example/shared';\nimport { one } from './one.ts';\nexport const sum: number = one + two;\nexport const other = 0;",
    'shared.ts': "export { two as b } from './two.ts';\nexport { three } from './three.ts';",
    'one.ts': "import { count } from './count.ts';\nexport const one = count();",
    'two.ts': "import { count } from './count.ts';\nexport const two = count() * 10;",
    'three.ts': "throw new Error('nobody imports it');",
    'count.ts': 'let counted = 0;\nexport function count(): number {\n  return (counted += 1);\n}',
  });

  const flat = readFlatModule({
    prefix: '/assets',
    entry: new URL('entry.ts', pathToFileURL(`${folder}/`)),
    exported: ['sum'],
    packages: { '@example/shared': pathToFileURL(join(folder, 'shared.ts')).href },
  });

  assert.match(flat.path, /^\/assets\/entry\.[0-9a-f]{16}\.js$/);
  assert.doesNotMatch(flat.text, /import|nobody/);
  const address = `data:text/javascript,${encodeURIComponent(flat.text)}`;
  const exported = (await import(address)) as Readonly<Record<string, unknown>>;
  // `two` is counted first, for it is imported first.
  assert.deepEqual({ ...exported }, { sum: 2 + 10 });
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
