// Logging in at a provider: the way there and back over HTTP, the account, and its roles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRights } from '../../src/brands/access.ts';
import { giveRole } from '../../src/brands/grants.ts';
import { COMMAND_LINE } from '../../src/brands/roles-of-place.ts';
import { eraseAccount } from '../../src/departure/erase.ts';
import { exportAccount } from '../../src/departure/export.ts';
import { acceptInvitation } from '../../src/invitations/accept.ts';
import { makeInvitation } from '../../src/invitations/invitations.ts';
import { ATTEMPT_LIFE_MS } from '../../src/sign-on/attempts.ts';
import { TestBrowser } from './browser.ts';
import { BRAND_CLAIM, ROLE_CLAIM } from './provider.ts';
import { PASSWORD, becomes, codeIn, personIn, startSite, type Site } from './site.ts';

const ADA = { email: 'Ada@Example.com', email_verified: true, name: 'Ada' };

async function readRoles(site: Site, accountId: string): Promise<Record<string, string>> {
  const { hub, brands } = await readRights(site.people.store.reader, accountId);
  return { ...Object.fromEntries(brands), ...(hub === undefined ? {} : { hub }) };
}

async function countRows(site: Site, table: 'accounts' | 'sessions' | 'sign_on_attempts') {
  return (await site.database.rows(`select 1 as one from ${table}`)).length;
}

test('somebody with a brand claim gets an account, its role, and the page that was wanted', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: ['acme'], [ROLE_CLAIM]: 'quality' });

  const visit = await site.signOn(new TestBrowser(), '/console/b/acme?tab=lots');

  const person = personIn(visit);
  assert.equal(visit.url, `${site.base}/console/b/acme?tab=lots`);
  assert.equal(person.email, 'ada@example.com');
  assert.equal(person.name, 'Ada');
  assert.deepEqual(await readRoles(site, person.accountId), { acme: 'quality' });
});

test('who was joined once is known by the subject, whatever the e-mail is then', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'viewer' });
  const first = personIn(await site.signOn(new TestBrowser()));
  becomes(site, 'ada-1', {
    email: 'ada@new.example',
    [BRAND_CLAIM]: 'acme',
    [ROLE_CLAIM]: 'viewer',
  });

  const second = personIn(await site.signOn(new TestBrowser()));

  assert.equal(second.accountId, first.accountId);
  assert.equal(second.email, 'ada@example.com');
  assert.equal(await countRows(site, 'accounts'), 1);
});

test('an account is joined by its verified e-mail; whoever made it is out', async () => {
  await using site = await startSite();
  const accountId = await site.makeAccount({ email: 'ada@example.com', name: 'A. L.' });
  const stranger = new TestBrowser();
  assert.equal((await site.logInByPassword(stranger, 'ada@example.com')).status, 201);
  becomes(site, 'ada-1', ADA);

  const person = personIn(await site.signOn(new TestBrowser()));

  assert.equal(person.accountId, accountId);
  assert.equal(person.name, 'A. L.');
  assert.equal((await stranger.visit(`${site.base}/console`)).status, 401);
  const again = await site.logInByPassword(new TestBrowser(), 'ada@example.com');
  assert.equal(codeIn({ text: await again.text() }), 'login_failed');
});

test('who is logged in to the account when it is joined keeps its password', async () => {
  await using site = await startSite();
  const accountId = await site.makeAccount({ email: 'ada@example.com', name: 'Ada' });
  const browser = new TestBrowser();
  await site.logInByPassword(browser, 'ada@example.com');
  becomes(site, 'ada-1', ADA);

  const person = personIn(await site.signOn(browser));

  assert.equal(person.accountId, accountId);
  assert.equal((await site.logInByPassword(new TestBrowser(), 'ada@example.com')).status, 201);
  assert.equal(
    await countRows(site, 'sessions'),
    2,
    'the new session takes the place of the old one',
  );
});

