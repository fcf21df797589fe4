// No file imports itself by way of others: a file can be read, tested and moved with what lies below it.
// Types count as well. The address of a worker does not: it is another thread's first file.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, isTypeScript, readSources, type Source } from './repository.ts';
import { listEdges } from './syntax.ts';

/** Each circle once, as its files in their order, each importing the next and the last the first. */
function findCircles(sources: readonly Source[]): readonly string[] {
  const imports = new Map(
    sources.map((source) => [
      source.path,
      listEdges(source).flatMap(({ to, isAddress }) => (isAddress ? [] : [to])),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const to of imports.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

test('no files import each other in a circle', () => {
  const findings = findCircles(readSources(isTypeScript));

  assertNone(findings);
});

test('a circle over three files is found, and a worker that is started is none', () => {
  const sources = [
    { path: 'a.ts', text: "import { b } from './b.ts';" },
    { path: 'b.ts', text: "import type { C } from './c.ts';" },
    { path: 'c.ts', text: "export { a } from './a.ts';" },
    { path: 'd.ts', text: "import { e } from './e.ts';" },
    { path: 'e.ts', text: "new Worker(new URL('./d.ts', import.meta.url));" },
  ];

  const findings = findCircles(sources);

  assert.deepEqual(findings, ['a.ts -> b.ts -> c.ts -> a.ts']);
});
