// How the log-in of the console looks where people come from a provider of single sign-on, and what it does when
// something is wrong there or on the way back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAttacked } from '@lothub/people/test/sign-on/attacks';
import { boot } from '../boot.ts';
import { OWN_SITE, open, submit } from './visitors.ts';

/** Nobody listens there. */
const PROVIDER = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'hub' };

// Before the first test: a file whose tests so far have ended is over.
await openAttacked({ name: 'console', prefix: '/console', boot: (env) => boot({ env }) });

test('the log-in leads to the provider and back, beside the password', async () => {
  await using booted = await boot({ env: PROVIDER });

  const page = await open(booted, '/console/login?next=/console/keys');
  const away = await open(booted, '/console/sign-on?next=/console/keys');
  const { routes } = await booted.service.openConsole();
  const opened = routes.filter(({ url }) => url.includes('/sign-on'));

  assert.match(page.text, /href="\/console\/sign-on\?next=%2Fconsole%2Fkeys"/);
  assert.match(page.text, /type="password"/);
  assert.equal(away.status, 503);
  assert.match(away.text, /Single sign-on does not answer/);
  assert.deepEqual(new Set(opened.map(({ right }) => right)), new Set(['open']));
});

test('without passwords the provider is the only way in, also when a session ends in a form', async () => {
  await using booted = await boot({ env: { ...PROVIDER, OIDC_PASSWORD_LOGIN: 'off' } });

  const page = await open(booted, '/console/login');
  const ended = await submit(booted, '/console/me', {
    headers: OWN_SITE,
    values: { name: 'Grace Hopper' },
  });

  for (const { text } of [page, ended]) {
    assert.doesNotMatch(text, /type="password"/);
    assert.match(text, /href="\/console\/sign-on/);
  }
  assert.match(ended.text, /name="before\.name" value="Grace Hopper"/);
  assert.match(ended.text, /I have logged in in another window/);
});
