// What is left of a module does what it did: the same tokens, in the same order, parted where they have to be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, type Token } from 'acorn';
import { compactModule } from './compact.ts';

/** Each with its kind: a slash of a division is another one than that of a regular expression. */
function listTokens(source: string): readonly (readonly [string, string])[] {
  const tokens: Token[] = [];
  parse(source, { ecmaVersion: 'latest', sourceType: 'module', onToken: tokens });
  return tokens.map(({ type, start, end }) => [type.label, source.slice(start, end)]);
}

for (const [what, source, compact] of [
  ['comments', 'const a = 1; // one\n/* two\n lines */ a; /* b */ a;', 'const a=1;\na;a;\n'],
  ['indentation and blank lines', 'if (a) {\n\n    b();\n}', 'if(a){\nb();\n}\n'],
  ['a line end that ends a statement', 'const a = 1\nconst b = 2', 'const a=1\nconst b=2\n'],
  ['a line end within a comment', 'const a = 1 /*\n*/ const b = 2', 'const a=1\nconst b=2\n'],
  ['words', 'export default async function  f() {}', 'export default async function f(){}\n'],
  ['signs that would become others', 'a + +b - -c ? .5 : 1 .e', 'a+ +b- -c? .5:1 .e\n'],
  ['division and regular expressions', 'a / /b/g.exec(c) / d', 'a/ /b/g.exec(c) / d\n'],
  [
    'texts',
    'f(\'a  // b\', "/* c */", `d  ${ e  /* f */ } // g\n  h`)',
    'f(\'a  // b\',"/* c */",`d  ${e} // g\n  h`)\n',
  ],
  [
    'private names',
    'class A { #a = 1; get b() { return this.#a in  this; } }',
    'class A{#a=1;get b(){return this.#a in this;}}\n',
  ],
  ['nothing', '', '\n'],
] as const) {
  test(`of a module with ${what} the same is left`, () => {
    assert.equal(compactModule(source), compact);
    assert.deepEqual(listTokens(compact), listTokens(source));
  });
}

test('what is no module is refused', () => {
  assert.throws(() => compactModule('const = 1'), SyntaxError);
});
