// Single sign-on as people of the inbox meet it: the button, the way in and out, and the pages of refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestBrowser } from '@lothub/people/test/sign-on/browser';
import { CLIENT_ID, CLIENT_SECRET, startProvider } from '@lothub/people/test/sign-on/provider';
import type { TestProvider } from '@lothub/people/test/sign-on/provider';
import { FIRST_OWNER, OWNER_EMAIL, OWNER_PASSWORD, boot } from '../boot.ts';
import type { Booted } from '../boot.ts';

const PUBLIC_URL = 'https://inbox.example.com';

interface Opened extends AsyncDisposable {
  readonly inbox: Booted;
  readonly provider: TestProvider;
  newBrowser(): TestBrowser;
}

async function open(env: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const provider = await startProvider({
    redirectUris: [`${PUBLIC_URL}/inbox/sign-on/back`],
    postLogoutRedirectUris: [`${PUBLIC_URL}/inbox/login?done=logged-out`],
  });
  provider.people.set('owner-1', { email: OWNER_EMAIL, email_verified: true });
  provider.person = 'owner-1';
  const inbox = await boot({
    env: {
      ...FIRST_OWNER,
      PUBLIC_URL,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      ...env,
    },
  });
  return {
    inbox,
    provider,
    newBrowser: () => new TestBrowser({ [PUBLIC_URL]: inbox.base }),
    [Symbol.asyncDispose]: async () => {
      await inbox[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

test('the log-in page leads to the provider, and the provider to the page that was wanted', async () => {
  await using opened = await open();
  const browser = opened.newBrowser();
  const login = await browser.visit(`${PUBLIC_URL}/inbox/me`);
  const link = /href="(\/inbox\/sign-on\?[^"]*)"/.exec(login.text)?.[1] ?? '';

  const visit = await browser.visit(`${PUBLIC_URL}${link}`);

  assert.equal(visit.url, `${PUBLIC_URL}/inbox/me`);
  assert.equal(visit.status, 200);
  assert.match(visit.text, new RegExp(OWNER_EMAIL));
});

test('who came from the provider is taken there to log out, and comes back to the log-in', async () => {
  await using opened = await open();
  const browser = opened.newBrowser();
  await browser.visit(`${PUBLIC_URL}/inbox/sign-on`);

  const out = await browser.get(`${PUBLIC_URL}/inbox/logout`, { method: 'POST' });
  const leaving = await browser.get(`${PUBLIC_URL}${out.headers.get('location')}`);

  assert.equal(out.status, 303);
  assert.match(
    leaving.headers.get('refresh') ?? '',
    new RegExp(`^0; url=${opened.provider.issuer}/`),
  );
  assert.equal(
    (await browser.visit(`${PUBLIC_URL}/inbox/me`)).url.split('?')[0],
    `${PUBLIC_URL}/inbox/login`,
  );
});

test('a stranger sees a page that says what to do', async () => {
  await using opened = await open();
  opened.provider.people.set('eve-1', { email: 'eve@example.com', email_verified: true });
  opened.provider.person = 'eve-1';

  const visit = await opened.newBrowser().visit(`${PUBLIC_URL}/inbox/sign-on`);

  assert.equal(visit.status, 403);
  assert.match(
    visit.text,
    /<h1>.*ask a manager of your brand, or the operator, for an invitation/s,
  );
});

test('a provider that is away is a page of its own, and passwords go on', async () => {
  await using opened = await open();
  await opened.provider.goAway();

  const visit = await opened.newBrowser().visit(`${PUBLIC_URL}/inbox/sign-on`);
  const { status } = await opened.inbox.send({
    method: 'POST',
    path: '/api/v1/session',
    body: { email: OWNER_EMAIL, password: OWNER_PASSWORD },
  });

  assert.equal(visit.status, 503);
  assert.match(visit.text, /does not answer/);
  assert.equal(status, 201);
});

test('where log-in by password is off nobody is asked for one, nor let in by one', async () => {
  await using opened = await open({ OIDC_PASSWORD_LOGIN: 'off' });

  const page = await opened.newBrowser().visit(`${PUBLIC_URL}/inbox/login`);
  const answer = await opened.inbox.send({
    method: 'POST',
    path: '/api/v1/session',
    body: { email: OWNER_EMAIL, password: OWNER_PASSWORD },
  });

  assert.doesNotMatch(page.text, /type="password"/);
  assert.match(page.text, /href="\/inbox\/sign-on/);
  assert.equal(answer.status, 403);
  assert.equal(answer.json['code'], 'password_login_off');
});

test('without a provider there is no button, and no way', async () => {
  await using inbox = await boot({ env: FIRST_OWNER });

  const page = await inbox.call('/inbox/login', { headers: { Accept: 'text/html' } });
  const begin = await inbox.call('/inbox/sign-on', { headers: { Accept: 'application/json' } });

  assert.doesNotMatch(page.text, /sign-on/);
  assert.notEqual(begin.status, 303);
});
