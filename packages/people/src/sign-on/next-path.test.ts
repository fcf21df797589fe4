// Where a browser goes once somebody is logged in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPath } from './next-path.ts';

for (const next of [
  '/console',
  '/console?tab=1',
  '/console/b/acme/keys?after=x#top',
  '/inbox/groups/grp_1',
  '/console/b/caf%C3%A9',
]) {
  test(`${next} is a page of ours`, () => {
    assert.equal(nextPath(next, '/console'), next);
  });
}

for (const next of [
  undefined,
  '',
  'https://evil.example/console',
  '//evil.example/console',
  '/\\evil.example/console',
  '/console\\evil',
  '/console\t/x',
  '\n/console',
  '/consoles',
  '/v1/lots',
  'console',
  'javascript:alert(1)',
  `/console/${'x'.repeat(492)}`,
]) {
  test(`${JSON.stringify(next)?.slice(0, 40)} is none, and leads to the first page`, () => {
    assert.equal(nextPath(next, '/inbox'), '/inbox');
  });
}
