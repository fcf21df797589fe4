// What pages load leads only to what is served.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASSETS } from './assets.ts';

test('every module that is served leads only to others that are', () => {
  const known = new Set(ASSETS.map(({ path }) => path));

  const dead = ASSETS.filter(({ path }) => path.endsWith('.js')).flatMap(({ text }) =>
    [...text.matchAll(/\bfrom\s+'([^']+)'/g)].map(([, to]) => to!).filter((to) => !known.has(to)),
  );

  assert.deepEqual(dead, []);
});
