// Where a log-in may lead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localPath, loginPath } from './page-gate.ts';

for (const path of ['/inbox', '/inbox/me', '/inbox?unread=true', '/inbox/groups/grp_1/n/3#text']) {
  test(`a page of ours is led to: ${path}`, () => {
    assert.equal(localPath(path), path);
  });
}

for (const path of [
  undefined,
  '',
  'inbox',
  '/',
  '/inboxes',
  '//inbox',
  '/inbox\\..\\',
  '/inbox/\r\nSet-Cookie: a=b',
  'https://evil.example/inbox',
]) {
  test(`anything else leads to the inbox: ${JSON.stringify(path)}`, () => {
    assert.equal(localPath(path), '/inbox');
  });
}

test('the log-in says where it leads only when that is not the inbox', () => {
  assert.equal(loginPath('/inbox'), '/inbox/login');
  assert.equal(loginPath('/inbox/me?a=b&c=d'), '/inbox/login?next=%2Finbox%2Fme%3Fa%3Db%26c%3Dd');
});
