// What goes wrong at a provider, or is made to: nobody is logged in by it, and the page comes in time.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import {
  CLOCK_TOLERANCE_SECONDS,
  DESCRIPTION_LIFE_MS,
} from '../../src/sign-on/identity-provider.ts';
import { PROVIDER_TIMEOUT_SECONDS } from '../../src/sign-on/identity-provider.ts';
import { testEngine } from '../engine.ts';
import { TestBrowser } from './browser.ts';
import {
  BRAND_CLAIM,
  CLIENT_ID,
  CLOCK_WRONG_SECONDS,
  ID_TOKEN_SECONDS,
  ROLE_CLAIM,
  type Fault,
} from './provider.ts';
import { becomes, codeIn, startSite, type Site, type SiteOptions } from './site.ts';

const ADA = {
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada',
  [BRAND_CLAIM]: 'acme',
  [ROLE_CLAIM]: 'manager',
};
const MS_PER_SECOND = 1_000;

async function startWithAda(options?: SiteOptions): Promise<Site> {
  const site = await startSite(options);
  becomes(site, 'ada-1', ADA);
  return site;
}

async function countSessions(site: Site): Promise<number> {
  return (await site.database.rows('select 1 as one from sessions')).length;
}

/** Answers one path of the provider. */
function answering(path: string, answer: (response: ServerResponse) => void): Fault {
  return (request, response) => {
    if (!(request.url ?? '').startsWith(path)) return false;
    answer(response);
    return true;
  };
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** An answer of the token endpoint whose ID token somebody else signed, or nobody. */
function tokenAnswer(
  site: Site,
  claims: Readonly<Record<string, unknown>>,
  alg = 'RS256',
): unknown {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const nowSeconds = Math.floor(Date.now() / MS_PER_SECOND);
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode({
    iss: site.provider.issuer,
    aud: CLIENT_ID,
    sub: 'ada-1',
    iat: nowSeconds,
    exp: nowSeconds + ID_TOKEN_SECONDS,
    ...claims,
  })}`;
  const signature = alg === 'none' ? '' : sign('sha256', Buffer.from(signed), privateKey);
  const idToken = `${signed}.${Buffer.from(signature).toString('base64url')}`;
  return { access_token: 'x', token_type: 'Bearer', id_token: idToken };
}

test('a provider that calls itself otherwise than the settings do is not used', async () => {
  await using site = await startWithAda({
    issuer: (own) => own.replace('127.0.0.1', 'localhost'),
  });

  const visit = await site.signOn(new TestBrowser());

  assert.equal(codeIn(visit), 'sign_on_failed');
  assert.ok(site.log.some((line) => line.includes('issuer')));
});

for (const [what, change] of [
  ['of another provider', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ['that does not say of which provider', (url: URL) => url.searchParams.delete('iss')],
  ['with two states', (url: URL) => url.searchParams.append('state', 'x')],
] as const) {
  test(`an answer ${what} is refused`, async () => {
    await using site = await startWithAda();
    const browser = new TestBrowser();
    const back = new URL(await site.signOnUntilBack(browser));
    change(back);

    const visit = await browser.visit(back.href);

    assert.equal(codeIn(visit), 'sign_on_failed');
    assert.equal(site.provider.requests.get('/token'), undefined, 'no code is sent anywhere');
    assert.equal(await countSessions(site), 0);
  });
}

test('an ID token for another nonce is refused', async () => {
  await using site = await startWithAda();
  const browser = new TestBrowser();
  const back = await site.signOnUntilBack(browser, (url) => {
    url.searchParams.set('nonce', 'of-somebody-else');
  });

  const visit = await browser.visit(back);

  assert.equal(codeIn(visit), 'sign_on_failed');
  assert.ok(site.log.some((line) => line.includes('nonce')));
  assert.equal(await countSessions(site), 0);
});

test('a code of another log-in is refused', async () => {
  await using site = await startWithAda();
  const [victim, attacker] = [new TestBrowser(), new TestBrowser()];
  const stolen = new URL(await site.signOnUntilBack(victim)).searchParams.get('code') ?? '';
  const back = new URL(await site.signOnUntilBack(attacker));
  back.searchParams.set('code', stolen);

  const visit = await attacker.visit(back.href);

  assert.equal(codeIn(visit), 'sign_on_expired');
  assert.equal(await countSessions(site), 0);
});

for (const [what, claims, alg] of [
  ['that another key signed', {}, 'RS256'],
  ['that nobody signed', {}, 'none'],
  ['of another issuer', { iss: 'https://evil.example' }, 'RS256'],
  ['for another client', { aud: 'another' }, 'RS256'],
] as const) {
  test(`an ID token ${what} is refused`, async () => {
    await using site = await startWithAda();
    const browser = new TestBrowser();
    let nonce: string | null = null;
    const back = await site.signOnUntilBack(browser, (url) => {
      nonce = url.searchParams.get('nonce');
    });
    const token = answering('/token', (response) => {
      sendJson(response, tokenAnswer(site, { nonce, ...claims }, alg));
    });
    // All else is as it should be, so that nothing but the ID token is in the way.
    const me = answering('/me', (response) => sendJson(response, { ...ADA, sub: 'ada-1' }));
    site.provider.fault = (...exchange) => token(...exchange) || me(...exchange);

    const visit = await browser.visit(back);

    assert.equal(codeIn(visit), 'sign_on_failed');
    assert.equal(await countSessions(site), 0);
  });
}

test('what the provider says beside the ID token has to be of the same person', async () => {
  await using site = await startWithAda();
  site.provider.fault = answering('/me', (response) => {
    sendJson(response, { ...ADA, sub: 'eve-1' });
  });

  const visit = await site.signOn(new TestBrowser());

  assert.equal(codeIn(visit), 'sign_on_failed');
  assert.equal(await countSessions(site), 0);
});

const WITHIN = CLOCK_TOLERANCE_SECONDS / 2;

for (const [seconds, outcome] of [
  [WITHIN, 200],
  [-WITHIN, 200],
  [CLOCK_WRONG_SECONDS, 403],
  [-CLOCK_WRONG_SECONDS, 403],
] as const) {
  const words = outcome === 200 ? 'logs people in' : 'logs nobody in, and says so';
  test(`a clock that is wrong by ${seconds} seconds ${words}`, async () => {
    await using site = await startWithAda({ provider: { idTokenSeconds: ID_TOKEN_SECONDS } });
    site.clock.ahead = seconds * MS_PER_SECOND;

    const visit = await site.signOn(new TestBrowser());

    assert.equal(visit.status, outcome);
    if (outcome === 403) assert.match(visit.text, /sign_on_failed.*clocks/);
  });
}

test('a new key of the provider is known without a restart, and the old one is not any more', async () => {
  await using site = await startWithAda();
  assert.equal((await site.signOn(new TestBrowser())).status, 200);
  site.provider.rotateKey();

  const visits = [await site.signOn(new TestBrowser()), await site.signOn(new TestBrowser())];

  assert.deepEqual(
    visits.map(({ status }) => status),
    [200, 200],
  );
});

test('what the provider says of itself is read again after a while, and after a failure', async () => {
  await using site = await startWithAda();
  const description = '/.well-known/openid-configuration';
  await site.signOn(new TestBrowser());
  const first = site.provider.requests.get(description);
  site.clock.ahead = DESCRIPTION_LIFE_MS;
  await new TestBrowser().get(`${site.base}/console/sign-on`);
  const later = site.provider.requests.get(description);
  site.clock.ahead = 0;
  site.provider.fault = answering('/token', (response) => response.writeHead(400).end());
  await site.signOn(new TestBrowser());
  site.provider.fault = () => false;

  await site.signOn(new TestBrowser());

  assert.deepEqual([first, later], [1, 2]);
  assert.equal(site.provider.requests.get(description), 4);
});

test('while the provider is away people get a message, and log in with passwords', async () => {
  await using site = await startWithAda();
  await site.makeAccount({ email: 'bob@example.com', name: 'Bob' });
  await site.provider.goAway();

  const visit = await site.signOn(new TestBrowser());
  const byPassword = await site.logInByPassword(new TestBrowser(), 'bob@example.com');

  assert.equal(codeIn(visit), 'sign_on_unavailable');
  assert.equal(byPassword.status, 201);
});

test('a provider that hangs, or stops in the middle of an answer, keeps nobody waiting for ever', async () => {
  const begins = (response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
  };
  const faults = [
    ...['/.well-known', '/token', '/jwks', '/me'].map((path) => answering(path, () => undefined)),
    answering('/token', begins),
  ];

  const outcomes = await Promise.all(
    faults.map(async (fault) => {
      await using site = await startWithAda();
      site.provider.fault = fault;
      const began = performance.now();
      const visit = await site.signOn(new TestBrowser());
      const seconds = (performance.now() - began) / MS_PER_SECOND;
      return {
        code: codeIn(visit),
        isInTime: seconds < 3 * PROVIDER_TIMEOUT_SECONDS,
        sessions: await countSessions(site),
      };
    }),
  );

  const given = { code: 'sign_on_unavailable', isInTime: true, sessions: 0 };
  assert.deepEqual(
    outcomes,
    faults.map(() => given),
  );
});

for (const path of ['/.well-known', '/token', '/jwks', '/me']) {
  test(`an answer without an end at ${path} is cut off`, async () => {
    await using site = await startWithAda();
    let sent = 0;
    site.provider.fault = answering(path, (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const chunk = ' '.repeat(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more);
      more();
    });

    const visit = await site.signOn(new TestBrowser());

    assert.equal(codeIn(visit), 'sign_on_failed');
    assert.ok(sent < 64 * 1_048_576, `${sent} bytes were sent`);
  });
}

for (const [what, status, code] of [
  ['is broken', 500, 'sign_on_unavailable'],
  ['does not know the client', 401, 'sign_on_failed'],
  ['sends elsewhere', 302, 'sign_on_failed'],
] as const) {
  test(`a token endpoint that ${what} logs nobody in`, async () => {
    await using site = await startWithAda();
    site.provider.fault = answering('/token', (response) => {
      response.writeHead(status, {
        'Content-Type': 'application/json',
        Location: 'http://127.0.0.1:1/',
      });
      response.end('{"error":"invalid_client","error_description":"secret words"}');
    });

    const visit = await site.signOn(new TestBrowser());

    assert.equal(codeIn(visit), code);
    assert.doesNotMatch(visit.text + site.log.join(''), /secret words/);
  });
}

test('the log says why, and nothing of the person', async () => {
  await using site = await startWithAda();
  const browser = new TestBrowser();
  const back = await site.signOnUntilBack(browser, (url) => url.searchParams.set('nonce', 'other'));

  await browser.visit(back);

  const log = site.log.join('');
  assert.match(log, /nonce/);
  assert.doesNotMatch(log, /ada@example\.com|eyJ/);
  assert.ok(!log.includes(new URL(back).searchParams.get('code') ?? ''));
});

if (testEngine === 'postgres') {
  test('a log-in ends in another process than the one it began in', async () => {
    await using site = await startWithAda();
    await using other = await site.beside();
    const browser = new TestBrowser();
    const back = await site.signOnUntilBack(browser);

    const answer = await browser.getBy(other.own, back);
    const again = await browser.visit(back);

    assert.equal(answer.status, 303);
    assert.equal(codeIn(again), 'sign_on_expired');
    assert.equal((await browser.visit(`${site.base}/console`)).status, 200);
  });
}
