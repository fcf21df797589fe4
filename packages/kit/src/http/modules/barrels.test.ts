// What a file that only hands on what others export says of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesIn, readBarrel } from './barrels.ts';

test('names that are handed on lead to their files, types do not', () => {
  const names = readBarrel(
    "/** About. */\nexport { a, b as c, type D } from './one.ts';\nexport type { E } from './two.ts';\n",
  );

  assert.deepEqual(names && Object.fromEntries(names), {
    a: { specifier: './one.ts', name: 'a' },
    c: { specifier: './one.ts', name: 'b' },
  });
});

for (const [what, source] of [
  ['makes something', "export { a } from './one.ts';\nexport const b = 1;"],
  ['hands on all of a file', "export * from './one.ts';"],
  ['imports', "import './one.ts';\nexport { a } from './one.ts';"],
  ['has types alone', "export type { A } from './one.ts';"],
  ['has nothing', ''],
] as const) {
  test(`a file that ${what} is no barrel`, () => {
    assert.equal(readBarrel(source), undefined);
  });
}

test('a list of imports names what is imported and what it is called', () => {
  assert.deepEqual(namesIn(' a, type B,\n  c as d,'), [
    { name: 'a', alias: 'a' },
    { name: 'c', alias: 'd' },
  ]);
});
