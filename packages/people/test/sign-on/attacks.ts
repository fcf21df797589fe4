// What goes wrong at a provider or on the way back, as people meet it at a service, written once for every service
// that people log in to: a page that says so, and no session. Each check of an answer is tried in
// sign-on-faults.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { newId } from '@lothub/kit/secrets/ids';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { insertAccount } from '../../src/accounts/queries.ts';
import type { People } from '../../src/people.ts';
import type { PagesPrefix } from '../../src/sign-on/next-path.ts';
import { TestBrowser } from './browser.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  CLOCK_WRONG_SECONDS,
  ID_TOKEN_SECONDS,
  startProvider,
  type TestProvider,
} from './provider.ts';

export const PUBLIC_URL = 'https://lothub.example.com';
const MS_PER_SECOND = 1_000;
const IN = 303;
/** The log-in is to be begun again. */
const AGAIN = 400;
/** What the provider answered is not to be trusted. */
const REFUSED = 502;

/** A service that a test has booted. */
export interface SignOnService extends AsyncDisposable {
  readonly base: string;
  readonly service: { readonly people: People };
  readonly log: () => string;
}

/** How a service is reached whose people log in at a provider. */
export interface SignOnEntrance<Service extends SignOnService> {
  readonly name: string;
  readonly prefix: PagesPrefix;
  readonly boot: (env: Readonly<Record<string, string>>) => Promise<Service>;
}

/** A service and its provider. */
export class SignedOnService<Service extends SignOnService> implements AsyncDisposable {
  readonly served: Service;
  readonly provider: TestProvider;
  readonly #prefix: PagesPrefix;

  private constructor(parts: {
    readonly served: Service;
    readonly provider: TestProvider;
    readonly prefix: PagesPrefix;
  }) {
    this.served = parts.served;
    this.provider = parts.provider;
    this.#prefix = parts.prefix;
  }

  /** @param env more settings of the service */
  static async open<Service extends SignOnService>(
    { prefix, boot }: SignOnEntrance<Service>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<SignedOnService<Service>> {
    const provider = await startProvider({
      redirectUris: [`${PUBLIC_URL}${prefix}/sign-on/back`],
      postLogoutRedirectUris: [`${PUBLIC_URL}${prefix}/login?done=logged-out`],
      idTokenSeconds: ID_TOKEN_SECONDS,
    });
    const served = await boot({
      PUBLIC_URL,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      ...env,
    });
    return new SignedOnService({ served, provider, prefix });
  }

  newBrowser(): TestBrowser {
    return new TestBrowser({ [PUBLIC_URL]: this.served.base });
  }

  /** Puts somebody with an account at the provider, who is logged in there from now on. */
  async know(): Promise<string> {
    const id = newId('usr');
    const email = `${id.toLowerCase()}@example.com`;
    await this.served.service.people.store.write([
      insertAccount({ id, email, name: 'Ada', passwordHash: null, createdAt: Date.now() }),
    ]);
    this.provider.people.set(id, { email, email_verified: true });
    this.provider.person = id;
    return id;
  }

  /** The way to the provider, up to the address that it sends the browser back to. */
  async signOnUntilBack(browser: TestBrowser): Promise<URL> {
    const back = `${PUBLIC_URL}${this.#prefix}/sign-on/back`;
    const visit = await browser.visit(`${PUBLIC_URL}${this.#prefix}/sign-on`, (url) =>
      url.startsWith(back),
    );
    return new URL(visit.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.served[Symbol.asyncDispose]();
    await this.provider[Symbol.asyncDispose]();
  }
}

/** Attacks the way back from the provider. */
export function attackSignOn<Service extends SignOnService>(
  { name, prefix }: SignOnEntrance<Service>,
  opened: SignedOnService<Service>,
): void {
  /** Ends a log-in. Whoever gets no session gets a page and is not in. @returns the status */
  const comeBack = async (browser: TestBrowser, back: URL): Promise<number> => {
    const { status, headers } = await browser.get(back.href);
    const hasSession = /lothub_session=\w/.test(headers.getSetCookie().join());
    assert.equal(hasSession, status === IN);
    const me = await browser.get(`${PUBLIC_URL}${prefix}/me`);
    assert.equal(me.status === 200, status === IN);
    if (status !== IN) assert.match(headers.get('content-type') ?? '', /^text\/html/);
    return status;
  };

  void test(`${name}: an answer of the provider that is replayed lets nobody in a second time`, async () => {
    await opened.know();
    const browser = opened.newBrowser();
    const back = await opened.signOnUntilBack(browser);

    const stolen = await comeBack(opened.newBrowser(), back);
    const first = await comeBack(browser, back);
    await browser.get(`${PUBLIC_URL}${prefix}/logout`, { method: 'POST' });
    const again = await comeBack(browser, back);

    assert.deepEqual([stolen, first, again], [AGAIN, IN, AGAIN]);
  });

  for (const [what, change, refusal] of [
    [
      'of another issuer',
      (back: URL) => back.searchParams.set('iss', 'https://evil.example'),
      REFUSED,
    ],
    [
      'with the state of nobody',
      (back: URL) => back.searchParams.set('state', 'x'.repeat(43)),
      AGAIN,
    ],
    ['without a state', (back: URL) => back.searchParams.delete('state'), AGAIN],
  ] as const) {
    void test(`${name}: an answer ${what} lets nobody in, and sends no code`, async () => {
      await opened.know();
      const browser = opened.newBrowser();
      const back = await opened.signOnUntilBack(browser);
      const before = opened.provider.requests.get('/token');
      change(back);

      const status = await comeBack(browser, back);

      assert.equal(status, refusal);
      assert.equal(opened.provider.requests.get('/token'), before);
    });
  }

  void test(`${name}: a clock that is off lets nobody in, and the log says why, without the code`, async (t) => {
    await opened.know();
    const backs = [];
    for (const seconds of [CLOCK_WRONG_SECONDS, -CLOCK_WRONG_SECONDS]) {
      const browser = opened.newBrowser();
      const back = await opened.signOnUntilBack(browser);
      const clock = t.mock.method(systemClock, 'nowMs', () => Date.now() + seconds * MS_PER_SECOND);
      backs.push([await comeBack(browser, back), back.searchParams.get('code') ?? ''] as const);
      clock.mock.restore();
    }

    assert.deepEqual(
      backs.map(([status]) => status),
      [REFUSED, REFUSED],
    );
    assert.match(opened.served.log(), /"causes":.*"a sign-on failed"/);
    for (const [, code] of backs) assert.ok(!opened.served.log().includes(code));
  });

  void test(`${name}: a new key of the provider counts at once`, async () => {
    await opened.know();
    opened.provider.rotateKey();
    const browser = opened.newBrowser();

    const status = await comeBack(browser, await opened.signOnUntilBack(browser));

    assert.equal(status, IN);
  });

  void test(`${name}: an account that was removed at the provider does not come in again`, async () => {
    const id = await opened.know();
    const browser = opened.newBrowser();
    const back = await opened.signOnUntilBack(browser);
    opened.provider.people.delete(id);

    const status = await comeBack(browser, back);

    assert.equal(status, AGAIN);
  });
}

/** Opens a service with its provider for a file, and attacks it. */
export async function openAttacked<Service extends SignOnService>(
  entrance: SignOnEntrance<Service>,
  env: Readonly<Record<string, string>> = {},
): Promise<SignedOnService<Service>> {
  const opened = await openForFile(SignedOnService.open(entrance, env));
  attackSignOn(entrance, opened);
  return opened;
}