for (const [what, claims] of [
  ['was not verified', { ...ADA, email_verified: false }],
  ['is verified by a text', { ...ADA, email_verified: 'true' }],
  ['nobody speaks of', { name: 'Ada' }],
] as const) {
  test(`no account is joined by an e-mail that ${what}, nor made`, async () => {
    await using site = await startSite();
    await site.makeAccount({ email: 'ada@example.com', name: 'Ada' });
    becomes(site, 'ada-1', { ...claims, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
    const browser = new TestBrowser();

    const visit = await site.signOn(browser);

    assert.equal(codeIn(visit), 'sign_on_refused');
    assert.match(visit.text, /verified/);
    assert.equal(await countRows(site, 'accounts'), 1);
    assert.equal(await countRows(site, 'sessions'), 0);
  });
}

for (const [what, claims] of [
  ['no brand claim', {}],
  ['an unknown brand', { [BRAND_CLAIM]: 'unknown', [ROLE_CLAIM]: 'manager' }],
  ['an unknown role', { [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'admin' }],
  ['a claim that is no text', { [BRAND_CLAIM]: { acme: true }, [ROLE_CLAIM]: 'manager' }],
] as const) {
  test(`without an account and with ${what} nobody gets in, and is told what to do`, async () => {
    await using site = await startSite();
    becomes(site, 'ada-1', { ...ADA, ...claims });

    const visit = await site.signOn(new TestBrowser());

    assert.equal(codeIn(visit), 'sign_on_refused');
    assert.match(visit.text, /ask a manager of your brand.*invitation/);
    assert.equal(await countRows(site, 'accounts'), 0);
  });
}

test('somebody with an open invitation gets an account and comes to its page', async () => {
  await using site = await startSite();
  const { url } = await makeInvitation({ ...site.people, prefix: '/console' }, COMMAND_LINE, {
    place: { kind: 'brand', id: 'acme' },
    role: 'manager',
    email: 'ada@example.com',
  });
  const path = new URL(url).pathname;
  becomes(site, 'eve-1', { ...ADA, email: 'eve@example.com' });
  const refused = await site.signOn(new TestBrowser(), path);
  becomes(site, 'ada-1', ADA);

  const visit = await site.signOn(new TestBrowser(), path);

  assert.equal(codeIn(refused), 'sign_on_refused');
  assert.equal(visit.url, `${site.base}${path}`);
  const { accountId } = personIn(visit);
  assert.deepEqual(await readRoles(site, accountId), {}, 'the page asks first');
});

test('claims give and take with each log-in, and leave alone what people gave', async () => {
  await using site = await startSite();
  const claims = { [BRAND_CLAIM]: ['acme', 'bolt'], [ROLE_CLAIM]: ['viewer', 'quality', 'x'] };
  becomes(site, 'ada-1', { ...ADA, ...claims });
  const { accountId } = personIn(await site.signOn(new TestBrowser()));
  const given = await readRoles(site, accountId);
  await giveRole(site.people, COMMAND_LINE, {
    place: { kind: 'brand', id: 'bolt' },
    accountId,
    role: 'manager',
  });

  becomes(site, 'ada-1', { ...ADA, [ROLE_CLAIM]: ['operator'] });
  await site.signOn(new TestBrowser());

  assert.deepEqual(given, { acme: 'quality', bolt: 'quality' });
  assert.deepEqual(await readRoles(site, accountId), { bolt: 'manager', hub: 'operator' });
});

test('without a role claim in the settings a brand claim makes a viewer', async () => {
  await using site = await startSite({ env: { OIDC_ROLE_CLAIM: '' } });
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });

  const { accountId } = personIn(await site.signOn(new TestBrowser()));

  assert.deepEqual(await readRoles(site, accountId), { acme: 'viewer' });
});

test('a second person with the same e-mail does not get the account of the first', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  await site.signOn(new TestBrowser());
  becomes(site, 'ada-2', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });

  const visit = await site.signOn(new TestBrowser());

  assert.equal(codeIn(visit), 'sign_on_refused');
  assert.match(visit.text, /ask the operator/);
});

