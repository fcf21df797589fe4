// Single sign-on in a real Chromium, at a real provider: people log in at its page, work by the brand and the role
// that its claims give, log out at both, and stay out once their account there was removed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import {
  BRAND_CLAIM,
  CLIENT_ID,
  CLIENT_SECRET,
  ROLE_CLAIM,
  startProvider,
} from '@lothub/people/test/sign-on/provider';
import type { TestProvider } from '@lothub/people/test/sign-on/provider';
import type { Page } from 'playwright-core';
import { anEvent, boot, type Booted } from '../boot.ts';
import { browse } from './browsing.ts';

const LOG_IN_PAGE = `<!doctype html><html lang="en"><title>Provider</title>
<form method="post"><label>Account <input name="account"></label><button>Continue</button></form>`;

const browser = await launchBrowser();
let front: Server;
let provider: TestProvider;
let hub: Booted;
/** Where people reach the hub: the provider has to know it before the hub runs. */
let base: string;

before(async () => {
  front = createServer((socket) => {
    const inner = connect(Number(new URL(hub.base).port), '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      one.on('error', () => other.destroy());
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  assert(address !== null && typeof address === 'object');
  base = `http://127.0.0.1:${address.port}`;
  provider = await startProvider({
    redirectUris: [`${base}/console/sign-on/back`],
    postLogoutRedirectUris: [`${base}/console/login?done=logged-out`],
  });
  provider.fault = (request, response) => {
    const isLogIn = request.url?.startsWith('/interaction/') === true;
    if (!isLogIn || request.method === 'POST') return false;
    sendLogInPage(response);
    return true;
  };
  hub = await boot({
    env: {
      PUBLIC_URL: base,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_BRAND_CLAIM: BRAND_CLAIM,
      OIDC_ROLE_CLAIM: ROLE_CLAIM,
      OIDC_PASSWORD_LOGIN: 'off',
    },
  });
  for (const brand of ['bakery', 'mill'])
    await hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': brand });
});
after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await new Promise((resolve) => front.close(resolve));
});

function sendLogInPage(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(LOG_IN_PAGE);
}

/** Puts somebody at the provider. */
function know(subject: string, claims: Readonly<Record<string, unknown>>): void {
  const email = `${subject}@example.com`;
  provider.people.set(subject, { email, email_verified: true, name: subject, ...claims });
}

/** From the log-in of the console to the page of the provider, and back as somebody. */
async function logInAs(page: Page, subject: string): Promise<void> {
  await page.getByRole('link', { name: 'Single sign-on' }).click();
  await page.waitForURL(`${provider.issuer}/interaction/*`);
  provider.person = subject;
  await page.getByLabel('Account').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`somebody logs in at the provider, works by its claims, and logs out at both, ${how}`, async () => {
    const subject = javaScriptEnabled ? 'ada' : 'grace';
    know(subject, { [BRAND_CLAIM]: ['bakery'], [ROLE_CLAIM]: 'quality' });
    await using browsing = await browse(browser, base, { javaScriptEnabled });
    const { page } = browsing;

    await page.goto('/console/b/bakery/recalls');
    await logInAs(page, subject);
    await page.waitForURL(`${base}/console/b/bakery/recalls`);
    const mayOpen = await page.getByRole('link', { name: 'Simulate' }).first().isVisible();
    const other = await page.goto('/console/b/mill');
    const people = await page.goto('/console/b/bakery/people');
    const needed = await page.locator('main').innerText();
    await page.goto('/console/b/bakery');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(`${provider.issuer}/session/end?**`);
    await page.getByRole('button', { name: /Yes, sign me out/ }).click();
    await page.waitForURL(`${base}/console/login?**`);
    const said = await page.locator('.notice.good').innerText();
    await page.goto('/console/b/bakery');
    const where = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.waitForURL(`${provider.issuer}/interaction/*`);

    assert.ok(mayOpen);
    assert.deepEqual([other?.status(), people?.status()], [404, 403]);
    assert.match(needed, /needs the role Manager/);
    assert.equal(said.trim(), 'You are logged out.');
    assert.equal(where, '/console/login');
    assert.deepEqual(browsing.complaints, []);
  });
}

test('an account that was removed at the provider does not come in again', async () => {
  know('removed', { [BRAND_CLAIM]: ['bakery'], [ROLE_CLAIM]: 'manager' });
  await using first = await browse(browser, base);
  await first.page.goto('/console');
  await logInAs(first.page, 'removed');
  await first.page.waitForURL(`${base}/console/b/bakery`);

  provider.people.delete('removed');
  await using second = await browse(browser, base);
  await second.page.goto('/console');
  await logInAs(second.page, 'removed');
  await second.page.waitForLoadState();
  const refused = await second.page.locator('body').innerText();
  await second.page.goto(`${base}/console/b/bakery`);

  assert.match(refused, /went wrong/);
  assert.equal(new URL(second.page.url()).pathname, '/console/login');
});

test('who lost the claim of a brand at the provider loses the brand here with the next log-in', async () => {
  know('moved', { [BRAND_CLAIM]: ['bakery', 'mill'], [ROLE_CLAIM]: 'viewer' });
  await using first = await browse(browser, base);
  await first.page.goto('/console/b/mill');
  await logInAs(first.page, 'moved');
  await first.page.waitForURL(`${base}/console/b/mill`);

  know('moved', { [BRAND_CLAIM]: ['bakery'], [ROLE_CLAIM]: 'viewer' });
  await using second = await browse(browser, base);
  await second.page.goto('/console');
  await logInAs(second.page, 'moved');
  await second.page.waitForURL(`${base}/console/b/bakery`);
  const statuses = [await second.page.goto('/console/b/mill'), await first.page.reload()];

  assert.deepEqual(
    statuses.map((answer) => answer?.status()),
    [404, 404],
  );
});
