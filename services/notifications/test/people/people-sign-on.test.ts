// Single sign-on as people of the inbox meet it: the button, the way in and out, and the pages of refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PUBLIC_URL, SignedOnService, attackSignOn } from '@lothub/people/test/sign-on/attacks';
import type { SignOnEntrance } from '@lothub/people/test/sign-on/attacks';
import { testPasswords } from '@lothub/people/test/test-passwords';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { FIRST_OWNER, OWNER_EMAIL, OWNER_PASSWORD, boot, type Booted } from '../boot.ts';
import { newPerson } from './person.ts';

const INBOX: SignOnEntrance<Booted> = {
  name: 'inbox',
  prefix: '/inbox',
  boot: (env) => boot({ env: { ...FIRST_OWNER, ...env } }),
};

/** With the owner at the provider, who is logged in there. */
async function open(env: Readonly<Record<string, string>> = {}): Promise<SignedOnService<Booted>> {
  const opened = await SignedOnService.open(INBOX, env);
  opened.provider.people.set('owner-1', { email: OWNER_EMAIL, email_verified: true });
  opened.provider.person = 'owner-1';
  return opened;
}

const opened = await openForFile(open());

test('the log-in page leads to the provider, and the provider to the page that was wanted', async () => {
  const browser = opened.newBrowser();
  const login = await browser.visit(`${PUBLIC_URL}/inbox/me`);
  const link = /href="(\/inbox\/sign-on\?[^"]*)"/.exec(login.text)?.[1] ?? '';

  const visit = await browser.visit(`${PUBLIC_URL}${link}`);

  assert.equal(visit.url, `${PUBLIC_URL}/inbox/me`);
  assert.equal(visit.status, 200);
  assert.match(visit.text, new RegExp(OWNER_EMAIL));
});

test('who came from the provider is taken there to log out, and comes back to the log-in', async () => {
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
  opened.provider.people.set('eve-1', { email: 'eve@example.com', email_verified: true });
  opened.provider.person = 'eve-1';

  const visit = await opened.newBrowser().visit(`${PUBLIC_URL}/inbox/sign-on`);

  assert.equal(visit.status, 403);
  assert.match(
    visit.text,
    /<h1>.*ask a manager of your brand, or the operator, for an invitation/s,
  );
});

test('where log-in by password is off nobody is asked for one, nor let in by one', async () => {
  await using opened = await open({ OIDC_PASSWORD_LOGIN: 'off' });

  const page = await opened.newBrowser().visit(`${PUBLIC_URL}/inbox/login`);
  const answer = await opened.served.send({
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

attackSignOn(INBOX, opened);

// The last test: the provider does not come back.
test('a provider that is away is a page of its own, and passwords go on', async () => {
  const ada = await newPerson(opened.served);
  await opened.served.database.change(
    'update people.accounts set password_hash = ? where id = ?',
    await testPasswords.hash(OWNER_PASSWORD),
    ada.accountId,
  );
  await opened.provider.goAway();

  const visit = await opened.newBrowser().visit(`${PUBLIC_URL}/inbox/sign-on`);
  const { status } = await opened.served.send({
    method: 'POST',
    path: '/api/v1/session',
    body: { email: ada.email, password: OWNER_PASSWORD },
  });

  assert.equal(visit.status, 503);
  assert.match(visit.text, /does not answer/);
  assert.equal(status, 201);
});