test('an account that was removed there does not come back; its session here ends by its own time', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const browser = new TestBrowser();
  await site.signOn(browser);
  site.provider.people.delete('ada-1');

  const visit = await site.signOn(new TestBrowser());

  assert.notEqual(visit.status, 200);
  assert.ok(!visit.path.some((url) => url === `${site.base}/console`), visit.path.join(' '));
  assert.equal((await browser.visit(`${site.base}/console`)).status, 200);
});

test('an erased account leaves nothing of the provider behind, and the person begins anew', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'viewer' });
  const { accountId } = personIn(await site.signOn(new TestBrowser()));
  const exported = await exportAccount(site.people, COMMAND_LINE, accountId);

  await eraseAccount(site.people, COMMAND_LINE, accountId);

  assert.deepEqual(
    exported.sign_ons.map(({ issuer, subject }) => [issuer, subject]),
    [[site.provider.issuer, 'ada-1']],
  );
  assert.deepEqual(await site.database.rows('select subject from sign_ons'), []);
  assert.notEqual(personIn(await site.signOn(new TestBrowser())).accountId, accountId);
});

test('an account that is removed while somebody logs in at the provider gets no session', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const browser = new TestBrowser();
  const back = await site.signOnUntilBack(browser);
  site.provider.people.delete('ada-1');

  const visit = await browser.visit(back);

  assert.ok(['sign_on_refused', 'sign_on_expired', 'sign_on_failed'].includes(codeIn(visit)));
  assert.equal(await countRows(site, 'sessions'), 0);
});

test('a log-in comes back once', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const browser = new TestBrowser();
  const back = await site.signOnUntilBack(browser);
  const first = await browser.visit(back);

  const second = await browser.visit(back);

  assert.equal(first.status, 200);
  assert.equal(codeIn(second), 'sign_on_expired');
  assert.equal(site.provider.requests.get('/token'), 1);
});

test('of many who come back with one log-in at the same moment one gets in', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const browser = new TestBrowser();
  const back = await site.signOnUntilBack(browser);

  const answers = await Promise.all(Array.from({ length: 8 }, () => browser.get(back)));

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
    303,
    ...Array.from({ length: 7 }, () => 403),
  ]);
  assert.equal(site.provider.requests.get('/token'), 1);
});

test('a log-in of another browser is refused, and stays good for its own', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const own = new TestBrowser();
  const back = await site.signOnUntilBack(own);
  const other = new TestBrowser();
  await site.signOnUntilBack(other);

  const byOther = await other.visit(back);
  const byNobody = await new TestBrowser().visit(back);

  assert.equal(codeIn(byOther), 'sign_on_expired');
  assert.equal(codeIn(byNobody), 'sign_on_expired');
  assert.equal((await own.visit(back)).status, 200);
});

test('a log-in that takes too long is refused, and forgotten when the next one begins', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const browser = new TestBrowser();
  const back = await site.signOnUntilBack(browser);
  site.clock.ahead = ATTEMPT_LIFE_MS;

  const visit = await browser.visit(back);
  await browser.get(`${site.base}/console/sign-on`);

  assert.equal(codeIn(visit), 'sign_on_expired');
  assert.equal(await countRows(site, 'sign_on_attempts'), 1);
});

test('two tabs of one browser log in beside each other', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const browser = new TestBrowser();
  const [one, two] = [await site.signOnUntilBack(browser), await site.signOnUntilBack(browser)];

  const visits = [await browser.visit(two), await browser.visit(one)];

  assert.deepEqual(
    visits.map(({ status }) => status),
    [200, 200],
  );
});

test('the way back leads to no other site', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });

  for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example']) {
    const visit = await site.signOn(new TestBrowser(), next);

    assert.equal(visit.url, `${site.base}/console`);
  }
});

test('an answer with an error of the provider logs nobody in', async () => {
  await using site = await startSite();
  const browser = new TestBrowser();
  const begun = await browser.get(`${site.base}/console/sign-on`);
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const answer = { error: 'access_denied', state, iss: site.provider.issuer };

  const visit = await browser.visit(
    `${site.base}/console/sign-on/back?${new URLSearchParams(answer).toString()}`,
  );

  assert.equal(codeIn(visit), 'sign_on_refused');
  assert.ok(site.log.some((line) => line.includes('access_denied')));
});

test('one address begins so many log-ins at once and no more', async () => {
  await using site = await startSite();
  const browser = new TestBrowser();
  const begin = () => browser.get(`${site.base}/console/sign-on`);
  for (let begun = 0; begun < 60; begun += 1) assert.equal((await begin()).status, 303);

  const answer = await begin();

  assert.equal(codeIn({ text: await answer.text() }), 'rate_limited');
  assert.equal(site.provider.requests.get('/.well-known/openid-configuration'), 1);
});

test('a session of the provider ends there too when somebody logs out here', async () => {
  await using site = await startSite();
  becomes(site, 'ada-1', { ...ADA, [BRAND_CLAIM]: 'acme', [ROLE_CLAIM]: 'manager' });
  const browser = new TestBrowser();
  await site.signOn(browser);

  const out = await browser.send(`${site.base}/console/logout`, {});
  const leaving = await browser.get(`${site.base}${out.headers.get('location')}`);

  assert.equal(out.headers.get('location'), '/console/sign-on/out');
  const url = new URL(/^0; url=(.+)$/.exec(leaving.headers.get('refresh') ?? '')?.[1] ?? '');
  assert.equal(url.origin, site.provider.issuer);
  assert.equal(
    url.searchParams.get('post_logout_redirect_uri'),
    `${site.base}/console/login?done=logged-out`,
  );
  const there = await browser.get(url.href);
  assert.equal(there.status, 200, 'the provider asks whether the person wants it');
  assert.equal((await browser.visit(`${site.base}/console`)).status, 401);
});

test('who came with a password does not leave by the provider', async () => {
  await using site = await startSite();
  await site.makeAccount({ email: 'ada@example.com', name: 'Ada' });
  const browser = new TestBrowser();
  await site.logInByPassword(browser, 'ada@example.com');

  const out = await browser.send(`${site.base}/console/logout`, {});

  assert.equal(out.headers.get('location'), '/console/login');
});

test('where log-in by password is off nobody makes an account with one', async () => {
  await using site = await startSite({ env: { OIDC_PASSWORD_LOGIN: 'off' } });
  const { url } = await makeInvitation({ ...site.people, prefix: '/console' }, COMMAND_LINE, {
    place: { kind: 'brand', id: 'acme' },
    role: 'manager',
    email: null,
  });
  const person = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };
  const browser = { agent: 'test', mark: undefined };

  const accepting = acceptInvitation(site.people, {
    secret: url.split('/').at(-1) ?? '',
    as: { kind: 'new', person, browser },
  });

  await assert.rejects(accepting, { code: 'password_login_off' });
  assert.equal(await countRows(site, 'accounts'), 0);
});

test('where log-in by password is off it opens nothing, and single sign-on does', async () => {
  await using site = await startSite({ env: { OIDC_PASSWORD_LOGIN: 'off' } });
  await site.makeAccount({ email: 'ada@example.com', name: 'Ada' });
  becomes(site, 'ada-1', ADA);

  const byPassword = await site.logInByPassword(new TestBrowser(), 'ada@example.com');
  const bySignOn = await site.signOn(new TestBrowser());

  assert.equal(codeIn({ text: await byPassword.text() }), 'password_login_off');
  assert.equal(bySignOn.status, 200);
});
